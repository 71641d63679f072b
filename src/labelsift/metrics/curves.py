# SPDX-License-Identifier: BSD-3-Clause
"""Areas under the ROC curves of labels, which several measures share."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

# Up to this many pairs, comparing each is faster than sorting (measured): for each
# sample of a stack of scores, and for one column.
_FEW_PAIRS_PER_SAMPLE = 120
_FEW_PAIRS = 2**13
# Compiled code saves more than its loading from this many layers and scores on, as the
# budgets of a comparison on some thousand rows have.
_MANY_LAYERS, _MANY_SCORES = 8, 2**17


def label_areas(
    truth: NDArray[np.bool_],
    scores: NDArray[Any],
    known: NDArray[np.bool_] | None = None,
    weights: NDArray[np.float64] | None = None,
) -> NDArray[np.float64]:
    """Area of each label on its known rows; NaN for one that holds a single value.

    Scores are of shape (..., n_samples, n_labels), areas of shape (..., n_labels).
    """
    areas = np.full((*scores.shape[:-2], truth.shape[1]), np.nan)
    plain = known is None and weights is None
    if plain and is_tall(scores):
        _fill(areas, truth, scores)
        return areas
    counted = np.ones(len(truth)) if weights is None else weights
    for label in both_values(truth, known):
        rows = slice(None) if known is None else known[:, label]
        present, one = truth[rows, label], scores[..., rows, label]
        for layer in np.ndindex(scores.shape[:-2]):
            areas[*layer, label] = (
                _auc(present, one[layer])
                if plain
                else _weighted_auc(present, one[layer], counted[rows])
            )
    return areas


def is_tall(scores: NDArray[Any]) -> bool:
    """Whether compiled code is worth its loading: for a stack of many layers."""
    tall = scores.ndim == 3 and len(scores) >= _MANY_LAYERS
    return tall and scores.size >= _MANY_SCORES and scores.dtype.char in "fd"


def both_values(
    truth: NDArray[np.bool_], known: NDArray[np.bool_] | None = None, least: int = 1
) -> NDArray[np.intp]:
    """The labels that so many samples have and so many do not."""
    present = np.count_nonzero(truth, axis=0)
    rows = len(truth) if known is None else np.count_nonzero(known, axis=0)
    return np.flatnonzero((present >= least) & (present <= rows - least))


def _fill(
    areas: NDArray[np.float64], truth: NDArray[np.bool_], stack: NDArray[Any]
) -> None:
    """The areas of a stack of scores, (n_layers, n_samples, n_labels), at once."""
    from labelsift.kernels.auc import pairs_in_order, sorted_pairs_in_order

    judged, counted = both_values(truth), np.count_nonzero(truth, axis=0)
    n_layers, n_samples, _ = stack.shape
    n_pairs = counted * (n_samples - counted)
    few = n_pairs[judged] <= _FEW_PAIRS_PER_SAMPLE * n_samples
    compared, ranked = judged[few], judged[~few]
    columns = np.array(stack.transpose(0, 2, 1), order="C")
    counts = np.empty((n_layers, len(compared)), dtype=np.int64)
    pairs_in_order(np.array(truth, order="C"), columns, compared, counts)
    areas[:, compared] = counts / (2 * n_pairs[compared])
    for label in ranked:
        present, twice = truth[:, label], np.empty(n_layers, dtype=np.int64)
        upper = np.sort(columns[:, label, present], axis=1)
        lower = np.sort(columns[:, label, ~present], axis=1)
        sorted_pairs_in_order(upper, lower, twice)
        areas[:, label] = twice / (2 * n_pairs[label])


def _auc(truth: NDArray[np.bool_], scores: NDArray[Any]) -> float:
    """Share of pairs of a positive above a negative, ties counted as half."""
    positives, negatives = scores[truth], scores[~truth]
    if len(positives) * len(negatives) <= _FEW_PAIRS:
        higher = np.count_nonzero(positives[:, np.newaxis] > negatives)
        tied = np.count_nonzero(positives[:, np.newaxis] == negatives)
        return (2 * higher + tied) / (2 * len(positives) * len(negatives))
    positives, negatives = np.sort(positives), np.sort(negatives)
    below = np.searchsorted(negatives, positives, side="left").sum()
    not_above = np.searchsorted(negatives, positives, side="right").sum()
    return float((below + not_above) / (2 * len(positives) * len(negatives)))


def _weighted_auc(
    truth: NDArray[np.bool_], scores: NDArray[Any], weights: NDArray[Any]
) -> float:
    """The same where a pair counts by the product of its weights."""
    order = np.argsort(scores[~truth], kind="stable")
    negatives = scores[~truth][order]
    below = np.append(0.0, np.cumsum(weights[~truth][order]))
    left, right = (
        below[np.searchsorted(negatives, scores[truth], side=side)]
        for side in ("left", "right")
    )
    positive = weights[truth]
    return float(positive @ (left + right) / (2 * positive.sum() * below[-1]))
