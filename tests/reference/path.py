# SPDX-License-Identifier: BSD-3-Clause
"""A grid search that fits every point on every fold by itself."""

import itertools

import numpy as np
from sklearn.base import clone

from labelsift.metrics import MEASURES


def out_of_fold(estimator, X, Y, point, folds):
    """Scores of each fold's test rows by a model of their own."""
    scores = []
    for train, test in folds:
        model = clone(estimator).set_params(**point).fit(X[train], Y[train])
        scores.append(model.decision_function(X[test]))
    return scores


def best_cut(scores, y, min_f1=0.1):
    """The threshold of best F1, midway between two scores; the highest of equals."""
    values = sorted(set(scores), reverse=True)
    between = [(a + b) / 2 for a, b in itertools.pairwise(values)]
    best, at = -1.0, None
    for cut in [*between, np.nextafter(values[-1], -np.inf)]:
        predicted = scores > cut
        value = 2 * np.sum(predicted & (y == 1)) / (np.sum(predicted) + np.sum(y))
        if value > best:
            best, at = value, cut
    return at if best >= min_f1 else values[0]


def search(estimator, X, Y, points, folds, scoring):
    """Value of each point on each fold: F1 at thresholds of the other folds."""
    measure = MEASURES[scoring]
    values = np.empty((len(folds), len(points)))
    for i, point in enumerate(points):
        scores = out_of_fold(estimator, X, Y, point, folds)
        for k, (_, test) in enumerate(folds):
            given = scores[k]
            if measure.needs == "labels":
                cuts = np.zeros(Y.shape[1])
                if scoring.endswith("f1"):
                    cuts = _cuts_of_others(scores, Y, folds, k)
                given = given > cuts
            value = measure.function(Y[test], given)
            values[k, i] = value if measure.greater_is_better else -value
    return values


def _cuts_of_others(scores, Y, folds, k):
    others = [j for j in range(len(folds)) if j != k]
    beside = np.concatenate([scores[j] for j in others])
    truth = np.concatenate([Y[folds[j][1]] for j in others])
    return [best_cut(beside[:, label], truth[:, label]) for label in range(Y.shape[1])]
