# SPDX-License-Identifier: BSD-3-Clause
"""Generalised cross-validation of a ridge fit, without the rows' hat matrix."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from labelsift.solvers.ridge.centring import (
    centred_cross,
    centred_products,
    column_means,
    scaled_rows,
)


def ridge_gcv(
    X: Any, Y: NDArray[Any], alpha: float = 1.0, *, weights: Any = None
) -> float:
    """n ||Y - HY||^2 / (n - tr H)^2 of centred ridge regression, summed over targets.

    Parameters
    ----------
    X : array or sparse of shape (n_samples, n_features)
        Never densified; X'X, d x d, is formed.
    Y : ndarray of shape (n_samples, n_targets)
        Targets.
    alpha : float, default=1.0
        Penalty, on the scale of scikit-learn's Ridge; the intercept is free.
    weights : ndarray of shape (n_samples,) or None
        How often each row counts; n is their sum.

    Returns
    -------
    float
        The smaller, the better a fit predicts rows it has not seen.
    """
    n, mean, root = X.shape[0], column_means(X, weights), None
    centred = Y - np.average(Y, axis=0, weights=weights)
    if weights is not None:
        n, root = weights.sum(), np.sqrt(weights)
        X, centred = scaled_rows(X, root), scaled_rows(centred, root)
    values, axes = np.linalg.eigh(centred_products(X, mean, dual=False, root=root))
    values = np.maximum(values, 0.0)
    sizes = ((axes.T @ centred_cross(X, mean, centred, root)) ** 2).sum(axis=1)
    # With lambda the eigenvalues of X'X and p = V'X'Y:
    # ||Y - HY||^2 = ||Y||^2 - sum p^2 (lambda + 2 alpha) / (lambda + alpha)^2.
    residual = (centred**2).sum() - (
        sizes * (values + 2 * alpha) / (values + alpha) ** 2
    ).sum()
    freedom = n - 1 - (values / (values + alpha)).sum()
    return float(n * max(residual, 0.0) / freedom**2)
