# SPDX-License-Identifier: BSD-3-Clause
"""Sweeps over the rows of non-negative weights of a flexible sparse regression.

With the other rows fixed, the row w of feature x minimises, over w >= 0,

    w'Mw - 2 r'w + beta Omega(w),   M = |x|^2 I + alpha (D - S),

where r holds the products of x with the residuals without x, less gamma times the sums
of the other rows, S the affinities of the labels and D their sums. Omega is the sum of
the entries, each of which then has a closed form, or the norm of the row, which is met
by parabolas that touch it from above.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from labelsift.kernels import kernel

# Passes over the entries of a row, and the share of its norm whose change ends them.
_PASSES = 20
_SETTLED = 1e-10


@kernel()
def _norm(w: NDArray[Any]) -> float:
    total = 0.0
    for label in range(w.shape[0]):
        total += w[label] * w[label]
    return np.sqrt(total)


@kernel()
def _begin_row(
    w: NDArray[Any],
    r: NDArray[Any],
    curvature: float,
    S: NDArray[Any],
    degrees: NDArray[Any],
    alpha: float,
    beta: float,
) -> bool:
    """Zero a row that should be; move one that should not from 0. Whether it is not.

    A row should be 0 where the positive part u of r is no longer than beta / 2;
    otherwise the best multiple of u is a start.
    """
    length = 0.0
    for label in range(w.shape[0]):
        if r[label] > 0.0:
            length += r[label] * r[label]
    length = np.sqrt(length)
    if length <= beta / 2:
        w[:] = 0.0
        return False
    if _norm(w) > 0.0:
        return True
    bend = curvature * length * length
    for label in range(w.shape[0]):
        u = max(r[label], 0.0)
        bend += alpha * degrees[label] * u * u
        for other in range(w.shape[0]):
            bend -= alpha * S[label, other] * u * max(r[other], 0.0)
    step = (length * length - beta / 2 * length) / bend
    for label in range(w.shape[0]):
        w[label] = step * max(r[label], 0.0)
    return True


@kernel()
def _pass_over_row(
    w: NDArray[Any],
    r: NDArray[Any],
    bend: float,
    S: NDArray[Any],
    degrees: NDArray[Any],
    alpha: float,
    from_others: NDArray[Any],
) -> float:
    """Minimise over each entry in turn; the largest change.

    ``from_others`` is S w and kept up to date: entries that stay cost nothing.
    """
    moved = 0.0
    for label in range(w.shape[0]):
        own = S[label, label]
        pull = r[label] + alpha * (from_others[label] - own * w[label])
        step = max(pull, 0.0) / (bend + alpha * (degrees[label] - own)) - w[label]
        if step != 0.0:
            w[label] += step
            moved = max(moved, abs(step))
            for other in range(w.shape[0]):
                from_others[other] += S[label, other] * step
    return moved


@kernel()
def fit_row(
    w: NDArray[Any],
    r: NDArray[Any],
    curvature: float,
    S: NDArray[Any],
    degrees: NDArray[Any],
    alpha: float,
    beta: float,
    by_norm: bool,
) -> None:
    """Minimise over one row, in place; a constant feature has no weights.

    ``r`` is overwritten.
    """
    if curvature <= 0.0:
        w[:] = 0.0
        return
    if by_norm and not _begin_row(w, r, curvature, S, degrees, alpha, beta):
        return
    from_others = np.zeros(w.shape[0])
    for label in range(w.shape[0]):
        if not by_norm:
            r[label] -= beta / 2
        if w[label] != 0.0:
            for other in range(w.shape[0]):
                from_others[other] += S[label, other] * w[label]
    for _ in range(_PASSES):
        size = _norm(w)
        bend = curvature + (beta / (2 * size) if by_norm and size > 0.0 else 0.0)
        moved = _pass_over_row(w, r, bend, S, degrees, alpha, from_others)
        if moved <= _SETTLED * size:
            return


@kernel()
def sweep_dense(
    X: NDArray[Any],
    curvatures: NDArray[Any],
    features: NDArray[Any],
    W: NDArray[Any],
    residual: NDArray[Any],
    sums: NDArray[Any],
    S: NDArray[Any],
    degrees: NDArray[Any],
    weights: tuple[float, float, float],
    by_norm: bool,
) -> None:
    """Minimise over the rows of some features in turn, in place.

    X is centred where it shall be; ``residual`` is Y - XW, ``sums`` the column sums of
    W, and ``weights`` are alpha, beta, gamma.
    """
    alpha, beta, gamma = weights
    n_samples, n_labels = residual.shape
    r, step = np.empty(n_labels), np.empty(n_labels)
    for j in features:
        for label in range(n_labels):
            others = sums[label] - W[j, label]
            r[label] = curvatures[j] * W[j, label] - gamma * others
        for i in range(n_samples):
            value = X[i, j]
            for label in range(n_labels):
                r[label] += value * residual[i, label]
        for label in range(n_labels):
            step[label] = W[j, label]
        fit_row(W[j], r, curvatures[j], S, degrees, alpha, beta, by_norm)
        moved = False
        for label in range(n_labels):
            step[label] = W[j, label] - step[label]
            sums[label] += step[label]
            moved |= step[label] != 0.0
        if not moved:
            continue
        for i in range(n_samples):
            value = X[i, j]
            for label in range(n_labels):
                residual[i, label] -= value * step[label]


@kernel()
def sweep_sparse(
    data: NDArray[Any],
    indices: NDArray[Any],
    indptr: NDArray[Any],
    mean: NDArray[Any],
    totals: NDArray[Any],
    curvatures: NDArray[Any],
    features: NDArray[Any],
    W: NDArray[Any],
    residual: NDArray[Any],
    sums: NDArray[Any],
    S: NDArray[Any],
    degrees: NDArray[Any],
    weights: tuple[float, float, float],
    by_norm: bool,
) -> None:
    """Do the same for the columns of a CSC matrix, centred implicitly by ``mean``.

    ``residual`` is Y - XW with X as stored, ``totals`` its column sums: the true
    residual differs by a constant per label, to which a centred column is orthogonal.
    """
    alpha, beta, gamma = weights
    n_samples, n_labels = residual.shape
    r, step = np.empty(n_labels), np.empty(n_labels)
    for j in features:
        for label in range(n_labels):
            others = sums[label] - W[j, label]
            r[label] = curvatures[j] * W[j, label] - gamma * others
            r[label] -= mean[j] * totals[label]
        for entry in range(indptr[j], indptr[j + 1]):
            value, i = data[entry], indices[entry]
            for label in range(n_labels):
                r[label] += value * residual[i, label]
        for label in range(n_labels):
            step[label] = W[j, label]
        fit_row(W[j], r, curvatures[j], S, degrees, alpha, beta, by_norm)
        moved = False
        for label in range(n_labels):
            step[label] = W[j, label] - step[label]
            sums[label] += step[label]
            totals[label] -= n_samples * mean[j] * step[label]
            moved |= step[label] != 0.0
        if not moved:
            continue
        for entry in range(indptr[j], indptr[j + 1]):
            value, i = data[entry], indices[entry]
            for label in range(n_labels):
                residual[i, label] -= value * step[label]


def warm_up() -> None:
    """Compile the kernels on tiny input, for both widths of CSC indices."""
    one, ones, weights = np.ones(1), np.ones((1, 1)), (0.1, 0.1, 0.1)
    features = np.zeros(1, np.intp)
    state = [np.zeros((1, 1)), ones.copy(), np.zeros(1), ones, one]
    X = np.asfortranarray(ones)
    sweep_dense(X, one, features, *state, weights, True)
    for width in (np.int32, np.int64):
        csc = one, np.zeros(1, width), np.arange(2, dtype=width)
        sweep_sparse(*csc, one, one.copy(), one, features, *state, weights, True)
