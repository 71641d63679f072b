# SPDX-License-Identifier: BSD-3-Clause
"""Measures of predicted label sets.

Every function takes ``Y_true`` and ``Y_pred`` as label matrices of one shape
(n_samples, n_labels), 0/1, bool or -1/+1, dense, sparse or DataFrame. They are read
into one byte an entry. Y_i is the true set of sample i, Z_i the predicted one, both
without labels that are unknown (NaN in ``Y_true``); a mean over samples is weighted by
``sample_weight``. Time O(n_samples n_labels).

A function in the plural gives the values of a whole stack of predictions at once, one
for each layer.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from labelsift.metrics.reading import Judged, read_label_pair


def zero_one_loss(Y_true: Any, Y_pred: Any, *, sample_weight: Any = None) -> float:
    r"""Share of samples whose label set is not predicted exactly.

    .. math:: \frac1n \sum_i [Y_i \ne Z_i]

    Parameters
    ----------
    Y_true, Y_pred : array-like, sparse or DataFrame of shape (n_samples, n_labels)
        True and predicted labels.
    sample_weight : array-like of shape (n_samples,) or None, default=None
        How much each sample counts.

    Returns
    -------
    float
        Between 0 and 1, smaller is better.

    Examples
    --------
    >>> from labelsift.metrics import zero_one_loss
    >>> zero_one_loss([[1, 0], [0, 1]], [[1, 0], [1, 1]])
    0.5
    """
    return float(zero_one_losses(read_label_pair(Y_true, Y_pred, sample_weight)))


def zero_one_losses(pair: Judged) -> NDArray[np.float64]:
    """``zero_one_loss`` of each layer."""
    return pair.mean((pair.truth != pair.given).any(axis=-1))


def hamming_loss(Y_true: Any, Y_pred: Any, *, sample_weight: Any = None) -> float:
    r"""Share of the label decisions that are wrong.

    .. math:: \frac1{nt} \sum_i |Y_i \mathbin\triangle Z_i|

    Parameters
    ----------
    Y_true, Y_pred : array-like, sparse or DataFrame of shape (n_samples, n_labels)
        True and predicted labels.
    sample_weight : array-like of shape (n_samples,) or None, default=None
        How much each sample counts.

    Returns
    -------
    float
        Between 0 and 1, smaller is better.

    Examples
    --------
    >>> from labelsift.metrics import hamming_loss
    >>> hamming_loss([[1, 0], [0, 1]], [[1, 0], [1, 1]])
    0.25
    """
    return float(hamming_losses(read_label_pair(Y_true, Y_pred, sample_weight)))


def hamming_losses(pair: Judged) -> NDArray[np.float64]:
    """``hamming_loss`` of each layer."""
    known = np.ones_like(pair.truth) if pair.known is None else pair.known
    wrong = pair.count(pair.truth != pair.given).sum(axis=-1)
    return np.asarray(wrong / pair.count(known).sum())


def accuracy(
    Y_true: Any, Y_pred: Any, *, zero_division: float = 1.0, sample_weight: Any = None
) -> float:
    r"""Jaccard index of true and predicted label set, averaged over the samples.

    .. math:: \frac1n \sum_i \frac{|Y_i \cap Z_i|}{|Y_i \cup Z_i|}

    Parameters
    ----------
    Y_true, Y_pred : array-like, sparse or DataFrame of shape (n_samples, n_labels)
        True and predicted labels.
    zero_division : float, default=1.0
        Value of a sample whose sets are both empty: an empty set predicted for an
        empty one is perfect. 0.0 is what scikit-learn's ``jaccard_score`` does.
    sample_weight : array-like of shape (n_samples,) or None, default=None
        How much each sample counts.

    Returns
    -------
    float
        Between 0 and 1, larger is better.

    Examples
    --------
    >>> from labelsift.metrics import accuracy
    >>> accuracy([[1, 0], [0, 0]], [[1, 1], [0, 0]])
    0.75
    """
    pair = read_label_pair(Y_true, Y_pred, sample_weight)
    return float(accuracies(pair, zero_division))


def accuracies(pair: Judged, zero_division: float = 1.0) -> NDArray[np.float64]:
    """``accuracy`` of each layer."""
    union = np.count_nonzero(pair.truth | pair.given, axis=-1)
    shared = np.count_nonzero(pair.truth & pair.given, axis=-1)
    return pair.mean(_ratio(shared, union, zero_division))


def micro_f1(Y_true: Any, Y_pred: Any, *, sample_weight: Any = None) -> float:
    r"""F1 of all label decisions taken together.

    .. math:: \frac{2 \sum_i |Y_i \cap Z_i|}{\sum_i |Y_i| + |Z_i|}

    Parameters
    ----------
    Y_true, Y_pred : array-like, sparse or DataFrame of shape (n_samples, n_labels)
        True and predicted labels.
    sample_weight : array-like of shape (n_samples,) or None, default=None
        How much each sample counts.

    Returns
    -------
    float
        Between 0 and 1, larger is better; 0 when no label is true or predicted.

    Examples
    --------
    >>> from labelsift.metrics import micro_f1
    >>> micro_f1([[1, 0], [0, 1]], [[1, 0], [1, 1]])
    0.8
    """
    return float(micro_f1s(read_label_pair(Y_true, Y_pred, sample_weight)))


def micro_f1s(pair: Judged) -> NDArray[np.float64]:
    """``micro_f1`` of each layer."""
    shared, both = _counts_per_label(pair)
    return _ratio(2 * shared.sum(axis=-1), both.sum(axis=-1), 0.0)


def macro_f1(Y_true: Any, Y_pred: Any, *, sample_weight: Any = None) -> float:
    r"""F1 of each label, averaged over the labels.

    .. math:: \frac1t \sum_l \frac{2 |T_l \cap P_l|}{|T_l| + |P_l|}

    where T_l are the samples that have label l and P_l those predicted to have it. A
    label that is neither true nor predicted anywhere scores 0 and stays in the mean.

    Parameters
    ----------
    Y_true, Y_pred : array-like, sparse or DataFrame of shape (n_samples, n_labels)
        True and predicted labels.
    sample_weight : array-like of shape (n_samples,) or None, default=None
        How much each sample counts.

    Returns
    -------
    float
        Between 0 and 1, larger is better.

    Examples
    --------
    >>> from labelsift.metrics import macro_f1
    >>> macro_f1([[1, 0], [0, 0]], [[1, 0], [0, 0]])
    0.5
    """
    return float(macro_f1s(read_label_pair(Y_true, Y_pred, sample_weight)))


def macro_f1s(pair: Judged) -> NDArray[np.float64]:
    """``macro_f1`` of each layer."""
    shared, both = _counts_per_label(pair)
    return np.asarray(_ratio(2 * shared, both, 0.0).mean(axis=-1))


def example_f1(Y_true: Any, Y_pred: Any, *, sample_weight: Any = None) -> float:
    r"""Mean over samples of the F1 of their label sets.

    .. math:: \frac1n \sum_i \frac{2 |Y_i \cap Z_i|}{|Y_i| + |Z_i|}

    Two empty sets agree: their F1 is 1.

    Parameters
    ----------
    Y_true, Y_pred : array-like, sparse or DataFrame of shape (n_samples, n_labels)
        True and predicted labels.
    sample_weight : array-like of shape (n_samples,) or None, default=None
        How much each sample counts.

    Returns
    -------
    float
        Between 0 and 1, larger is better.

    Examples
    --------
    >>> from labelsift.metrics import example_f1
    >>> example_f1([[1, 0], [0, 1]], [[1, 0], [1, 1]])
    0.8333333333333333
    """
    return float(example_f1s(read_label_pair(Y_true, Y_pred, sample_weight)))


def example_f1s(pair: Judged) -> NDArray[np.float64]:
    """``example_f1`` of each layer."""
    both = (pair.truth & pair.given).sum(axis=-1)
    sizes = pair.truth.sum(axis=-1) + pair.given.sum(axis=-1)
    return pair.mean(_ratio(2 * both, sizes, 1.0))


def subset_accuracy(Y_true: Any, Y_pred: Any, *, sample_weight: Any = None) -> float:
    r"""Share of samples whose label set is predicted exactly: 1 less the 0/1 loss.

    Parameters
    ----------
    Y_true, Y_pred : array-like, sparse or DataFrame of shape (n_samples, n_labels)
        True and predicted labels.
    sample_weight : array-like of shape (n_samples,) or None, default=None
        How much each sample counts.

    Returns
    -------
    float
        Between 0 and 1, larger is better.

    Examples
    --------
    >>> from labelsift.metrics import subset_accuracy
    >>> subset_accuracy([[1, 0], [0, 1]], [[1, 0], [1, 1]])
    0.5
    """
    return float(subset_accuracies(read_label_pair(Y_true, Y_pred, sample_weight)))


def subset_accuracies(pair: Judged) -> NDArray[np.float64]:
    """``subset_accuracy`` of each layer."""
    return 1.0 - zero_one_losses(pair)


def _counts_per_label(pair: Judged) -> tuple[NDArray[Any], NDArray[Any]]:
    """Per label: samples true and predicted, and the two counts added."""
    shared = pair.count(pair.truth & pair.given)
    return shared, pair.count(pair.truth) + pair.count(pair.given)


def _ratio(part: Any, whole: Any, zero_division: float) -> NDArray[Any]:
    """Part over whole, with a value for 0/0."""
    empty = whole == 0
    return np.where(empty, zero_division, part / np.where(empty, 1, whole))
