# SPDX-License-Identifier: BSD-3-Clause
"""ML-kNN written out with loops, as in Zhang and Zhou (2007), section 3."""

import math


def nearest(rows, query, k, leave_out=None):
    """The k rows nearest to a query, ties by index."""
    order = []
    for index, row in enumerate(rows):
        if index != leave_out:
            distance = sum((a - b) ** 2 for a, b in zip(query, row, strict=True))
            order.append((distance, index))
    return [index for _, index in sorted(order)[:k]]


def scaled(X, X_train):
    """Divide each feature by its range in training; drop constant features."""
    n_features = len(X_train[0])
    ranges = [
        max(row[f] for row in X_train) - min(row[f] for row in X_train)
        for f in range(n_features)
    ]
    kept = [f for f in range(n_features) if ranges[f] > 0]
    return [[row[f] / ranges[f] for f in kept] for row in X]


def log_odds(X_train, Y_train, X_test, k, s):
    """Posterior log-odds of every label for every test row."""
    n, t = len(X_train), len(Y_train[0])
    train_neighbours = [nearest(X_train, X_train[i], k, i) for i in range(n)]
    result = []
    for query in X_test:
        neighbours = nearest(X_train, query, k)
        odds = []
        for label in range(t):
            y = [row[label] for row in Y_train]
            prior = (s + sum(y)) / (2 * s + n)
            counts = [sum(y[j] for j in train_neighbours[i]) for i in range(n)]
            count = sum(y[j] for j in neighbours)
            with_label = [counts[i] for i in range(n) if y[i] == 1]
            without = [counts[i] for i in range(n) if y[i] == 0]
            p1 = (s + with_label.count(count)) / (s * (k + 1) + len(with_label))
            p0 = (s + without.count(count)) / (s * (k + 1) + len(without))
            odds.append(math.log(prior * p1) - math.log((1 - prior) * p0))
        result.append(odds)
    return result
