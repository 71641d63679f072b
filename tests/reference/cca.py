# SPDX-License-Identifier: BSD-3-Clause
"""Regularised CCA as a d x d generalised eigenproblem, everything dense."""

import numpy as np
import scipy.linalg


def cca(X, Y, beta):
    """Correlations and directions (rows); X and Y are centred, beta above 0."""
    n, d = X.shape
    total = X.T @ X / n + beta * np.eye(d)
    between = X.T @ Y @ np.linalg.pinv(Y.T @ Y) @ Y.T @ X / n
    values, vectors = scipy.linalg.eigh(between, total)
    return np.sqrt(np.maximum(values[::-1], 0)), vectors[:, ::-1].T
