# SPDX-License-Identifier: BSD-3-Clause
"""What a fitted GreedyRLS shows of its selections, for the budget and smaller ones."""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from labelsift.core.base import BaseSelector, LinearRankerMixin
from labelsift.core.result import Ranking
from labelsift.selection.greedy_rls.labels import LabelScaling
from labelsift.selection.greedy_rls.refit import BestFits, Factor, PatternFactor
from labelsift.selection.greedy_rls.search import warn_of_lost_digits
from labelsift.selection.greedy_rls.steps import Steps


class GreedyViews(LinearRankerMixin, BaseSelector):
    """The fitted attributes of GreedyRLS."""

    criterion: str
    costs: Any
    groups: Any
    solver_: str
    screened_: NDArray[np.intp]
    _labels: LabelScaling

    def _keep(
        self,
        selections: list[Steps],
        alphas: NDArray[Any],
        groups: list[NDArray[Any]] | None,
        factor: Callable[[NDArray[Any], float], Factor | PatternFactor],
    ) -> Ranking:
        """Keep what every budget needs, and show the one asked for."""
        self._forget(
            "loo_error_", "loo_margin_", "gcv_error_", "gcv_margin_", "total_cost_"
        )
        whole = self.n_features_to_select == "auto"
        self._fits = BestFits.keep(selections, alphas, groups, factor, whole=whole)
        steps = shown = len(self._fits.winner)
        if whole:
            steps = int(np.argmin(self._fits.errors)) + 1
        slack = float(self._fits.best(steps).steps.slack[:steps].min())
        warn_of_lost_digits(slack, self.solver_, self.criterion)
        return self._show(steps, shown)

    def _show(self, steps: int, shown: int) -> Ranking:
        """Set the attributes of a fit with this many steps, of which some are shown."""
        fit = self._fits.best(steps)
        steps, shown = min(steps, len(fit.ends)), min(shown, len(fit.ends))
        self.alpha_, self.n_features_ = fit.alpha, int(fit.ends[steps - 1])
        if self.criterion == "loo":
            self.loo_error_ = fit.steps.errors[:shown]
            self.loo_margin_ = fit.steps.margins[:shown]
        else:
            self.gcv_error_ = fit.steps.errors[:shown]
            self.gcv_margin_ = fit.steps.margins[:shown]
        features = fit.features
        if hasattr(self, "screened_"):
            features = self.screened_[features]
        labels, selected = self._labels, features[: self.n_features_]
        if self.costs is not None:
            self.total_cost_ = float(np.asarray(self.costs)[selected].sum())
        errors = fit.factor.label_errors(fit.ends[:shown], labels)
        self.label_error_ = labels.spread_out(errors, np.nan)
        W, intercept = fit.factor.weights(len(selected))
        self.coef_ = np.zeros((len(labels.live), self.n_features_in_))
        self.coef_[np.ix_(labels.live, selected)] = W
        self.intercept_ = labels.spread_out(intercept, labels.mean)
        return Ranking.from_order(features[: fit.ends[shown - 1]], self.n_features_in_)

    def _cut(self, count: int) -> None:
        size = 1 if self.groups is None else np.size(self.groups[0])
        if count < size:
            raise ValueError(
                f"budget={count} is less than a group of {size} features: raise it."
            )
        self._forget("calibrators_")  # which belong to the budget that was fitted
        ranking = self._show(count // size, count // size)
        self.scores_, self.feature_order_ = ranking.scores, ranking.order
