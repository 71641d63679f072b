# SPDX-License-Identifier: BSD-3-Clause
"""MDMR, one histogram per pair or triple of variables."""

from reference.information import (
    conditional_information,
    greedy,
    mutual_information,
    without_constant_labels,
)


def mdmr(codes, Y, n_steps):
    """Order of the features and what each was worth when it was taken."""
    labels = without_constant_labels(Y).T
    relevance = [sum(mutual_information(f, y) for y in labels) for f in codes.T]

    def redundancy(f, s):
        f, s = codes[:, f], codes[:, s]
        beyond = sum(conditional_information(f, y, s) for y in labels)
        return mutual_information(f, s) - beyond

    return greedy(codes, n_steps, relevance, redundancy)
