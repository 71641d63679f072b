# SPDX-License-Identifier: BSD-3-Clause
"""The steps of ``greedy_rls/sparse_gcv.py`` over the columns of a CSC matrix.

A matrix is given as (data, indices, indptr); row i of ``state`` holds D, N, |P|^2 and
R.P of feature i.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from labelsift.kernels import kernel

Csc = tuple[NDArray[Any], NDArray[Any], NDArray[Any]]
_ONE, _TWO = np.uint64(1), np.uint64(2)


@kernel()
def products(X: Csc, features: NDArray[Any], x: NDArray[Any]) -> NDArray[Any]:
    """X_f'x for each of some features f."""
    data, indices, indptr = X
    found = np.empty(features.shape[0])
    for s in range(features.shape[0]):
        total = 0.0
        for entry in range(indptr[features[s]], indptr[features[s] + 1]):
            # Unsigned: no look at whether the index counts from the end.
            total += data[entry] * x[np.uint64(indices[entry])]
        found[s] = total
    return found


@kernel()
def subtract(
    X: Csc,
    features: NDArray[Any],
    constant: NDArray[Any],
    weights: NDArray[Any],
    x: NDArray[Any],
) -> NDArray[Any]:
    """x less Z times each row of ``weights``, as two columns.

    Z holds the constant column and some features.
    """
    data, indices, indptr = X
    pair = np.empty((x.shape[0], 2))
    for j in range(x.shape[0]):
        pair[j, 0] = x[j] - weights[0, 0] * constant[j]
        pair[j, 1] = x[j] - weights[1, 0] * constant[j]
    for s in range(features.shape[0]):
        first, second = weights[0, s + 1], weights[1, s + 1]
        for entry in range(indptr[features[s]], indptr[features[s] + 1]):
            row, value = np.uint64(indices[entry]), data[entry]
            pair[row, 0] -= first * value
            pair[row, 1] -= second * value
    return pair


# The order of a sum is free, or it would not be taken in blocks of a few terms.
@kernel(fastmath={"reassoc", "contract"})
def inverse_product(rows: NDArray[Any], u: NDArray[Any]) -> NDArray[Any]:
    """(sum_i m_i m_i') u, where m_i has i + 1 entries and all are stored in a line."""
    total, start = np.zeros(u.shape[0]), 0
    for i in range(u.shape[0]):
        row, along = rows[start : start + i + 1], 0.0
        for j in range(i + 1):
            along += row[j] * u[j]
        for j in range(i + 1):
            total[j] += along * row[j]
        start += i + 1
    return total


@kernel(fastmath={"reassoc", "contract"})
def move_rows(
    residuals: NDArray[Any],
    pair: NDArray[Any],
    P: NDArray[Any],
    R: NDArray[Any],
    delta: float,
    half: float,
) -> NDArray[Any]:
    """A step of A = H Y and B = H^2 Y, whose rows ``residuals`` holds side by side.

    ``pair`` holds h and H h as columns; with z = H h - ``half`` h, A loses delta h P'
    and B loses delta (z P' + h R'). Returned: h, z, A P and B P + A R as columns, the
    latter with A and B as they were.
    """
    n, t = residuals.shape[0], P.shape[0]
    columns = np.empty((n, 4))
    for j in range(n):
        A, B = residuals[j, :t], residuals[j, t:]
        first, second, third = 0.0, 0.0, 0.0
        for label in range(t):
            first += A[label] * P[label]
            second += B[label] * P[label]
            third += A[label] * R[label]
        h, z = pair[j, 0], pair[j, 1] - half * pair[j, 0]
        columns[j, 0], columns[j, 1] = h, z
        columns[j, 2], columns[j, 3] = first, second + third
        by_h, by_z = delta * h, delta * z
        for label in range(t):
            A[label] -= by_h * P[label]
            B[label] -= by_z * P[label] + by_h * R[label]
    return columns


@kernel(fastmath={"contract"})
def move_features(
    X: Csc,
    ends: NDArray[Any],
    columns: NDArray[Any],
    delta: float,
    inner: tuple[float, float],
    state: NDArray[Any],
) -> None:
    """The same step of every feature; ``inner`` holds P.P and R.P of the new one.

    X' times the columns of ``move_rows`` is v, z, P_i.P and R_i.P + P_i.R, in one pass.
    The entries of feature i are taken up to ``ends[i]``.
    """
    data, indices, indptr = X
    PP, RP = inner
    for i in range(state.shape[0]):
        v, z, first, second = 0.0, 0.0, 0.0, 0.0
        odd_v, odd_z, odd_first, odd_second = 0.0, 0.0, 0.0, 0.0
        entry, end = np.uint64(indptr[i]), np.uint64(ends[i])
        # Two sums of each, so that an entry need not wait for the one before it.
        while entry + _ONE < end:
            row, value = np.uint64(indices[entry]), data[entry]
            v += value * columns[row, 0]
            z += value * columns[row, 1]
            first += value * columns[row, 2]
            second += value * columns[row, 3]
            row, value = np.uint64(indices[entry + _ONE]), data[entry + _ONE]
            odd_v += value * columns[row, 0]
            odd_z += value * columns[row, 1]
            odd_first += value * columns[row, 2]
            odd_second += value * columns[row, 3]
            entry += _TWO
        if entry < end:
            row, value = np.uint64(indices[entry]), data[entry]
            v += value * columns[row, 0]
            z += value * columns[row, 1]
            first += value * columns[row, 2]
            second += value * columns[row, 3]
        v, z = v + odd_v, z + odd_z
        first, second = first + odd_first, second + odd_second
        by_v, by_z = delta * v, delta * z
        state[i, 0] = max(state[i, 0] - by_v * v, 0.0)
        state[i, 1] = max(state[i, 1] - 2 * by_v * z, 0.0)
        state[i, 2] += by_v * (by_v * PP - 2 * first)
        state[i, 3] += by_v * (by_z * PP + by_v * RP - second) - by_z * first


@kernel(error_model="numpy")
def least_errors(
    alpha: float,
    state: NDArray[Any],
    norms: NDArray[Any],
    rounding: float,
    model: tuple[float, float, float, float],
) -> NDArray[Any]:
    """GCV with each feature added, were 2 R.P larger by ``rounding`` times its norm.

    ``model`` holds |H Y|^2, tr H, the least trace that is allowed, and n / t.
    """
    residual, freedom, floor, scale = model
    errors = np.empty(state.shape[0])
    for i in range(state.shape[0]):
        delta = 1 / (alpha + state[i, 0])
        lost = delta * state[i, 1]
        gain = 2 * state[i, 3] - lost * state[i, 2] + rounding * norms[i]
        left = max(freedom - lost, floor)
        errors[i] = max(residual - delta * gain, 0.0) * scale / (left * left)
    return errors


@kernel()
def renew(
    X: Csc, features: NDArray[Any], residuals: NDArray[Any], state: NDArray[Any]
) -> None:
    """|P|^2 and R.P of some features from the rows."""
    data, indices, indptr = X
    t = residuals.shape[1] // 2
    both = np.empty(2 * t)
    for i in features:
        both[:] = 0.0
        for entry in range(indptr[i], indptr[i + 1]):
            row, value = np.uint64(indices[entry]), data[entry]
            for label in range(2 * t):
                both[label] += value * residuals[row, label]
        state[i, 2:] = 0.0
        for label in range(t):
            state[i, 2] += both[label] * both[label]
            state[i, 3] += both[label] * both[t + label]


def warm_up() -> None:
    """Compile the kernels on tiny input, for both widths of CSC indices."""
    one, pair, state = np.ones(1), np.ones((1, 2)), np.ones((1, 4))
    features = np.zeros(1, np.intp)
    inverse_product(one, one)
    columns = move_rows(pair.copy(), pair, one, one, 0.1, 0.1)
    for width in (np.int32, np.int64):
        X = one, np.zeros(1, width), np.arange(2, dtype=width)
        products(X, features, one)
        subtract(X, features, one, np.ones((2, 2)), one)
        move_features(X, X[2][1:], columns, 0.1, (1.0, 1.0), state)
        renew(X, features, pair, state)
    least_errors(1.0, state, one, 0.0, (1.0, 1.0, 1e-9, 1.0))
