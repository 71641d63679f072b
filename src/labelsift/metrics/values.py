# SPDX-License-Identifier: BSD-3-Clause
"""Measures of predicted values: one number for each target, averaged over them.

Every function takes ``Y_true`` and ``Y_pred`` of one shape, (n_samples, n_targets) or
(n_samples,), dense, sparse or DataFrame. An entry of ``Y_true`` that is NaN is unknown:
the target is judged on its known rows, and one without any is left out. Rows count by
``sample_weight``; those of weight 0 not at all. ``per_target=True`` gives the number of
each target instead of their mean, NaN where it is not defined.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.stats import rankdata
from sklearn.exceptions import UndefinedMetricWarning
from sklearn.utils import check_array

from labelsift.core.labels import as_label_array
from labelsift.core.validation import validate_weights
from labelsift.core.warning import warn

# The number of one target from its known values, their predictions and weights.
_OfOne = Callable[[NDArray[Any], NDArray[Any], NDArray[Any]], float]


def r2(
    Y_true: Any, Y_pred: Any, *, sample_weight: Any = None, per_target: bool = False
) -> Any:
    r"""Share of the variance of a target that is predicted.

    .. math:: 1 - \frac{\sum_i w_i (y_i - \hat y_i)^2}{\sum_i w_i (y_i - \bar y)^2}

    A target with one value has no variance and is left out of the mean, so that a
    constant target cannot lift or lower it.

    Parameters
    ----------
    Y_true, Y_pred : array-like, sparse or DataFrame
        True and predicted values, of shape (n_samples, n_targets) or (n_samples,); a
        true value that is NaN is unknown.
    sample_weight : array-like of shape (n_samples,) or None, default=None
        How much each sample counts.
    per_target : bool, default=False
        Whether to return the value of each target.

    Returns
    -------
    float or ndarray of shape (n_targets,)
        At most 1, larger is better; 0 for the mean as the prediction.

    Examples
    --------
    >>> from labelsift.metrics import r2
    >>> r2([[1.0, 2.0], [2.0, 4.0], [3.0, 6.0]], [[1.0, 2.0], [2.0, 4.0], [3.0, 4.0]])
    0.75
    """

    def one(y: NDArray[Any], f: NDArray[Any], w: NDArray[Any]) -> float:
        if y.min() == y.max():
            return np.nan
        spread = w @ (y - np.average(y, weights=w)) ** 2
        return float(1 - w @ (y - f) ** 2 / spread)

    return _judge("r2", one, Y_true, Y_pred, sample_weight, per_target)


def rmse(
    Y_true: Any, Y_pred: Any, *, sample_weight: Any = None, per_target: bool = False
) -> Any:
    r"""Root of the mean squared error of a target, in its own units.

    .. math:: \sqrt{\sum_i w_i (y_i - \hat y_i)^2 / \sum_i w_i}

    Parameters
    ----------
    Y_true, Y_pred : array-like, sparse or DataFrame
        True and predicted values, of shape (n_samples, n_targets) or (n_samples,); a
        true value that is NaN is unknown.
    sample_weight : array-like of shape (n_samples,) or None, default=None
        How much each sample counts.
    per_target : bool, default=False
        Whether to return the value of each target.

    Returns
    -------
    float or ndarray of shape (n_targets,)
        At least 0, smaller is better.

    Examples
    --------
    >>> from labelsift.metrics import rmse
    >>> rmse([[1.0, 0.0], [3.0, 0.0]], [[1.0, 2.0], [3.0, 2.0]])
    1.0
    """

    def one(y: NDArray[Any], f: NDArray[Any], w: NDArray[Any]) -> float:
        return float(np.sqrt(np.average((y - f) ** 2, weights=w)))

    return _judge("rmse", one, Y_true, Y_pred, sample_weight, per_target)


def mae(
    Y_true: Any, Y_pred: Any, *, sample_weight: Any = None, per_target: bool = False
) -> Any:
    r"""Mean absolute error of a target, in its own units.

    .. math:: \sum_i w_i |y_i - \hat y_i| / \sum_i w_i

    Parameters
    ----------
    Y_true, Y_pred : array-like, sparse or DataFrame
        True and predicted values, of shape (n_samples, n_targets) or (n_samples,); a
        true value that is NaN is unknown.
    sample_weight : array-like of shape (n_samples,) or None, default=None
        How much each sample counts.
    per_target : bool, default=False
        Whether to return the value of each target.

    Returns
    -------
    float or ndarray of shape (n_targets,)
        At least 0, smaller is better.

    Examples
    --------
    >>> from labelsift.metrics import mae
    >>> mae([[1.0, 0.0], [3.0, 0.0]], [[1.0, 2.0], [3.0, 4.0]])
    1.5
    """

    def one(y: NDArray[Any], f: NDArray[Any], w: NDArray[Any]) -> float:
        return float(np.average(np.abs(y - f), weights=w))

    return _judge("mae", one, Y_true, Y_pred, sample_weight, per_target)


def spearman(
    Y_true: Any, Y_pred: Any, *, sample_weight: Any = None, per_target: bool = False
) -> Any:
    r"""Rank correlation of true and predicted values of a target.

    The correlation of the ranks, ties at their mean rank. With weights a rank is that
    of repeated rows: the weight below, plus half of the weight at the value. A target
    or prediction with one value has no order; it is left out of the mean.

    Parameters
    ----------
    Y_true, Y_pred : array-like, sparse or DataFrame
        True and predicted values, of shape (n_samples, n_targets) or (n_samples,); a
        true value that is NaN is unknown.
    sample_weight : array-like of shape (n_samples,) or None, default=None
        How much each sample counts.
    per_target : bool, default=False
        Whether to return the value of each target.

    Returns
    -------
    float or ndarray of shape (n_targets,)
        Between -1 and 1, larger is better.

    Examples
    --------
    >>> from labelsift.metrics import spearman
    >>> spearman([1.0, 2.0, 3.0], [10.0, 20.0, 400.0])
    1.0
    """

    def one(y: NDArray[Any], f: NDArray[Any], w: NDArray[Any]) -> float:
        if y.min() == y.max() or f.min() == f.max():
            return np.nan
        a, b = (_centred_ranks(values, w) for values in (y, f))
        return float((w * a) @ b / np.sqrt((w @ a**2) * (w @ b**2)))

    return _judge("spearman", one, Y_true, Y_pred, sample_weight, per_target)


def _centred_ranks(values: NDArray[Any], weights: NDArray[Any]) -> NDArray[Any]:
    """Ranks of repeated rows about their mean; ties at their mean rank."""
    place = rankdata(values, method="dense") - 1
    at = np.bincount(place, weights=weights)
    ranks = (np.cumsum(at) - at / 2)[place]
    return np.asarray(ranks - np.average(ranks, weights=weights))


def _judge(
    name: str,
    one: _OfOne,
    Y_true: Any,
    Y_pred: Any,
    sample_weight: Any,
    per_target: bool,
) -> Any:
    """Judge each target on its known rows, and average."""
    truth, predicted = _read(Y_true, "Y_true", True), _read(Y_pred, "Y_pred", False)
    if truth.shape != predicted.shape:
        raise ValueError(
            f"Y_true has shape {truth.shape} and Y_pred has shape {predicted.shape}: "
            "both must be (n_samples, n_targets)."
        )
    weights = validate_weights(sample_weight, truth)
    if weights is None:
        weights = np.ones(len(truth))
    found = np.full(truth.shape[1], np.nan)
    for target, y in enumerate(truth.T):
        rows = ~np.isnan(y) & (weights > 0)
        if rows.any():
            found[target] = one(y[rows], predicted[rows, target], weights[rows])
    if per_target:
        return found
    if np.isnan(found).all():
        warn(
            f"{name} is not defined for any target of Y_true: it is set to NaN. Judge "
            "on samples whose values are known and differ.",
            UndefinedMetricWarning,
        )
        return float("nan")
    return float(np.nanmean(found))


def _read(Y: Any, argument: str, unknown: bool) -> NDArray[np.float64]:
    """A matrix of numbers; a 1-D array is one target."""
    Y = as_label_array(Y)
    Y = Y.toarray() if hasattr(Y, "toarray") else Y
    finite: Any = "allow-nan" if unknown else True
    Y = check_array(
        Y[:, np.newaxis] if Y.ndim == 1 else Y,
        dtype=np.float64,
        ensure_all_finite=finite,
        input_name=argument,
    )
    return np.asarray(Y)
