# SPDX-License-Identifier: BSD-3-Clause
"""SFUS with dense inverses and an eigenproblem of the size of the features."""

import numpy as np

EPS = 1e-6


def objective(X, Y, W, alpha, beta, n_latent):
    """Loss, row norms and what W has outside its best subspace."""
    loss = sum(np.sqrt((row**2).sum() + EPS**2) for row in Y - X @ W)
    values = np.sort(np.linalg.eigvalsh(W @ W.T))[::-1]
    rows = sum(np.sqrt((row**2).sum()) for row in W)
    return loss + alpha * rows + beta * values[n_latent : W.shape[1]].sum()


def reweighted(X, Y, W, alpha, beta, n_latent, rounds):
    """Rounds of Q from the eigenvectors of WW', then W from the normal equations."""
    d = X.shape[1]
    for _ in range(rounds):
        Q = np.linalg.eigh(W @ W.T)[1][:, ::-1][:, :n_latent]
        lengths = np.sqrt(((Y - X @ W) ** 2).sum(axis=1) + EPS**2)
        D1 = np.diag(1 / (2 * lengths))
        D2 = np.diag(1 / (2 * np.linalg.norm(W, axis=1)))
        M = X.T @ D1 @ X + alpha * D2 + beta * (np.eye(d) - Q @ Q.T)
        W = np.linalg.inv(M) @ X.T @ D1 @ Y
    return W
