# SPDX-License-Identifier: BSD-3-Clause
"""MIFS with every sum written out."""

import numpy as np


def heat_graph(X, neighbours, bandwidth="auto"):
    """'Or' graph of the nearest rows; rows of zeros stay alone."""
    n = len(X)
    filled = [i for i in range(n) if np.any(X[i] != 0)]
    squared = {(i, j): ((X[i] - X[j]) ** 2).sum() for i in filled for j in filled}
    chosen = []
    for i in filled:
        others = sorted((j for j in filled if j != i), key=lambda j: squared[i, j])
        chosen += [(i, j) for j in others[:neighbours]]
    if bandwidth == "auto":
        bandwidth = np.median([squared[pair] for pair in chosen])
    S = np.zeros((n, n))
    for i, j in chosen:
        S[i, j] = S[j, i] = np.exp(-squared[i, j] / bandwidth)
    return S


def objective(X, Y, S, W, V, B, alpha, beta, gamma, ridge=0.0):
    """Theta of eq. (4), with the graph term as a sum over pairs of samples."""
    n = len(S)
    graph = sum(
        S[i, j] / 2 * ((V[i] - V[j]) ** 2).sum() for i in range(n) for j in range(n)
    )
    return (
        ((X @ W - V) ** 2).sum()
        + alpha * ((Y - V @ B) ** 2).sum()
        + beta * graph
        + gamma * sum(np.sqrt((row**2).sum()) for row in W)
        + ridge * (B**2).sum()
    )


def alternate(X, Y, S, B, alpha, beta, gamma, ridge=0.0, rounds=300):
    """Exact V by a dense solve, B by its formula, W by reweighting."""
    n, d = X.shape
    L = np.diag(S.sum(axis=1)) - S
    c = len(B)
    W = np.ones((d, c)) / d
    for _ in range(rounds):
        s, U = np.linalg.eigh(B @ B.T)
        right = (X @ W + alpha * Y @ B.T) @ U
        columns = [
            np.linalg.solve((1 + alpha * s[i]) * np.eye(n) + beta * L, right[:, i])
            for i in range(c)
        ]
        V = np.column_stack(columns) @ U.T
        if ridge:
            gram = alpha * V.T @ V + ridge * np.eye(c)
            B = np.linalg.solve(gram, alpha * V.T @ Y)
        else:
            left, _, rows = np.linalg.svd(V.T @ Y, full_matrices=False)
            B = left @ rows
        for _ in range(5):
            D = np.diag(1 / (2 * np.sqrt((W**2).sum(axis=1) + 1e-20)))
            W = np.linalg.solve(X.T @ X + gamma * D, X.T @ V)
    return W, V, B
