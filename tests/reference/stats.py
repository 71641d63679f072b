# SPDX-License-Identifier: BSD-3-Clause
"""Statistics of comparisons, written from their definitions."""

from itertools import product
from statistics import median


def mid_ranks(values):
    """Rank of each value, the smallest 1; equal values share their mean rank."""
    return [
        sum(other < value for other in values)
        + (sum(other == value for other in values) + 1) / 2
        for value in values
    ]


def signed_rank_p_value(differences):
    """Two-sided p-value of Wilcoxon's test, from all 2^n choices of signs."""
    ranks = mid_ranks([abs(difference) for difference in differences])
    centre = sum(ranks) / 2
    positive = sum(r for r, d in zip(ranks, differences, strict=True) if d > 0)
    sums = [
        sum(rank for rank, sign in zip(ranks, signs, strict=True) if sign)
        for signs in product([False, True], repeat=len(ranks))
    ]
    far = sum(abs(value - centre) >= abs(positive - centre) for value in sums)
    return far / len(sums)


def holm(p_values):
    """Holm's adjusted p-values, one at a time."""
    ordered = sorted(p_values)
    adjusted = []
    for value in p_values:
        worst = 0.0
        for j, smaller in enumerate(ordered):
            if smaller <= value:
                worst = max(worst, (len(ordered) - j) * smaller)
        adjusted.append(min(1.0, worst))
    return adjusted


def friedman_statistic(rows):
    """Friedman's chi-square from sums of squares of ranks (Conover's form)."""
    n_blocks, k = len(rows), len(rows[0])
    ranks = [mid_ranks(row) for row in rows]
    sums = [sum(row[j] for row in ranks) for j in range(k)]
    squares = sum(rank**2 for row in ranks for rank in row)
    centre = n_blocks * k * (k + 1) ** 2 / 4
    between = sum(value**2 for value in sums) - n_blocks * centre
    return (k - 1) * between / (squares - centre)


def hodges_lehmann(differences):
    """Median of the means of all pairs of differences, each with itself too."""
    n = len(differences)
    return median(
        (differences[i] + differences[j]) / 2 for i in range(n) for j in range(i, n)
    )


def rank_biserial(differences):
    """Share of rank sums for, less that against, over differences that are not 0."""
    left = [difference for difference in differences if difference]
    ranks = mid_ranks([abs(difference) for difference in left])
    for_it = sum(r for r, d in zip(ranks, left, strict=True) if d > 0)
    against = sum(r for r, d in zip(ranks, left, strict=True) if d < 0)
    return (for_it - against) / (for_it + against)
