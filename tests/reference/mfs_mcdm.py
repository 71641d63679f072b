# SPDX-License-Identifier: BSD-3-Clause
"""MFS-MCDM, entry by entry."""

from math import log, sqrt

import numpy as np


def mfs_mcdm(X, Y, ridge, signed=False):
    """Closeness of each feature."""
    X, Yc = X - X.mean(axis=0), Y - Y.mean(axis=0)
    M = np.linalg.inv(X.T @ X + ridge * np.eye(X.shape[1])) @ X.T @ Yc
    M = M if signed else np.abs(M)
    shares = [y.mean() for y in Y.T]
    entropies = [-p * log(p) - (1 - p) * log(1 - p) for p in shares]
    for column, entropy in zip(M.T, entropies, strict=True):
        column *= entropy / sum(entropies) / sqrt(sum(column**2))
    scores = []
    for row in M:
        a = sqrt(sum((row - [max(column) for column in M.T]) ** 2))
        b = sqrt(sum((row - [min(column) for column in M.T]) ** 2))
        scores.append(b / (a + b))
    return np.array(scores)
