# SPDX-License-Identifier: BSD-3-Clause
"""Low-dimensional subspaces that all labels share."""

from labelsift.subspace.mlls import MLLS

__all__ = ["MLLS"]
