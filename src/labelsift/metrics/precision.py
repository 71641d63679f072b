# SPDX-License-Identifier: BSD-3-Clause
"""Average precision of scores, over labels or over all decisions at once."""

from typing import Any

import numpy as np
from sklearn.exceptions import UndefinedMetricWarning
from sklearn.metrics import average_precision_score

from labelsift.core.warning import warn
from labelsift.metrics.reading import read_scored


def macro_average_precision(
    Y_true: Any, scores: Any, *, sample_weight: Any = None
) -> float:
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
    sample_weight : array-like of shape (n_samples,) or None, default=None
        How much each sample counts.

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
    judged = read_scored(Y_true, scores, sample_weight)
    values = []
    for label in np.flatnonzero(judged.truth.any(axis=0)).tolist():
        rows = judged.rows_of(label)
        weights = None if judged.weights is None else judged.weights[rows]
        columns = (matrix[rows, label] for matrix in (judged.truth, judged.given))
        values.append(average_precision_score(*columns, sample_weight=weights))
    return float(np.mean(values)) if values else _undefined("macro_average_precision")


def micro_average_precision(
    Y_true: Any, scores: Any, *, sample_weight: Any = None
) -> float:
    r"""Average precision of all decisions (sample, label) in one order of scores.

    Scores of different labels are compared with each other, so that they must mean the
    same. All of them are sorted at once, which takes about ten times their memory.

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
        Between 0 and 1, larger is better; NaN, with an UndefinedMetricWarning, when no
        sample has a label.

    Examples
    --------
    >>> from labelsift.metrics import micro_average_precision
    >>> micro_average_precision([[1, 0], [0, 1]], [[4, 1], [2, 3]])
    1.0
    """
    judged = read_scored(Y_true, scores, sample_weight)
    truth, scores, weights = judged.truth, judged.given, judged.weights
    if not truth.any():
        return _undefined("micro_average_precision")
    if weights is not None:
        weights = np.broadcast_to(weights[:, np.newaxis], truth.shape)
    chosen = slice(None) if judged.known is None else judged.known.ravel()
    return float(
        average_precision_score(
            truth.ravel()[chosen],
            scores.ravel()[chosen],
            sample_weight=None if weights is None else weights.ravel()[chosen],
        )
    )


def _undefined(name: str) -> float:
    warn(
        f"{name} is not defined when no sample of Y_true has a label: it is set to "
        "NaN. Judge on samples with labels.",
        UndefinedMetricWarning,
    )
    return float("nan")
