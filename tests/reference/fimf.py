# SPDX-License-Identifier: BSD-3-Clause
"""FIMF, one histogram per pair or triple of variables."""

from itertools import combinations

from reference.information import co_information, entropy, mutual_information


def fimf(codes, Y, n_labels):
    """Criterion of each feature."""
    labels = sorted(Y.T, key=lambda y: -round(entropy(y), 10))
    pairs = list(combinations(labels[:n_labels], 2))
    return [
        sum(mutual_information(f, y) for y in labels)
        - sum(co_information(f, y, z) for y, z in pairs)
        for f in codes.T
    ]
