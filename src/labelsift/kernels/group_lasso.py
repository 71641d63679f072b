# SPDX-License-Identifier: BSD-3-Clause
"""Sweeps of block coordinate descent for least squares with a penalty on whole rows.

A row of W holds the weights of one feature for all labels. With the other rows fixed,
the best row is the proximal step of z = w + g / c, where g is the correlation of the
feature with the residual and c its squared norm: z is shrunk in its 2-norm, or, where
``sup_norm`` is set, clipped (its projection onto an L1 ball is subtracted).
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from labelsift.kernels import kernel


@kernel()
def shrink_row(z: NDArray[Any], radius: float, sup_norm: bool) -> None:
    """Proximal step of ``radius`` times the row's norm, in place; exact zeros."""
    if sup_norm:
        _clip_row(z, radius)
        return
    square = 0.0
    for label in range(z.shape[0]):
        square += z[label] * z[label]
    size = np.sqrt(square)
    factor = 1.0 - radius / size if size > radius else 0.0
    for label in range(z.shape[0]):
        z[label] *= factor


@kernel()
def _clip_row(z: NDArray[Any], radius: float) -> None:
    """Clip the row at the level where the parts cut off add up to ``radius``.

    The level is exact after finitely many passes (Michelot's algorithm): each pass
    keeps the entries above the last level.
    """
    total, count = 0.0, z.shape[0]
    for label in range(z.shape[0]):
        total += abs(z[label])
    if total <= radius:
        for label in range(z.shape[0]):
            z[label] = 0.0
        return
    while True:
        level = (total - radius) / count
        total, above = 0.0, 0
        for label in range(z.shape[0]):
            if abs(z[label]) > level:
                total += abs(z[label])
                above += 1
        if above >= count or above == 0:  # not exactly equal: rounding
            break
        count = above
    for label in range(z.shape[0]):
        z[label] = min(max(z[label], -level), level)


@kernel()
def _move_row(
    weights: NDArray[Any],
    row: NDArray[Any],
    curvature: float,
    alpha: float,
    sup_norm: bool,
) -> bool:
    """Minimise over one row, given its correlation in ``row``; whether it moved.

    The step taken is left in ``row``. An empty column loses its weights.
    """
    scale = 1.0 / curvature if curvature > 0.0 else np.inf
    for label in range(row.shape[0]):
        row[label] = weights[label] + row[label] * scale if scale < np.inf else 0.0
    shrink_row(row, alpha * scale, sup_norm)
    moved = False
    for label in range(row.shape[0]):
        step = row[label] - weights[label]
        weights[label] = row[label]
        row[label] = step
        moved |= step != 0.0
    return moved


@kernel()
def sweep_tile(
    gram: NDArray[Any],
    W: NDArray[Any],
    correlation: NDArray[Any],
    change: NDArray[Any],
    alpha: float,
    sup_norm: bool,
) -> bool:
    """Sweep once over the rows of a tile, whose Gram matrix and X'R are given.

    W and ``correlation`` are updated and ``change`` receives W's change;
    returns whether there was any. The caller updates the features outside the tile.
    """
    n_rows, n_labels = W.shape
    row = np.empty(n_labels)
    any_moved = False
    for j in range(n_rows):
        for label in range(n_labels):
            row[label] = correlation[j, label]
        if not _move_row(W[j], row, gram[j, j], alpha, sup_norm):
            continue
        any_moved = True
        for label in range(n_labels):
            change[j, label] += row[label]
        for i in range(n_rows):
            product = gram[j, i]
            for label in range(n_labels):
                correlation[i, label] -= product * row[label]
    return any_moved


@kernel()
def sweep_sparse(
    data: NDArray[Any],
    indices: NDArray[Any],
    indptr: NDArray[Any],
    mean: NDArray[Any],
    curvature: NDArray[Any],
    W: NDArray[Any],
    residual: NDArray[Any],
    total: NDArray[Any],
    alpha: float,
    sup_norm: bool,
) -> None:
    """Sweep once over the columns of a CSC matrix, centred implicitly by ``mean``.

    ``residual`` is Y - XW with X as stored and ``total`` its column sums: the true
    residual differs by a constant per label, to which a centred column is orthogonal.
    """
    n_samples, n_labels = residual.shape
    row = np.empty(n_labels)
    for j in range(W.shape[0]):
        for label in range(n_labels):
            row[label] = -mean[j] * total[label]
        for entry in range(indptr[j], indptr[j + 1]):
            # Unsigned: no look at whether the index counts from the end.
            value, sample = data[entry], residual[np.uint64(indices[entry])]
            for label in range(n_labels):
                row[label] += value * sample[label]
        if not _move_row(W[j], row, curvature[j], alpha, sup_norm):
            continue
        for entry in range(indptr[j], indptr[j + 1]):
            value, sample = data[entry], residual[np.uint64(indices[entry])]
            for label in range(n_labels):
                sample[label] -= value * row[label]
        for label in range(n_labels):
            total[label] -= n_samples * mean[j] * row[label]


def warm_up() -> None:
    """Compile the kernels on tiny input, for both widths of CSC indices."""
    one, ones = np.ones(1), np.ones((1, 1))
    sweep_tile(ones, np.zeros((1, 1)), ones.copy(), np.zeros((1, 1)), 0.5, True)
    for width in (np.int32, np.int64):
        column = (one, np.zeros(1, width), np.arange(2, dtype=width))
        sweep_sparse(
            *column, one, one, np.zeros((1, 1)), ones.copy(), one.copy(), 0.5, True
        )
