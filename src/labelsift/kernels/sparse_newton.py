# SPDX-License-Identifier: BSD-3-Clause
"""The group lasso on sparse columns: sweeps, and Newton steps between them.

A Newton step is found by conjugate gradients. The system is H V = G for
H V = X'XV + s (V - u <u, V>) + e V, row by row of V but for the first term: X is
centred, u the direction of a row of weights, s its stiffness (the penalty over the
row's norm) and e a damping. Its preconditioner is the part of H that belongs to a row
alone, inverted exactly.

What bounds the speed is the traffic of rows of V and XV, as many as X has entries: both
products collect, from CSR and from CSC, four entries at a time, and all that is done
row by row is done in the same pass.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from labelsift.kernels import kernel

# Sums may be taken in any order: steps need not be exact, what they lead to is checked.
_LOOSE = {"reassoc", "contract", "nsz"}
# Unsigned indices: no look at whether they count from the end.
_ONE, _TWO, _THREE, _FOUR = (np.uint64(count) for count in (1, 2, 3, 4))


@kernel(fastmath=_LOOSE)
def _add_rows(
    data: NDArray[Any],
    indices: NDArray[Any],
    start: int,
    stop: int,
    V: NDArray[Any],
    total: NDArray[Any],
) -> None:
    """Add some rows of V, times entries of X, to ``total``."""
    n_labels = V.shape[1]
    entry, end = np.uint64(start), np.uint64(stop)
    while entry + _FOUR <= end:
        second, third, fourth = entry + _ONE, entry + _TWO, entry + _THREE
        a, b, c, d = data[entry], data[second], data[third], data[fourth]
        A, B = V[np.uint64(indices[entry])], V[np.uint64(indices[second])]
        C, D = V[np.uint64(indices[third])], V[np.uint64(indices[fourth])]
        for label in range(n_labels):
            total[label] += a * A[label] + b * B[label] + c * C[label] + d * D[label]
        entry += _FOUR
    while entry < end:
        a, A = data[entry], V[np.uint64(indices[entry])]
        for label in range(n_labels):
            total[label] += a * A[label]
        entry += _ONE


@kernel(fastmath=_LOOSE)
def collect(
    data: NDArray[Any],
    indices: NDArray[Any],
    indptr: NDArray[Any],
    V: NDArray[Any],
    shift: NDArray[Any],
    out: NDArray[Any],
) -> None:
    """XV minus a shift of all rows, for the rows of a CSR matrix X (X' of a CSC)."""
    n_labels = V.shape[1]
    total = np.empty(n_labels)
    for i in range(out.shape[0]):
        for label in range(n_labels):
            total[label] = -shift[label]
        _add_rows(data, indices, indptr[i], indptr[i + 1], V, total)
        for label in range(n_labels):
            out[i, label] = total[label]


@kernel(fastmath=_LOOSE)
def sweep_rows(
    columns: tuple[Any, Any, Any],
    mean: NDArray[Any],
    column_sq: NDArray[Any],
    W: NDArray[Any],
    residual: NDArray[Any],
    total: NDArray[Any],
    alpha: float,
    features: NDArray[np.int64],
    moved: NDArray[Any],
) -> None:
    """Minimise over some rows of W in turn, in place, as ``group_lasso.sweep_sparse``.

    ``residual`` is Y - XW with X as stored and ``total`` its column sums. ``moved``
    receives how far each row went, about what that lowers the objective by, per entry
    of the column.
    """
    data, indices, indptr = columns
    n_samples, n_labels = residual.shape
    step = np.empty(n_labels)
    for place in range(features.shape[0]):
        j = features[place]
        start, stop, weights = indptr[j], indptr[j + 1], W[j]
        scale = 1.0 / column_sq[j] if column_sq[j] > 0.0 else 0.0
        for label in range(n_labels):
            step[label] = -mean[j] * total[label]
        _add_rows(data, indices, start, stop, residual, step)
        square = 0.0
        for label in range(n_labels):
            step[label] = weights[label] + step[label] * scale
            square += step[label] * step[label]
        size, radius = np.sqrt(square), alpha * scale
        factor = 1.0 - radius / size if scale > 0.0 and size > radius else 0.0
        square = 0.0
        for label in range(n_labels):
            best = step[label] * factor
            step[label] = best - weights[label]
            weights[label] = best
            square += step[label] * step[label]
        moved[place] = square * column_sq[j] / max(stop - start, 1)
        if square == 0.0:
            continue
        for entry in range(start, stop):
            value, row = data[entry], residual[np.uint64(indices[entry])]
            for label in range(n_labels):
                row[label] -= value * step[label]
        for label in range(n_labels):
            total[label] -= n_samples * mean[j] * step[label]


@kernel(fastmath=_LOOSE)
def _curve(
    rows: tuple[Any, Any, Any],
    columns: tuple[Any, Any, Any],
    mean: NDArray[Any],
    V: NDArray[Any],
    direction: NDArray[Any],
    stiffness: NDArray[Any],
    damping: NDArray[Any],
    moves: NDArray[np.bool_],
    fitted: NDArray[Any],
    out: NDArray[Any],
) -> float:
    """H V, and <V, H V>; ``fitted`` is overwritten with XV."""
    n_features, n_labels = V.shape
    total = np.zeros(n_labels)
    for j in range(n_features):
        for label in range(n_labels):
            total[label] += mean[j] * V[j, label]
    collect(rows[0], rows[1], rows[2], V, total, fitted)
    data, indices, indptr = columns
    product = 0.0
    # XV is centred, so that the means of X do not matter on its left.
    for j in range(n_features):
        if not moves[j]:
            continue
        along = 0.0
        for label in range(n_labels):
            along += direction[j, label] * V[j, label]
            total[label] = 0.0
        _add_rows(data, indices, indptr[j], indptr[j + 1], fitted, total)
        for label in range(n_labels):
            across = V[j, label] - direction[j, label] * along
            curved = total[label] + stiffness[j] * across + damping[j] * V[j, label]
            out[j, label] = curved
            product += V[j, label] * curved
    return product


@kernel(fastmath=_LOOSE)
def _divide(
    residual: NDArray[Any],
    direction: NDArray[Any],
    own: NDArray[Any],
    stiffness: NDArray[Any],
    out: NDArray[Any],
) -> tuple[float, float]:
    """Each row divided by its own curvature; <R, out> and <R, R>."""
    product, square = 0.0, 0.0
    for j in range(residual.shape[0]):
        along = 0.0
        for label in range(residual.shape[1]):
            along += direction[j, label] * residual[j, label]
        whole = 1.0 / (own[j] + stiffness[j])
        along *= 1.0 / own[j] - whole
        for label in range(residual.shape[1]):
            value = residual[j, label]
            out[j, label] = value * whole + direction[j, label] * along
            product += value * out[j, label]
            square += value * value
    return product, square


@kernel(fastmath=_LOOSE)
def newton_step(
    rows: tuple[Any, Any, Any],
    columns: tuple[Any, Any, Any],
    mean: NDArray[Any],
    downhill: NDArray[Any],
    direction: NDArray[Any],
    own: NDArray[Any],
    stiffness: NDArray[Any],
    damping: NDArray[Any],
    moves: NDArray[np.bool_],
    tol: float,
    max_products: int,
) -> tuple[NDArray[Any], int]:
    """Solve H V = ``downhill`` by conjugate gradients; also the products it took.

    X is given as the parts of its CSR and of its CSC form. It ends where the residual
    is ``tol`` of the right side, in the 2-norm. Rows that do not move, which are 0 on
    the right side, remain 0.
    """
    n_features, n_labels = downhill.shape
    step, residual = np.zeros_like(downhill), downhill.copy()
    divided, curved = np.empty_like(downhill), np.zeros_like(downhill)
    fitted = np.empty((rows[2].shape[0] - 1, n_labels))
    product, square = _divide(residual, direction, own, stiffness, divided)
    search, goal, done = divided.copy(), tol * tol * square, 0
    while square > goal and done < max_products:
        curvature = _curve(
            rows,
            columns,
            mean,
            search,
            direction,
            stiffness,
            damping,
            moves,
            fitted,
            curved,
        )
        done += 1
        if not curvature > 0.0:
            break
        length, last = product / curvature, product
        for j in range(n_features):
            for label in range(n_labels):
                step[j, label] += length * search[j, label]
                residual[j, label] -= length * curved[j, label]
        product, square = _divide(residual, direction, own, stiffness, divided)
        turn = product / last
        for j in range(n_features):
            for label in range(n_labels):
                search[j, label] = divided[j, label] + turn * search[j, label]
    return step, done


def warm_up() -> None:
    """Compile the kernels on tiny input, for both widths of indices."""
    one, ones = np.ones(1), np.ones((1, 1))
    for width in (np.int32, np.int64):
        parts = (one, np.zeros(1, width), np.arange(2, dtype=width))
        collect(*parts, ones, one, ones.copy())
        every, moved = np.zeros(1, np.int64), one.copy()
        sweep_rows(
            parts, one, one, ones.copy(), ones.copy(), one.copy(), 0.5, every, moved
        )
        newton_step(parts, parts, one, ones, ones, one, one, one, one > 0, 0.5, 1)
