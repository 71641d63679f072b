# SPDX-License-Identifier: BSD-3-Clause
"""Any scikit-learn classifier or regressor as a label ranker."""

from typing import Any, ClassVar

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray
from sklearn.base import is_regressor
from sklearn.linear_model import LogisticRegression

from labelsift.core.base import BaseLabelRanker
from labelsift.core.estimator import WeightedFitMixin
from labelsift.core.labels import constant_labels
from labelsift.core.validation import HasMethods, StrOptions
from labelsift.core.wrapper import WrapperMixin


class LabelScorer(WeightedFitMixin, WrapperMixin, BaseLabelRanker):
    """One score per label from any scikit-learn classifier or regressor.

    A score above 0 means that the label is predicted: ``decision_function`` as it is,
    the probability of a classifier less one half, or the prediction of a regressor of
    labels coded 0 and 1, less one half. An estimator that takes a label matrix is
    fitted once; otherwise a clone is fitted for every label (binary relevance). A label
    with one value only gets that value, -1 or +1, as its score and is shown to no
    estimator. Samples may have weights where the estimator takes them.

    Parameters
    ----------
    estimator : estimator or None, default=None
        A classifier or a regressor; None: logistic regression.
    per_label : bool or "auto", default="auto"
        Whether every label has a clone of its own; "auto": where the estimator's tags
        do not say that it takes a label matrix.

    Attributes
    ----------
    estimators_ : list of estimators
        The fitted clones: one per label with both values, or one for all of them.
    classes_ : ndarray
        Column numbers of Y, or the distinct values of a 1-D y.

    See Also
    --------
    BinaryRidge : All labels from one decomposition, and the fastest read-out here.

    Examples
    --------
    >>> from sklearn.ensemble import RandomForestClassifier
    >>> from labelsift.classification import LabelScorer
    >>> from labelsift.datasets import load_dataset
    >>> traits = load_dataset("traits")
    >>> forest = LabelScorer(RandomForestClassifier(10, random_state=0))
    >>> forest.fit(traits.X, traits.Y).decision_function(traits.X[:3]).shape
    (3, 6)
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "estimator": [HasMethods(["fit", "predict"]), None],
        "per_label": ["boolean", StrOptions({"auto"})],
    }

    def __init__(
        self, estimator: Any = None, *, per_label: bool | str = "auto"
    ) -> None:
        self.estimator = estimator
        self.per_label = per_label

    def _fit(self, X: Any, Y: NDArray[Any], *weights: NDArray[Any]) -> None:
        estimator = self.estimator
        if estimator is None:
            estimator = LogisticRegression(max_iter=1000)
        self._learnable = ~constant_labels(Y)
        self._constant_scores = 2.0 * Y[0] - 1
        self._fit_clones(estimator, X, Y, *weights)

    def _scores(self, X: Any) -> NDArray[Any]:
        scores = np.tile(self._constant_scores, (X.shape[0], 1))
        # One column of each clone, or all columns of the only one.
        width = int(self._learnable.sum()) // len(self.estimators_)
        parts = [_scores_of(fitted, X, width) for fitted in self.estimators_]
        scores[:, self._learnable] = np.hstack(parts)
        return scores


def _scores_of(fitted: Any, X: Any, n_labels: int) -> NDArray[Any]:
    """Scores of shape (n_samples, n_labels), above 0 where a label is predicted."""
    if is_regressor(fitted):
        scores = _dense(fitted.predict(X)) - 0.5
    elif hasattr(fitted, "decision_function"):
        scores = _dense(fitted.decision_function(X))
    elif hasattr(fitted, "predict_proba"):
        scores = _present(fitted.predict_proba(X), n_labels) - 0.5
    else:
        scores = _dense(fitted.predict(X)) - 0.5
    return scores.reshape(X.shape[0], n_labels)


def _present(probabilities: Any, n_labels: int) -> NDArray[Any]:
    """Probability that a label is present, from each form that scikit-learn has."""
    if isinstance(probabilities, list):
        return np.column_stack([part[:, -1] for part in probabilities])
    probabilities = _dense(probabilities)
    if n_labels == 1 and probabilities.shape[1] == 2:
        return probabilities[:, 1:]
    return probabilities


def _dense(values: Any) -> NDArray[Any]:
    """Scores of few labels as an array; some packages answer with sparse matrices."""
    dense = values.toarray() if sp.issparse(values) else values
    return np.asarray(dense, dtype=np.float64)
