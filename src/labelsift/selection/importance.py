# SPDX-License-Identifier: BSD-3-Clause
"""Features ranked by any scikit-learn selector or estimator, for a label matrix."""

from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, clone, is_classifier
from sklearn.feature_selection import SelectKBest, f_classif
from sklearn.model_selection import KFold, StratifiedKFold
from sklearn.utils import check_X_y, get_tags

from labelsift.core.base import BaseSelector
from labelsift.core.result import Ranking
from labelsift.core.validation import HasMethods, StrOptions, constant_columns
from labelsift.core.wrapper import WrapperMixin
from labelsift.selection.fitted_importance import (
    holds_for_all_budgets,
    importance,
    with_budget,
)


class ImportanceSelector(WrapperMixin, BaseSelector):
    r"""Rank features by any scikit-learn selector or estimator.

    scikit-learn's selectors and many of its estimators take one target only. Where the
    estimator takes a label matrix it is fitted once; otherwise a clone is fitted for
    every label l, and the importances :math:`v_{lj} \ge 0` become one score a feature:

    ``"mean"``
        :math:`s_j = \frac{1}{t} \sum_l v_{lj} / \sum_{j'} v_{lj'}`: every label has one
        vote.
    ``"max"``
        :math:`s_j = \max_l v_{lj} / \sum_{j'} v_{lj'}`.
    ``"round-robin"``
        The labels take turns, each with its best feature that is still free.

    An importance is what the fitted object has: ``indices_`` (fastcan), ``scores_``
    (SelectKBest) or ``ranking_`` (RFE) of a selector, ``feature_importances_`` or the
    absolute ``coef_`` (mean over labels) of any estimator; also of the ``estimator_``
    inside SelectFromModel and of the last step of a pipeline. Ties go to the lowest
    index. A selector whose choice depends on the budget (one that has only
    ``get_support``, RFE with a ``step`` other than 1, fastcan, abess) is fitted for
    every budget, and its budgets do not nest. Labels and columns with one value only
    are shown to no estimator; such columns come last.

    Parameters
    ----------
    estimator : estimator or None, default=None
        A selector, or an estimator with importances; None: SelectKBest by the F test.
    n_features_to_select : int, float or None, default=None
        Count, share in (0, 1], or None for half of the features.
    combine : {"mean", "max", "round-robin"}, default="mean"
        How importances of several labels become one order.
    per_label : bool or "auto", default="auto"
        Whether every label has a clone of its own; "auto": where the estimator's tags
        do not say that it takes a label matrix.

    Attributes
    ----------
    importances_ : ndarray of shape (n_fits, n_features_in_)
        Of each fit: one per label with both values, or one for all of them.
    estimators_ : list of estimators
        The fitted clones.

    See Also
    --------
    FisherScore : The F test of all labels at once, without a fit.
    GreedyRLS : Looks at all features together.

    Examples
    --------
    >>> from sklearn.ensemble import ExtraTreesClassifier
    >>> from labelsift.datasets import load_dataset
    >>> from labelsift.selection import ImportanceSelector
    >>> traits = load_dataset("traits")
    >>> trees = ExtraTreesClassifier(20, random_state=0)
    >>> selector = ImportanceSelector(trees, n_features_to_select=5)
    >>> selector.fit(traits.X, traits.Y).get_support().sum()
    np.int64(5)
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **BaseSelector._parameter_constraints,
        "estimator": [HasMethods("fit"), None],
        "combine": [StrOptions({"mean", "max", "round-robin"})],
        "per_label": ["boolean", StrOptions({"auto"})],
    }

    def __init__(
        self,
        estimator: Any = None,
        *,
        n_features_to_select: int | float | None = None,
        combine: str = "mean",
        per_label: bool | str = "auto",
    ) -> None:
        self.estimator = estimator
        self.n_features_to_select = n_features_to_select
        self.combine = combine
        self.per_label = per_label

    def _rank(self, X: Any, Y: NDArray[Any]) -> Ranking:
        estimator = SelectKBest(f_classif) if self.estimator is None else self.estimator
        varying = np.flatnonzero(~constant_columns(X))
        columns = varying if len(varying) else np.arange(X.shape[1])
        # All features need no selection, and some selectors refuse to select all.
        budget = max(1, min(self.n_features_, len(columns) - 1))
        estimator = with_budget(clone(estimator), budget)
        seen = X if len(columns) == X.shape[1] else X[:, columns]
        self._fit_clones(estimator, seen, Y)
        values = [importance(fitted, len(columns)) for fitted in self.estimators_]
        self.importances_ = np.zeros((len(values), X.shape[1]))
        self.importances_[:, columns] = values
        scores = np.zeros(X.shape[1])
        scores[columns] = _combined(np.array(values), self.combine)
        return Ranking.from_scores(scores)

    @property
    def nested_budgets(self) -> bool:
        """False after a fit of a selector whose choice depends on the budget."""
        fitted = getattr(self, "estimators_", None)
        return not fitted or holds_for_all_budgets(fitted[0])


class PermutationImportance(BaseEstimator):
    """How much worse an estimator judges unseen rows when a feature is shuffled.

    The estimator is fitted on each half of the rows and judged on the other half.

    Parameters
    ----------
    estimator : estimator
        Any that ``scoring`` can judge.
    n_repeats : int, default=5
        How often each feature is shuffled.
    scoring : str, callable or None, default=None
        As in scikit-learn's ``permutation_importance``.
    random_state : int or None, default=None
        Seed of the halves and the shuffles.

    Attributes
    ----------
    feature_importances_ : ndarray of shape (n_features,)
        Mean loss of the score, at least 0.
    """

    def __init__(
        self,
        estimator: Any,
        *,
        n_repeats: int = 5,
        scoring: Any = None,
        random_state: int | None = None,
    ) -> None:
        self.estimator = estimator
        self.n_repeats = n_repeats
        self.scoring = scoring
        self.random_state = random_state

    def fit(self, X: Any, y: Any) -> "PermutationImportance":
        """Fit the estimator and shuffle its features one by one; X must be dense."""
        from sklearn.inspection import permutation_importance  # slow to import

        X, y = check_X_y(X, y, dtype=None, multi_output=True)
        # Each half needs both values of a label that a classifier learns.
        stratified = is_classifier(self.estimator) and y.ndim == 1
        halves = (StratifiedKFold if stratified else KFold)(
            2, shuffle=True, random_state=self.random_state
        )
        losses = [
            permutation_importance(
                clone(self.estimator).fit(X[train], y[train]),
                X[test],
                y[test],
                n_repeats=self.n_repeats,
                scoring=self.scoring,
                random_state=self.random_state,
            ).importances_mean
            for train, test in halves.split(X, y)
        ]
        self.feature_importances_ = np.maximum(np.mean(losses, axis=0), 0.0)
        return self

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        inner = get_tags(self.estimator)
        tags.estimator_type = inner.estimator_type
        tags.classifier_tags = inner.classifier_tags
        tags.regressor_tags = inner.regressor_tags
        tags.target_tags = inner.target_tags
        tags.input_tags.sparse = False
        return tags


def _combined(importances: NDArray[np.float64], combine: str) -> NDArray[np.float64]:
    """One score per feature from a row of importances per label."""
    if combine == "round-robin":
        return _round_robin(importances)
    total = importances.max(axis=1, keepdims=True)
    shares = np.divide(
        importances, total, out=np.zeros_like(importances), where=total > 0
    )
    total = shares.sum(axis=1, keepdims=True)
    shares = np.divide(shares, total, out=shares, where=total > 0)
    return np.asarray(shares.mean(axis=0) if combine == "mean" else shares.max(axis=0))


def _round_robin(importances: NDArray[np.float64]) -> NDArray[np.float64]:
    """The labels take turns; a score is the number of features not yet taken."""
    n_labels, n_features = importances.shape
    orders = np.argsort(-importances, axis=1, kind="stable").tolist()
    free, places = np.ones(n_features, dtype=bool), [0] * n_labels
    scores = np.empty(n_features)
    for left in range(n_features, 0, -1):
        label = (n_features - left) % n_labels
        order = orders[label]
        while not free[order[places[label]]]:
            places[label] += 1
        chosen = order[places[label]]
        free[chosen], scores[chosen] = False, left
    return scores
