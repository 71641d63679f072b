# SPDX-License-Identifier: BSD-3-Clause
"""GreedyRLS from precomputed sums over rows."""

from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from labelsift.core.labels import Labels
from labelsift.core.selector import resolve_budget
from labelsift.core.validation import validate_parameters
from labelsift.selection.greedy_rls.labels import LabelScaling
from labelsift.selection.greedy_rls.moments import Sums
from labelsift.selection.greedy_rls.options import (
    check_combination,
    read_penalty,
    read_rule,
)
from labelsift.selection.greedy_rls.refit import Factor
from labelsift.selection.greedy_rls.search import select_from_sums
from labelsift.selection.greedy_rls.views import GreedyViews


class GreedyFromSums(GreedyViews):
    """The fit of GreedyRLS that needs no rows."""

    objective: str
    target: str

    def fit_moments(
        self, XtX: Any, XtY: Any, y_sq: Any, n: int, *, x_sum: Any, y_sum: Any
    ) -> Self:
        """Select from precomputed sums over rows; criterion="gcv" only.

        The sums add up over blocks of rows: for data that do not fit in
        memory or are distributed. They lose digits where a column's mean is much
        larger than its spread; shift such columns first.

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
        validate_parameters(self)
        check_combination(self)
        if self.criterion != "gcv":
            raise ValueError(
                f'fit_moments needs criterion="gcv", got "{self.criterion}": '
                "leave-one-out errors need the rows, call fit."
            )
        sums = Sums.read(XtX, XtY, y_sq, n, x_sum, y_sum, self.target)
        sums.check_labels()
        self._introduce(sums)
        labels = self._labels = LabelScaling.read(
            self, n, sums.y_mean, sums.y_variance, sums.live
        )
        alphas, bias = read_penalty(self, sums.spread[~sums.constant], n)
        moments = sums.moments(labels, bias)
        (_, rule), self.solver_ = read_rule(self, sums.constant), "gram"
        steps = select_from_sums(
            moments, alphas[0], rule, self.objective, sums.gram_column
        )

        def factor(features: NDArray[Any], alpha: float) -> Factor:
            return sums.factor(features, labels.live, alpha, bias)

        ranking = self._keep([steps], alphas, None, factor)
        self.scores_, self.feature_order_ = ranking.scores, ranking.order
        self._set_support()
        return self

    def _introduce(self, sums: Sums) -> None:
        """Set the attributes about X and y that ``fit`` sets before selection."""
        self._forget("feature_names_in_")
        n_targets, values = len(sums.y_sum), sums.negative is None
        self._introduce_targets(
            Labels(
                np.empty((0, n_targets)),
                names=None,
                classes=None,
                dtype=np.dtype(float if values else int),
                negative=sums.negative or 0,
                values=np.ones(n_targets, dtype=bool) if values else None,
            )
        )
        self.n_features_in_ = len(sums.x_sum)
        self.n_features_ = resolve_budget(
            self.n_features_to_select, self.n_features_in_
        )
