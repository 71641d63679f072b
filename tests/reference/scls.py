# SPDX-License-Identifier: BSD-3-Clause
"""SCLS, one histogram per pair of variables."""

import numpy as np

from reference.information import (
    entropy,
    greedy,
    mutual_information,
    without_constant_labels,
)


def scls(codes, Y, n_steps, combine=np.sum):
    """Order of the features and what each was worth when it was taken."""
    labels = without_constant_labels(Y).T
    relevance = [sum(mutual_information(f, y) for y in labels) for f in codes.T]

    def redundancy(f, s):
        share = mutual_information(codes[:, f], codes[:, s]) / entropy(codes[:, f])
        return share * relevance[f]

    return greedy(codes, n_steps, relevance, redundancy, combine)
