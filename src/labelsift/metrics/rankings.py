# SPDX-License-Identifier: BSD-3-Clause
"""Measures of scores: how labels are ordered within a sample, samples within a label.

Every function takes ``Y_true``, a label matrix of shape (n_samples, n_labels), 0/1,
bool or -1/+1, dense, sparse or DataFrame, and ``scores`` of the same shape, larger for
more likely, never NaN. Y_i is the true label set of sample i and f_i its scores. Labels
that are unknown (NaN in ``Y_true``) take no part; means over samples, and over pairs of
them, are weighted by ``sample_weight``.

Time O(n t log(n t)) at most for n samples and t labels. The scores are never copied
whole: work goes over blocks of rows or over single columns.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.exceptions import UndefinedMetricWarning
from sklearn.utils import gen_batches

from labelsift.core.warning import warn
from labelsift.metrics.reading import Judged, read_scored

# Entries of the scores that are sorted at a time: small enough for the cache.
_BLOCK_ENTRIES = 2**16
# Up to this many pairs, comparing each is faster than sorting (measured).
_FEW_PAIRS_PER_SAMPLE = 120
# The same for the labels of a sample, and for the samples of a label.
_FEW_LABELS = 16
_FEW_PAIRS = 2**13


def one_error(Y_true: Any, scores: Any, *, sample_weight: Any = None) -> float:
    r"""Share of samples whose best label is not a true one.

    .. math:: \frac1n \sum_i [\arg\max_l f_{il} \notin Y_i]

    On a tie the lowest label index wins. A sample without labels is an error.

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
        Between 0 and 1, smaller is better.

    Examples
    --------
    >>> from labelsift.metrics import one_error
    >>> one_error([[1, 0, 0], [0, 1, 1]], [[0.3, 0.2, 0.1], [0.6, 0.5, 0.4]])
    0.5
    """
    judged = read_scored(Y_true, scores, sample_weight)
    best = np.argmax(_known_scores(judged, -np.inf), axis=1)
    return 1 - judged.mean(judged.truth[np.arange(len(best)), best])


def coverage(Y_true: Any, scores: Any, *, sample_weight: Any = None) -> float:
    r"""How far down its ranking a sample must be read to find all its labels.

    .. math::

        \frac1n \sum_i \max_{l \in Y_i} r_i(l) - 1,
        \qquad r_i(l) = |\{j : f_{ij} \ge f_{il}\}|,

    so that tied labels all take the worst rank. A sample without labels counts 0.

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
        Between 0 and n_labels - 1, smaller is better.

    Examples
    --------
    >>> from labelsift.metrics import coverage
    >>> coverage([[1, 0, 0], [0, 1, 1]], [[0.3, 0.2, 0.1], [0.6, 0.5, 0.4]])
    1.0
    """
    judged = read_scored(Y_true, scores, sample_weight)
    truth, scores = judged.truth, _known_scores(judged, -np.inf)
    worst = np.min(scores, axis=1, keepdims=True, where=truth, initial=np.inf)
    depth = np.count_nonzero(scores >= worst, axis=1) - 1
    return judged.mean(np.where(truth.any(axis=1), depth, 0))


def ranking_loss(Y_true: Any, scores: Any, *, sample_weight: Any = None) -> float:
    r"""Share of pairs of a true and a false label that a sample orders wrongly.

    .. math::

        \frac1n \sum_i \frac{|\{(l, m) \in Y_i \times \bar Y_i :
        f_{il} \le f_{im}\}|}{|Y_i| |\bar Y_i|}

    A tied pair is a full error. A sample with no label or all of them has no pair; it
    counts 0 and stays in the mean.

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
        Between 0 and 1, smaller is better.

    Examples
    --------
    >>> from labelsift.metrics import ranking_loss
    >>> ranking_loss([[1, 0, 0], [0, 1, 1]], [[0.3, 0.2, 0.1], [0.6, 0.5, 0.4]])
    0.5
    """
    judged = read_scored(Y_true, scores, sample_weight)
    # Above every label, an unknown one is never below a true one.
    truth, scores = judged.truth, _known_scores(judged, np.inf)
    n_samples, n_labels = truth.shape
    present, sizes = np.count_nonzero(truth, axis=1), n_labels
    if judged.known is not None:
        sizes = np.count_nonzero(judged.known, axis=1)
    pairs = present * (sizes - present)
    right = np.empty(n_samples, dtype=np.int64)
    for rows in gen_batches(n_samples, max(1, _BLOCK_ENTRIES // n_labels)):
        right[rows] = _pairs_in_order(truth[rows], scores[rows])
    return judged.mean((pairs - right) / np.maximum(pairs, 1))


def _known_scores(judged: Judged, unknown: float) -> NDArray[Any]:
    """Scores, with one value for all labels that are unknown."""
    if judged.known is None:
        return judged.given
    return np.where(judged.known, judged.given, unknown)


def _pairs_in_order(truth: NDArray[np.bool_], scores: NDArray[Any]) -> NDArray[Any]:
    """Per row, the pairs of a true label above a false one, strictly."""
    if truth.shape[1] <= _FEW_LABELS:
        above = scores[:, :, np.newaxis] > scores[:, np.newaxis]
        above &= truth[:, :, np.newaxis] & ~truth[:, np.newaxis]
        return np.count_nonzero(above, axis=(1, 2))
    order = np.argsort(scores, axis=1)
    scores = np.take_along_axis(scores, order, axis=1)
    false = ~np.take_along_axis(truth, order, axis=1)
    # Where a value begins, the false labels seen so far are those strictly below it;
    # they count the same for all labels tied at that value.
    begins = np.ones(scores.shape, dtype=np.bool_)
    np.not_equal(scores[:, 1:], scores[:, :-1], out=begins[:, 1:])
    seen: NDArray[Any] = np.cumsum(false, axis=1) - false
    below = np.maximum.accumulate(np.where(begins, seen, 0), axis=1)
    return np.sum(below, axis=1, where=~false)


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
    kept, areas = [], []
    for label in range(truth.shape[1]):
        rows = judged.rows_of(label)
        present = truth[rows, label]
        if least <= np.count_nonzero(present) <= len(present) - least:
            kept.append(label)
            areas.append(
                _weighted_auc(present, judged.given[rows, label], weights[rows])
            )
    return truth[:, kept], np.array(areas)


def label_areas(truth: NDArray[np.bool_], scores: NDArray[Any]) -> NDArray[np.float64]:
    """Area of every label; NaN for one that holds a single value."""
    areas = np.full(truth.shape[1], np.nan)
    for label in _both_values(truth):
        areas[label] = _auc(truth[:, label], scores[:, label])
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
