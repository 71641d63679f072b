# SPDX-License-Identifier: BSD-3-Clause
"""Weights as repeated rows and unknown targets as missing rows, by retraining."""

import numpy as np

from reference.greedy_rls import ridge
from reference.mt_lasso import prox


def repeated(weights, *arrays):
    """Each row as often as its whole weight says."""
    return tuple(np.repeat(array, weights, axis=0) for array in arrays)


def known_errors(X, Y, alpha):
    """Squared leave-one-out errors of every known entry, label by label."""
    errors = []
    for y in Y.T:
        rows = np.flatnonzero(~np.isnan(y))
        for j in rows:
            others = rows[rows != j]
            W = ridge(X[others], y[others, np.newaxis], alpha)
            errors.append((y[j] - X[j] @ W[:, 0]) ** 2)
    return np.array(errors)


def known_loo(X, Y, alpha):
    """Their mean: what greedy selection minimises."""
    return np.mean(known_errors(X, Y, alpha))


def weighted_loo(weights):
    """Leave-one-out error where a row loses weight 1, or all it has if that is less."""

    def error(X, Y, alpha):
        total = 0.0
        for j, weight in enumerate(weights):
            left = weights.copy()
            left[j] -= min(weight, 1.0)
            root = np.sqrt(left)[:, np.newaxis]
            W = ridge(root * X, root * Y, alpha)
            total += weight * np.sum((Y[j] - X[j] @ W) ** 2)
        return total / (weights.sum() * Y.shape[1])

    return error


def known_gcv(X, Y, alpha):
    """Generalised cross-validation, each label on its known rows."""
    total, count = 0.0, 0
    for y in Y.T:
        rows = ~np.isnan(y)
        Z, n = X[rows], rows.sum()
        hat = Z @ np.linalg.solve(Z.T @ Z + alpha * np.eye(X.shape[1]), Z.T)
        residual = y[rows] - hat @ y[rows]
        total += n * np.mean(residual**2) / (1 - np.trace(hat) / n) ** 2
        count += n
    return total / count


def known_lasso(X, Y, weights, alpha, norm, n_steps=20_000):
    """The multi-task lasso over known entries, by proximal gradient.

    Columns of X are centred and of unit norm, targets of mean 0 and variance 1, rows
    without any target left out, all sums weighted. Returns weights and intercepts.
    """
    some = ~np.isnan(Y).all(axis=1)
    X, Y, weights = X[some], Y[some], weights[some]
    mean = np.average(X, axis=0, weights=weights)
    scale = np.sqrt(weights @ (X - mean) ** 2)
    Z = (X - mean) / scale
    known = ~np.isnan(Y)
    level, unit = np.empty(Y.shape[1]), np.empty(Y.shape[1])
    for label, rows in enumerate(known.T):
        level[label] = np.average(Y[rows, label], weights=weights[rows])
        centred = Y[rows, label] - level[label]
        unit[label] = np.sqrt(np.average(centred**2, weights=weights[rows]))
    T = np.where(known, (Y - level) / unit, 0.0)
    share = known * weights[:, None]
    step = 1 / np.linalg.norm(Z * np.sqrt(weights)[:, None], 2) ** 2
    W = V = np.zeros((X.shape[1], Y.shape[1]))
    momentum = 1.0
    for _ in range(n_steps):
        b = (share * (T - Z @ V)).sum(axis=0) / share.sum(axis=0)
        moved = prox(V + step * Z.T @ (share * (T - Z @ V - b)), alpha * step, norm)
        following = (1 + np.sqrt(1 + 4 * momentum**2)) / 2
        if np.vdot(V - moved, moved - W) > 0:  # restart
            V, following = moved, 1.0
        else:
            V = moved + (momentum - 1) / following * (moved - W)
        done = np.abs(moved - W).max() <= 1e-14 * np.abs(moved).max()
        W, momentum = moved, following
        if done:
            break
    b = (share * (T - Z @ W)).sum(axis=0) / share.sum(axis=0)
    coef = (W / scale[:, None] * unit).T
    return coef, level + unit * b - coef @ mean


def terciles(Y):
    """0, 1 or 2: in which third of the ranks a value lies."""
    ascending = np.sort(Y, axis=0)
    first, second = (ascending[len(Y) * part // 3] for part in (1, 2))
    return (first <= Y).astype(int) + (second <= Y)
