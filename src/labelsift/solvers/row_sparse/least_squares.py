# SPDX-License-Identifier: BSD-3-Clause
"""The loss 1/2 ||Y - XW||^2 for descent over the rows of W, in three forms.

``GramLoss`` uses X'X, X'Y and ||Y||^2 only: its cost is free of n_samples.
``DenseLoss`` and ``SparseLoss`` keep X and never form an n_features x n_features array.
Each gives the correlations X'R of all features with the residual R, and the same loss
over a few features as a block that can be swept.
"""

import time
from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray
from sklearn.utils.sparsefuncs import mean_variance_axis

from labelsift.solvers.ridge.centring import scaled_rows
from labelsift.solvers.row_sparse.blocks import (
    DenseBlock,
    GramBlock,
    RowBlock,
    SparseBlock,
)

# A minimisation checks all features about three times, with two products each.
_PRODUCTS = 6
# Entries of a Gram matrix that is always small enough to compute.
_SMALL = 2**24
# What a compiled loop over sparse entries costs, where a matrix product costs 1.
_LOOP = 4.0

# Products of some features with others.
_Inner = Callable[[Any, Any], NDArray[Any]]


class RowLoss(ABC):
    """Interface of a loss for the solver of a row-wise penalty.

    Weights are passed as the indices of the features that have some and their
    rows of W.
    """

    cross: NDArray[Any]  # X'Y
    target_sq: float  # ||Y||^2
    column_sq: NDArray[Any]  # squared norm of each feature
    pass_seconds = 0.0  # of a product of X and the targets; 0: X is not used
    _last: tuple[NDArray[Any], NDArray[Any], tuple[NDArray[Any], float]] | None = None

    def correlation(
        self, features: NDArray[Any], W: NDArray[Any]
    ) -> tuple[NDArray[Any], float]:
        """X'R of all features, and ||R||^2.

        The last result is cached: a path begins at the last solution.
        """
        if not len(features):
            return self.cross, self.target_sq
        last = self._last
        if (
            last is None
            or not np.array_equal(last[0], features)
            or not np.array_equal(last[1], W)
        ):
            last = (features, W, self._correlation(features, W))
            self._last = last
        return last[2]

    def rounding(self, features: NDArray[Any], W: NDArray[Any]) -> float:
        """The approximate duality gap that rounding alone may leave.

        Products of n numbers are known to a share of their size, here
        sum_j ||x_j|| ||W_j|| times itself or ||Y||; solutions of large terms that
        cancel are less accurate.
        """
        sizes = np.sqrt(np.maximum(self.column_sq[features], 0.0))
        reach = float(sizes @ np.linalg.norm(W, axis=1))
        return float(np.finfo(float).eps) * reach * (np.sqrt(self.target_sq) + reach)

    @abstractmethod
    def _correlation(
        self, features: NDArray[Any], W: NDArray[Any]
    ) -> tuple[NDArray[Any], float]:
        """What ``correlation`` returns."""

    @abstractmethod
    def block(self, features: NDArray[Any]) -> RowBlock:
        """The same loss over some features; the weights of the others are 0."""


class GramLoss(RowLoss):
    """The loss from X'X, X'Y and ||Y||^2: nothing of length n_samples is stored.

    ``gram`` may be any positive semidefinite matrix; ``target_sq`` is the constant of
    the loss, and the scale of the solver's tolerance.
    """

    def __init__(
        self, gram: NDArray[Any], cross: NDArray[Any], target_sq: float
    ) -> None:
        self.gram, self.cross, self.target_sq = gram, cross, float(target_sq)
        self.column_sq = np.diag(gram)

    def _correlation(
        self, features: NDArray[Any], W: NDArray[Any]
    ) -> tuple[NDArray[Any], float]:
        correlation = self.cross - self.gram[:, features] @ W
        explained = np.vdot(W, self.cross[features] + correlation[features])
        return correlation, max(self.target_sq - float(explained), 0.0)

    def block(self, features: NDArray[Any]) -> RowBlock:
        gram = self.gram[np.ix_(features, features)]
        return GramBlock(gram, self.cross[features], self.target_sq)


class DesignLoss(RowLoss):
    """The loss from X and Y; Gram matrices are computed for the features in use only.

    A block of few features is swept in Gram form, one of many in residual form: per
    feature and label the first costs the size of the block, the second twice the length
    of a column, at the speed of matrix products or of compiled loops.
    """

    Y: NDArray[Any]

    @abstractmethod
    def residual_cost(self, features: Any) -> float:
        """Cost of a sweep in residual form, per feature and label."""

    @abstractmethod
    def inner(self, left: Any, right: Any) -> NDArray[Any]:
        """Products of some features with others, dense."""

    @abstractmethod
    def fitted(self, features: NDArray[Any], W: NDArray[Any]) -> NDArray[Any]:
        """XW, for the weights of some features."""

    @abstractmethod
    def products_with(
        self, features: Any
    ) -> Callable[[NDArray[Any]], NDArray[np.float64]]:
        """The function from R to X'R of some features."""

    def products(self, R: NDArray[Any]) -> NDArray[Any]:
        """X'R of all features."""
        return self.products_with(slice(None))(R)

    @abstractmethod
    def residual_block(self, features: NDArray[Any]) -> RowBlock:
        """A block that sweeps with the residual."""

    def residual(self, features: NDArray[Any], W: NDArray[Any]) -> NDArray[Any]:
        """Y - XW, for the weights of some features."""
        return self.Y - self.fitted(features, W)

    def set_targets(self, Y: NDArray[Any]) -> None:
        """Change the targets; X and its Gram matrices remain."""
        self.Y = np.ascontiguousarray(Y, dtype=np.float64)
        self.target_sq = float(np.vdot(self.Y, self.Y))
        start = time.perf_counter()
        self.cross = self.products(self.Y)
        self.pass_seconds = time.perf_counter() - start
        self._last = None

    def _start(self, Y: NDArray[Any]) -> None:
        self.set_targets(Y)
        self._grams = _GramCache(len(self.cross))

    def _correlation(
        self, features: NDArray[Any], W: NDArray[Any]
    ) -> tuple[NDArray[Any], float]:
        residual = self.residual(features, W)
        return self.products(residual), float(np.vdot(residual, residual))

    def block(self, features: NDArray[Any]) -> RowBlock:
        if len(features) > self.residual_cost(features):
            return self.residual_block(features)
        gram = self._grams.of(features, self.inner)
        return GramBlock(gram, self.cross[features], self.target_sq)


class _GramCache:
    """Gram matrices of sets of features that change little from one to the next."""

    def __init__(self, n_features: int) -> None:
        self.n_features = n_features
        self._forget()

    def of(self, features: NDArray[Any], inner: _Inner) -> NDArray[Any]:
        """Gram matrix of some features, from cached products where possible."""
        new = features[self.place[features] < 0]
        if len(self.known) + len(new) > 4 * len(features) + 1000:
            self._forget()
            new = features
        if len(new):
            self._learn(new, inner)
        place = self.place[features]
        return self.gram[np.ix_(place, place)]

    def _forget(self) -> None:
        self.known = np.empty(0, dtype=np.intp)
        self.place = np.full(self.n_features, -1)
        self.gram = np.empty((0, 0))

    def _learn(self, new: NDArray[Any], inner: _Inner) -> None:
        across, corner = inner(self.known, new), inner(new, new)
        self.gram = np.block([[self.gram, across], [across.T, corner]])
        self.place[new] = len(self.known) + np.arange(len(new))
        self.known = np.concatenate([self.known, new])


class DenseLoss(DesignLoss):
    """The loss from a dense X, its columns taken as (x - mean) / scale in one copy."""

    def __init__(
        self,
        X: NDArray[Any],
        Y: NDArray[Any],
        mean: NDArray[Any] | None = None,
        scale: NDArray[Any] | None = None,
        root: NDArray[Any] | None = None,
    ) -> None:
        if mean is None and scale is None and root is None:
            X = np.asarray(X, dtype=np.float64)
        else:
            X = np.array(X, dtype=np.float64, order="F")
        if mean is not None:
            X -= mean
        if scale is not None:
            X /= scale
        if root is not None:
            X *= root[:, np.newaxis]
        self.X, self.column_sq = X, np.einsum("ij,ij->j", X, X)
        self._start(Y)

    def residual_cost(self, features: Any) -> float:
        return 2.0 * len(self.X)

    def inner(self, left: Any, right: Any) -> NDArray[Any]:
        return self.X[:, left].T @ self.X[:, right]

    def fitted(self, features: NDArray[Any], W: NDArray[Any]) -> NDArray[Any]:
        return self.X[:, features] @ W

    def products_with(
        self, features: Any
    ) -> Callable[[NDArray[Any]], NDArray[np.float64]]:
        return self.X[:, features].T.__matmul__

    def residual_block(self, features: NDArray[Any]) -> RowBlock:
        return DenseBlock(self.X[:, features], self.Y)


class SparseLoss(DesignLoss):
    """The loss from a sparse X, stored as CSC: centred implicitly, never densified."""

    def __init__(
        self,
        X: Any,
        Y: NDArray[Any],
        mean: NDArray[Any] | None = None,
        scale: NDArray[Any] | None = None,
        root: NDArray[Any] | None = None,
    ) -> None:
        n_samples, n_features = X.shape
        X = sp.csc_array(X, dtype=np.float64, copy=scale is not None)
        self.centred = mean is not None
        self.mean = np.array(mean, float) if self.centred else np.zeros(n_features)
        if scale is not None:
            X.data /= np.repeat(scale, np.diff(X.indptr))
            self.mean /= scale
        self.root, self.total = root, float(n_samples)
        weights = None if root is None else root**2
        true_mean, variance = mean_variance_axis(X, axis=0, weights=weights)
        spread = variance if self.centred else variance + true_mean**2
        if root is not None:
            X, self.total = sp.csc_array(scaled_rows(X, root)), root @ root
        self.X, self.column_sq = X, self.total * spread
        self._start(Y)

    def residual_cost(self, features: Any) -> float:
        if self.root is not None:  # the loop knows no weights
            return np.inf
        return 2 * _LOOP * float(np.diff(self.X.indptr)[features].mean())

    def inner(self, left: Any, right: Any) -> NDArray[Any]:
        products = (self.X[:, left].T @ self.X[:, right]).toarray()
        return products - self.total * np.outer(self.mean[left], self.mean[right])

    def fitted(self, features: NDArray[Any], W: NDArray[Any]) -> NDArray[Any]:
        level = self.mean[features] @ W
        if self.root is not None:
            level = np.outer(self.root, level)
        return self.X[:, features] @ W - level

    def products_with(
        self, features: Any
    ) -> Callable[[NDArray[Any]], NDArray[np.float64]]:
        X = self.X if isinstance(features, slice) else self.X[:, features]

        def products(R: NDArray[Any]) -> NDArray[np.float64]:
            if self.root is not None and self.centred:
                R = R - np.outer(self.root, self.root @ R / self.total)
            elif self.centred:
                # Where X is centred, so may R be; then the mean of X does not matter.
                R = R - R.mean(axis=0)
            return X.T @ R

        return products

    def residual_block(self, features: NDArray[Any]) -> RowBlock:
        return SparseBlock(
            self.X[:, features], self.Y, self.mean[features], self.column_sq[features]
        )


def least_squares(
    X: Any,
    Y: NDArray[Any],
    *,
    mean: NDArray[Any] | None = None,
    scale: NDArray[Any] | None = None,
    form: str = "auto",
    n_solves: int = 1,
    weights: NDArray[Any] | None = None,
) -> RowLoss:
    """Choose the form of the loss 1/2 ||Y - XW||^2.

    Columns of X are taken as (x - mean) / scale, where ``mean`` must hold their means.
    "gram" computes X'X once, n_features x n_features, "residual" never does, and
    "auto" does where that is no larger than X (or 128 MB) and pays off in about
    ``n_solves`` minimisations. Rows of X and Y are multiplied with the roots of their
    ``weights``; then ``mean`` must hold weighted means.
    """
    if form not in {"auto", "gram", "residual"}:
        raise ValueError(f"form must be 'auto', 'gram' or 'residual', got {form!r}.")
    n_rows, root = float(len(Y)), None
    if weights is not None:
        n_rows, root = weights.sum(), np.sqrt(weights)
        Y = root[:, np.newaxis] * Y
    loss = (SparseLoss if sp.issparse(X) else DenseLoss)(X, Y, mean, scale, root)
    n_features, n_labels = loss.cross.shape
    fits = n_features <= 2 * n_rows and n_features**2 <= max(X.size, _SMALL)
    pays = n_features <= _PRODUCTS * n_solves * n_labels
    if form == "residual" or (form == "auto" and not (fits and pays)):
        return loss
    every = slice(None)
    return GramLoss(loss.inner(every, every), loss.cross, loss.target_sq)
