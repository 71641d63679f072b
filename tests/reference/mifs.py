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
