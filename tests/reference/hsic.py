# SPDX-License-Identifier: BSD-3-Clause
"""The Hilbert-Schmidt criterion from its kernel matrices."""

import numpy as np


def hsic(X, Y, label_kernel="linear"):
    """tr(K H L H) of each feature, K = xx' and L = YY'."""
    n = len(X)
    H = np.eye(n) - np.ones((n, n)) / n
    if label_kernel == "correlation":
        Y = Y / np.sqrt(np.mean((Y - Y.mean(axis=0)) ** 2, axis=0))
    L = Y @ Y.T
    return [np.trace(np.outer(x, x) @ H @ L @ H) for x in X.T]
