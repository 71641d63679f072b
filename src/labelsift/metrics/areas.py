# SPDX-License-Identifier: BSD-3-Clause
"""Measures of scores: how the samples of a label are ordered, as areas under its curve.

Arguments are those of ``rankings.py``. A label needs samples of both values; labels
that are unknown (NaN in ``Y_true``) take no part, and a pair of samples counts by the
product of their weights.

Time O(n t log n) at most for n samples and t labels; work goes over single columns.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.exceptions import UndefinedMetricWarning

from labelsift.core.warning import warn
from labelsift.metrics.reading import read_scored

# Up to this many pairs, comparing each is faster than sorting (measured): for each
# sample of a stack of scores, and for one column.
_FEW_PAIRS_PER_SAMPLE = 120
_FEW_PAIRS = 2**13


def macro_auc(Y_true: Any, scores: Any, *, sample_weight: Any = None) -> float:
    r"""Area under the ROC curve of each label, averaged over the labels.

    .. math::

        \frac1{|L|} \sum_{l \in L} \frac{1}{|T_l| |\bar T_l|}
        \sum_{i \in T_l} \sum_{j \notin T_l}
        [f_{il} > f_{jl}] + \tfrac12 [f_{il} = f_{jl}]

    where T_l are the samples that have label l, and L the labels that some samples
    have and some do not. The others have no curve and are left out.

    Parameters
    ----------
    Y_true : array-like, sparse or DataFrame of shape (n_samples, n_labels)
        True labels.
    scores : array-like of shape (n_samples, n_labels)
        Larger for more likely.
    sample_weight : array-like of shape (n_samples,) or None, default=None
        How much each sample counts.

    Returns
    -------
    float
        Between 0 and 1, larger is better; NaN, with an UndefinedMetricWarning, when
        every label holds one value only.

    Examples
    --------
    >>> from labelsift.metrics import macro_auc
    >>> macro_auc([[1, 0], [0, 0], [0, 0]], [[0.3, 0.2], [0.4, 0.1], [0.1, 0.7]])
    0.5
    """
    return mean_area(*_truth_and_areas(Y_true, scores, sample_weight, 1))


def mean_area(truth: NDArray[np.bool_], areas: NDArray[Any]) -> float:
    """Macro AUC from the areas of the labels, NaN for a label of one value."""
    judged = areas[_both_values(truth)]
    if not len(judged):
        warn(
            "macro_auc is not defined when every label of Y_true holds one value only: "
            "it is set to NaN. Judge on samples with and without a label.",
            UndefinedMetricWarning,
        )
    return float(np.mean(judged)) if len(judged) else float("nan")


def worst_auc(Y_true: Any, scores: Any, *, sample_weight: Any = None) -> float:
    r"""Area under the ROC curve of the label that is served worst.

    .. math:: \min_{l \in L} A_l

    where A_l is the area of label l, as in :func:`macro_auc`, and L the labels that at
    least two samples have and at least two do not: the area of a single sample says
    little. The smallest of many areas is mostly noise all the same: with dozens of
    labels look at :func:`lowest_tenth_auc`.

    Parameters
    ----------
    Y_true : array-like, sparse or DataFrame of shape (n_samples, n_labels)
        True labels.
    scores : array-like of shape (n_samples, n_labels)
        Larger for more likely.
    sample_weight : array-like of shape (n_samples,) or None, default=None
        How much each sample counts.

    Returns
    -------
    float
        Between 0 and 1, larger is better; NaN, with an UndefinedMetricWarning, when
        there is no such label.

    Examples
    --------
    >>> from labelsift.metrics import worst_auc
    >>> truth = [[1, 1], [1, 0], [0, 0], [0, 1]]
    >>> worst_auc(truth, [[0.9, 0.2], [0.8, 0.3], [0.1, 0.1], [0.2, 0.4]])
    0.75
    """
    return worst_area(*_truth_and_areas(Y_true, scores, sample_weight, 2))


def lowest_tenth_auc(Y_true: Any, scores: Any, *, sample_weight: Any = None) -> float:
    r"""Area under the ROC curve, averaged over the tenth of the labels served worst.

    .. math:: \frac1m \sum_{r=1}^{m} A_{(r)}, \qquad m = \max(1, \lfloor |L|/10 \rfloor)

    where A_(1) <= A_(2) <= ... are the areas of the labels L that at least two samples
    have and at least two do not. Up to 19 labels it is :func:`worst_auc`.

    Parameters
    ----------
    Y_true : array-like, sparse or DataFrame of shape (n_samples, n_labels)
        True labels.
    scores : array-like of shape (n_samples, n_labels)
        Larger for more likely.
    sample_weight : array-like of shape (n_samples,) or None, default=None
        How much each sample counts.

    Returns
    -------
    float
        Between 0 and 1, larger is better; NaN, with an UndefinedMetricWarning, when
        there is no such label.

    Examples
    --------
    >>> from labelsift.metrics import lowest_tenth_auc
    >>> truth = [[1, 1], [1, 0], [0, 0], [0, 1]]
    >>> lowest_tenth_auc(truth, [[0.9, 0.2], [0.8, 0.3], [0.1, 0.1], [0.2, 0.4]])
    0.75
    """
    return lowest_tenth_of_areas(*_truth_and_areas(Y_true, scores, sample_weight, 2))


def macro_aucs(truth: NDArray[np.bool_], stack: NDArray[Any]) -> NDArray[np.float64]:
    """Macro AUC of each layer of a stack of scores: ``macro_auc`` for a whole grid.

    ``stack`` is (n_layers, n_samples, n_labels); NaN when all labels are constant.
    """
    from labelsift.kernels.auc import pairs_in_order, sorted_pairs_in_order

    judged, counted = _both_values(truth), np.count_nonzero(truth, axis=0)
    n_layers, n_samples, _ = stack.shape
    n_pairs = counted * (n_samples - counted)
    few = n_pairs[judged] <= _FEW_PAIRS_PER_SAMPLE * n_samples
    compared, ranked = judged[few], judged[~few]
    columns = np.ascontiguousarray(stack.transpose(0, 2, 1))
    counts = np.empty((n_layers, len(compared)), dtype=np.int64)
    pairs_in_order(truth, columns, compared, counts)
    total = (counts / (2 * n_pairs[compared])).sum(axis=1)
    for label in ranked:
        present, twice = truth[:, label], np.empty(n_layers, dtype=np.int64)
        upper = np.sort(columns[:, label, present], axis=1)
        lower = np.sort(columns[:, label, ~present], axis=1)
        sorted_pairs_in_order(upper, lower, twice)
        total += twice / (2 * n_pairs[label])
    return total / len(judged) if len(judged) else np.full(n_layers, np.nan)


def worst_area(truth: NDArray[np.bool_], areas: NDArray[Any]) -> float:
    """The smallest area of a label that has two samples of each value."""
    return _mean_of_lowest("worst_auc", truth, areas, tenths=0)


def lowest_tenth_of_areas(truth: NDArray[np.bool_], areas: NDArray[Any]) -> float:
    """Mean of the lowest tenth of such areas."""
    return _mean_of_lowest("lowest_tenth_auc", truth, areas, tenths=1)


def _mean_of_lowest(
    name: str, truth: NDArray[np.bool_], areas: NDArray[Any], tenths: int
) -> float:
    """Mean of the lowest tenths of the areas, at least one; labels need two of each."""
    areas = np.sort(areas[_both_values(truth, 2)])
    if not len(areas):
        warn(
            f"{name} is not defined when no label of Y_true is present in two samples "
            "and absent from two: it is set to NaN. Judge on more samples.",
            UndefinedMetricWarning,
        )
        return float("nan")
    return float(areas[: max(1, tenths * len(areas) // 10)].mean())


def _truth_and_areas(
    Y_true: Any, scores: Any, sample_weight: Any, least: int
) -> tuple[NDArray[np.bool_], NDArray[np.float64]]:
    """True labels and their areas, those without so many of each value left out."""
    judged = read_scored(Y_true, scores, sample_weight)
    truth, weights = judged.truth, judged.weights
    if judged.known is None and weights is None:
        return truth, label_areas(truth, judged.given)
    weights = np.ones(len(truth)) if weights is None else weights
    judged_labels, areas = [], []
    for label in range(truth.shape[1]):
        rows = judged.rows_of(label)
        present = truth[rows, label]
        if least <= np.count_nonzero(present) <= len(present) - least:
            judged_labels.append(label)
            areas.append(
                _weighted_auc(present, judged.given[rows, label], weights[rows])
            )
    return truth[:, judged_labels], np.array(areas)


def label_areas(
    truth: NDArray[np.bool_], scores: NDArray[Any], weights: Any = None
) -> NDArray[np.float64]:
    """Area of every label; NaN for one that holds a single value."""
    areas = np.full(truth.shape[1], np.nan)
    for label in _both_values(truth):
        one = truth[:, label], scores[:, label]
        areas[label] = _auc(*one) if weights is None else _weighted_auc(*one, weights)
    return areas


def _both_values(truth: NDArray[np.bool_], least: int = 1) -> NDArray[np.intp]:
    """The labels that so many samples have and so many do not."""
    present = np.count_nonzero(truth, axis=0)
    return np.flatnonzero((present >= least) & (present <= len(truth) - least))


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
