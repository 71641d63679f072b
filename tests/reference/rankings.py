# SPDX-License-Identifier: BSD-3-Clause
"""The measures of scores, pair by pair. Y: lists of 0/1, scores: lists of floats."""

from math import nan
from statistics import mean


def _split(row, scores):
    """Scores of the true and of the false ones."""
    true = [s for y, s in zip(row, scores, strict=True) if y]
    false = [s for y, s in zip(row, scores, strict=True) if not y]
    return true, false


def _over_samples(measure, Y_true, scores):
    return mean(measure(y, s) for y, s in zip(Y_true, scores, strict=True))


def one_error(Y_true, scores):
    return _over_samples(lambda y, s: not y[s.index(max(s))], Y_true, scores)


def coverage(Y_true, scores):
    def depth(y, s):
        ranks = [sum(other >= score for other in s) for score in _split(y, s)[0]]
        return max(ranks, default=1) - 1

    return _over_samples(depth, Y_true, scores)


def ranking_loss(Y_true, scores):
    def loss(y, s):
        true, false = _split(y, s)
        wrong = [a <= b for a in true for b in false]
        return sum(wrong) / len(wrong) if wrong else 0

    return _over_samples(loss, Y_true, scores)


def _areas(Y_true, scores, least):
    """AUC of every label with so many positives and negatives, lowest first."""
    areas = []
    for y, s in zip(zip(*Y_true, strict=True), zip(*scores, strict=True), strict=True):
        positive, negative = _split(y, s)
        won = [(a > b) + (a == b) / 2 for a in positive for b in negative]
        if min(len(positive), len(negative)) >= least:
            areas.append(mean(won))
    return sorted(areas)


def macro_auc(Y_true, scores):
    areas = _areas(Y_true, scores, 1)
    return mean(areas) if areas else nan


def worst_auc(Y_true, scores):
    return min(_areas(Y_true, scores, 2), default=nan)


def lowest_tenth_auc(Y_true, scores):
    areas = _areas(Y_true, scores, 2)
    return mean(areas[: len(areas) // 10 or 1]) if areas else nan
