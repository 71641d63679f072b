# SPDX-License-Identifier: BSD-3-Clause
"""The multi-task lasso from its formula: proximal gradient, slow and obvious."""

import numpy as np


def objective(X, Y, W, alpha, norm):
    """1/2 ||Y - XW||^2 + alpha * sum over features of the norm of their row."""
    order = np.inf if norm == "inf" else 2
    sizes = [np.linalg.norm(row, order) for row in W]
    return 0.5 * np.sum((Y - X @ W) ** 2) + alpha * sum(sizes)


def prox_row(z, radius, norm):
    """argmin_w 1/2 ||w - z||^2 + radius * ||w||."""
    if norm == "2":
        size = np.linalg.norm(z)
        return z * max(0.0, 1 - radius / size) if size > 0 else z
    if np.abs(z).sum() <= radius:
        return np.zeros_like(z)
    low, high = 0.0, np.abs(z).max()
    for _ in range(200):  # what is cut off above the level falls as the level rises
        level = (low + high) / 2
        if np.maximum(np.abs(z) - level, 0).sum() > radius:
            low = level
        else:
            high = level
    return np.clip(z, -level, level)


def minimise(X, Y, alpha, norm, n_steps=20_000):
    """Accelerated proximal gradient from 0, restarted when the objective rises."""
    step = 1 / np.linalg.norm(X, 2) ** 2
    W = V = np.zeros((X.shape[1], Y.shape[1]))
    momentum, best = 1.0, objective(X, Y, W, alpha, norm)
    for _ in range(n_steps):
        downhill = V + step * X.T @ (Y - X @ V)
        moved = np.array([prox_row(row, alpha * step, norm) for row in downhill])
        value = objective(X, Y, moved, alpha, norm)
        if value > best and momentum > 1:
            V, momentum = W, 1.0
            continue
        following = (1 + np.sqrt(1 + 4 * momentum**2)) / 2
        V = moved + (momentum - 1) / following * (moved - W)
        if np.abs(moved - W).max() <= 1e-13 * max(1.0, np.abs(W).max()):
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
