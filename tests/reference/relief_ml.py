# SPDX-License-Identifier: BSD-3-Clause
"""Relief for many labels, as loops over rows, neighbours and features."""

import numpy as np


def by_range(X):
    """Each feature divided by its range."""
    return np.column_stack([x / (max(x) - min(x) or 1) for x in X.T])


def nearest(X, i, k, among):
    """The k rows nearest to row i, itself left out, ties by index."""

    def distance(j):
        return sum((a - b) ** 2 for a, b in zip(X[i], X[j], strict=True))

    return sorted((j for j in among if j != i), key=distance)[:k]


def hamming(a, b):
    """Share of the labels that differ."""
    return np.mean(a != b)


def f1(a, b):
    """One minus F1; 0 for two empty sets."""
    size = sum(a) + sum(b)
    return 1 - 2 * sum(a * b) / size if size else 0.0


def rrelieff(X, Y, k, label_distance=hamming, rows=None):
    """Quotients of sums over all pairs of a row and a neighbour."""
    X, n = by_range(X), len(X)
    n_y, n_f, n_yf, m = 0.0, 0.0, 0.0, 0
    for i in range(n) if rows is None else rows:
        for j in nearest(X, i, k, range(n)):
            d_y, d_f = label_distance(Y[i], Y[j]), np.abs(X[i] - X[j])
            n_y, n_f, n_yf, m = n_y + d_y, n_f + d_f, n_yf + d_y * d_f, m + 1
    return n_yf / n_y - (n_f - n_yf) / (m - n_y)


def relief_per_label(X, Y, k):
    """Nearest misses less nearest hits; a row without hits or misses counts 0."""
    X, (n, t) = by_range(X), Y.shape
    total = np.zeros(X.shape[1])
    for y in Y.T:
        for i in range(n):
            hits = nearest(X, i, k, np.flatnonzero(y == y[i]))
            misses = nearest(X, i, k, np.flatnonzero(y != y[i]))
            if hits and misses:
                total += np.mean([np.abs(X[i] - X[j]) for j in misses], axis=0)
                total -= np.mean([np.abs(X[i] - X[j]) for j in hits], axis=0)
    return total / (n * t)
