# SPDX-License-Identifier: BSD-3-Clause
"""Base class of label rankers: one score per label, present above 0."""

from abc import ABC, abstractmethod
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import ClassifierMixin
from sklearn.metrics import r2_score
from sklearn.utils import RegressorTags
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_is_fitted

from labelsift.core.arrays import is_foreign, like, namespace, to_numpy
from labelsift.core.collections import by_blocks
from labelsift.core.estimator import LabelEstimator
from labelsift.core.validation import validate_features


def _scores_labels(estimator: Any) -> bool:
    """Whether there are labels to score: not where all targets are values."""
    kind = getattr(estimator, "target_", getattr(estimator, "target", "labels"))
    return bool(kind != "values")


class RankerMixin(ClassifierMixin):
    """Prediction from one score per target; subclasses implement ``_scores``.

    An estimator with the argument ``target`` is a regressor where that is "values".
    """

    def _scores(self, X: Any) -> NDArray[Any]:
        """Scores of shape (n_samples, n_labels) for a checked X."""
        raise NotImplementedError(f"{type(self).__name__} must implement _scores.")

    def _checked_scores(self, X: Any) -> NDArray[Any]:
        check_is_fitted(self)
        return self._scores(validate_features(self, X, reset=False))

    @available_if(_scores_labels)
    @by_blocks
    def decision_function(self, X: Any) -> NDArray[Any]:
        """Score every label; larger means more likely present.

        Parameters
        ----------
        X : array-like, sparse or DataFrame of shape (n_samples, n_features)
            The samples.

        Returns
        -------
        ndarray of shape (n_samples, n_labels)
            One score per label. After a fit on a 1-D y with two classes, shape
            (n_samples,): half the score of the second class minus that of the first.
        """
        scores = self._checked_scores(X)
        if self._labels_from_classes and scores.shape[1] == 2:
            return (scores[:, 1] - scores[:, 0]) / 2
        return scores

    @by_blocks
    def predict(self, X: Any) -> NDArray[Any]:
        """Predict the labels, those with a score above 0, or the values.

        Parameters
        ----------
        X : array-like, sparse or DataFrame of shape (n_samples, n_features)
            The samples.

        Returns
        -------
        ndarray of shape (n_samples, n_labels) or (n_samples,)
            Labels in the coding of the Y of fit, values on their own scale; the best
            class after a fit on the classes of a 1-D y.
        """
        check_is_fitted(self)
        if self._value_columns is not None:
            return self._predict_values(X)
        scores = self.decision_function(X)
        if is_foreign(scores):
            return self._labels_on_device(scores)
        if scores.ndim == 1:
            return self.classes_[(scores > 0).astype(int)]
        if self._labels_from_classes:
            return self.classes_[np.argmax(scores, axis=1)]
        return np.where(scores > 0, 1, self._label_negative).astype(self._label_dtype)

    def _predict_values(self, X: Any) -> NDArray[Any]:
        """Scores of values, and present or absent where a column holds labels."""
        scores = self._checked_scores(X)
        xp = namespace(scores)
        absent = float(self._label_negative)
        present = xp.where(scores > 0, 0 * scores + 1.0, 0 * scores + absent)
        predicted = xp.where(like(self._value_columns, scores), scores, present)
        return predicted[:, 0] if self._flat_values else predicted

    def _labels_on_device(self, scores: Any) -> Any:
        """What ``predict`` answers, where X is; names of classes are numpy."""
        xp = namespace(scores)
        if self._labels_from_classes:
            flat = scores.ndim == 1
            best = (
                xp.astype(scores > 0, xp.int64) if flat else xp.argmax(scores, axis=1)
            )
            if self.classes_.dtype.kind not in "biuf":
                return self.classes_[to_numpy(best)]
            return xp.take(like(self.classes_, scores), best)
        present, absent = like(
            np.array([1, self._label_negative], self._label_dtype), scores
        )
        return xp.where(scores > 0, present, absent)

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """Score a prediction: accuracy for labels, R^2 where y holds values.

        Parameters
        ----------
        X : array-like, sparse or DataFrame of shape (n_samples, n_features)
            The samples.
        y : array-like of shape (n_samples, n_labels) or (n_samples,)
            What they should be.
        sample_weight : array-like of shape (n_samples,) or None, default=None
            How much each sample counts.

        Returns
        -------
        float
            The share of samples with all labels right; R^2 averaged over the targets
            where some hold values.
        """
        if self._value_columns is None:
            return super().score(X, y, sample_weight)
        return float(r2_score(y, self.predict(X), sample_weight=sample_weight))

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        # A selector predicts from half of the features by default: with the two of
        # scikit-learn's checks from one, which cannot separate three classes.
        poor = hasattr(self, "n_features_to_select")
        tags.classifier_tags.multi_label = True
        tags.classifier_tags.poor_score = poor
        if getattr(self, "target", "labels") == "values":
            tags.estimator_type, tags.classifier_tags = "regressor", None
            tags.regressor_tags = RegressorTags(poor_score=poor)
        return tags


class LinearRankerMixin(RankerMixin):
    """Scores X coef' + intercept.

    Attributes
    ----------
    coef_ : ndarray of shape (n_labels, n_features_in_)
        Weights.
    intercept_ : ndarray of shape (n_labels,)
        Added to each label's score.
    """

    coef_: NDArray[Any]
    intercept_: NDArray[Any]

    def _scores(self, X: Any) -> NDArray[Any]:
        if not is_foreign(X):
            return X @ self.coef_.T + self.intercept_
        coef, intercept = like(self.coef_.T, X), like(self.intercept_, X)
        return namespace(X).asarray(X, dtype=coef.dtype) @ coef + intercept


class BaseLabelRanker(RankerMixin, LabelEstimator, ABC):
    """A multi-label classifier that scores labels; subclasses implement ``_fit``."""

    @abstractmethod
    def _fit(self, X: Any, Y: NDArray[Any]) -> None:
        """Learn from checked samples and a 0/1 label matrix."""

    def fit(self, X: Any, y: Any) -> Self:
        """Learn to score the labels.

        Parameters
        ----------
        X : array-like, sparse or DataFrame of shape (n_samples, n_features)
            The samples; CSR and CSC are never densified.
        y : array-like, sparse or DataFrame of shape (n_samples, n_labels) or \
(n_samples,)
            Labels as 0/1, bool or -1/+1, or the classes of a 1-D y.

        Returns
        -------
        self
            The fitted ranker.
        """
        return self._fit_weighted(X, y, None)

    def _fit_weighted(self, X: Any, y: Any, sample_weight: Any) -> Self:
        """Fit; weights reach ``_fit`` of the rankers that take them."""
        X, Y, weights = self._read_weighted(X, y, sample_weight)
        self._fit(X, Y, *weights)
        self._finish(X, Y, weights)
        return self
