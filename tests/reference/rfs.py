# SPDX-License-Identifier: BSD-3-Clause
"""RFS as printed, with dense diagonal matrices (Algorithm 1 of the paper)."""

import numpy as np

EPS = 1e-6


def objective(X, Y, W, gamma):
    """Sum of the smoothed residual norms and gamma times the norms of the rows."""
    loss = sum(np.sqrt((row**2).sum() + EPS**2) for row in Y - X @ W)
    return loss + gamma * sum(np.sqrt((row**2).sum()) for row in W)


def dense_diagonal(X, Y, gamma, rounds):
    """U = D^-1 A' (A D^-1 A')^-1 Y for A = [X, gamma I], U = [W; E / gamma]."""
    n, d = X.shape
    A = np.hstack([X, gamma * np.eye(n)])
    inverse = np.eye(d + n)
    for _ in range(rounds):
        U = inverse @ A.T @ np.linalg.solve(A @ inverse @ A.T, Y)
        norms = np.linalg.norm(U, axis=1)
        norms[d:] = np.sqrt(norms[d:] ** 2 + (EPS / gamma) ** 2)
        inverse = np.diag(2 * norms)
    return U[:d]


def duality_gap(X, Y, W, gamma):
    """Objective minus the dual value at the scaled unit residuals."""
    R = Y - X @ W
    U = R / np.sqrt((R**2).sum(axis=1) + EPS**2)[:, None]
    U = U * min(1, gamma / np.linalg.norm(X.T @ U, axis=1).max())
    return objective(X, Y, W, gamma) - (U * Y).sum()
