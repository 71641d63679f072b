# SPDX-License-Identifier: BSD-3-Clause
"""Systems of a graph's Laplacian by conjugate gradients.

Sums run over the rows of the arrays one after the other, as numpy adds them up along
the first axis: the result has the same bits.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from labelsift.kernels import kernel


@kernel()
def shifted_descent(
    laplacian: Any,
    beta: float,
    shifts: NDArray[Any],
    scale: NDArray[Any],
    goal: NDArray[Any],
    V: NDArray[Any],
    residual: NDArray[Any],
    max_iter: int,
) -> None:
    """Conjugate gradients of ``solve_shifted`` from V, in place.

    The Laplacian is given as the parts of a CSR matrix. Loops over the columns are
    kept apart and short, for the compiler to vectorise them.
    """
    n_rows, n_columns = V.shape
    scaled, image = np.empty_like(V), np.empty_like(V)
    size, square = np.zeros(n_columns), np.zeros(n_columns)
    curvature, factor = np.zeros(n_columns), np.zeros(n_columns)
    _scale_rows(residual, scale, scaled, size, square)
    direction = scaled.copy()
    for _ in range(max_iter):
        if not (np.sqrt(square) > goal).any():
            break
        _apply_shifted(laplacian, beta, shifts, direction, image, curvature)
        for j in range(n_columns):
            factor[j] = size[j] / curvature[j] if curvature[j] > 0 else 0.0
        for i in range(n_rows):
            for j in range(n_columns):
                V[i, j] += factor[j] * direction[i, j]
            for j in range(n_columns):
                residual[i, j] -= factor[j] * image[i, j]
        last = size.copy()
        _scale_rows(residual, scale, scaled, size, square)
        for j in range(n_columns):
            factor[j] = size[j] / last[j] if last[j] > 0 else 0.0
        for i in range(n_rows):
            for j in range(n_columns):
                direction[i, j] = scaled[i, j] + factor[j] * direction[i, j]


@kernel()
def _scale_rows(
    residual: NDArray[Any],
    scale: NDArray[Any],
    scaled: NDArray[Any],
    size: NDArray[Any],
    square: NDArray[Any],
) -> None:
    """Scale the residual; its products with the scaled one and with itself."""
    n_rows, n_columns = residual.shape
    size[:] = 0.0
    square[:] = 0.0
    for i in range(n_rows):
        for j in range(n_columns):
            scaled[i, j] = scale[i, j] * residual[i, j]
        for j in range(n_columns):
            size[j] += residual[i, j] * scaled[i, j]
        for j in range(n_columns):
            square[j] += residual[i, j] * residual[i, j]


@kernel()
def _apply_shifted(
    laplacian: Any,
    beta: float,
    shifts: NDArray[Any],
    direction: NDArray[Any],
    image: NDArray[Any],
    curvature: NDArray[Any],
) -> None:
    """(shift_j I + beta L) d_j of all columns, and its product with d_j."""
    data, indices, indptr = laplacian
    n_rows, n_columns = direction.shape
    total = np.empty(n_columns)
    curvature[:] = 0.0
    for i in range(n_rows):
        total[:] = 0.0
        whole = indptr[i] + (indptr[i + 1] - indptr[i]) // 4 * 4
        for entry in range(indptr[i], whole, 4):
            x0, x1, x2, x3 = (
                data[entry],
                data[entry + 1],
                data[entry + 2],
                data[entry + 3],
            )
            r0, r1, r2, r3 = (
                np.uint64(indices[entry]),
                np.uint64(indices[entry + 1]),
                np.uint64(indices[entry + 2]),
                np.uint64(indices[entry + 3]),
            )
            for j in range(n_columns):
                total[j] = (
                    total[j]
                    + x0 * direction[r0, j]
                    + x1 * direction[r1, j]
                    + x2 * direction[r2, j]
                    + x3 * direction[r3, j]
                )
        for entry in range(whole, indptr[i + 1]):
            x0, r0 = data[entry], np.uint64(indices[entry])
            for j in range(n_columns):
                total[j] += x0 * direction[r0, j]
        for j in range(n_columns):
            image[i, j] = shifts[j] * direction[i, j] + beta * total[j]
        for j in range(n_columns):
            curvature[j] += direction[i, j] * image[i, j]


def warm_up() -> None:
    """Compile the kernels on tiny input, for both widths of indices."""
    one, square = np.ones(1), np.ones((1, 1))
    for width in (np.int32, np.int64):
        row = one, np.zeros(1, width), np.arange(2, dtype=width)
        shifted_descent(row, 1.0, one, square, one, square.copy(), square.copy(), 1)
