# SPDX-License-Identifier: BSD-3-Clause
"""Alternating structure optimisation with both steps solved by general means."""

import numpy as np
from scipy.optimize import minimize


def objective(X, Y, U, b, theta, alpha):
    """Eq. (29) with v = theta u, and the intercept penalised like a weight."""
    codes = np.where(Y == 1, 1.0, -1.0)
    loss = np.maximum(0, 1 - codes * (X @ U + b)).mean(axis=0).sum()
    return loss + alpha * (np.sum((U - theta.T @ theta @ U) ** 2) + np.sum(b**2))


def machine(X, y, offset, alpha):
    """min over w, b of mean hinge(y (w'x + b + offset)) + alpha (|w|^2 + b^2).

    Through its dual, a quadratic in a box: w = sum_i a_i y_i x_i, 0 <= a_i <= C.
    """
    n, C = len(y), 1 / (2 * len(y) * alpha)
    Z = y[:, None] * np.column_stack([X, np.ones(n)])
    Q, q = Z @ Z.T, 1 - y * offset
    result = minimize(
        lambda a: (a @ Q @ a / 2 - q @ a, Q @ a - q),
        np.zeros(n),
        jac=True,
        bounds=[(0, C)] * n,
        method="L-BFGS-B",
        options={"maxiter": 10**5, "maxfun": 10**6, "ftol": 1e-15, "gtol": 1e-9},
    )
    w = Z.T @ result.x
    return w[:-1], w[-1]


def aso(X, Y, size, alpha, rounds):
    """Weights (d x m), intercepts, basis (size x d) after some rounds."""
    codes = np.where(Y == 1, 1.0, -1.0)
    shared = np.zeros((X.shape[1], Y.shape[1]))
    for _ in range(rounds):
        solved = [
            machine(X, codes[:, k], X @ shared[:, k], alpha) for k in range(Y.shape[1])
        ]
        U = np.column_stack([w for w, _ in solved]) + shared
        b = np.array([b for _, b in solved])
        theta = np.linalg.svd(U, full_matrices=False)[0][:, :size].T
        shared = theta.T @ theta @ U
    return U, b, theta
