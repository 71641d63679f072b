# SPDX-License-Identifier: BSD-3-Clause
"""The smallest alpha of a row-wise penalty that leaves at most so many features."""

from collections.abc import Iterator
from itertools import count
from typing import Any

import numpy as np
from numpy.typing import NDArray

from labelsift.core.result import SolverResult
from labelsift.solvers.row_sparse.group_lasso import (
    largest_alpha,
    minimise_group_lasso,
)
from labelsift.solvers.row_sparse.known_targets import KnownTargets
from labelsift.solvers.row_sparse.least_squares import RowLoss

# The search for alpha: ratio of neighbours on the grid, the end of the grid relative
# to its beginning, how many neighbours with too many features end the search, and how
# closely the result is bracketed.
_RATIO = 0.9
_END = 1e-3
_PATIENCE = 3
_CLOSE = 1e-3
# A value of alpha, and the solution there.
_Point = tuple[float, SolverResult]


class AlphaSearch:
    """Solutions down a grid of alphas, each the start of the next, and between them."""

    def __init__(
        self,
        loss: RowLoss,
        known: KnownTargets | None,
        norm: str,
        tol: float,
        max_iter: int,
    ) -> None:
        self.loss, self.known = loss, known
        self.norm, self.tol, self.max_iter = norm, tol, max_iter
        # The grid as far as some budget has needed it.
        self.path: list[_Point] = []

    def solve(self, alpha: float, W_init: NDArray[Any] | None) -> SolverResult:
        options: dict[str, Any] = {
            "alpha": alpha,
            "norm": self.norm,
            "W_init": W_init,
            "tol": self.tol,
            "max_iter": self.max_iter,
        }
        if self.known is None:
            return minimise_group_lasso(self.loss, **options)
        return self.known.minimise(**options)

    def smallest_alpha(
        self, budget: int
    ) -> tuple[float, SolverResult, list[SolverResult]]:
        """The smallest alpha within the budget that the search meets, and its solution.

        Returned with them are all solutions that the search went through.
        """
        visited: list[SolverResult] = []
        beyond: _Point | None = None
        misses = 0
        for point in self._down():
            visited.append(point[1])
            if n_used(point[1]) <= budget:
                best, beyond, misses = point, None, 0
            else:
                beyond, misses = beyond or point, misses + 1
            if misses == _PATIENCE:
                break
        if beyond is not None:
            best = self._bisect(best, beyond, budget, visited)
        return (*best, visited)

    def _down(self) -> Iterator[_Point]:
        """The grid from the alpha that admits no feature; solved where it is new."""
        # Where no feature is correlated with a label, any alpha is valid.
        if not self.path:
            alpha = largest_alpha(self.loss, self.norm) or 1.0
            self.path.append((alpha, self.solve(alpha, None)))
        end = _END * self.path[0][0]
        for place in count():
            yield self.path[place]
            alpha, result = self.path[place]
            if place + 1 == len(self.path):
                if alpha <= end:
                    return
                further, before = _RATIO * alpha, self.path[max(place - 1, 0)][1]
                start = _towards(result, before, -_RATIO)  # the path goes on as it came
                self.path.append((further, self.solve(further, start)))

    def _bisect(
        self, best: _Point, beyond: _Point, budget: int, visited: list[SolverResult]
    ) -> _Point:
        """Search between a point within the budget and one beyond."""
        while beyond[0] < (1 - _CLOSE) * best[0]:
            middle = (best[0] + beyond[0]) / 2
            trial = self.solve(middle, _towards(best[1], beyond[1], 0.5))
            visited.append(trial)
            if n_used(trial) <= budget:
                best = middle, trial
            else:
                beyond = middle, trial
        return best


def _towards(start: SolverResult, end: SolverResult, part: float) -> NDArray[Any]:
    """A point on the line through two solutions; features of the second may enter."""
    W, used = start.solution, start.solution.any(axis=1)
    return np.where(used[:, np.newaxis], W + part * (end.solution - W), 0.0)


def n_used(result: SolverResult) -> int:
    """Number of features with weights."""
    return int(result.solution.any(axis=1).sum())
