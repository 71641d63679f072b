# SPDX-License-Identifier: BSD-3-Clause
"""RALM-FS round by round, with explicit inverses and loops over rows."""

import numpy as np


def unit_scale(X):
    """Root of the mean eigenvalue of the Gram matrix of centred X."""
    return np.sqrt(
        np.linalg.eigvalsh(np.cov(X.T, ddof=0) * len(X)).mean()
        * max(1, X.shape[1] / len(X))
    )


def run(X, Y, V, E, k, mu, rho, rounds):
    """V and b after some rounds."""
    n, d = X.shape
    Xc = X - X.mean(axis=0)
    inverse = np.linalg.inv(np.eye(d) + Xc.T @ Xc)
    Lambda, Sigma = np.zeros_like(V), np.zeros_like(E)
    for _ in range(rounds):
        T = Y + E - Sigma / mu
        b = T.mean(axis=0)
        W = inverse @ (V - Lambda / mu + Xc.T @ T)
        moved = W + Lambda / mu
        ranked = sorted(range(d), key=lambda j: -(moved[j] ** 2).sum())
        V = np.zeros_like(W)
        for j in ranked[:k]:
            V[j] = moved[j]
        excess = Xc @ W + b - Y
        for i in range(n):
            row = excess[i] + Sigma[i] / mu
            length = np.sqrt((row**2).sum())
            E[i] = (1 - 1 / (mu * length)) * row if length > 1 / mu else 0
        Lambda = Lambda + mu * (W - V)
        Sigma = Sigma + mu * (excess - E)
        mu = rho * mu
    return V, b


def loss(X, Y, V, b):
    """Sum of the residual norms about centred X."""
    R = Y - (X - X.mean(axis=0)) @ V - b
    return sum(np.sqrt((row**2).sum()) for row in R)
