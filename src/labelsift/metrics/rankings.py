# SPDX-License-Identifier: BSD-3-Clause
"""Measures of scores: how the labels of a sample are ordered.

Every function takes ``Y_true``, a label matrix of shape (n_samples, n_labels), 0/1,
bool or -1/+1, dense, sparse or DataFrame, and ``scores`` of the same shape, larger for
more likely, never NaN. Y_i is the true label set of sample i and f_i its scores. Labels
that are unknown (NaN in ``Y_true``) take no part; means over samples, and over pairs of
them, are weighted by ``sample_weight``.

Time O(n t log(n t)) at most for n samples and t labels. The scores are never copied
whole: work goes over blocks of rows or over single columns. A function in the plural
gives the values of a whole stack of scores at once, one for each layer.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils import gen_batches

from labelsift.metrics.curves import is_tall
from labelsift.metrics.reading import Judged, read_scored

# Entries of the scores that are sorted at a time: small enough for the cache.
_BLOCK_ENTRIES = 2**16
# Up to this many pairs per label, comparing each is faster than sorting (measured).
_FEW_PAIRS_PER_LABEL = 300


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
    return float(one_errors(read_scored(Y_true, scores, sample_weight)))


def one_errors(judged: Judged) -> NDArray[np.float64]:
    """``one_error`` of each layer."""
    best = np.argmax(_known_scores(judged, -np.inf), axis=-1)
    return 1 - judged.mean(judged.truth[np.arange(best.shape[-1]), best])


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
    return float(coverages(read_scored(Y_true, scores, sample_weight)))


def coverages(judged: Judged) -> NDArray[np.float64]:
    """``coverage`` of each layer."""
    truth, scores = judged.truth, _known_scores(judged, -np.inf)
    worst = np.min(scores, axis=-1, keepdims=True, where=truth, initial=np.inf)
    depth = np.count_nonzero(scores >= worst, axis=-1) - 1
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
    return float(ranking_losses(read_scored(Y_true, scores, sample_weight)))


def ranking_losses(judged: Judged) -> NDArray[np.float64]:
    """``ranking_loss`` of each layer."""
    # Above every label, an unknown one is never below a true one.
    truth, scores = judged.truth, _known_scores(judged, np.inf)
    n_samples, n_labels = truth.shape
    present, sizes = np.count_nonzero(truth, axis=1), n_labels
    if judged.known is not None:
        sizes = np.count_nonzero(judged.known, axis=1)
    pairs = present * (sizes - present)
    right = np.empty(scores.shape[:-1], dtype=np.int64)
    if is_tall(scores) and pairs.sum() <= _FEW_PAIRS_PER_LABEL * truth.size:
        from labelsift.kernels.auc import labels_in_order

        given = (np.require(each, requirements=("C", "W")) for each in (truth, scores))
        labels_in_order(*given, right)
        return judged.mean((pairs - right) / np.maximum(pairs, 1))
    in_a_row = scores.size // n_samples
    for rows in gen_batches(n_samples, max(1, _BLOCK_ENTRIES // in_a_row)):
        right[..., rows] = _pairs_in_order(truth[rows], scores[..., rows, :])
    return judged.mean((pairs - right) / np.maximum(pairs, 1))


def _known_scores(judged: Judged, unknown: float) -> NDArray[Any]:
    """Scores, with one value for all labels that are unknown."""
    if judged.known is None:
        return judged.given
    return np.where(judged.known, judged.given, unknown)


def _pairs_in_order(truth: NDArray[np.bool_], scores: NDArray[Any]) -> NDArray[Any]:
    """Per row, the pairs of a true label above a false one, strictly."""
    order = np.argsort(scores, axis=-1)
    scores = np.take_along_axis(scores, order, axis=-1)
    truth = np.broadcast_to(truth, scores.shape)
    false = ~np.take_along_axis(truth, order, axis=-1)
    # Where a value begins, the false labels seen so far are those strictly below it;
    # they count the same for all labels tied at that value.
    begins = np.ones(scores.shape, dtype=np.bool_)
    np.not_equal(scores[..., 1:], scores[..., :-1], out=begins[..., 1:])
    seen: NDArray[Any] = np.cumsum(false, axis=-1) - false
    below = np.maximum.accumulate(np.where(begins, seen, 0), axis=-1)
    return np.sum(below, axis=-1, where=~false)
