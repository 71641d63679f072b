# SPDX-License-Identifier: BSD-3-Clause
r"""The penalty that learns a covariance of labels, seen from the dual side.

For weights W of trace penalty :math:`tr(W (I + \mu D^{-1}) W')`, D a covariance of
trace 1, the dual problem knows U = W (I + mu D^-1), hence W = U R^-1 with
R^-1 = D (D + mu I)^-1. D^-1 is never needed, and does not exist: the weights of a
ranking sum to 0 over the labels, so that the ones are a null vector of D.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True)
class LabelPenalty:
    """The penalty at one U.

    Parameters
    ----------
    value : float
        tr(U R^-1 U').
    r_inv : ndarray of shape (n_labels, n_labels)
        R^-1: U times this are the weights.
    covariance : ndarray of shape (n_labels, n_labels)
        D.
    """

    value: float
    r_inv: NDArray[np.float64]
    covariance: NDArray[np.float64]


def inverse_penalty(covariance: NDArray[Any], mu: float) -> NDArray[np.float64]:
    """R^-1 = D (D + mu I)^-1; the identity at mu = 0, whatever D."""
    if mu == 0:
        return np.eye(len(covariance))
    values, vectors = np.linalg.eigh(covariance)
    return _matrix(_shrinkage(np.maximum(values, 0.0), mu), vectors)


def fixed_penalty(
    products: NDArray[Any], covariance: NDArray[Any], mu: float
) -> LabelPenalty:
    """The penalty for a given D, from U'U."""
    r_inv = inverse_penalty(covariance, mu)
    return LabelPenalty(float(np.vdot(r_inv, products)), r_inv, covariance)


def learned_penalty(products: NDArray[Any], mu: float) -> LabelPenalty:
    r"""The penalty for the best D, from U'U: water filling.

    With sigma_k the singular values of U,

    .. math::

        \max_D tr(U D (D + \mu I)^{-1} U') \quad\text{has}\quad
        \delta_k = \max(0, \tau \sigma_k - \mu), \; \sum_k \delta_k = 1,

    and the eigenvectors of U'U. The singular values of W are then
    max(0, sigma_k - mu / tau), so D is W'W^(1/2) / tr W'W^(1/2), the best D for this W
    too: nothing is left to alternate.
    """
    values, vectors = np.linalg.eigh(products)
    roots = np.sqrt(np.maximum(values, 0.0))
    shares = _water_filling(roots, mu)
    shrinkage = _shrinkage(shares, mu)
    return LabelPenalty(
        float(np.sum(roots**2 * shrinkage)),
        _matrix(shrinkage, vectors),
        _matrix(shares, vectors),
    )


def _water_filling(roots: NDArray[Any], mu: float) -> NDArray[np.float64]:
    """max(0, tau root - mu) with the tau that makes the sum 1; even where all are 0."""
    ordered = np.sort(roots)[::-1]
    if ordered[0] == 0:
        return np.full(len(roots), 1 / len(roots))
    levels = (1 + mu * np.arange(1, len(roots) + 1)) / np.cumsum(ordered)
    level = levels[np.flatnonzero(levels * ordered > mu)[-1]]
    return np.maximum(level * roots - mu, 0.0)


def _shrinkage(shares: NDArray[Any], mu: float) -> NDArray[np.float64]:
    """delta / (delta + mu), 0 where delta is 0."""
    return np.divide(shares, shares + mu, out=np.zeros_like(shares), where=shares > 0)


def _matrix(values: NDArray[Any], vectors: NDArray[Any]) -> NDArray[np.float64]:
    return (vectors * values) @ vectors.T
