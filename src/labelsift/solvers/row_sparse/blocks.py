# SPDX-License-Identifier: BSD-3-Clause
"""Sweeps over the rows of W that belong to a few features of a least-squares loss.

A block is the loss 1/2 ||Y - XW||^2 over some columns of X. It is placed at some
weights, and then sweeps: each row of W is replaced by the one that minimises the loss
plus ``alpha`` times the row's norm, the others fixed.

Dense and Gram blocks work tile by tile: a compiled loop sweeps over the rows of a tile,
and one matrix product applies its step to the other features. The iterates are those of
plain cyclic descent, but most of the arithmetic is done by the matrix library.
"""

from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray
from sklearn.utils import gen_batches

# Features that are swept between two matrix products: few, so that their Gram matrix
# stays in the first-level cache; many, so that a product is worth its overhead.
_TILE = 32


class RowBlock(Protocol):
    """Interface of a block for descent."""

    column_sq: NDArray[Any]  # squared norm of each feature
    target_sq: float  # ||Y||^2

    def place(self, W: NDArray[Any]) -> None:
        """Compute everything that depends on the weights."""

    def correlation(self) -> NDArray[Any]:
        """X'R of the block's features at the current weights."""

    def residual_sq(self, W: NDArray[Any]) -> float:
        """||R||^2 at the current weights."""

    def curve(self, V: NDArray[Any]) -> NDArray[Any]:
        """X'XV: the loss's second derivative, times V."""

    def gram_of(self, rows: NDArray[Any]) -> NDArray[Any] | None:
        """X'X of some features, as a new array; None if not available."""

    def sweep(self, W: NDArray[Any], alpha: float, sup_norm: bool) -> None:
        """Minimise over each row of W in turn, in place."""


class GramBlock:
    """Some features, known by their Gram matrix and their products with Y."""

    def __init__(
        self, gram: NDArray[Any], cross: NDArray[Any], target_sq: float
    ) -> None:
        self.gram, self.cross, self.target_sq = gram, cross, target_sq
        self.column_sq = np.diag(gram)
        self.tiles = [
            (rows, np.ascontiguousarray(gram[rows, rows]))
            for rows in gen_batches(len(gram), _TILE)
        ]

    def place(self, W: NDArray[Any]) -> None:
        self.products = self.cross - self.gram @ W

    def correlation(self) -> NDArray[Any]:
        return self.products

    def residual_sq(self, W: NDArray[Any]) -> float:
        explained = np.vdot(W, self.cross) + np.vdot(W, self.products)
        return max(self.target_sq - float(explained), 0.0)

    def curve(self, V: NDArray[Any]) -> NDArray[Any]:
        return self.gram @ V

    def gram_of(self, rows: NDArray[Any]) -> NDArray[Any] | None:
        return self.gram[np.ix_(rows, rows)]

    def sweep(self, W: NDArray[Any], alpha: float, sup_norm: bool) -> None:
        from labelsift.kernels.group_lasso import sweep_tile

        for rows, tile in self.tiles:
            local, change = self.products[rows].copy(), np.zeros_like(W[rows])
            if sweep_tile(tile, W[rows], local, change, alpha, sup_norm):
                self.products -= self.gram[:, rows] @ change


class DenseBlock:
    """Some columns of a dense X, with the residual."""

    def __init__(self, X: NDArray[Any], Y: NDArray[Any]) -> None:
        self.X, self.Y = X, Y
        self.target_sq = float(np.vdot(Y, Y))
        self.column_sq = np.einsum("ij,ij->j", X, X)
        self.tiles = [
            (rows, np.ascontiguousarray(X[:, rows].T @ X[:, rows]))
            for rows in gen_batches(X.shape[1], _TILE)
        ]

    def place(self, W: NDArray[Any]) -> None:
        self.residual = self.Y - self.X @ W

    def correlation(self) -> NDArray[Any]:
        return self.X.T @ self.residual

    def residual_sq(self, W: NDArray[Any]) -> float:
        return float(np.vdot(self.residual, self.residual))

    def curve(self, V: NDArray[Any]) -> NDArray[Any]:
        return self.X.T @ (self.X @ V)

    def gram_of(self, rows: NDArray[Any]) -> NDArray[Any] | None:
        return None

    def sweep(self, W: NDArray[Any], alpha: float, sup_norm: bool) -> None:
        from labelsift.kernels.group_lasso import sweep_tile

        for rows, tile in self.tiles:
            columns, change = self.X[:, rows], np.zeros_like(W[rows])
            local = columns.T @ self.residual
            if sweep_tile(tile, W[rows], local, change, alpha, sup_norm):
                self.residual -= columns @ change


class SparseBlock:
    """Some columns of a CSC matrix, centred implicitly, with the residual."""

    def __init__(
        self, X: Any, Y: NDArray[Any], mean: NDArray[Any], column_sq: NDArray[Any]
    ) -> None:
        self.X, self.Y, self.mean, self.column_sq = X, Y, mean, column_sq
        self.target_sq = float(np.vdot(Y, Y))

    def place(self, W: NDArray[Any]) -> None:
        # The residual of X as stored: the true one adds mean'W to every row.
        self.stored = self.Y - self.X @ W
        self.total = self.stored.sum(axis=0)

    def correlation(self) -> NDArray[Any]:
        return self.X.T @ self.stored - np.outer(self.mean, self.total)

    def residual_sq(self, W: NDArray[Any]) -> float:
        shift = self.mean @ W
        centring = shift @ (2 * self.total + len(self.Y) * shift)
        return float(np.vdot(self.stored, self.stored) + centring)

    def curve(self, V: NDArray[Any]) -> NDArray[Any]:
        shift = len(self.Y) * np.outer(self.mean, self.mean @ V)
        return self.X.T @ (self.X @ V) - shift

    def gram_of(self, rows: NDArray[Any]) -> NDArray[Any] | None:
        return None

    def sweep(self, W: NDArray[Any], alpha: float, sup_norm: bool) -> None:
        from labelsift.kernels.group_lasso import sweep_sparse

        column_parts = (self.X.data, self.X.indices, self.X.indptr)
        sweep_sparse(
            *column_parts,
            self.mean,
            self.column_sq,
            W,
            self.stored,
            self.total,
            alpha,
            sup_norm,
        )
