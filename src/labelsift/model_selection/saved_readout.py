# SPDX-License-Identifier: BSD-3-Clause
"""The model that a selection file carries: ridge weights, and where they cut."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from labelsift.classification import BinaryRidge
from labelsift.core.labels import constant_labels
from labelsift.model_selection.split import IterativeStratifiedKFold
from labelsift.model_selection.threshold import MIN_F1, scut_thresholds

# Folds of the scores that thresholds are chosen from.
_FOLDS = 5
# Of fewer rows no threshold can be learned: it is 0.
_FEWEST_ROWS = 20


def ridge_readout(X: Any, Y: NDArray[Any]) -> dict[str, Any]:
    """Fit a ridge classifier; thresholds come from rows that a fit did not see.

    Parameters
    ----------
    X : array or sparse of shape (n_samples, n_features)
        What the selected features became.
    Y : ndarray of shape (n_samples, n_labels)
        Labels as 0/1.

    Returns
    -------
    dict
        "coef", "intercept" and "thresholds" as lists of numbers.
    """
    model = BinaryRidge(1.0).fit(X, Y)
    thresholds = np.zeros(Y.shape[1])
    if len(Y) >= _FEWEST_ROWS:
        thresholds = scut_thresholds(_held_out_scores(X, Y), Y, MIN_F1)
    return {
        "coef": np.asarray(model.coef_, dtype=float).tolist(),
        "intercept": np.ravel(model.intercept_).astype(float).tolist(),
        "thresholds": thresholds.tolist(),
    }


def _held_out_scores(X: Any, Y: NDArray[Any]) -> NDArray[np.float64]:
    """Scores of every row by a fit on other rows; 0 where those have one value only."""
    scores = np.zeros(Y.shape)
    splitter = IterativeStratifiedKFold(_FOLDS, random_state=0)
    for train, test in splitter.split(np.empty((len(Y), 1)), Y):
        known = ~constant_labels(Y[train])
        if known.any():
            fitted = BinaryRidge(1.0).fit(X[train], Y[train][:, known])
            found = np.asarray(fitted.decision_function(X[test]))
            scores[np.ix_(test, known)] = found.reshape(len(test), -1)
    return scores
