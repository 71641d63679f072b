# SPDX-License-Identifier: BSD-3-Clause
"""Measures as scikit-learn scorers."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from labelsift.metrics.catalogue import EVERY_MEASURE, Measure


@dataclass(frozen=True)
class MeasureScorer:
    """A measure of a fitted estimator: ``scorer(estimator, X, y)``.

    Parameters
    ----------
    measure : Measure
        Losses are negated, so that larger is always better.
    """

    measure: Measure

    def __call__(
        self, estimator: Any, X: Any, y: Any, sample_weight: Any = None
    ) -> float:
        """Score the estimator on X, whose labels or values are y."""
        response = _scores if self.measure.needs == "scores" else _predictions
        value = self.measure.judge(y, response(estimator, X), sample_weight)
        return value if self.measure.greater_is_better else -value


def scorer(name: str) -> MeasureScorer:
    """Make a scorer for GridSearchCV, cross_validate and similar functions.

    A measure of labels or values asks the estimator for ``predict``; a measure of
    scores for ``decision_function`` or, where there is none, ``predict_proba``. y is a
    label matrix, and a 1-D y is rejected; or values in one or two dimensions.

    Parameters
    ----------
    name : str
        A name in ``MEASURES`` or ``VALUE_MEASURES``.

    Returns
    -------
    callable
        ``scorer(estimator, X, y)``, larger is better: a loss is negated.

    See Also
    --------
    evaluate : All measures of given scores.

    Examples
    --------
    >>> from sklearn.linear_model import RidgeClassifier
    >>> from sklearn.model_selection import cross_val_score
    >>> from sklearn.multiclass import OneVsRestClassifier
    >>> from labelsift.datasets import load_dataset
    >>> from labelsift.metrics import scorer
    >>> traits = load_dataset("traits")
    >>> model = OneVsRestClassifier(RidgeClassifier())
    >>> loss = scorer("ranking_loss")
    >>> cross_val_score(model, traits.X, traits.Y, scoring=loss, cv=3).round(3)
    array([-0.044, -0.048, -0.061])
    """
    if name not in EVERY_MEASURE:
        raise ValueError(
            f"name={name!r} is not a measure: choose one of {', '.join(EVERY_MEASURE)}."
        )
    return MeasureScorer(EVERY_MEASURE[name])


def _predictions(estimator: Any, X: Any) -> Any:
    return estimator.predict(X)


def _scores(estimator: Any, X: Any) -> Any:
    """Scores of shape (n_samples, n_labels) from either method."""
    if hasattr(estimator, "decision_function"):
        return estimator.decision_function(X)
    if not hasattr(estimator, "predict_proba"):
        raise ValueError(
            f"{type(estimator).__name__} has neither decision_function nor "
            "predict_proba, and this measure needs scores: choose a measure of labels."
        )
    probabilities = estimator.predict_proba(X)
    if not isinstance(probabilities, list):
        return probabilities
    return np.column_stack(list(map(_present, probabilities, estimator.classes_)))


def _present(probabilities: NDArray[Any], classes: NDArray[Any]) -> NDArray[Any]:
    """Probability that a label is present: 0 where it never was in training."""
    return probabilities[:, np.asarray(classes) == 1].sum(axis=1)
