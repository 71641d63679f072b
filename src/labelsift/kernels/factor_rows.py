# SPDX-License-Identifier: BSD-3-Clause
"""An update of the rows of weights of sparse X by factors.

Sums are added in the order of the stored entries, as scipy adds them, so that the
numbers are the same to the last bit; what is left out is the arrays in between and a
second pass over X.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from labelsift.kernels import kernel


@kernel()
def scale_rows(
    columns: Any,
    R: NDArray[Any],
    pulled: NDArray[Any],
    W: NDArray[Any],
    shrink: NDArray[Any],
    degrees: NDArray[Any],
    alpha: float,
    scaled: NDArray[Any],
    fitted: NDArray[Any],
) -> None:
    """Scaled = W times the factor (up + pulled) / (down + alpha W A + shrink W).

    [up, down] = X'R for X by columns; A is diagonal, ``shrink`` has a number for each
    row. The factor is 1 where the denominator is 0. X times the result is added to
    ``fitted``.
    """
    data, indices, indptr = columns
    n_labels = W.shape[1]
    pull = np.empty(2 * n_labels)
    for j in range(W.shape[0]):
        for label in range(2 * n_labels):
            pull[label] = 0.0
        for entry in range(indptr[j], indptr[j + 1]):
            # Unsigned: no look at whether the index counts from the end.
            value, row = data[entry], R[np.uint64(indices[entry])]
            for label in range(2 * n_labels):
                pull[label] += value * row[label]
        weights = scaled[j]
        for label in range(n_labels):
            weight = W[j, label]
            up = pull[label] + pulled[j, label]
            down = pull[n_labels + label] + alpha * weight * degrees[label]
            down += shrink[j] * weight
            weights[label] = weight * (up / down if down > 0 else 1.0)
        for entry in range(indptr[j], indptr[j + 1]):
            value, sums = data[entry], fitted[np.uint64(indices[entry])]
            for label in range(n_labels):
                sums[label] += value * weights[label]


def warm_up() -> None:
    """Compile the kernels on tiny input, for both widths of CSC indices."""
    one, row = np.ones((1, 1)), np.ones(1)
    for width in (np.int32, np.int64):
        columns = np.ones(1), np.zeros(1, width), np.arange(2, dtype=width)
        out = one.copy(), one.copy()
        scale_rows(columns, np.ones((1, 2)), one, one, row, row, 1.0, *out)
