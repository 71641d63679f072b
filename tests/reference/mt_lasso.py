# SPDX-License-Identifier: BSD-3-Clause
"""The multi-task lasso from its formula: proximal gradient, slow and obvious."""

import numpy as np


def norms(W, norm):
    """Norm of each row."""
    return np.linalg.norm(W, np.inf if norm == "inf" else 2, axis=1)


def objective(X, Y, W, alpha, norm):
    """1/2 ||Y - XW||^2 + alpha * sum over features of the norm of their row."""
    return 0.5 * np.sum((Y - X @ W) ** 2) + alpha * norms(W, norm).sum()


def prox(Z, radius, norm):
    """argmin_W 1/2 ||W - Z||^2 + radius * sum of the norms of W's rows."""
    if norm == "2":
        sizes = np.maximum(norms(Z, "2"), 1e-300)[:, np.newaxis]
        return Z * np.maximum(0.0, 1 - radius / sizes)
    low, high = np.zeros(len(Z)), norms(Z, "inf")
    for _ in range(80):  # what is cut off above a level falls as the level rises
        level = (low + high) / 2
        cut = np.maximum(np.abs(Z) - level[:, np.newaxis], 0).sum(axis=1)
        low, high = (
            np.where(cut > radius, level, low),
            np.where(cut > radius, high, level),
        )
    level = np.where(np.abs(Z).sum(axis=1) <= radius, 0.0, level)[:, np.newaxis]
    return np.clip(Z, -level, level)


def minimise(X, Y, alpha, norm, n_steps=20_000):
    """Accelerated proximal gradient from 0, restarted when the objective rises."""
    step = 1 / np.linalg.norm(X, 2) ** 2
    W = V = np.zeros((X.shape[1], Y.shape[1]))
    momentum, best = 1.0, objective(X, Y, W, alpha, norm)
    for _ in range(n_steps):
        moved = prox(V + step * X.T @ (Y - X @ V), alpha * step, norm)
        value = objective(X, Y, moved, alpha, norm)
        if value > best and momentum > 1:
            V, momentum = W, 1.0
            continue
        following = (1 + np.sqrt(1 + 4 * momentum**2)) / 2
        V = moved + (momentum - 1) / following * (moved - W)
        if np.abs(moved - W).max() <= 1e-12 * np.abs(moved).max():
            return moved
        W, momentum, best = moved, following, value
    return W


def optimality(X, Y, W, alpha, norm):
    """Largest violation of the optimality conditions, over the features.

    A row without weights: the dual norm of x'R is at most alpha. A row with weights:
    x'R / alpha is a subgradient of its norm, i.e. has dual norm 1 and pairs with the
    row to the row's norm.
    """
    correlation = X.T @ (Y - X @ W)
    worst = 0.0
    for row, slope in zip(W, correlation / alpha, strict=True):
        dual = np.abs(slope).sum() if norm == "inf" else np.linalg.norm(slope)
        size = np.abs(row).max() if norm == "inf" else np.linalg.norm(row)
        if size == 0:
            worst = max(worst, dual - 1)
        else:
            worst = max(worst, abs(dual - 1), abs(slope @ row / size - 1))
    return worst
