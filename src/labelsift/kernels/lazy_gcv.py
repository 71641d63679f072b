# SPDX-License-Identifier: BSD-3-Clause
"""The steps of ``greedy_rls/lazy_gcv.py`` over the columns of a CSC matrix.

A matrix is given as (data, indices, indptr). What is known of a feature is a row of

    diagonals   D, N         x'Hx and x'H^2x of the model as it is
    sizes       r, p, q      R.P, |P| and |R| when they were last computed
    moved       a, c         no less than the changes of P and R since then, as norms
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from labelsift.kernels import kernel

Csc = tuple[NDArray[Any], NDArray[Any], NDArray[Any]]


@kernel()
def products(X: Csc, features: NDArray[Any], x: NDArray[Any]) -> NDArray[Any]:
    """X_f'x for each of some features f."""
    data, indices, indptr = X
    found = np.zeros(features.shape[0])
    for s in range(features.shape[0]):
        for entry in range(indptr[features[s]], indptr[features[s] + 1]):
            # Unsigned: no look at whether the index counts from the end.
            found[s] += data[entry] * x[np.uint64(indices[entry])]
    return found


@kernel()
def subtract(
    X: Csc, features: NDArray[Any], weights: NDArray[Any], x: NDArray[Any]
) -> None:
    """Take the weighted sum of some columns from x, in place."""
    data, indices, indptr = X
    for s in range(features.shape[0]):
        for entry in range(indptr[features[s]], indptr[features[s] + 1]):
            x[np.uint64(indices[entry])] -= weights[s] * data[entry]


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


@kernel()
def follow(
    X: Csc,
    pair: NDArray[Any],
    delta: float,
    half: float,
    label_norms: tuple[float, float],
    diagonals: NDArray[Any],
    moved: NDArray[Any],
) -> None:
    """A step: D loses delta v^2 and N loses 2 delta v z; P and R have moved.

    The rows of ``pair`` hold h and H h, so that one pass over X gives v and X'H h, of
    which z is the latter less ``half`` v. P loses delta v P_b and R loses
    delta (z P_b + v (R_b - half P_b)); ``label_norms`` are |P_b| and |R_b - half P_b|.
    """
    data, indices, indptr = X
    norm_P, norm_R = label_norms
    for i in range(diagonals.shape[0]):
        v, z = 0.0, 0.0
        for entry in range(indptr[i], indptr[i + 1]):
            row, value = np.uint64(indices[entry]), data[entry]
            v += value * pair[row, 0]
            z += value * pair[row, 1]
        z -= half * v
        diagonals[i, 0] = max(diagonals[i, 0] - delta * v * v, 0.0)
        diagonals[i, 1] = max(diagonals[i, 1] - 2 * delta * z * v, 0.0)
        moved[i, 0] += delta * abs(v) * norm_P
        moved[i, 1] += delta * (abs(z) * norm_P + abs(v) * norm_R)


@kernel(error_model="numpy")
def least_errors(
    alpha: float,
    diagonals: NDArray[Any],
    sizes: NDArray[Any],
    moved: NDArray[Any],
    model: tuple[float, float, float, float],
) -> NDArray[Any]:
    """GCV with each feature added can be no lower; it is that where nothing moved.

    ``model`` holds |H Y|^2, tr H, the least trace that is allowed, and n / t.
    """
    residual, freedom, floor, scale = model
    errors = np.empty(diagonals.shape[0])
    for i in range(diagonals.shape[0]):
        delta = 1 / (alpha + diagonals[i, 0])
        lost = delta * diagonals[i, 1]
        a, c = moved[i, 0], moved[i, 1]
        p, q = sizes[i, 1], sizes[i, 2]
        shortest = max(p - a, 0.0)
        gain = 2 * (sizes[i, 0] + q * a + p * c + a * c) - lost * shortest * shortest
        left = max(freedom - lost, floor)
        errors[i] = max(residual - delta * gain, 0.0) * scale / (left * left)
    return errors


@kernel()
def renew(
    X: Csc,
    features: NDArray[Any],
    residuals: NDArray[Any],
    sizes: NDArray[Any],
    moved: NDArray[Any],
) -> None:
    """Compute P and R of some features; the rows of ``residuals`` hold H Y, H^2 Y."""
    data, indices, indptr = X
    t = residuals.shape[1] // 2
    both = np.empty(2 * t)
    for i in features:
        both[:] = 0.0
        for entry in range(indptr[i], indptr[i + 1]):
            row, value = np.uint64(indices[entry]), data[entry]
            for label in range(2 * t):
                both[label] += value * residuals[row, label]
        RP, PP, RR = 0.0, 0.0, 0.0
        for label in range(t):
            P, R = both[label], both[t + label]
            RP += R * P
            PP += P * P
            RR += R * R
        sizes[i, 0], sizes[i, 1], sizes[i, 2] = RP, np.sqrt(PP), np.sqrt(RR)
        moved[i, 0], moved[i, 1] = 0.0, 0.0


def warm_up() -> None:
    """Compile the kernels on tiny input, for both widths of CSC indices."""
    one, pair, feature = np.ones(1), np.ones((1, 2)), np.zeros(1, np.intp)
    diagonals, sizes, moved = np.ones((1, 2)), np.ones((1, 3)), np.zeros((1, 2))
    inverse_product(one, one)
    for width in (np.int32, np.int64):
        X = one, np.zeros(1, width), np.arange(2, dtype=width)
        subtract(X, feature, products(X, feature, one), one.copy())
        follow(X, pair, 0.1, 0.1, (1.0, 1.0), diagonals, moved)
        renew(X, feature, pair, sizes, moved)
    least_errors(1.0, diagonals, sizes, moved, (1.0, 1.0, 1e-9, 1.0))
