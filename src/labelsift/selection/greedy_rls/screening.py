# SPDX-License-Identifier: BSD-3-Clause
"""Greedy selection among the columns that are best on their own: fast, and unsafe."""

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from labelsift.core.arrays import is_foreign, to_numpy
from labelsift.core.validation import constant_columns
from labelsift.core.warning import warn
from labelsift.selection.fisher import FisherScore
from labelsift.selection.greedy_rls.views import GreedyViews
from labelsift.sums.part import checked_block
from labelsift.sums.sources import Batches
from labelsift.sums.sums import Sums


class GreedyScreening(GreedyViews):
    """The columns of a GreedyRLS with ``screen=m``: the m best of FisherScore."""

    screen: int | None

    def _screen_rows(
        self, X: Any, Y: NDArray[Any], weights: NDArray[Any] | None
    ) -> Any:
        """X of the columns that remain."""
        self._forget("screened_")
        if self.screen is None:
            return X
        scores = FisherScore()._rank(X, Y, weights).scores
        self._keep_best(scores, constant_columns(X))
        whole = len(self.screened_) == X.shape[1]
        return X if whole else X[:, self.screened_]

    def _screen_sums(self, sums: Sums) -> Sums:
        """Sums of the columns that remain."""
        self._forget("screened_")
        if self.screen is None:
            return sums
        self._keep_best(FisherScore()._rank_sums(sums).scores, sums.constant)
        return sums.restricted(self.screened_)

    def _screened_batches(self, batches: Batches) -> Batches:
        """Batches of the columns that remain."""
        if self.screen is None:
            return batches

        def read() -> Iterator[Any]:
            for X, *others in batches():
                X = to_numpy(X) if is_foreign(X) else X
                yield checked_block(X)[:, self.screened_], *others

        return read

    def _keep_best(self, scores: NDArray[Any], constant: NDArray[Any]) -> None:
        """Set ``screened_``: constant columns last, of ties the lowest index."""
        assert self.screen is not None
        d, count = len(scores), min(self.screen, len(scores))
        if self.n_features_to_select == "auto":
            self.n_features_ = count
        if self.n_features_ > count:
            raise ValueError(
                f"n_features_to_select={self.n_features_to_select!r} means "
                f"{self.n_features_} features and screen={self.screen} leaves {count}: "
                "lower n_features_to_select or raise screen."
            )
        self.screened_ = np.sort(np.lexsort((-scores, constant))[:count])
        if count < d:
            warn(
                f"screen={self.screen} leaves {count} of {d} features, those that are "
                "best one at a time: features that matter only together may be lost."
            )
