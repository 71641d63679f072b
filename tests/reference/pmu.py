# SPDX-License-Identifier: BSD-3-Clause
"""PMU, one histogram per pair or triple of variables."""

from itertools import combinations

import numpy as np

from reference.information import (
    co_information,
    greedy,
    mutual_information,
    without_constant_labels,
)


def pmu(codes, Y, n_steps, pairs="sum", combine=np.sum):
    """Order of the features and what each was worth when it was taken."""
    labels = without_constant_labels(Y).T
    weight = 1 if pairs == "sum" else 2 / (len(labels) - 1)
    relevance = [
        sum(mutual_information(f, y) for y in labels)
        - weight * sum(co_information(f, y, z) for y, z in combinations(labels, 2))
        for f in codes.T
    ]

    def redundancy(f, s):
        return sum(co_information(codes[:, f], codes[:, s], y) for y in labels)

    return greedy(codes, n_steps, relevance, redundancy, combine)
