# SPDX-License-Identifier: BSD-3-Clause
"""MDFS with every sum written out, minimised by a slow alternation."""

import numpy as np


def unit_graph(X, k):
    """1 where two rows are among the nearest of each other, 1/2 where one is."""
    n = len(X)
    A = np.zeros((n, n))
    for i in range(n):
        others = sorted(
            (j for j in range(n) if j != i), key=lambda j: ((X[i] - X[j]) ** 2).sum()
        )
        for j in others[:k]:
            A[i, j] += 0.5
            A[j, i] += 0.5
    return A


def cosine_graph(Y):
    """Cosines of label columns."""
    return np.array(
        [[y @ z / np.sqrt((y @ y) * (z @ z)) for z in Y.T] for y in Y.T.astype(float)]
    )


def rough(F, A):
    """Squared differences of the rows of F along the edges of a graph."""
    pairs = np.ndindex(A.shape)
    return sum(A[i, j] / 2 * ((F[i] - F[j]) ** 2).sum() for i, j in pairs)


def objective(X, Y, A, A0, W, F, alpha, beta, gamma):
    """The objective, both graphs as sums over pairs."""
    residual = X @ W - F
    residual = residual - residual.mean(axis=0)
    return (
        rough(F, A)
        + alpha * ((residual**2).sum() + ((F - Y) ** 2).sum())
        + beta * rough(F.T, A0)
        + gamma * sum(np.sqrt((row**2).sum()) for row in W)
    )


def alternate(X, Y, A, A0, alpha, beta, gamma, rounds=400):
    """F from one system for all of its entries, W by reweighting."""
    (n, d), t = X.shape, Y.shape[1]
    H = np.eye(n) - 1 / n
    L, L0 = (np.diag(graph.sum(axis=1)) - graph for graph in (A, A0))
    system = np.kron(L + alpha * (H + np.eye(n)), np.eye(t))
    inverse = np.linalg.inv(system + beta * np.kron(np.eye(n), L0))
    W = np.ones((d, t)) / d
    for _ in range(rounds):
        F = (inverse @ (alpha * (H @ X @ W + Y)).ravel()).reshape(n, t)
        for _ in range(3):
            norms = np.sqrt((W**2).sum(axis=1) + 1e-20)
            ridge = gamma / (2 * alpha) * np.diag(1 / norms)
            W = np.linalg.solve(X.T @ H @ X + ridge, X.T @ H @ F)
    return W, F
