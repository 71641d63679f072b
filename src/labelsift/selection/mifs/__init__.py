# SPDX-License-Identifier: BSD-3-Clause
"""Multi-label informed feature selection: the selector and its own modules."""

from labelsift.selection.mifs.selector import MIFS

__all__ = ["MIFS"]
