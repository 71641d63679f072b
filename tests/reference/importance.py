# SPDX-License-Identifier: BSD-3-Clause
"""One order of features from importances per label, from the formulas."""

import numpy as np


def combined_scores(importances, combine):
    """Mean or largest share of a label's importances that a feature has."""
    shares = [row / row.sum() if row.sum() > 0 else 0 * row for row in importances]
    columns = zip(*shares, strict=True)
    if combine == "mean":
        return [sum(column) / len(shares) for column in columns]
    return [max(column) for column in columns]


def round_robin_order(importances):
    """The labels take turns, each with its best feature that is still free."""
    n_features = len(importances[0])
    order = []
    while len(order) < n_features:
        row = importances[len(order) % len(importances)]
        free = [feature for feature in range(n_features) if feature not in order]
        order.append(max(free, key=lambda feature: (row[feature], -feature)))
    return order


def combined_order(importances, combine):
    """Features, best first; ties go to the lowest index."""
    if combine == "round-robin":
        return round_robin_order(importances)
    scores = combined_scores(importances, combine)
    return sorted(range(len(scores)), key=lambda feature: (-scores[feature], feature))


def permutation_importance(estimator, X, y, score, halves, n_repeats, rng):
    """Mean loss of the score on unseen rows when a feature's values are shuffled."""
    losses = np.zeros(X.shape[1])
    for train, test in halves:
        model = estimator.fit(X[train], y[train])
        before = score(model, X[test], y[test])
        for feature in range(X.shape[1]):
            for _ in range(n_repeats):
                shuffled = X[test].copy()
                shuffled[:, feature] = rng.permutation(shuffled[:, feature])
                loss = before - score(model, shuffled, y[test])
                losses[feature] += loss / n_repeats / len(halves)
    return np.maximum(losses, 0)
