# SPDX-License-Identifier: BSD-3-Clause
"""GreedyRLS from sums over rows."""

from dataclasses import replace
from typing import Any, Protocol, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.metaestimators import available_if

from labelsift.core.result import Ranking
from labelsift.selection.greedy_rls.labels import LabelScaling
from labelsift.selection.greedy_rls.moments import raw_sums
from labelsift.selection.greedy_rls.options import (
    check_combination,
    read_penalty,
    read_rule,
)
from labelsift.selection.greedy_rls.problem import Moments
from labelsift.selection.greedy_rls.refit import Factor
from labelsift.selection.greedy_rls.screening import GreedyScreening
from labelsift.selection.greedy_rls.search import select_from_sums
from labelsift.selection.greedy_rls.steps import Rule, Steps
from labelsift.sums.fit import StreamFitMixin, SumsSelector
from labelsift.sums.sums import Sums


def _needs_no_rows(selector: Any) -> bool:
    """Whether a batch can be forgotten: leave-one-out errors need all rows."""
    return bool(selector.criterion == "gcv")


class Gram(Protocol):
    """Centred X'X: a column of every feature that is taken, and what they share."""

    def __call__(self, feature: int) -> NDArray[Any]:
        """The column of a feature."""

    def among(self, features: NDArray[Any]) -> NDArray[Any]:
        """The entries of features, in the order in which they were taken."""


class WholeGram:
    """X'X in memory."""

    def __init__(self, xx: NDArray[Any]) -> None:
        self._xx = xx

    def __call__(self, feature: int) -> NDArray[Any]:
        """The column of a feature."""
        return self._xx[feature]

    def among(self, features: NDArray[Any]) -> NDArray[Any]:
        """The entries of features."""
        return self._xx[np.ix_(features, features)]


class GreedyFromSums(StreamFitMixin, GreedyScreening, SumsSelector):
    """The fit of GreedyRLS that needs no rows."""

    objective: str
    target: str

    partial_fit = available_if(_needs_no_rows)(StreamFitMixin.partial_fit)

    def fit_moments(
        self, XtX: Any, XtY: Any, y_sq: Any, n: int, *, x_sum: Any, y_sum: Any
    ) -> Self:
        """Select from raw sums over rows; criterion="gcv" only.

        They lose digits where a column's mean is much larger than its spread, which
        ``labelsift.sums.Sums`` and ``fit_sums`` do not.

        Parameters
        ----------
        XtX : array-like of shape (n_features, n_features)
            X'X.
        XtY : array-like of shape (n_features, n_labels)
            X'Y, with labels coded 0/1 or -1/+1.
        y_sq : array-like of shape (n_labels,)
            Sum of squares of each label, which shows the coding.
        n : int
            Number of rows.
        x_sum : array-like of shape (n_features,)
            Sum of each column of X.
        y_sum : array-like of shape (n_labels,)
            Sum of each label.

        Returns
        -------
        self
            The fitted selector, as ``fit`` on the rows would give it.
        """
        return self.fit_sums(raw_sums(XtX, XtY, y_sq, n, x_sum, y_sum, self.target))

    def _check_sums_options(self) -> None:
        if self.criterion != "gcv" and not self._has_rows():
            raise ValueError(
                f'Sums need criterion="gcv", got "{self.criterion}": leave-one-out '
                "errors need the rows, call fit on rows."
            )
        check_combination(self)
        super()._check_sums_options()

    def _rank_sums(self, sums: Sums) -> Ranking:
        self._forget("n_passes_")
        sums = self._screen_sums(sums)
        mean, xy, _ = sums.coded()
        codes = np.where(sums.targets.values, 1.0, 2.0)
        variance = codes**2 * sums.y_spread / sums.n
        labels = self._labels = LabelScaling.read(
            self, sums.n, mean, variance, sums.live
        )
        alphas, bias = read_penalty(self, sums.spread[~sums.constant], sums.n)
        live = labels.live
        whole = Moments(
            sums.n,
            bias,
            sums.x_mean,
            mean[live],
            sums.spread,
            xy[:, live],
            sums.n * labels.variance,
        )
        (_, rule), self.solver_ = read_rule(self, sums.constant), "gram"
        seen, gram = _seen(whole, labels), self._gram(sums, rule.max_features)
        selections = [
            self._select_sums(seen, alpha, rule, sums, gram) for alpha in alphas
        ]

        def factor(features: NDArray[Any], alpha: float) -> Factor:
            return Factor.from_sums(gram.among(features), whole, features, alpha)

        return self._keep(selections, alphas, None, factor)

    def _gram(self, sums: Sums, steps: int) -> Gram:
        """How X'X is had in so many steps."""
        return WholeGram(sums.xx)

    def _select_sums(
        self, moments: Moments, alpha: float, rule: Rule, sums: Sums, gram: Gram
    ) -> Steps:
        """The selection for one penalty."""
        return select_from_sums(moments, alpha, rule, self.objective, gram)

    def _has_rows(self) -> bool:
        """Whether there are rows beside the sums."""
        return False


def _seen(moments: Moments, labels: LabelScaling) -> Moments:
    """The moments of the targets as selection sees them."""
    scale = labels.scale
    return replace(
        moments,
        y_mean=(moments.y_mean - labels.centre) * scale,
        cross=moments.cross * scale,
        y_spread=moments.y_spread * scale**2,
    )
