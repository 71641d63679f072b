# SPDX-License-Identifier: BSD-3-Clause
"""CSFS round by round: W = (X'HX + gamma D)^-1 X'HF with the centring matrix H."""

import numpy as np


def objective(X, F, W, b, gamma):
    """Squared loss and gamma times the norms of the rows."""
    rows = sum(np.sqrt((row**2).sum()) for row in W)
    return ((X @ W + b - F) ** 2).sum() + gamma * rows


def reweighted(X, Y, gamma, rounds):
    """W, b and F; rows of Y that are NaN are unlabelled."""
    n, d = X.shape
    unlabelled = np.isnan(Y).all(axis=1)
    F = np.where(np.isnan(Y), 0.5, Y)
    H = np.eye(n) - np.ones((n, n)) / n
    W = np.ones((d, Y.shape[1]))
    for _ in range(rounds):
        D = np.diag(1 / (2 * np.sqrt((W**2).sum(axis=1) + 1e-20)))
        W = np.linalg.solve(X.T @ H @ X + gamma * D, X.T @ H @ F)
        b = (F - X @ W).mean(axis=0)
        P = X @ W + b
        for i in np.flatnonzero(unlabelled):
            for j in range(Y.shape[1]):
                F[i, j] = min(max(P[i, j], 0), 1)
    return W, b, F
