# SPDX-License-Identifier: BSD-3-Clause
"""Base class of selectors: a subclass implements ``_rank``."""

import copy
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator
from numbers import Integral
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone
from sklearn.feature_selection import SelectorMixin
from sklearn.utils.validation import check_is_fitted

from labelsift.core.arrays import is_foreign, like, namespace
from labelsift.core.budget import budget_count
from labelsift.core.collections import by_blocks
from labelsift.core.estimator import LabelEstimator, fit_weighted
from labelsift.core.result import Ranking
from labelsift.core.validation import (
    Interval,
    RealNotInt,
    constant_columns,
    validate_features,
)
from labelsift.core.warning import warn


def resolve_budget(budget: int | float | str | None, n_features: int) -> int:
    """Number of features that a selector's budget means.

    "auto" may take all of them; a larger count is reduced with a warning.
    """
    if budget == "auto":
        return n_features
    if isinstance(budget, Integral) and budget > n_features:
        warn(
            f"n_features_to_select={budget} is more than the {n_features} features of "
            "X: all of them are selected."
        )
    return budget_count(budget, n_features)


class LazySelectorMixin(SelectorMixin):
    """scikit-learn's mixin, which also takes dask collections."""

    @by_blocks
    def transform(self, X: Any) -> Any:
        """Reduce X to the selected features.

        Parameters
        ----------
        X : array-like, sparse, DataFrame or dask collection of shape \
(n_samples, n_features)
            The samples.

        Returns
        -------
        array, sparse or frame of shape (n_samples, n_features_)
            The selected columns; of a dask collection a lazy one.
        """
        if is_foreign(X):
            X = validate_features(self, X, reset=False)
            return namespace(X).take(X, like(self.get_support(indices=True), X), axis=1)
        return super().transform(X)


class BaseSelector(LazySelectorMixin, LabelEstimator, ABC):
    """A feature selector for many labels; subclasses implement ``_rank``.

    Attributes
    ----------
    feature_order_ : ndarray
        Feature indices, best first: all of them for a ranking, as many as were
        taken for a greedy method.
    scores_ : ndarray of shape (n_features_in_,)
        Larger is better; the stable descending order begins with ``feature_order_``.
        Constant columns come last, below every other score.
    support_ : ndarray of bool of shape (n_features_in_,)
        Which features are selected.
    n_features_ : int
        How many features are selected.
    objective_ : ndarray
        Objective after each iteration, where the method iterates.
    n_iter_ : int
        Iterations done, where the method iterates.
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "n_features_to_select": [
            Interval(Integral, 1, None, closed="left"),
            Interval(RealNotInt, 0, 1, closed="right"),
            None,
        ]
    }

    # False for greedy methods, which stop after n_features_ steps.
    ranks_all: ClassVar[bool] = True

    n_features_to_select: Any
    # What fits of the same data to several budgets compute once; None: a single fit.
    _shared: dict[str, Any] | None = None

    @abstractmethod
    def _rank(self, X: Any, Y: NDArray[Any]) -> Ranking:
        """Rank the features of X; ``self.n_features_`` holds the budget."""

    def fit(self, X: Any, y: Any) -> Self:
        """Rank the features and select the best.

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
            The fitted selector.
        """
        return self._fit_weighted(X, y, None)

    def _fit_weighted(self, X: Any, y: Any, sample_weight: Any) -> Self:
        """Fit; weights reach ``_rank`` of the selectors that take them."""
        X, Y, weights = self._read_weighted(X, y, sample_weight)
        self.n_features_ = resolve_budget(self.n_features_to_select, X.shape[1])
        self._set_ranking(X, self._rank(X, Y, *weights))
        self._finish(X, Y, weights)
        return self

    def fit_budgets(
        self, X: Any, y: Any, budgets: Iterable[Any], sample_weight: Any = None
    ) -> Iterator[Self]:
        """Fit a copy for each budget; they share what does not depend on it.

        Where budgets nest, ``with_budget`` of a single fit does the same for less.

        Parameters
        ----------
        X, y : array-like, sparse or DataFrame
            As for ``fit``.
        budgets : iterable of int or float
            Counts of features or shares in (0, 1].
        sample_weight : array-like of shape (n_samples,) or None, default=None
            As for ``fit``, where it takes weights.

        Yields
        ------
        selector
            Fitted as by ``fit``, in the order of the budgets; this one is unchanged.
        """
        budgets = list(budgets)
        shared: dict[str, Any] = {"budgets": budgets}
        for budget in budgets:
            fitted = clone(self).set_params(n_features_to_select=budget)
            fitted._shared = shared
            fit_weighted(fitted, X, y, sample_weight)
            del fitted._shared
            yield fitted

    def _once(self, name: str, compute: Callable[[], Any]) -> Any:
        """Compute something, or take it from an earlier fit of the same data."""
        shared = {} if self._shared is None else self._shared
        if name not in shared:
            shared[name] = compute()
        return shared[name]

    def _budgets_beside(self, most: int) -> tuple[int, ...]:
        """The budgets of a group of fits, this one among them; at most so many."""
        budgets = [self.n_features_]
        if self._shared is not None:
            counts = self._shared["budgets"]
            all_counts = (budget_count(count, self.n_features_in_) for count in counts)
            budgets = list(dict.fromkeys(all_counts))
        most, place = max(most, 1), budgets.index(self.n_features_)
        first = place - place % most
        return tuple(budgets[first : first + most])

    def _set_ranking(self, X: Any, ranking: Ranking) -> None:
        """Set the fitted attributes of every selector."""
        if self.ranks_all:
            ranking = _constant_last(ranking, constant_columns(X))
        self.scores_, self.feature_order_ = ranking.scores, ranking.order
        if ranking.result is not None:
            self._warn_unless_converged(ranking.result)
            self.objective_ = ranking.result.objective
            self.n_iter_ = ranking.result.n_iter
        self._set_support()

    @property
    def nested_budgets(self) -> bool:
        """Whether ``with_budget`` works: one fit serves every smaller budget."""
        return True

    def with_budget(self, budget: int | float) -> Self:
        """Return a fitted view that equals a fit with this budget, without the data.

        Parameters
        ----------
        budget : int or float
            Count of features or share in (0, 1].

        Returns
        -------
        selector
            A fitted selector; this one is unchanged.
        """
        check_is_fitted(self)
        if not self.nested_budgets:
            raise ValueError(
                f"{type(self).__name__} solves each budget on its own: fit it again "
                f"with n_features_to_select={budget}."
            )
        reached = len(self.feature_order_)
        is_count = isinstance(budget, Integral)
        if (is_count and not budget >= 1) or (not is_count and not 0 < budget <= 1):
            raise ValueError(
                f"budget must be a count of at least 1 or a share in (0, 1], got "
                f"{budget!r}."
            )
        count = int(budget) if is_count else budget_count(budget, self.n_features_in_)
        if count > reached:
            raise ValueError(
                f"budget={budget} is beyond the {reached} features that were ranked: "
                f"fit again with n_features_to_select={budget}."
            )
        view = copy.copy(self)
        view.n_features_to_select, view.n_features_ = budget, count
        view._cut(count)
        view._set_support()
        return view

    def _cut(self, count: int) -> None:
        """Shorten a fitted view to ``count`` features; predictors add their weights."""
        if not self.ranks_all:
            ranking = Ranking.from_order(
                self.feature_order_[:count], self.n_features_in_
            )
            self.scores_, self.feature_order_ = ranking.scores, ranking.order

    def _set_support(self) -> None:
        self.support_ = np.zeros(self.n_features_in_, dtype=bool)
        self.support_[self.feature_order_[: self.n_features_]] = True

    def _get_support_mask(self) -> NDArray[np.bool_]:
        check_is_fitted(self)
        return self.support_

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.transformer_tags.preserves_dtype = ["float64", "float32"]
        return tags


def _constant_last(ranking: Ranking, constant: NDArray[np.bool_]) -> Ranking:
    """Score constant columns 0, or just below the worst of the others."""
    if not constant.any():
        return ranking
    scores = ranking.scores.copy()
    worst = scores[~constant].min(initial=np.inf)
    scores[constant] = 0.0 if worst > 0 else np.nextafter(worst, -np.inf)
    return Ranking.from_scores(scores, ranking.result)
