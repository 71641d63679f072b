# SPDX-License-Identifier: BSD-3-Clause
"""Reduced-rank ridge regression: the directions of X that explain most of Y."""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from labelsift.solvers.ridge.centring import centred_cross, column_means
from labelsift.solvers.ridge.path import (
    leading_directions,
    ridge_path,
    ridge_solutions,
)


def explaining_directions(
    X: Any,
    Y: NDArray[Any],
    penalties: Sequence[float],
    weights: NDArray[Any] | None = None,
) -> Iterator[tuple[NDArray[np.float64], NDArray[np.float64]]]:
    r"""Find the directions of centred X that explain most of centred Y, per penalty.

    They solve :math:`X'YY'X w = \mu (X'X + \lambda I) w`. With ridge weights U and the
    eigenvectors P of the n_targets x n_targets matrix Y'XU, which has the same
    eigenvalues, they are the columns of U P: nothing larger than a ridge fit is solved.

    Yields the eigenvalues, largest first, by which the sum of squares of Y is
    reduced, and the directions as rows, scaled so that
    w'(X'X + penalty I)w = n_samples: the projected samples have variance 1, up to the
    penalty. Sums over the samples are weighted, where there are weights.
    """
    total, weighted = _weighted(Y, weights)
    for coef, intercept in ridge_path(X, Y, penalties, weights=weights):
        yield _scaled_directions(weighted.T @ (X @ coef.T + intercept), coef, total)


def explaining_directions_of_sums(
    xx: NDArray[Any], xy: NDArray[Any], total: float, penalties: Sequence[float]
) -> Iterator[tuple[NDArray[np.float64], NDArray[np.float64]]]:
    """The same from X'X and X'Y of centred data, and the sum of the weights."""
    for solution in ridge_solutions(xx, xy, penalties):
        yield _scaled_directions(xy.T @ solution, solution.T, total)


def _scaled_directions(
    products: NDArray[Any], coef: NDArray[Any], total: float
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """What directions explain, and they themselves, from Y'XU and U."""
    explained, rotation = leading_directions(products)
    return explained, (np.sqrt(total / explained) * rotation).T @ coef


def covarying_directions(
    X: Any, Y: NDArray[Any], weights: NDArray[Any] | None = None
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Find the orthonormal directions of centred X that vary most with centred Y.

    They are the singular vectors of the n_features x n_targets matrix X'Y, as rows;
    also returned are the squared singular values, largest first.
    """
    _, weighted = _weighted(Y, weights)
    products = centred_cross(X, column_means(X, weights), weighted)
    _, rotation = leading_directions(products.T @ products)
    vectors, sizes, _ = np.linalg.svd(products @ rotation, full_matrices=False)
    return sizes**2, vectors.T


def _weighted(
    Y: NDArray[Any], weights: NDArray[Any] | None
) -> tuple[float, NDArray[Any]]:
    """The sum of the weights, and Y times them."""
    if weights is None:
        return len(Y), Y
    return float(weights.sum()), weights[:, np.newaxis] * Y
