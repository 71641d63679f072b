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
from labelsift.metrics.curves import both_values
from labelsift.metrics.reading import Judged, read_scored


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
    return float(macro_aucs(read_scored(Y_true, scores, sample_weight)))


def macro_aucs(judged: Judged) -> NDArray[np.float64]:
    """``macro_auc`` of each layer."""
    areas = judged.areas.take(both_values(judged.truth, judged.known), axis=-1)
    if not areas.shape[-1]:
        warn(
            "macro_auc is not defined when every label of Y_true holds one value only: "
            "it is set to NaN. Judge on samples with and without a label.",
            UndefinedMetricWarning,
        )
        return np.full(areas.shape[:-1], np.nan)
    return np.asarray(areas.mean(axis=-1))


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
    return float(worst_aucs(read_scored(Y_true, scores, sample_weight)))


def worst_aucs(judged: Judged) -> NDArray[np.float64]:
    """``worst_auc`` of each layer."""
    return _mean_of_lowest("worst_auc", judged, tenths=0)


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
    return float(lowest_tenth_aucs(read_scored(Y_true, scores, sample_weight)))


def lowest_tenth_aucs(judged: Judged) -> NDArray[np.float64]:
    """``lowest_tenth_auc`` of each layer."""
    return _mean_of_lowest("lowest_tenth_auc", judged, tenths=1)


def _mean_of_lowest(name: str, judged: Judged, tenths: int) -> NDArray[np.float64]:
    """Mean of the lowest tenths of the areas, at least one; labels need two of each."""
    two = both_values(judged.truth, judged.known, least=2)
    areas = np.sort(judged.areas.take(two, axis=-1), axis=-1)
    if not len(two):
        warn(
            f"{name} is not defined when no label of Y_true is present in two samples "
            "and absent from two: it is set to NaN. Judge on more samples.",
            UndefinedMetricWarning,
        )
        return np.full(areas.shape[:-1], np.nan)
    return np.asarray(areas[..., : max(1, tenths * len(two) // 10)].mean(axis=-1))
