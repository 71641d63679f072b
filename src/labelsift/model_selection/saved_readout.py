# SPDX-License-Identifier: BSD-3-Clause
"""The model that a selection file carries: ridge weights, and where they cut."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from labelsift.classification import BinaryRidge
from labelsift.model_selection.split import IterativeStratifiedKFold
from labelsift.model_selection.threshold import MIN_F1, scut_thresholds

# Folds of the scores that thresholds are chosen from.
_FOLDS = 5


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
    folds = min(_FOLDS, len(Y))
    scores = np.zeros(Y.shape)
    if folds > 1:
        splitter = IterativeStratifiedKFold(folds, random_state=0)
        for train, test in splitter.split(np.empty((len(Y), 1)), Y):
            fitted = BinaryRidge(1.0).fit(X[train], Y[train])
            scores[test] = np.asarray(fitted.decision_function(X[test])).reshape(
                len(test), -1
            )
    return {
        "coef": np.asarray(model.coef_, dtype=float).tolist(),
        "intercept": np.ravel(model.intercept_).astype(float).tolist(),
        "thresholds": scut_thresholds(scores, Y, MIN_F1).tolist(),
    }
