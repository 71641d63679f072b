# SPDX-License-Identifier: BSD-3-Clause
"""MRMR, one histogram per pair of variables."""

from reference.information import greedy, mutual_information, without_constant_labels


def mrmr(codes, Y, n_steps):
    """Order of the features and what each was worth when it was taken."""
    labels = without_constant_labels(Y).T
    relevance = [sum(mutual_information(f, y) for y in labels) for f in codes.T]

    def redundancy(f, s):
        return mutual_information(codes[:, f], codes[:, s])

    return greedy(codes, n_steps, relevance, redundancy)
