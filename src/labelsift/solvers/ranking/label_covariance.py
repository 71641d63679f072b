# SPDX-License-Identifier: BSD-3-Clause
r"""The penalty that learns a covariance of labels.

With D a covariance of the labels, of trace 1, the penalty
:math:`\tfrac12 tr(W (I + \mu D^{-1}) W')` has W = U R^-1 for its gradient U, where
R^-1 = D (D + mu I)^-1. D^-1 is never needed, and does not exist: the weights of a
ranking sum to 0 over the labels, so that the ones are a null vector of D.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray


def inverse_penalty(D: NDArray[Any], mu: float) -> NDArray[np.float64]:
    """R^-1 = D (D + mu I)^-1."""
    shares, vectors = _eigen(D)
    return _matrix(shares / (shares + mu), vectors)


def dual_covariance(
    products: NDArray[Any], mu: float
) -> tuple[NDArray[np.float64], float]:
    r"""The D with the largest penalty on U, from U'U, and that penalty: water filling.

    With sigma_k the singular values of U,

    .. math::

        \max_D tr(U D (D + \mu I)^{-1} U') \quad\text{has}\quad
        \delta_k = \max(0, \tau \sigma_k - \mu), \; \sum_k \delta_k = 1,

    and the eigenvectors of U'U. The singular values of W = U R^-1 are then
    max(0, sigma_k - mu / tau), so that this D is also the best one for W
    (``best_covariance``).
    """
    values, vectors = _eigen(products)
    shares = _water_filling(np.sqrt(values), mu)
    penalty = float(np.sum(values * shares / (shares + mu)))
    return _matrix(shares, vectors), penalty


def best_covariance(products: NDArray[Any]) -> NDArray[np.float64]:
    """The D with the least penalty on W: (W'W)^(1/2) of trace 1, eq. (30).

    Each row of W is divided by the weight of its column; where W is 0, D is uniform.
    """
    values, vectors = _eigen(products)
    roots = np.sqrt(values)
    total = roots.sum()
    shares = roots / total if total > 0 else np.full(len(roots), 1 / len(roots))
    return _matrix(shares, vectors)


def least_penalty(products: NDArray[Any], mu: float) -> float:
    """The penalty of W at its best D: |W|_F^2 + mu |W|_*^2, from W'W."""
    values, _ = _eigen(products)
    return float(values.sum() + mu * np.sqrt(values).sum() ** 2)


def moved_covariance(
    D: NDArray[Any], products: NDArray[Any], mu: float, extrapolated: float
) -> NDArray[np.float64]:
    r"""The next D for U, from U'U: nearer to the best for U, or beyond it.

    Between the best D for W = U R^-1, which never raises the objective and closes a
    direction slowly, and a step twice as far: with the eigenvectors of U'U, delta_k
    becomes delta_k rho_k or, twice as far, delta_k rho_k^2, where rho_k =
    sigma_k / (delta_k + mu), the same for all directions that stay open.
    """
    shares, vectors = _eigen(D)
    r_inv = _matrix(shares / (shares + mu), vectors)
    root = _matrix(np.sqrt(shares) / (shares + mu), vectors)
    best, beyond = best_covariance(r_inv @ products @ r_inv), root @ products @ root
    total = np.trace(beyond)
    if not total > 0:
        return best
    return (1 - extrapolated) * best + extrapolated / total * beyond


def _eigen(products: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any]]:
    """Eigenvalues, not below 0, and eigenvectors."""
    values, vectors = np.linalg.eigh(products)
    return np.maximum(values, 0.0), vectors


def _water_filling(roots: NDArray[Any], mu: float) -> NDArray[np.float64]:
    """max(0, tau root - mu) with the tau for a sum of 1; uniform where all are 0."""
    ordered = np.sort(roots)[::-1]
    if ordered[0] == 0:
        return np.full(len(roots), 1 / len(roots))
    levels = (1 + mu * np.arange(1, len(roots) + 1)) / np.cumsum(ordered)
    level = levels[np.flatnonzero(levels * ordered > mu)[-1]]
    return np.maximum(level * roots - mu, 0.0)


def _matrix(values: NDArray[Any], vectors: NDArray[Any]) -> NDArray[np.float64]:
    return np.asarray((vectors * values) @ vectors.T)
