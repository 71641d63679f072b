# SPDX-License-Identifier: BSD-3-Clause
"""Products of sparse rows with each other and with a matrix, as a dense matrix."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from labelsift.kernels import kernel


@kernel()
def row_products(rows: Any, columns: Any, out: NDArray[Any]) -> None:
    """Add the products of each row with itself and those before it to ``out``.

    That is the lower triangle of XX'. X is given by rows and by columns, both as (data,
    indices, indptr) without duplicates, its columns by ascending rows.
    """
    data, indices, indptr = rows
    values, members, starts = columns
    reached = starts[:-1].copy()  # in each column, behind the entries of rows so far
    for i in range(out.shape[0]):
        products = out[i]
        for entry in range(indptr[i], indptr[i + 1]):
            value, column = data[entry], indices[entry]
            reached[column] += 1
            for other in range(starts[column], reached[column]):
                # Unsigned: no look at whether the index counts from the end.
                products[np.uint64(members[other])] += value * values[other]


@kernel()
def all_products(queries: Any, columns: Any, out: NDArray[Any]) -> None:
    """Add the products of each query with all rows of X, given by columns, to ``out``.

    Both are (data, indices, indptr); the precision is that of ``out``.
    """
    data, indices, indptr = queries
    values, members, starts = columns
    for i in range(out.shape[0]):
        products = out[i]
        for entry in range(indptr[i], indptr[i + 1]):
            value, column = data[entry], indices[entry]
            for other in range(starts[column], starts[column + 1]):
                products[np.uint64(members[other])] += value * values[other]


@kernel()
def triangular_products(
    rows: Any, upper: NDArray[Any], shift: NDArray[Any], first: int, out: NDArray[Any]
) -> None:
    """X times an upper triangular matrix, minus a shift, of some rows of X.

    X is given by its rows as (data, indices, indptr); ``out`` receives as many of them
    as it has, from row ``first`` on.
    """
    data, indices, indptr = rows
    n_columns = upper.shape[1]
    for i in range(out.shape[0]):
        products = out[i]
        for column in range(n_columns):
            products[column] = 0.0
        for entry in range(indptr[first + i], indptr[first + i + 1]):
            value, row = data[entry], upper[indices[entry]]
            for column in range(indices[entry], n_columns):
                products[np.uint64(column)] += value * row[np.uint64(column)]
        for column in range(n_columns):
            products[column] -= shift[column]


def warm_up() -> None:
    """Compile the kernels on tiny input, for both widths of indices."""
    for width in (np.int32, np.int64):
        row = np.ones(1), np.zeros(1, width), np.arange(2, dtype=width)
        row_products(row, row, np.zeros((1, 1)))
        triangular_products(row, np.ones((1, 1)), np.ones(1), 0, np.zeros((1, 1)))
    for dtype in (np.float32, np.float64):
        row = np.ones(1, dtype), np.zeros(1, np.int32), np.arange(2, dtype=np.int32)
        all_products(row, row, np.zeros((1, 1), dtype))
