# SPDX-License-Identifier: BSD-3-Clause
"""Thresholds by trying everything."""


def f1(scores, y, threshold):
    predicted = [score > threshold for score in scores]
    hits = sum(p and v == 1 for p, v in zip(predicted, y, strict=True))
    return 2 * hits / (sum(predicted) + sum(y))


def best_f1(scores, y):
    """The best F1 that any threshold reaches."""
    return max(f1(scores, y, cut) for cut in [min(scores) - 1, *scores])


def sample_threshold(scores, y):
    """Equation (34) for one sample, with its extension to no label and all labels."""
    inside = [score for score, v in zip(scores, y, strict=True) if v == 1]
    outside = [score for score, v in zip(scores, y, strict=True) if v == 0]
    gap = (max(scores) - min(scores)) / (len(scores) - 1)
    if not inside:
        return max(scores) + gap / 2
    if not outside:
        return min(scores) - gap / 2
    return (min(inside) + max(outside)) / 2
