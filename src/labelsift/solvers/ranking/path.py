# SPDX-License-Identifier: BSD-3-Clause
"""Grids of ranking machines, visited so that each starts near its solution."""

from collections.abc import Sequence
from typing import Any, Self

from numpy.typing import NDArray

from labelsift.core.path import Fold, FoldScores, RankerPathMixin


class RankingPathMixin(RankerPathMixin):
    """A ranking machine whose grids are scored in the order of mu, C and m.

    The solution changes least with m and most with mu, and a point starts from the one
    before: neighbours in m come one after the other. ``fit_path`` visits a grid in the
    order in which it is given.
    """

    C: float
    mu: float
    m: int | None = None

    def _score_each(
        self, X: Any, Y: NDArray[Any], folds: Sequence[Fold], models: Sequence[Self]
    ) -> FoldScores:
        """Score fold by fold, as the base does; positions are those of ``models``."""

        def near(position: int) -> tuple[float, float, int]:
            model = models[position]
            return model.mu, model.C, model.m or 0

        order = sorted(range(len(models)), key=near)
        visited = [models[position] for position in order]
        for positions, scores in super()._score_each(X, Y, folds, visited):
            yield [order[position] for position in positions], scores
