# SPDX-License-Identifier: BSD-3-Clause
"""A sweep over the rows of W for sparse columns, four entries at a time.

What bounds it is the traffic of rows of the residual: each is read for the correlation
of a column, and once more, from the first-level cache, when the row of W has moved.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from labelsift.kernels import kernel
from labelsift.kernels.group_lasso import _move_row
from labelsift.kernels.sparse_newton import _LOOSE, _add_rows


@kernel(fastmath=_LOOSE)
def sweep_columns(
    columns: tuple[Any, Any, Any],
    mean: NDArray[Any],
    curvature: NDArray[Any],
    W: NDArray[Any],
    residual: NDArray[Any],
    total: NDArray[Any],
    alpha: float,
) -> None:
    """``group_lasso.sweep_sparse`` in the 2-norm; sums are taken in another order."""
    data, indices, indptr = columns
    n_samples, n_labels = residual.shape
    row = np.empty(n_labels)
    for j in range(W.shape[0]):
        for label in range(n_labels):
            row[label] = -mean[j] * total[label]
        _add_rows(data, indices, indptr[j], indptr[j + 1], residual, row)
        if not _move_row(W[j], row, curvature[j], alpha, False):
            continue
        for entry in range(indptr[j], indptr[j + 1]):
            # Unsigned: no look at whether the index counts from the end.
            value, sample = data[entry], np.uint64(indices[entry])
            for label in range(n_labels):
                residual[sample, label] -= value * row[label]
        for label in range(n_labels):
            total[label] -= n_samples * mean[j] * row[label]


def warm_up() -> None:
    """Compile the kernel on tiny input, for both widths of indices."""
    one, ones = np.ones(1), np.ones((1, 1))
    for width in (np.int32, np.int64):
        columns = (one, np.zeros(1, width), np.arange(2, dtype=width))
        sweep_columns(columns, one, one, np.zeros((1, 1)), ones.copy(), one.copy(), 0.5)
