# SPDX-License-Identifier: BSD-3-Clause
"""Weighted sums of the differences of pairs of rows, feature by feature.

The pairs are the entries of a CSR matrix. Pairs are added in its order, and equal
entries add exactly 0, so that dense and sparse rows give the same bits.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from labelsift.kernels import kernel


@kernel()
def add_dense_differences(
    rows: NDArray[Any],
    weights: NDArray[Any],
    indices: NDArray[Any],
    indptr: NDArray[Any],
    out: NDArray[Any],
) -> None:
    """out[f] += weight |rows[i, f] - rows[j, f]| over the pairs (i, j)."""
    for i in range(len(indptr) - 1):
        for pair in range(indptr[i], indptr[i + 1]):
            j, weight = indices[pair], weights[pair]
            for f in range(len(out)):
                out[f] += weight * abs(rows[i, f] - rows[j, f])


@kernel()
def add_sparse_differences(
    values: NDArray[Any],
    columns: NDArray[Any],
    starts: NDArray[Any],
    weights: NDArray[Any],
    indices: NDArray[Any],
    indptr: NDArray[Any],
    out: NDArray[Any],
) -> None:
    """Do the same for rows in canonical CSR."""
    for i in range(len(indptr) - 1):
        for pair in range(indptr[i], indptr[i + 1]):
            j, weight = indices[pair], weights[pair]
            a, b = starts[i], starts[j]
            end_a, end_b = starts[i + 1], starts[j + 1]
            while a < end_a and b < end_b:
                if columns[a] < columns[b]:
                    out[columns[a]] += weight * abs(values[a])
                    a += 1
                elif columns[b] < columns[a]:
                    out[columns[b]] += weight * abs(values[b])
                    b += 1
                else:
                    out[columns[a]] += weight * abs(values[a] - values[b])
                    a += 1
                    b += 1
            for entry in range(a, end_a):
                out[columns[entry]] += weight * abs(values[entry])
            for entry in range(b, end_b):
                out[columns[entry]] += weight * abs(values[entry])


def warm_up() -> None:
    """Compile the kernels on tiny input, for both widths of CSR indices."""
    one, out = np.ones(1), np.zeros(1)
    for width in (np.int32, np.int64):
        indices, starts = np.zeros(1, width), np.arange(2, dtype=width)
        add_dense_differences(np.ones((1, 1)), one, indices, starts, out)
        for other in (np.int32, np.int64):
            csr = one, np.zeros(1, other), np.arange(2, dtype=other)
            add_sparse_differences(*csr, one, indices, starts, out)
