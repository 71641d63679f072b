# SPDX-License-Identifier: BSD-3-Clause
"""Dense Gram matrices of sparse rows, with new weights for every system."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from labelsift.kernels import kernel


@kernel()
def add_outer_products(
    data: NDArray[Any],
    indices: NDArray[Any],
    indptr: NDArray[Any],
    weights: NDArray[Any],
    gram: NDArray[Any],
) -> None:
    """Add w_i x_i x_i' for all rows of a CSR matrix, to the upper triangle of ``gram``.

    The indices of a row must ascend.
    """
    for i in range(weights.shape[0]):
        columns = indices[indptr[i] : indptr[i + 1]]
        values = data[indptr[i] : indptr[i + 1]]
        for first in range(columns.shape[0]):
            value, row = weights[i] * values[first], gram[columns[first]]
            for second in range(first, columns.shape[0]):
                # Unsigned: no look at whether the index counts from the end.
                row[np.uint64(columns[second])] += value * values[second]


def warm_up() -> None:
    """Compile the kernel on tiny input, for both widths of CSR indices."""
    for width in (np.int32, np.int64):
        row = (np.ones(1), np.zeros(1, width), np.arange(2, dtype=width))
        add_outer_products(*row, np.ones(1), np.zeros((1, 1)))
