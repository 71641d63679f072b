# SPDX-License-Identifier: BSD-3-Clause
"""RLEFS with every matrix of the formulas written out."""

import numpy as np

EPS = 1e-6


def affinity(Y, neighbours=5):
    """Heat kernel on unit label columns, median bandwidth, 'or' graph."""
    t = Y.shape[1]
    unit = [Y[:, j] / np.sqrt((Y[:, j] ** 2).sum()) for j in range(t)]
    distance = [[((a - b) ** 2).sum() for b in unit] for a in unit]
    joined = set()
    for i in range(t):
        others = sorted((j for j in range(t) if j != i), key=lambda j: distance[i][j])
        for j in others[:neighbours]:
            joined |= {(i, j), (j, i)}
    bandwidth = np.median([distance[i][j] for i, j in joined])
    S = np.zeros((t, t))
    for i, j in joined:
        S[i, j] = np.exp(-distance[i][j] / bandwidth)
    return S


def _row_norms(M):
    return np.array([np.sqrt((row**2).sum() + EPS**2) for row in M])


def _D(M):
    return np.diag(1 / (2 * _row_norms(M)))


def objective(X, Y, S, W, F, B, alpha, beta, gamma, lam):
    """J, with the graph term as a sum over pairs of columns of W."""
    t = len(S)
    graph = sum(
        S[i, j] / 2 * ((W[:, i] - W[:, j]) ** 2).sum()
        for i in range(t)
        for j in range(t)
    )
    return (
        _row_norms(X @ W - F).sum()
        + alpha * graph
        + beta * _row_norms(F - Y @ B).sum()
        + gamma * _row_norms(W).sum()
        + lam / 2 * ((F.T @ F - np.eye(t)) ** 2).sum()
    )


def iterate(X, Y, S, W, F, B, alpha, beta, gamma, lam):
    """One round of the corrected updates with explicit diagonal matrices."""
    looped = S + np.diag(S.sum(axis=1))
    A = np.diag(looped.sum(axis=1))
    D1, D3 = _D(X @ W - F), _D(W)
    up = X.T @ D1 @ F + alpha * W @ looped
    W = W * up / (X.T @ D1 @ X @ W + alpha * W @ A + gamma * D3 @ W)
    D1, D2 = _D(X @ W - F), _D(F - Y @ B)
    up = D1 @ X @ W + beta * D2 @ Y @ B + lam * F
    ratio = up / ((D1 + beta * D2) @ F + lam * F @ F.T @ F)
    settings = (alpha, beta, gamma, lam)
    before = objective(X, Y, S, W, F, B, *settings)
    for e in (1, 1 / 2, 1 / 4):
        if objective(X, Y, S, W, F * ratio**e, B, *settings) <= before:
            F = F * ratio**e
            break
    D2 = _D(F - Y @ B)
    B = B * (Y.T @ D2 @ F) / (Y.T @ D2 @ Y @ B)
    return W, F, B
