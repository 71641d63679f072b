# SPDX-License-Identifier: BSD-3-Clause
"""RFSFS and SRFS with every sum written out, a general minimiser, the old update."""

import numpy as np
from scipy.optimize import minimize


def cosines(Y):
    """Cosines of label columns, 1 on the diagonal."""
    return np.array(
        [[y @ z / np.sqrt((y @ y) * (z @ z)) for z in Y.T] for y in Y.T.astype(float)]
    )


def objective(X, Y, S, W, alpha, beta, gamma, penalty="l1"):
    """The objective for W >= 0, with the norm of WW' as it is printed."""
    t = Y.shape[1]
    graph = sum(
        S[i, j] / 2 * ((W[:, i] - W[:, j]) ** 2).sum()
        for i in range(t)
        for j in range(t)
    )
    size = W.sum() if penalty == "l1" else sum(np.sqrt((w**2).sum()) for w in W)
    redundancy = np.abs(W @ W.T).sum() - (W**2).sum()
    return ((X @ W - Y) ** 2).sum() + alpha * graph + beta * size + gamma * redundancy


def minimise(X, Y, S, alpha, beta, gamma, penalty="l1"):
    """W by a quasi-Newton method with bounds; norms are smoothed by 1e-8."""
    d, t = X.shape[1], Y.shape[1]
    L = np.diag(S.sum(axis=1)) - S

    def value(flat):
        W = flat.reshape(d, t)
        sums = W.sum(axis=0)
        gradient = 2 * X.T @ (X @ W - Y) + 2 * alpha * W @ L + 2 * gamma * (sums - W)
        loss = ((X @ W - Y) ** 2).sum() + alpha * np.sum(W * (W @ L))
        loss += gamma * (sums @ sums - (W**2).sum())
        if penalty == "l1":
            return loss + beta * W.sum(), (gradient + beta).ravel()
        norms = np.sqrt((W**2).sum(axis=1, keepdims=True) + 1e-16)
        return loss + beta * norms.sum(), (gradient + beta * W / norms).ravel()

    options = {"maxiter": 20_000, "maxfun": 10**6, "ftol": 1e-16, "gtol": 1e-10}
    found = minimize(
        value, np.full(d * t, 0.01), jac=True, method="L-BFGS-B",
        bounds=[(0, None)] * (d * t), options=options,
    )  # fmt: skip
    return found.x.reshape(d, t)


def multiplicative(X, Y, S, W, alpha, beta, gamma, penalty="l1"):
    """One round of the published update."""
    D = np.diag(S.sum(axis=1))
    norms = W if penalty == "l1" else np.sqrt((W**2).sum(axis=1, keepdims=True))
    norms = np.maximum(norms, 1e-300)  # weights die out below what can be written
    up = X.T @ Y + alpha * W @ S + gamma * W
    ones = np.ones((len(W), len(W)))
    down = X.T @ X @ W + alpha * W @ D + beta * W / (2 * norms) + gamma * ones @ W
    return W * up / down
