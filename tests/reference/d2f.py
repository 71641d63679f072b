# SPDX-License-Identifier: BSD-3-Clause
"""D2F, one histogram per pair or triple of variables."""

import numpy as np

from reference.information import (
    co_information,
    greedy,
    mutual_information,
    without_constant_labels,
)


def d2f(codes, Y, n_steps, combine=np.sum):
    """Order of the features and what each was worth when it was taken."""
    labels = without_constant_labels(Y).T
    relevance = [sum(mutual_information(f, y) for y in labels) for f in codes.T]

    def redundancy(f, s):
        return sum(co_information(codes[:, f], codes[:, s], y) for y in labels)

    return greedy(codes, n_steps, relevance, redundancy, combine)
