# SPDX-License-Identifier: BSD-3-Clause
"""Multi-label informed feature selection: the selector, and what serves it alone."""

from labelsift.selection.mifs.selector import MIFS

__all__ = ["MIFS"]
