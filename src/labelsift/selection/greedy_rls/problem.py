# SPDX-License-Identifier: BSD-3-Clause
"""Regularised least squares before the first feature, shared by all penalties.

A model with the features S and the penalty alpha leaves the residuals H Y, where

    H = I - X_S (X_S'X_S + alpha I)^-1 X_S'.

The constant column (value ``bias``) is in every model, penalised like the others. With
J = 11'/n it makes H = (I - J) + rho J before any feature is taken, where

    rho = alpha / (alpha + n bias^2):

the model starts from centred data plus a share rho of the means. rho = 1 is no constant
column, rho = 0 one without a penalty. All start values are sums of a centred part and a
part of the means, so that a large offset of a column costs no digits.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray
from sklearn.utils import gen_batches
from sklearn.utils.extmath import row_norms
from sklearn.utils.sparsefuncs import mean_variance_axis

from labelsift.solvers.ridge.centring import scaled_rows

# Rows are centred this much at a time, without a second copy of the data.
_BATCH_BYTES = 2**22


@dataclass(frozen=True)
class Moments:
    """Centred sums over n rows of d features and t targets; no penalty yet."""

    n: float  # rows, or the sum of their weights
    bias: float  # value of the constant column
    x_mean: NDArray[Any]
    y_mean: NDArray[Any]
    spread: NDArray[Any]  # sum of squares of each centred feature
    cross: NDArray[Any]  # centred X'Y
    y_spread: NDArray[Any]  # sum of squares of each centred label

    def rho(self, alpha: float) -> float:
        """Share of the means that the constant column leaves: H = (I - J) + rho J."""
        return alpha / (alpha + self.n * self.bias**2)

    def products(self, rho: float) -> NDArray[Any]:
        """X'H Y of the constant column alone; X'H^2 Y with rho squared."""
        return self.cross + np.outer(rho * self.n * self.x_mean, self.y_mean)

    def norms(self, rho: float) -> NDArray[Any]:
        """diag(X'H X) of the constant column alone; X'H^2 X with rho squared."""
        return self.spread + rho * self.n * self.x_mean**2


@dataclass(frozen=True)
class Problem(Moments):
    """Moments with their rows.

    With weights w of the rows, X, Y and the constant column hold each row times the
    root of its weight. Weighted least squares are then plain ones, H_jj = 1 - w_j l_j
    with l_j the leverage of one copy of row j, and leaving out one copy of it (the
    whole row where w_j < 1) leaves the error

        w_j |r_j|^2 / (1 - min(w_j, 1) l_j)^2  =  c_j^2 |A_j|^2 / (c_j - w_j l_j)^2,

    c = max(w, 1). Whole weights so give what repeating the rows would. ``slack`` is
    c_j - w_j l_j, and ``cap`` is c; without weights they are 1 - l_j and None.
    """

    X: Any  # ndarray or csc_array
    Y: NDArray[Any]  # coded and weighted targets
    root: NDArray[Any] | None = None  # roots of the weights of the rows

    @classmethod
    def from_rows(
        cls,
        X: Any,
        Y: NDArray[Any],
        bias: float,
        weights: NDArray[Any] | None = None,
    ) -> "Problem":
        """Centre the data; X is not copied, except for weights or as float64 CSC."""
        n, root = len(Y), None
        if weights is not None:
            n, root = weights.sum(), np.sqrt(weights)
            X, Y = scaled_rows(X, root), scaled_rows(Y, root)
        if sp.issparse(X):
            X = X.tocsc().astype(np.float64, copy=False)
        x_mean, spread = column_moments(X, root)
        y_mean, y_spread = column_moments(Y, root)
        mean = y_mean if root is None else np.outer(root, y_mean)
        cross = transposed_product(X, Y, mean)
        return cls(n, bias, x_mean, y_mean, spread, cross, y_spread, X, Y, root)

    @property
    def shape(self) -> tuple[int, int, int]:
        """Numbers of rows, features and targets."""
        return len(self.Y), len(self.x_mean), len(self.y_mean)

    def ones(self, rows: slice = slice(None)) -> Any:
        """The constant column, of value 1 before any weight."""
        return 1.0 if self.root is None else self.root[rows, np.newaxis]

    @property
    def cap(self) -> NDArray[Any] | None:
        """c of each row; None where rows have no weights."""
        return None if self.root is None else np.maximum(self.root**2, 1)

    def slack(self, rho: float) -> NDArray[Any]:
        """c_j - w_j l_j of the constant column alone."""
        if self.root is None:
            return np.full(len(self.Y), 1 - (1 - rho) / self.n)
        return np.maximum(self.root**2, 1) - (1 - rho) / self.n * self.root**2

    def residuals(self, rho: float, rows: slice = slice(None)) -> NDArray[Any]:
        """H Y of the constant column alone."""
        return self.Y[rows] - (1 - rho) * self.y_mean * self.ones(rows)

    def squared_residuals(self, rho: float) -> NDArray[Any]:
        """Sum of squares of each row of ``residuals``."""
        parts = (self.residuals(rho, rows) for rows in self.row_batches())
        return np.concatenate([row_norms(part, squared=True) for part in parts])

    def row_batches(self) -> Iterator[slice]:
        """Slices of rows whose labels fit into a cache."""
        return _row_batches(self.Y)

    def gram_column(self, b: int) -> NDArray[Any]:
        """X'x_b of centred data."""
        root = 1.0 if self.root is None else self.root
        return transposed_product(self.X, self.column(b) - self.x_mean[b] * root)

    def gram_columns(self, features: NDArray[Any]) -> NDArray[Any]:
        """X'x_b of centred data for each feature b, as rows, from one pass over X."""
        columns = self.X[:, features]
        columns = columns.toarray() if sp.issparse(columns) else columns
        centred = columns - self.x_mean[features] * self.ones()
        return transposed_product(self.X, centred.astype(np.float64, copy=False)).T

    def column(self, b: int) -> NDArray[Any]:
        """Feature b as a float64 vector."""
        if sp.issparse(self.X):
            return np.ravel(self.X[:, [b]].toarray())
        return np.asarray(self.X[:, b], dtype=np.float64)

    def gram(self) -> NDArray[Any]:
        """X'X of centred dense X; d x d."""
        total = np.zeros((self.X.shape[1], self.X.shape[1]))
        for rows in _row_batches(self.X):
            centred = self.X[rows] - self.x_mean * self.ones(rows)
            total += centred.T @ centred
        return total


def summed_error(
    squares: NDArray[Any], slack: NDArray[Any], cap: NDArray[Any] | None
) -> float:
    """Sum of the squared leave-one-out errors of all rows."""
    errors = squares / slack**2
    return float(errors.sum() if cap is None else cap**2 @ errors)


def least_slack(slack: NDArray[Any], cap: NDArray[Any] | None) -> float:
    """Smallest 1 - leverage of a row."""
    return float((slack if cap is None else slack / cap).min())


def transposed_product(X: Any, B: NDArray[Any], mean: Any = 0.0) -> NDArray[Any]:
    """X'(B - mean) in float64, also where X is stored in float32."""
    one_pass = sp.issparse(X) or (X.dtype == np.float64 and B.ndim == 1)
    if one_pass:
        return np.asarray(X.T @ (B - mean))
    total = np.zeros((X.shape[1], *B.shape[1:]))
    for rows in _row_batches(X if B.ndim == 1 or X.shape[1] > B.shape[1] else B):
        shift = mean[rows] if np.ndim(mean) == 2 else mean
        total += X[rows].astype(np.float64, copy=False).T @ (B[rows] - shift)
    return total


def column_moments(
    X: Any, root: NDArray[Any] | None = None
) -> tuple[NDArray[Any], NDArray[Any]]:
    """Mean and centred sum of squares of every column, in float64.

    Where rows have weights, X holds each times the root of its weight.
    """
    if root is not None:
        mean = X.T @ root / (root @ root)
        if sp.issparse(X):
            stored = np.repeat(mean, np.diff(X.indptr)) * root[X.indices]
            shifted = sp.csc_array(((X.data - stored) ** 2, X.indices, X.indptr))
            outside = root @ root - sp.csc_array(
                (root[X.indices] ** 2, X.indices, X.indptr), shape=X.shape
            ).sum(axis=0)
            return mean, shifted.sum(axis=0) + outside * mean**2
        return mean, ((X - np.outer(root, mean)) ** 2).sum(axis=0)
    n, d = X.shape
    if sp.issparse(X):
        # For float32 the result would be float32, so the values are copied.
        wide = X.astype(np.float64, copy=False)
        mean, variance = mean_variance_axis(wide, axis=0)
        return mean, n * variance
    mean, spread = X.mean(axis=0, dtype=np.float64), np.zeros(d)
    for rows in _row_batches(X):
        centred = X[rows] - mean
        spread += np.square(centred, out=centred).sum(axis=0)
    return mean, spread


def _row_batches(array: NDArray[Any]) -> Iterator[slice]:
    """Slices of rows of at most _BATCH_BYTES in float64."""
    n, d = array.shape
    yield from gen_batches(n, max(1, _BATCH_BYTES // (8 * d)))
