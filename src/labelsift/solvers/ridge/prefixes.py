# SPDX-License-Identifier: BSD-3-Clause
r"""Ridge regressions on every prefix of an order of columns, from one factor.

With X centred, its columns in order, and ``X'X + l I = R'R``, the factor of the first k
columns is the leading k x k block of R. So ``Q = X R^-1`` and ``z = R^-T X'Y`` serve
all prefixes:

    fitted values   mean + Q[:, :k] z[:k]
    leverage        1/n + sum_{j<k} Q_ij^2
    left out        y - (y - fitted) / (1 - leverage)

where "left out" is the prediction of a row by the fit on all the others, exactly; new
rows are centred as X was and take the place of X in Q. Where rows count w times, means
and products do, n is the sum of w, and a row is left out once: ``1 - min(w, 1)
leverage``.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
import scipy.linalg
import scipy.sparse as sp
from numpy.typing import NDArray

from labelsift.solvers.ridge.centring import (
    centred_cross,
    centred_products,
    column_means,
    scaled_rows,
)

# Share of the penalty that the rounding of the Gram matrix may reach.
_EXACT = 1e-9
# Entries of Q, which is dense, and of the Gram matrix.
_MOST_ENTRIES = 2**25
# What an entry of sparse X costs in a product, where one of dense X costs 1 in a solve.
_LOOP = 8


def rounding_shows(products: NDArray[Any], penalty: float) -> bool:
    """Whether inner products are rounded to more than a tiny share of the penalty."""
    rounding = np.finfo(np.float64).eps * np.trace(products)
    return bool(rounding > _EXACT * penalty)


@dataclass(frozen=True)
class RidgePrefixes:
    """Fits of one Y on the first columns of one X, however many."""

    mean: NDArray[np.float64]  # of each column of X
    factor: NDArray[np.float64]  # R, upper triangular
    weights: NDArray[np.float64]  # z, one row per column of X
    targets: NDArray[np.float64]  # Y
    rows: NDArray[np.float64]  # Q
    counts: NDArray[np.float64] | None = None  # w; None: all are 1

    @classmethod
    def of(
        cls,
        X: Any,
        Y: NDArray[Any],
        penalty: float,
        counts: NDArray[np.float64] | None = None,
    ) -> Self | None:
        """Factorise once; None where rounding would show or X is large.

        Q is dense even if X is sparse: it has at most 256 MiB, as the Gram matrix.
        """
        if max(X.shape) * X.shape[1] > _MOST_ENTRIES:
            return None
        mean, root, weighted = column_means(X, counts), None, X
        if counts is not None:
            root = np.sqrt(counts)
            weighted = scaled_rows(X, root)
        matrix = centred_products(weighted, mean, dual=False, root=root)
        if rounding_shows(matrix, penalty):
            return None
        matrix.flat[:: len(matrix) + 1] += penalty
        factor = scipy.linalg.cholesky(matrix, overwrite_a=True, check_finite=False)
        centred = Y - np.average(Y, axis=0, weights=counts)
        if root is not None:
            centred = scaled_rows(centred, root)
        cross = centred_cross(weighted, mean, centred, root)
        weights = scipy.linalg.solve_triangular(
            factor, cross, trans="T", check_finite=False
        )
        return cls(mean, factor, weights, Y, _rows(X, mean, factor), counts)

    def scores(self, X: Any, counts: Sequence[int]) -> Iterator[NDArray[np.float64]]:
        """Scores of other rows by the first columns; counts ascend."""
        return self._sums(_rows(X, self.mean, self.factor), counts)

    def left_out(self, counts: Sequence[int]) -> Iterator[NDArray[np.float64]]:
        """Scores of the rows of X, each by the fit on all other rows."""
        total, part_of_copy = float(len(self.rows)), np.ones((1, 1))
        if self.counts is not None:
            total = self.counts.sum()
            part_of_copy = np.minimum(self.counts, 1)[:, np.newaxis]
        leverage, done = np.full((len(self.rows), 1), 1 / total), 0
        for count, fitted in zip(counts, self._sums(self.rows, counts), strict=True):
            part = self.rows[:, done:count]
            leverage += np.einsum("ij,ij->i", part, part)[:, np.newaxis]
            done = count
            slack = 1 - part_of_copy * leverage
            yield self.targets - (self.targets - fitted) / slack

    def _sums(
        self, rows: NDArray[Any], counts: Sequence[int]
    ) -> Iterator[NDArray[np.float64]]:
        mean = np.average(self.targets, axis=0, weights=self.counts)
        total, done = np.tile(mean, (len(rows), 1)), 0
        for count in counts:
            total = total + rows[:, done:count] @ self.weights[done:count]
            done = count
            yield total


def _rows(X: Any, mean: NDArray[Any], factor: NDArray[Any]) -> NDArray[np.float64]:
    """(X - mean) R^-1: dense, as tall as X."""
    if sp.issparse(X) and _LOOP * X.nnz < X.shape[0] * X.shape[1]:
        inverse, _ = scipy.linalg.lapack.dtrtri(factor)
        rows = np.asarray(X @ inverse)
        rows -= mean @ inverse
        return rows
    dense = X.toarray() if sp.issparse(X) else np.asarray(X)
    centred = (dense - mean).T
    return scipy.linalg.solve_triangular(
        factor, centred, trans="T", overwrite_b=True, check_finite=False
    ).T
