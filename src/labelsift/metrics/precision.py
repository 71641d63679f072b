# SPDX-License-Identifier: BSD-3-Clause
"""Average precision of scores, over labels or over all decisions at once."""

from typing import Any

import numpy as np
from sklearn.exceptions import UndefinedMetricWarning
from sklearn.metrics import average_precision_score

from labelsift.core.warning import warn
from labelsift.metrics.reading import read_scored


def macro_average_precision(Y_true: Any, scores: Any) -> float:
    r"""Mean over labels of the average precision of their samples.

    .. math:: \frac1{|L|} \sum_{l \in L} \sum_k (R_{lk} - R_{l,k-1}) P_{lk}

    where P and R are precision and recall of label l at the k-th threshold, and L the
    labels that some samples have. The others have no precision and are left out.

    Parameters
    ----------
    Y_true : array-like, sparse or DataFrame of shape (n_samples, n_labels)
        True labels.
    scores : array-like of shape (n_samples, n_labels)
        Larger for more likely.

    Returns
    -------
    float
        Between 0 and 1, larger is better; NaN, with an UndefinedMetricWarning, when no
        sample has a label.

    Examples
    --------
    >>> from labelsift.metrics import macro_average_precision
    >>> macro_average_precision([[1, 0], [0, 1], [1, 0]], [[3, 1], [2, 3], [1, 2]])
    0.9166666666666666
    """
    truth, scores = read_scored(Y_true, scores)
    present = np.flatnonzero(truth.any(axis=0))
    if not len(present):
        return _undefined("macro_average_precision")
    values = [average_precision_score(truth[:, j], scores[:, j]) for j in present]
    return float(np.mean(values))


def micro_average_precision(Y_true: Any, scores: Any) -> float:
    r"""Average precision of all decisions (sample, label) in one order of scores.

    Scores of different labels are compared with each other, so that they must mean the
    same. All of them are sorted at once, which takes about ten times their memory.

    Parameters
    ----------
    Y_true : array-like, sparse or DataFrame of shape (n_samples, n_labels)
        True labels.
    scores : array-like of shape (n_samples, n_labels)
        Larger for more likely.

    Returns
    -------
    float
        Between 0 and 1, larger is better; NaN, with an UndefinedMetricWarning, when no
        sample has a label.

    Examples
    --------
    >>> from labelsift.metrics import micro_average_precision
    >>> micro_average_precision([[1, 0], [0, 1]], [[4, 1], [2, 3]])
    1.0
    """
    truth, scores = read_scored(Y_true, scores)
    if not truth.any():
        return _undefined("micro_average_precision")
    return float(average_precision_score(truth.ravel(), scores.ravel()))


def _undefined(name: str) -> float:
    warn(
        f"{name} is not defined when no sample of Y_true has a label: it is set to "
        "NaN. Judge on samples with labels.",
        UndefinedMetricWarning,
    )
    return float("nan")
