# SPDX-License-Identifier: BSD-3-Clause
"""MDDM as a d x d generalised eigenproblem, everything dense."""

import numpy as np
import scipy.linalg


def mddm(X, Y, mu):
    """Eigenvalues and directions (rows), largest first; mu is below 1."""
    n, d = X.shape
    H = np.eye(n) - np.ones((n, n)) / n
    total = mu * X.T @ H @ X + (1 - mu) * np.eye(d)
    values, vectors = scipy.linalg.eigh(X.T @ H @ Y @ Y.T @ H @ X, total)
    return values[::-1], vectors[:, ::-1].T
