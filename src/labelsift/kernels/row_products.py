# SPDX-License-Identifier: BSD-3-Clause
"""Inner products of sparse rows, as a dense matrix."""

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


def warm_up() -> None:
    """Compile the kernel on tiny input, for both widths of indices."""
    for width in (np.int32, np.int64):
        row = np.ones(1), np.zeros(1, width), np.arange(2, dtype=width)
        row_products(row, row, np.zeros((1, 1)))
