# SPDX-License-Identifier: BSD-3-Clause
"""LRFS, one histogram per pair or triple of variables."""

from reference.information import (
    conditional_information,
    greedy,
    mutual_information,
    without_constant_labels,
)


def lrfs(codes, Y, n_steps, redundancy_weight="once"):
    """Order of the features and what each was worth when it was taken."""
    labels = without_constant_labels(Y).T
    relevance = [
        sum(
            conditional_information(f, y, z)
            for i, z in enumerate(labels)
            for j, y in enumerate(labels)
            if i != j
        )
        for f in codes.T
    ]
    weight = {"once": 1, "labels": len(labels)}[redundancy_weight]

    def redundancy(f, s):
        return weight * mutual_information(codes[:, f], codes[:, s])

    return greedy(codes, n_steps, relevance, redundancy)
