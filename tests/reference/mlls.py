# SPDX-License-Identifier: BSD-3-Clause
"""MLLS as the paper states it: a d x d generalised eigenproblem, everything dense."""

import numpy as np
import scipy.linalg


def centred(X, Y):
    """X and the -1/+1 labels about their means."""
    codes = np.where(Y == 1, 1.0, -1.0)
    return X - X.mean(axis=0), codes - codes.mean(axis=0)


def objective(X, Y, U, theta, alpha, beta):
    """Eq. (5) with V = theta U (Lemma 2.1)."""
    apart = U - theta.T @ theta @ U
    return (
        np.sum((X @ U - Y) ** 2) / len(X)
        + alpha * np.sum(apart**2)
        + beta * np.sum(U**2)
    )


def weights_given(X, Y, theta, alpha, beta):
    """Eq. (9): the best U for a given subspace."""
    n, d = X.shape
    M = X.T @ X / n + (alpha + beta) * np.eye(d)
    return np.linalg.solve(M - alpha * theta.T @ theta, X.T @ Y / n)


def subspace_given(U, size):
    """The best theta for given weights: leading left singular vectors."""
    return np.linalg.svd(U)[0][:, :size].T


def mlls(X, Y, size, alpha, beta):
    """Eq. (9) to (15) for X and Y as they are; alpha and beta above 0.

    Returns the weights (d x m) and the orthonormal basis (size x d).
    """
    n, d = X.shape
    M_inverse = np.linalg.inv(X.T @ X / n + (alpha + beta) * np.eye(d))
    S1 = np.eye(d) - alpha * M_inverse
    S2 = M_inverse @ X.T @ Y @ Y.T @ X @ M_inverse
    _, Z = scipy.linalg.eigh((S2 + S2.T) / 2, (S1 + S1.T) / 2)
    theta = np.linalg.qr(Z[:, ::-1][:, :size])[0].T
    return weights_given(X, Y, theta, alpha, beta), theta
