# SPDX-License-Identifier: BSD-3-Clause
"""Base class of label rankers: one score per label, present above 0."""

from abc import ABC, abstractmethod
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import ClassifierMixin
from sklearn.utils.validation import check_is_fitted

from labelsift.core.estimator import LabelEstimator
from labelsift.core.validation import validate_features


class RankerMixin(ClassifierMixin):
    """Prediction from one score per label; subclasses implement ``_scores``."""

    def _scores(self, X: Any) -> NDArray[Any]:
        """Scores of shape (n_samples, n_labels) for a checked X."""
        raise NotImplementedError(f"{type(self).__name__} must implement _scores.")

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
        check_is_fitted(self)
        scores = self._scores(validate_features(self, X, reset=False))
        if self._labels_from_classes and scores.shape[1] == 2:
            return (scores[:, 1] - scores[:, 0]) / 2
        return scores

    def predict(self, X: Any) -> NDArray[Any]:
        """Predict the labels: those with a score above 0.

        Parameters
        ----------
        X : array-like, sparse or DataFrame of shape (n_samples, n_features)
            The samples.

        Returns
        -------
        ndarray of shape (n_samples, n_labels) or (n_samples,)
            In the coding of the Y of fit; the best class after a fit on a 1-D y.
        """
        scores = self.decision_function(X)
        if scores.ndim == 1:
            return self.classes_[(scores > 0).astype(int)]
        if self._labels_from_classes:
            return self.classes_[np.argmax(scores, axis=1)]
        return np.where(scores > 0, 1, self._label_negative).astype(self._label_dtype)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_label = True
        # A selector predicts from half of the features by default: with the two of
        # scikit-learn's checks from one, which cannot separate three classes.
        tags.classifier_tags.poor_score = hasattr(self, "n_features_to_select")
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
        return X @ self.coef_.T + self.intercept_


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
        X, Y = self._read(X, y)
        self._fit(X, Y)
        return self
