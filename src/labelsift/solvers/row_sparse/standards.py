# SPDX-License-Identifier: BSD-3-Clause
"""Columns of X and targets in units of their own, for penalties that compare them."""

from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray
from sklearn.preprocessing import StandardScaler

from labelsift.core.labels import constant_labels
from labelsift.solvers.row_sparse.least_squares import GramLoss


def column_standards(
    X: Any, weights: NDArray[Any] | None
) -> tuple[NDArray[Any], NDArray[Any]]:
    """Mean of each column and norm of the centred column; 1 for a constant column."""
    if sp.issparse(X):
        X = X.astype(np.float64)  # its mean would be rounded to the precision of X
    scaler = StandardScaler(with_mean=not sp.issparse(X)).fit(X, sample_weight=weights)
    total = X.shape[0] if weights is None else weights.sum()
    return scaler.mean_, scaler.scale_ * np.sqrt(total)


def standardised_targets(
    codes: NDArray[Any], weights: NDArray[Any] | None, *, scaled: bool
) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
    """Centred codes, in the unit returned where they are scaled, and their means.

    NaN is unknown and does not count; the codes are overwritten.
    """
    unit, constant = np.ones(codes.shape[1]), constant_labels(codes)
    share = np.full(len(codes), 1.0) if weights is None else weights
    share = ~np.isnan(codes) * share[:, np.newaxis]
    total = np.maximum(share.sum(axis=0), np.finfo(np.float64).tiny)
    mean = np.nansum(share * codes, axis=0) / total
    codes -= mean
    if scaled:
        unit = np.sqrt(np.nansum(share * codes**2, axis=0) / total)
        unit[constant] = 1.0
    return codes / unit, unit, mean


def standardised_products(
    xx: NDArray[Any],
    xy: NDArray[Any],
    squares: NDArray[Any],
    total: float,
    *,
    scaled: bool,
) -> tuple[GramLoss, NDArray[Any], NDArray[Any]]:
    """The loss from centred X'X, X'Y and diag Y'Y, and the norms and units it uses."""
    spread = np.diagonal(xx)
    scale = np.sqrt(np.where(spread > 0, spread, 1.0))
    unit = np.ones(len(squares))
    if scaled:
        unit = np.sqrt(np.where(squares > 0, squares / total, 1.0))
    gram = xx / scale
    gram /= scale[:, np.newaxis]
    cross = xy / unit / scale[:, np.newaxis]
    return GramLoss(gram, cross, float((squares / unit**2).sum())), scale, unit
