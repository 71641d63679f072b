# SPDX-License-Identifier: BSD-3-Clause
"""Features ranked by any scikit-learn selector or estimator, for a label matrix."""

from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, MetaEstimatorMixin, clone
from sklearn.feature_selection import SelectKBest, f_classif
from sklearn.model_selection import KFold
from sklearn.utils import get_tags

from labelsift.core.base import BaseSelector
from labelsift.core.labels import constant_labels
from labelsift.core.result import Ranking
from labelsift.core.validation import HasMethods, StrOptions, constant_columns

# Parameters by which selectors of other packages take a number of features.
_BUDGETS = ("n_features_to_select", "max_features", "k", "support_size")
# Where a fitted selector or estimator says how important its features are.
_IMPORTANCES = ("indices_", "scores_", "ranking_", "feature_importances_", "coef_")


class ImportanceSelector(MetaEstimatorMixin, BaseSelector):
    r"""Rank features by any scikit-learn selector or estimator.

    scikit-learn's selectors and many of its estimators take one target only. Where the
    estimator takes a label matrix it is fitted once; otherwise a clone is fitted for
    every label l, and the importances :math:`v_{lj} \ge 0` become one score a feature:

    ``"mean"``
        :math:`s_j = \sum_l v_{lj} / \sum_{j'} v_{lj'}`: every label has one vote.
    ``"max"``
        :math:`s_j = \max_l v_{lj} / \sum_{j'} v_{lj'}`.
    ``"round-robin"``
        The labels take turns, each with its best feature that is still free.

    An importance is what the fitted object has: ``indices_`` (fastcan), ``scores_``
    (SelectKBest), ``ranking_`` (RFE, run down to one feature), ``feature_importances_``
    or the absolute ``coef_`` (mean over rows); also of the ``estimator_`` inside
    SelectFromModel and of the last step of a pipeline. A selector that has only
    ``get_support`` is fitted at every budget by itself, and its budgets do not nest.
    Constant columns are shown to no estimator and come last.

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
        Of each fit: one per label, or one for all.
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
        if self._takes_one_label(estimator):
            learnable = np.flatnonzero(~constant_labels(Y))
            targets = [Y[:, label] for label in learnable]
        else:
            targets = [Y]
        varying = np.flatnonzero(~constant_columns(X))
        columns = varying if len(varying) else np.arange(X.shape[1])
        estimator = _with_budget(clone(estimator), min(self.n_features_, len(columns)))
        seen = X[:, columns]
        self.estimators_ = [clone(estimator).fit(seen, target) for target in targets]
        self.importances_ = np.zeros((len(targets), X.shape[1]))
        for row, fitted in zip(self.importances_, self.estimators_, strict=True):
            row[columns] = _importance(fitted, len(columns))
        return Ranking.from_scores(_combined(self.importances_, self.combine))

    def _takes_one_label(self, estimator: Any) -> bool:
        if self.per_label != "auto":
            return bool(self.per_label)
        tags = get_tags(estimator)
        if tags.classifier_tags is not None:
            many = tags.classifier_tags.multi_label or tags.target_tags.multi_output
            return not many
        return tags.estimator_type != "regressor" or not tags.target_tags.multi_output

    @property
    def nested_budgets(self) -> bool:
        """False after a fit of a selector that has only ``get_support``."""
        fitted = getattr(self, "estimators_", None)
        return not fitted or _source(fitted[0]) is not None

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        if self.estimator is not None:
            inner = get_tags(self.estimator).input_tags
            tags.input_tags.sparse = inner.sparse
            tags.input_tags.positive_only = inner.positive_only
        return tags


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

        halves = KFold(2, shuffle=True, random_state=self.random_state)
        losses = [
            permutation_importance(
                clone(self.estimator).fit(X[train], y[train]),
                X[test],
                y[test],
                n_repeats=self.n_repeats,
                scoring=self.scoring,
                random_state=self.random_state,
            ).importances_mean
            for train, test in halves.split(X)
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


def _with_budget(estimator: Any, budget: int) -> Any:
    """Set the number of features where an estimator has such a parameter."""
    parameters = estimator.get_params(deep=False)
    selects = hasattr(estimator, "get_support") or "support_size" in parameters
    name = next((name for name in _BUDGETS if name in parameters), None)
    if name is None or not selects:
        return estimator
    # RFE ranks what it takes away: run down to one feature, it ranks all.
    return estimator.set_params(**{name: 1 if "step" in parameters else budget})


def _source(fitted: Any) -> tuple[Any, str] | None:
    """The object and attribute that say how important features are; None without."""
    if hasattr(fitted, "steps"):
        return _source(fitted[-1])
    for name in _IMPORTANCES:
        if hasattr(fitted, name):
            return fitted, name
    inner = getattr(fitted, "estimator_", None)
    return None if inner is None else _source(inner)


def _importance(fitted: Any, n_features: int) -> NDArray[np.float64]:
    """One value of at least 0 per feature."""
    source = _source(fitted)
    if source is None:
        if not hasattr(fitted, "get_support"):
            raise ValueError(
                f"{type(fitted).__name__} has none of {', '.join(_IMPORTANCES)} and no "
                "get_support: pass a selector or an estimator with importances."
            )
        return np.asarray(fitted.get_support(), dtype=np.float64)
    thing, name = source
    values = np.asarray(getattr(thing, name), dtype=np.float64)
    if name == "coef_":
        values = np.abs(np.atleast_2d(values))
        values = values.mean(axis=0 if values.shape[1] == n_features else 1)
    elif name == "indices_":  # in the order in which they were taken
        order, values = values.astype(int), np.zeros(n_features)
        values[order] = np.arange(len(order), 0, -1)
    elif name == "ranking_":
        values = values.max() - values
    if values.shape != (n_features,):
        raise ValueError(
            f"{name} of {type(thing).__name__} has the shape {values.shape} for "
            f"{n_features} features: pass an estimator that sees every feature."
        )
    lowest = np.min(values[np.isfinite(values)], initial=0.0)
    values = np.nan_to_num(values, nan=lowest, posinf=np.finfo(float).max)
    return np.asarray(values - min(0.0, lowest))


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
