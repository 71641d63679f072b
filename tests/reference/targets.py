# SPDX-License-Identifier: BSD-3-Clause
"""Weights as repeated rows and unknown targets as missing rows, by retraining."""

import numpy as np

from reference.greedy_rls import ridge


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
