# SPDX-License-Identifier: BSD-3-Clause
"""Fisher score, class by class, from its definition."""

import numpy as np


def fisher_scores(X, Y):
    """Mean over the labels of between-class over within-class spread."""
    scores = np.zeros(X.shape[1])
    used = [y for y in Y.T if 0 < y.sum() < len(y)]
    for i, x in enumerate(X.T):
        if (x == x[0]).all():
            continue
        for y in used:
            classes = [x[y == 1], x[y == 0]]
            between = sum(len(c) * (c.mean() - x.mean()) ** 2 for c in classes)
            within = sum(len(c) * c.var() for c in classes)
            scores[i] += between / within / len(used)
    return scores
