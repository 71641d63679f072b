# SPDX-License-Identifier: BSD-3-Clause
"""Midranks of columns, and what follows from one product with them.

With R_j the midranks of column j (missing below all) and p, q the positive and negative
rows of a label y,

    AUC_jy = (R_j'y - p (p + 1) / 2) / (p q),

and the rank correlation of two columns is (R_i - m)'(R_j - m) over their lengths, with
m = (n + 1) / 2. Midranks of sparse columns differ from that of the zeros, r0_j, at
stored values only: R_j = r0_j + D_j, and

    (R_i - m)'(R_j - m) = D_i'D_j - n c_i c_j,     c_j = r0_j - m.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray
from scipy.stats import rankdata

# Multiplications that the search for equal columns may take, in all.
_MOST_WORK = 4e11
_FEWEST_ROWS = 500
# Columns that are multiplied by all others at a time.
_BLOCK = 256


class Ranks:
    """Midranks of the columns of X, dense (NaN: missing) or sparse."""

    def __init__(self, X: Any) -> None:
        self.n_rows, self.n_columns = X.shape
        if sp.issparse(X):
            self._D, self._c = _sparse_ranks(sp.csc_array(X))
        else:
            self._D = np.empty(X.shape, dtype=np.float32)
            for j in range(X.shape[1]):
                low = np.where(np.isnan(X[:, j]), -np.inf, X[:, j])
                self._D[:, j] = rankdata(low) - (self.n_rows + 1) / 2
            self._c = np.zeros(X.shape[1])

    def auc(self, Y: NDArray[Any]) -> NDArray[np.float64]:
        """AUC of every column for every label; NaN for a label with one value."""
        positive = Y.sum(axis=0, dtype=np.float64)
        negative = len(Y) - positive
        # Whole numbers and halves: exact in doubles, a block of columns at a time.
        exact, sums = Y.astype(np.float64), np.empty((self.n_columns, Y.shape[1]))
        for start in range(0, self.n_columns, _BLOCK):
            part = slice(start, start + _BLOCK)
            sums[part] = self._D[:, part].astype(np.float64).T @ exact
        sums += np.outer(self._c + (self.n_rows + 1) / 2, positive)
        with np.errstate(invalid="ignore", divide="ignore"):
            return (sums - positive * (positive + 1) / 2) / (positive * negative)

    def correlations(self, values: NDArray[Any]) -> NDArray[np.float64]:
        """Rank correlation of every column with every target; 0 where constant."""
        targets = np.apply_along_axis(rankdata, 0, values) - (self.n_rows + 1) / 2
        sizes = np.outer(self._lengths(), np.sqrt((targets**2).sum(axis=0)))
        # Centred ranks of the targets sum to 0, so that c has no part in the product.
        return np.asarray(self._D.T @ targets / np.where(sizes > 0, sizes, np.inf))

    def equal_pairs(self, threshold: float) -> list[tuple[int, int]]:
        """Pairs of columns whose rank correlation is above a threshold in size.

        Where there are very many columns, pairs are first looked for in a part of the
        rows; those that are found there are judged by all rows.
        """
        lengths = self._lengths()
        alive = np.flatnonzero(lengths > 0)
        D, step = self._D[:, alive], self._step(len(alive))
        screened = D if step == 1 else D[::step]
        lenient = threshold if step == 1 else threshold - 0.05
        pairs = []
        for i, j in _correlated(screened, self._c[alive], lenient, step == 1):
            value = _column(D, i) @ _column(D, j)
            value -= self.n_rows * self._c[alive[i]] * self._c[alive[j]]
            if abs(value) > threshold * lengths[alive[i]] * lengths[alive[j]]:
                pairs.append((int(alive[i]), int(alive[j])))
        return pairs

    def _step(self, n_columns: int) -> int:
        """Every how many rows pairs are looked for."""
        if sp.issparse(self._D):
            return 1  # the work is that of the stored values
        rows = max(_FEWEST_ROWS, _MOST_WORK / max(1, n_columns) ** 2)
        return max(1, int(self.n_rows / rows))

    def _lengths(self) -> NDArray[np.float64]:
        """Lengths of the centred ranks; 0 for a constant column."""
        D = self._D
        if sp.issparse(D):
            squares = np.asarray(D.multiply(D).sum(axis=0)).ravel()
        else:
            squares = np.einsum("ij,ij->j", D, D, dtype=np.float64)
        squares = squares - self.n_rows * self._c**2
        return np.sqrt(np.where(squares > 0.1, squares, 0.0))


def _column(D: Any, j: int) -> NDArray[np.float64]:
    part = D[:, [j]]
    dense = part.toarray() if sp.issparse(part) else part
    return np.asarray(dense, dtype=np.float64).ravel()


def _correlated(
    D: Any, c: NDArray[np.float64], threshold: float, exact: bool
) -> Iterator[tuple[int, int]]:
    """Pairs i < j above a threshold, block by block; no d x d matrix is formed.

    A part of the rows is centred again. Sparse pairs are those that share a row.
    """
    n = D.shape[0]
    if sp.issparse(D):
        squares = np.asarray(D.multiply(D).sum(axis=0)).ravel() - n * c**2
        for start in range(0, D.shape[1], _BLOCK):
            product = (D[:, start : start + _BLOCK].T @ D).tocoo()
            rows, columns = product.row + start, product.col
            values = product.data - n * c[rows] * c[columns]
            least = threshold * np.sqrt(squares[rows] * squares[columns])
            keep = (np.abs(values) > least) & (rows < columns)
            yield from zip(rows[keep].tolist(), columns[keep].tolist(), strict=True)
        return
    Z = D if exact else D - D.mean(axis=0)
    norms = np.sqrt(np.einsum("ij,ij->j", Z, Z, dtype=np.float64))
    Z = Z / np.where(norms > 0, norms, 1).astype(np.float32)
    for start in range(0, Z.shape[1], _BLOCK):
        # Rounding of float32 is far below the margin that is left here.
        product = Z[:, start : start + _BLOCK].T @ Z[:, start:]
        rows, columns = np.nonzero(np.abs(product) > threshold - 1e-3)
        keep = rows < columns
        yield from zip(
            (rows[keep] + start).tolist(), (columns[keep] + start).tolist(), strict=True
        )


def _sparse_ranks(X: Any) -> tuple[Any, NDArray[np.float64]]:
    """D and c of sparse columns."""
    n, d = X.shape
    data, c = np.empty(len(X.data)), np.empty(d)
    for j in range(d):
        part = slice(X.indptr[j], X.indptr[j + 1])
        values = X.data[part]
        n_zeros = n - np.count_nonzero(values)
        below = np.count_nonzero(values < 0)
        zero_rank = below + (n_zeros + 1) / 2
        ranks = np.full(len(values), zero_rank)
        ranks[values < 0] = rankdata(values[values < 0])
        ranks[values > 0] = below + n_zeros + rankdata(values[values > 0])
        data[part], c[j] = ranks - zero_rank, zero_rank - (n + 1) / 2
    return sp.csc_array((data, X.indices, X.indptr), shape=X.shape), c
