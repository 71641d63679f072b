# SPDX-License-Identifier: BSD-3-Clause
"""The model that a selection file carries: ridge weights, and where they cut."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from labelsift.classification import BinaryRidge, MultiTargetRidge
from labelsift.core.estimator import fit_weighted
from labelsift.core.labels import constant_labels
from labelsift.model_selection.split import IterativeStratifiedKFold
from labelsift.model_selection.threshold import MIN_F1, scut_thresholds

# Folds of the scores that thresholds are chosen from.
_FOLDS = 5
# Of fewer rows no threshold can be learned: it is 0.
_FEWEST_ROWS = 20


def ridge_readout(X: Any, Y: NDArray[Any], weights: Any = None) -> dict[str, Any]:
    """Fit a ridge classifier; thresholds come from rows that a fit did not see.

    Where labels are unknown (NaN), thresholds are 0.

    Parameters
    ----------
    X : array or sparse of shape (n_samples, n_features)
        What the selected features became.
    Y : ndarray of shape (n_samples, n_labels)
        Labels as 0/1.
    weights : ndarray of shape (n_samples,) or None
        How often each row counts; None: once.

    Returns
    -------
    dict
        "coef", "intercept" and "thresholds" as lists of numbers.
    """
    model = fit_weighted(BinaryRidge(1.0), X, Y, weights)
    thresholds = np.zeros(Y.shape[1])
    if len(Y) >= _FEWEST_ROWS and not np.isnan(Y).any():
        held_out = _held_out_scores(X, Y, weights)
        thresholds = scut_thresholds(held_out, Y, MIN_F1, weights)
    return {**_numbers(model), "thresholds": thresholds.tolist()}


def ridge_values(X: Any, Y: NDArray[Any], weights: Any = None) -> dict[str, Any]:
    """Fit a ridge regression of values, which have no thresholds."""
    numbers = _numbers(fit_weighted(MultiTargetRidge(1.0), X, Y, weights))
    return {**numbers, "value_columns": [True] * Y.shape[1]}


def _numbers(model: Any) -> dict[str, Any]:
    return {
        "coef": np.asarray(model.coef_, dtype=float).tolist(),
        "intercept": np.ravel(model.intercept_).astype(float).tolist(),
    }


def _held_out_scores(X: Any, Y: NDArray[Any], weights: Any) -> NDArray[np.float64]:
    """Scores of every row by a fit on other rows; 0 where those have one value only."""
    scores = np.zeros(Y.shape)
    splitter = IterativeStratifiedKFold(_FOLDS, random_state=0)
    for train, test in splitter.split(np.empty((len(Y), 1)), Y):
        known = ~constant_labels(Y[train])
        if known.any():
            counted = None if weights is None else weights[train]
            own = Y[train][:, known]
            fitted = fit_weighted(BinaryRidge(1.0), X[train], own, counted)
            found = np.asarray(fitted.decision_function(X[test]))
            scores[np.ix_(test, known)] = found.reshape(len(test), -1)
    return scores
