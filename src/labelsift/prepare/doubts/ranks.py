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
# Numbers in the sketch of a sparse column; how much farther from each other sketches of
# columns may be than the columns.
_SKETCH, _SLACK = 64, 5.0


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

        Pairs are first looked for in a sketch of sparse columns and, where there are
        very many dense ones, in a part of the rows; those that are found there are
        judged by all rows.
        """
        lengths = self._lengths()
        alive = np.flatnonzero(lengths > 0)
        D, c, lengths = self._D[:, alive], self._c[alive], lengths[alive]
        step = self._step(len(alive))
        if sp.issparse(D):
            near = _near(_sketch(D, c), 1 - _SLACK * (1 - threshold))
        elif step == 1:
            near = _near(D, threshold)
        else:
            part = D[::step]
            near = _near(part - part.mean(axis=0), threshold - 0.05)
        pairs: list[tuple[int, int]] = []
        for start in range(0, len(near), _BLOCK):
            i, j = near[start : start + _BLOCK].T
            values = _products(D[:, i], D[:, j]) - self.n_rows * c[i] * c[j]
            same = np.abs(values) > threshold * lengths[i] * lengths[j]
            pairs += zip(alive[i[same]].tolist(), alive[j[same]].tolist(), strict=True)
        return pairs

    def _step(self, n_columns: int) -> int:
        """Every how many rows pairs are looked for."""
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


def _products(A: Any, B: Any) -> NDArray[np.float64]:
    """Of every column of A with the same one of B."""
    if sp.issparse(A):
        return np.asarray(A.multiply(B).sum(axis=0)).ravel()
    return np.einsum("ij,ij->j", A, B, dtype=np.float64)


def _near(Z: NDArray[Any], threshold: float) -> NDArray[np.intp]:
    """Pairs i < j whose cosine is above a threshold in size; no d x d is formed."""
    norms = np.sqrt(np.einsum("ij,ij->j", Z, Z, dtype=np.float64))
    Z = Z / np.where(norms > 0, norms, 1).astype(np.float32)
    near = [np.empty((0, 2), dtype=np.intp)]
    for start in range(0, Z.shape[1], _BLOCK):
        # Rounding of float32 is far below the margin that is left here.
        product = Z[:, start : start + _BLOCK].T @ Z[:, start:]
        above = np.abs(product, out=product) > threshold - 1e-3
        # numpy looks for few entries of one dimension much faster than of two.
        rows, columns = divmod(np.flatnonzero(above), above.shape[1])
        pairs = np.column_stack([rows, columns])[rows < columns]
        near.append(pairs + start)
    return np.concatenate(near)


def _sketch(D: Any, c: NDArray[np.float64]) -> NDArray[np.float32]:
    """Centred sparse ranks as sums over random blocks of rows with random signs.

    Columns that are equal have equal sketches. Of n differences between columns that
    are not, all would have to fall into one block to count n times as much.
    """
    (n, d), columns = D.shape, column_of_each(D)
    rng = np.random.default_rng(0)
    block, sign = rng.integers(_SKETCH, size=n), rng.choice([-1.0, 1.0], size=n)
    place = block[D.indices] * d + columns
    sums = np.bincount(place, sign[D.indices] * D.data, _SKETCH * d)
    ones = np.bincount(block, sign, _SKETCH)
    return (sums.reshape(_SKETCH, d) + np.outer(ones, c)).astype(np.float32)


def column_of_each(X: Any) -> NDArray[np.intp]:
    """The column of every stored value of a csc_array."""
    return np.repeat(np.arange(X.shape[1]), np.diff(X.indptr))


def equal_values(X: Any) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Stored values in the order of columns and sizes, and where another one begins."""
    columns = column_of_each(X)
    order = np.lexsort((X.data, columns))
    low, high = X.data[order[:-1]], X.data[order[1:]]
    # NaN comes last in a column, and is one value.
    new = (columns[1:] != columns[:-1]) | ((low != high) & ~np.isnan(low))
    begins = np.concatenate([[True], new])[: len(order)]
    return order, np.flatnonzero(begins)


def _sparse_ranks(X: Any) -> tuple[Any, NDArray[np.float64]]:
    """D and c of sparse columns."""
    (n, d), columns = X.shape, column_of_each(X)
    order, first = equal_values(X)
    times = np.diff(np.append(first, len(order)))
    midranks = np.empty(len(order))  # among the stored values of the column
    midranks[order] = np.repeat(first + (times + 1) / 2, times)
    midranks -= X.indptr[columns]
    below = np.bincount(columns[X.data < 0], minlength=d)
    nonzero = np.bincount(columns[X.data != 0], minlength=d)
    zero_rank = below + (n - nonzero + 1) / 2
    zeros_not_stored = n - np.diff(X.indptr)
    ranks = zero_rank[columns]
    ranks = np.where(X.data < 0, midranks, ranks)
    ranks = np.where(X.data > 0, midranks + zeros_not_stored[columns], ranks)
    D = sp.csc_array((ranks - zero_rank[columns], X.indices, X.indptr), shape=X.shape)
    return D, zero_rank - (n + 1) / 2
