# SPDX-License-Identifier: BSD-3-Clause
"""Probabilities of labels from scores, calibrated on rows that were not trained on."""

import warnings
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone
from sklearn.isotonic import IsotonicRegression
from sklearn.model_selection import KFold
from sklearn.utils.metaestimators import available_if

from labelsift.core.collections import by_blocks
from labelsift.core.ranker import RankerMixin
from labelsift.core.validation import StrOptions, sigmoid_calibration

_FOLDS = 5


def _is_calibrated(estimator: Any) -> bool:
    """Whether there are labels and a calibration of their scores."""
    kind = getattr(estimator, "target_", getattr(estimator, "target", "labels"))
    return estimator.calibration is not None and kind not in ("values", "mixed")


class CalibrationMixin(RankerMixin):
    """``predict_proba`` for a ranker with the argument ``calibration``.

    The scores of five folds, each by a clone that was fitted to the other folds, teach
    one calibrator per label: scikit-learn's sigmoid (Platt) or isotonic regression.
    ``predict`` still takes the labels with a score above 0, whatever their probability.
    """

    calibration: str | None

    calibration_constraint: ClassVar[list[Any]] = [
        StrOptions({"sigmoid", "isotonic"}),
        None,
    ]

    @available_if(_is_calibrated)
    @by_blocks
    def predict_proba(self, X: Any) -> NDArray[np.float64]:
        """Probability of every label.

        Parameters
        ----------
        X : array-like, sparse or DataFrame of shape (n_samples, n_features)
            The samples.

        Returns
        -------
        ndarray of shape (n_samples, n_labels)
            P(label); after a fit on a 1-D y, rows sum to 1 over the classes.
        """
        scores = self._checked_scores(X)
        if not hasattr(self, "calibrators_"):
            raise ValueError(
                f"This {type(self).__name__} has no calibration of its own, as it is a "
                "view or a point of a path: call fit with its parameters."
            )
        columns = zip(self.calibrators_, scores.T, strict=True)
        probabilities = np.column_stack([c.predict(s) for c, s in columns])
        if not self._labels_from_classes:
            return probabilities
        if probabilities.shape[1] == 2:  # the two scores say the same
            return np.column_stack([1 - probabilities[:, 1], probabilities[:, 1]])
        total = probabilities.sum(axis=1, keepdims=True)
        even = np.full_like(probabilities, 1 / probabilities.shape[1])
        return np.divide(probabilities, total, out=even, where=total > 0)

    def _finish(
        self, X: Any, Y: NDArray[Any], weights: tuple[NDArray[Any], ...]
    ) -> None:
        """Calibrate after a fit."""
        self._forget("calibrators_")
        if not _is_calibrated(self):
            return
        scores = self._out_of_fold(X, Y, weights)
        known = ~np.isnan(Y.astype(np.float64))
        self.calibrators_ = []
        for label, rows in enumerate(known.T):
            own = weights[0][rows] if weights else None
            y, s = Y[rows, label].astype(np.float64), scores[rows, label]
            if len(np.unique(y)) < 2:
                calibrator: Any = _Constant(y[0] if len(y) else 0.0)
            elif self.calibration == "sigmoid":
                calibrator = sigmoid_calibration().fit(s, y, sample_weight=own)
            else:
                calibrator = IsotonicRegression(
                    y_min=0, y_max=1, out_of_bounds="clip"
                ).fit(s, y, sample_weight=own)
            self.calibrators_.append(calibrator)

    def _out_of_fold(
        self, X: Any, Y: NDArray[Any], weights: tuple[NDArray[Any], ...]
    ) -> NDArray[np.float64]:
        """Scores of each row by a clone that has not seen it."""
        scores = np.empty(Y.shape)
        folds = KFold(min(_FOLDS, len(Y)), shuffle=True, random_state=0)
        for train, test in folds.split(Y):
            model = clone(self).set_params(calibration=None)
            with warnings.catch_warnings():  # said when the whole Y was read
                warnings.filterwarnings("ignore", ".*hold one value only", UserWarning)
                own = weights[0][train] if weights else None
                model.fit(X[train], Y[train], sample_weight=own)
            scores[test] = model._checked_scores(X[test])
        return scores


class _Constant:
    """The probability of a label that has one value."""

    def __init__(self, value: float) -> None:
        self.value = value

    def predict(self, scores: NDArray[Any]) -> NDArray[np.float64]:
        return np.full(len(scores), self.value)
