# SPDX-License-Identifier: BSD-3-Clause
"""Candidates of a sparse X with thousands of features.

A few hundred are known by their Gram matrix: what a solution costs is then free of the
number of rows. The products with X of more, and of all, are taken by a compiled loop.
"""

from collections.abc import Callable
from typing import Any, cast

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from labelsift.solvers.row_sparse.blocks import GramBlock, RowBlock, SparseBlock
from labelsift.solvers.row_sparse.descent import RowDescent
from labelsift.solvers.row_sparse.least_squares import DesignLoss, RowLoss, SparseLoss
from labelsift.solvers.row_sparse.screening import Candidates
from labelsift.solvers.row_sparse.sparse_rows import SparseRows
from labelsift.solvers.row_sparse.wide_lasso import CollectedBlock

# From so many features on: the solutions are as close, but not the same bits.
_WIDE = 2000
# Candidates up to which their Gram matrix costs less than products with X.
_FEW = 1000
# A block is swept with the residual from this times the mean length of its columns on.
_LOOP = 5.0
# A block of so many features is worth so many times the products of a Newton system.
_LARGE, _TIMES = 500, 2


def is_wide(loss: RowLoss) -> bool:
    """Whether X is sparse and centred, of many features, its rows without weights."""
    plain = isinstance(loss, SparseLoss) and loss.centred and loss.root is None
    return plain and len(loss.cross) >= _WIDE


def candidates_of(whole: DesignLoss, features: NDArray[np.intp]) -> Candidates:
    """Some features of a loss, in the way that suits it."""
    if not (isinstance(whole, SparseLoss) and is_wide(whole)):
        return Candidates(whole, features)
    if len(features) > _FEW:
        return WideCandidates(whole, features)
    return GramCandidates(whole, features)


def all_correlations(
    loss: RowLoss, features: NDArray[np.intp], W: NDArray[Any]
) -> NDArray[Any]:
    """X'R of all features, where some have weights."""
    if isinstance(loss, SparseLoss) and is_wide(loss) and len(features):
        return _collector(loss.X)(loss.residual(features, W))
    return loss.correlation(features, W)[0]


class WideDescent(RowDescent):
    """Descent that solves the Newton systems of many features more closely."""

    def newton(self, max_products: int) -> None:
        large = len(self.W) > _LARGE
        super().newton(max_products * _TIMES if large else max_products)


class WideCandidates(Candidates):
    """Many candidates of a wide loss."""

    whole: SparseLoss
    descend = WideDescent

    def __init__(self, whole: SparseLoss, features: NDArray[np.intp]) -> None:
        super().__init__(whole, features)
        self._products = _collector(whole.X[:, features])

    def all_products(self, residual: NDArray[Any]) -> NDArray[np.float64]:
        return _collector(self.whole.X)(residual)

    def block(self, features: NDArray[Any]) -> RowBlock:
        features = self.features[features]
        lengths = np.diff(self.whole.X.indptr)[features]
        if len(features) > _LOOP * lengths.mean():
            block = self.whole.residual_block(features)
            return CollectedBlock(cast(SparseBlock, block))
        return self.whole.block(features)


class GramCandidates(WideCandidates):
    """A few candidates of a wide loss, by their Gram matrix."""

    def __init__(self, whole: SparseLoss, features: NDArray[np.intp]) -> None:
        super().__init__(whole, features)
        self._gram = _centred_gram(whole, features)

    def _correlation(
        self, features: NDArray[Any], W: NDArray[Any]
    ) -> tuple[NDArray[Any], float]:
        correlation = self.cross - self._gram[features].T @ W
        explained = np.vdot(W, self.cross[features] + correlation[features])
        return correlation, max(self.target_sq - float(explained), 0.0)

    def block(self, features: NDArray[Any]) -> RowBlock:
        gram = self._gram[np.ix_(features, features)]
        return GramBlock(gram, self.cross[features], self.target_sq)

    def residual(self, W: SparseRows) -> NDArray[Any]:
        return self.whole.residual(self.features[W.places], W.values)


def _collector(columns: Any) -> Callable[[NDArray[Any]], NDArray[np.float64]]:
    """The function from R, centred, to X'R of the columns of a CSC matrix."""
    from labelsift.kernels.sparse_newton import collect

    def products(R: NDArray[Any]) -> NDArray[np.float64]:
        out = np.empty((columns.shape[1], R.shape[1]))
        parts = columns.data, columns.indices, columns.indptr
        collect(*parts, R - R.mean(axis=0), np.zeros(R.shape[1]), out)
        return out

    return products


def _centred_gram(loss: SparseLoss, features: NDArray[np.intp]) -> NDArray[np.float64]:
    """Gram matrix of some features of a loss."""
    from labelsift.kernels.sparse_gram import add_outer_products

    rows, mean = sp.csr_array(loss.X[:, features]), loss.mean[features]
    upper = np.zeros((len(features), len(features)))
    ones = np.ones(rows.shape[0])
    add_outer_products(rows.data, rows.indices, rows.indptr, ones, upper)
    gram: NDArray[np.float64] = upper + upper.T
    gram.flat[:: len(features) + 1] /= 2
    return gram - np.outer(loss.total * mean, mean)
