# SPDX-License-Identifier: BSD-3-Clause
"""An update of the rows of weights of sparse X by factors.

Sums are added in the order of the stored entries, as scipy adds them, so that the
numbers are the same to the last bit; what is left out is the arrays in between. Four
entries are added in one pass over a row of sums, which is then read and written a
quarter as often.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from labelsift.kernels import kernel

_LINE = 64  # bytes of a cache line
# Unsigned indices: no look at whether they count from the end.
_ONE, _TWO, _THREE, _FOUR = (np.uint64(count) for count in (1, 2, 3, 4))


def aligned_rows(n_rows: int, width: int) -> NDArray[np.float64]:
    """Zeros whose first row begins with a cache line."""
    spare = _LINE // 8
    room = np.zeros(n_rows * width + spare)
    skipped = -room.ctypes.data % _LINE // 8
    return room[skipped : skipped + n_rows * width].reshape(n_rows, width)


@kernel()
def _add_rows(entries: Any, k: int, M: NDArray[Any], sums: NDArray[Any]) -> None:
    """Sums = the rows of M that row (or column) k of sparse X names, times its values.

    ``entries`` is (data, indices, indptr).
    """
    data, indices, indptr = entries
    for at in range(len(sums)):
        sums[at] = 0.0
    entry, end = np.uint64(indptr[k]), np.uint64(indptr[k + 1])
    while entry + _FOUR <= end:
        second, third, fourth = entry + _ONE, entry + _TWO, entry + _THREE
        a, b, c, d = data[entry], data[second], data[third], data[fourth]
        A, B = M[np.uint64(indices[entry])], M[np.uint64(indices[second])]
        C, D = M[np.uint64(indices[third])], M[np.uint64(indices[fourth])]
        for at in range(len(sums)):
            sums[at] = sums[at] + a * A[at] + b * B[at] + c * C[at] + d * D[at]
        entry += _FOUR
    while entry < end:
        a, A = data[entry], M[np.uint64(indices[entry])]
        for at in range(len(sums)):
            sums[at] += a * A[at]
        entry += _ONE


# Division as in numpy: without a look for 0, which is taken care of.
@kernel(error_model="numpy")
def scale_rows(
    columns: Any,
    R: NDArray[Any],
    W: NDArray[Any],
    shrink: NDArray[Any],
    degrees: NDArray[Any],
    alpha: float,
    unit: float,
    pulled: NDArray[Any],
    squares: NDArray[Any],
    pull: NDArray[Any],
) -> None:
    """W times the factor (up + pulled) / (down + alpha W A + shrink W), in ``pulled``.

    [up, down] = X'R for X by columns; A is diagonal, ``shrink`` has a number for each
    row. The factor is 1 where the denominator is 0. The squares of the result are added
    to ``squares`` by column. R may have more columns, which are not read; ``pull`` is
    room for a row of it.

    W, R and ``pulled`` are stored times ``unit``, a power of 2, which changes no digit:
    the result is rounded as without it, to the numbers below 2**-1022 and to 0.
    """
    n_labels, inverse = W.shape[1], 1.0 / unit
    for j in range(W.shape[0]):
        _add_rows(columns, j, R, pull)
        weights, scaled, shrunk = W[j], pulled[j], shrink[j]
        for label in range(n_labels):
            weight = weights[label]
            up = pull[label] + scaled[label]
            down = pull[n_labels + label] + alpha * weight * degrees[label]
            down += shrunk * weight
            new = weight * (up / down if down > 0 else 1.0)
            new = (new * inverse) * unit
            scaled[label] = new
            squares[label] += new * new


@kernel()
def multiply(rows: Any, W: NDArray[Any], out: NDArray[Any]) -> None:
    """XW of sparse X by rows."""
    for i in range(out.shape[0]):
        _add_rows(rows, i, W, out[i])


def warm_up() -> None:
    """Compile the kernels on tiny input, for both widths of indices."""
    one, row, two = np.ones((1, 1)), np.ones(1), np.ones((1, 2))
    for width in (np.int32, np.int64):
        entries = np.ones(1), np.zeros(1, width), np.arange(2, dtype=width)
        out = one.copy(), row.copy(), two[0].copy()
        scale_rows(entries, two, one, row, row, 1.0, 1.0, *out)
        multiply(entries, one, one.copy())
