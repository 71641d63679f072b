# SPDX-License-Identifier: BSD-3-Clause
r"""Ridge regressions on every prefix of an order of columns, from one factor.

With X centred, its columns in order, and ``X'X + l I = R'R``, the factor of the first k
columns is the leading k x k block of R. So ``Q = X R^-1`` and ``z = R^-T X'Y`` serve
all prefixes:

    fitted values   mean + Q[:, :k] z[:k]
    leverage        1/n + sum_{j<k} Q_ij^2
    left out        y - (y - fitted) / (1 - leverage)

where "left out" is the prediction of a row by the fit on all the others, exactly; new
rows are centred as X was and take the place of X in Q, of which a few rows are computed
at a time. Where rows count w times, means
and products do, n is the sum of w, and a row is left out once: ``1 - min(w, 1)
leverage``.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any, Self

import numpy as np
import scipy.linalg
import scipy.sparse as sp
from numpy.typing import NDArray
from sklearn.utils import gen_batches

from labelsift.solvers.ridge.centring import (
    centred_cross,
    centred_products,
    column_means,
    scaled_rows,
)

# Share of the penalty that the rounding of the Gram matrix may reach.
_EXACT = 1e-9
# Entries of Q in all, and of the Gram matrix.
_MOST_ENTRIES = 2**25
# Entries of Q at a time: 2 MiB, which a processor keeps at hand.
_BLOCK_ENTRIES = 2**18
# What an entry of sparse X costs in a product, where one of dense X costs 1 in a solve.
_LOOP = 8


def rounding_shows(trace: float, penalty: float) -> bool:
    """Whether inner products are rounded to more than a tiny share of the penalty."""
    return bool(np.finfo(np.float64).eps * trace > _EXACT * penalty)


@dataclass(frozen=True)
class RidgePrefixes:
    """Fits of one Y on the first columns of one X, however many."""

    X: Any
    mean: NDArray[np.float64]  # of each column of X
    factor: NDArray[np.float64]  # R, upper triangular
    weights: NDArray[np.float64]  # z, one row per column of X
    targets: NDArray[np.float64]  # Y
    counts: NDArray[np.float64] | None = None  # w; None: all are 1

    @classmethod
    def of(
        cls,
        X: Any,
        Y: NDArray[Any],
        penalty: float,
        counts: NDArray[np.float64] | None = None,
    ) -> Self | None:
        """Factorise once; None where rounding would show or X is large."""
        if max(X.shape) * X.shape[1] > _MOST_ENTRIES:
            return None
        if sp.issparse(X):  # whose own products are in the precision of X
            X = X.tocsr().astype(np.float64, copy=False)
        mean, root, weighted = column_means(X, counts), None, X
        if counts is not None:
            root = np.sqrt(counts)
            weighted = scaled_rows(X, root)
        matrix = centred_products(weighted, mean, dual=False, root=root)
        if rounding_shows(np.trace(matrix), penalty):
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
        return cls(X, mean, factor, weights, Y, counts)

    def scores(self, X: Any, counts: Sequence[int]) -> NDArray[np.float64]:
        """Scores of other rows by the first columns, (counts, rows, targets).

        Counts ascend.
        """
        scores = np.empty((len(counts), X.shape[0], self.targets.shape[1]))
        for rows, part in self._parts(X):
            self._add_up(part, counts, scores[:, rows])
        return scores

    def left_out(self, counts: Sequence[int]) -> NDArray[np.float64]:
        """Scores of the rows of X, each by the fit on all other rows."""
        total, part_of_copy = float(len(self.targets)), np.ones(len(self.targets))
        if self.counts is not None:
            total, part_of_copy = self.counts.sum(), np.minimum(self.counts, 1)
        scores = np.empty((len(counts), *self.targets.shape))
        for rows, part in self._parts(self.X):
            fitted, targets = scores[:, rows], self.targets[rows]
            self._add_up(part, counts, fitted)
            squares = [np.einsum("ij,ij->i", it, it) for it in _segments(part, counts)]
            leverage = 1 / total + np.cumsum(squares, axis=0)
            slack = 1 - part_of_copy[rows] * leverage
            fitted -= targets
            fitted /= slack[:, :, np.newaxis]
            fitted += targets
        return scores

    def _add_up(
        self, part: NDArray[Any], counts: Sequence[int], sums: NDArray[Any]
    ) -> None:
        """Fitted values of some rows of Q for each count, into ``sums``."""
        total, weights = self._target_mean, _segments(self.weights.T, counts)
        for place, own in enumerate(zip(_segments(part, counts), weights, strict=True)):
            total = total + own[0] @ own[1].T
            sums[place] = total

    def _parts(self, X: Any) -> Iterator[tuple[slice, NDArray[np.float64]]]:
        """(X - mean) R^-1, some rows at a time: dense even if X is sparse."""
        n, d = X.shape
        sparse = sp.issparse(X)
        if sparse:
            X = X.tocsr().astype(np.float64, copy=False)
        by_entries = sparse and _LOOP * X.nnz < n * d
        for rows in gen_batches(n, max(1, _BLOCK_ENTRIES // max(1, d))):
            if by_entries:
                yield rows, self._times_inverse(X, rows)
                continue
            dense = X[rows].toarray() if sparse else np.asarray(X[rows])
            centred = (dense - self.mean).T
            part = scipy.linalg.solve_triangular(
                self.factor, centred, trans="T", overwrite_b=True, check_finite=False
            )
            yield rows, part.T

    def _times_inverse(self, X: Any, rows: slice) -> NDArray[np.float64]:
        """(X - mean) R^-1 of some rows of a CSR matrix, by its entries."""
        from labelsift.kernels.row_products import triangular_products

        part = np.empty((rows.stop - rows.start, X.shape[1]))
        of = self._inverse, self._inverse_mean, rows.start
        triangular_products((X.data, X.indices, X.indptr), *of, part)
        return part

    @cached_property
    def _target_mean(self) -> NDArray[np.float64]:
        return np.asarray(np.average(self.targets, axis=0, weights=self.counts))

    @cached_property
    def _inverse(self) -> NDArray[np.float64]:
        inverse, _ = scipy.linalg.lapack.dtrtri(self.factor)
        return np.ascontiguousarray(inverse)

    @cached_property
    def _inverse_mean(self) -> NDArray[np.float64]:
        return np.asarray(self.mean @ self._inverse)


def _segments(
    columns: NDArray[Any], counts: Sequence[int]
) -> Iterator[NDArray[np.float64]]:
    """The columns that each count adds to the one before."""
    return (columns[:, a:b] for a, b in pairwise([0, *counts]))
