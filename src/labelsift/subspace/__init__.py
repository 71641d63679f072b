# SPDX-License-Identifier: BSD-3-Clause
"""Low-dimensional subspaces that all labels share."""

from labelsift.subspace.aso import ASO
from labelsift.subspace.cca import RegularizedCCA
from labelsift.subspace.mddm import MDDM
from labelsift.subspace.mlls import MLLS
from labelsift.subspace.opls import OPLS

__all__ = ["ASO", "MDDM", "MLLS", "OPLS", "RegularizedCCA"]
