# SPDX-License-Identifier: BSD-3-Clause
"""Nogueira's index and variance, term by term (JMLR 2018, definition 4, theorem 7)."""

from itertools import combinations
from statistics import mean, variance


def index(Z):
    """Z: one list of 0/1 per selection."""
    share = mean(mean(row) for row in Z)
    spread = mean(variance(column) for column in zip(*Z, strict=True))
    return 1 - spread / (share * (1 - share))


def variance_of_index(Z):
    M, d = len(Z), len(Z[0])
    phi = index(Z)
    p = [mean(column) for column in zip(*Z, strict=True)]
    k = [sum(row) for row in Z]
    k_mean = mean(k)
    parts = [
        (
            sum(z * f for z, f in zip(row, p, strict=True)) / d
            - k_i * k_mean / d**2
            + phi / 2 * (2 * k_i * k_mean / d**2 - k_i / d - k_mean / d + 1)
        )
        / (k_mean / d * (1 - k_mean / d))
        for row, k_i in zip(Z, k, strict=True)
    ]
    return 4 / M**2 * sum((part - mean(parts)) ** 2 for part in parts)


def kuncheva(selections, n_features):
    """Kuncheva's index of sets of one size, averaged over all pairs."""
    size = len(selections[0])
    chance = size**2 / n_features
    return mean(
        (len(a & b) - chance) / (size - chance) for a, b in combinations(selections, 2)
    )
