# SPDX-License-Identifier: BSD-3-Clause
"""The smallest alpha of a row-wise penalty that leaves at most so many features."""

from dataclasses import dataclass, replace
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
from labelsift.solvers.row_sparse.least_squares import DesignLoss, RowLoss
from labelsift.solvers.row_sparse.norms import row_norm
from labelsift.solvers.row_sparse.screening import (
    Candidates,
    Reference,
    minimise_among,
)

# The search for alpha: ratio of neighbours on the grid, the end of the grid relative
# to its beginning, how many neighbours with too many features end the search, and how
# closely the result is bracketed.
_RATIO = 0.9
_END = 1e-3
_PATIENCE = 3
_CLOSE = 1e-3
# A point that only tells whether the search ends is solved to this tolerance; where it
# has less than so many times the budget of features, it is solved as the others are.
_ROUGH = 1e-4
_SURELY = 1.1


@dataclass(frozen=True)
class _Point:
    """A value of alpha and the solution there."""

    alpha: float
    result: SolverResult
    # Of this solution or one that is close to it, where features are screened.
    at: Reference | None = None
    rough: bool = False


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
        # The grid as far as some budget has needed it, and what was solved between.
        self.path: list[_Point] = []
        self.between: dict[float, _Point] = {}
        self._last_candidates: tuple[float, Candidates] | None = None

    def solve(self, alpha: float, W_init: NDArray[Any] | None) -> SolverResult:
        """The solution at one alpha."""
        options = self._options(alpha, W_init)
        if self.known is None:
            return minimise_group_lasso(self.loss, **options)
        return self.known.minimise(**options)

    def _options(self, alpha: float, W_init: NDArray[Any] | None) -> dict[str, Any]:
        return {
            "alpha": alpha,
            "norm": self.norm,
            "W_init": W_init,
            "tol": self.tol,
            "max_iter": self.max_iter,
        }

    def smallest_alpha(
        self, budget: int
    ) -> tuple[float, SolverResult, list[SolverResult]]:
        """The smallest alpha within the budget that the search meets, and its solution.

        Returned with them are all solutions that the search went through.
        """
        visited: list[SolverResult] = []
        beyond: int | None = None
        for place in count():
            point = self._on_grid(place, budget, rough=beyond is not None)
            visited.append(point.result)
            if n_used(point.result) <= budget:
                best, beyond = point, None
            elif beyond is None:
                beyond = place
            done = beyond is not None and place - beyond + 1 == _PATIENCE
            if done or point.alpha <= _END * self.path[0].alpha:
                break
        if beyond is not None:
            best = self._bisect(beyond, budget, visited)
        return best.alpha, best.result, visited

    def _on_grid(self, place: int, budget: int, *, rough: bool) -> _Point:
        """A point of the grid from the alpha that admits no feature.

        It is solved where it is new, or was solved roughly and has to be known.
        """
        if place == len(self.path):
            self.path.append(self._next(rough))
        point = self.path[place]
        sure = rough and n_used(point.result) > _SURELY * budget
        if point.rough and not sure:
            interval = self.path[place - 1], point
            known = self._between(interval, point.alpha, point.result.solution)
            self.path[place] = replace(known, at=known.at or point.at)
        return self.path[place]

    def _next(self, rough: bool) -> _Point:
        """The point after the last one of the grid."""
        if not self.path:
            # Where no feature is correlated with a label, any alpha is valid.
            alpha = largest_alpha(self.loss, self.norm) or 1.0
            return _Point(alpha, self.solve(alpha, None), self._reference())
        last, before = self.path[-1], self.path[max(len(self.path) - 2, 0)]
        start = _towards(last.result, before.result, -_RATIO)  # on as the path came
        alpha = _RATIO * last.alpha
        if last.at is None:
            return _Point(alpha, self.solve(alpha, start))
        options = self._options(alpha, start)
        if rough:
            options["tol"] = max(self.tol, _ROUGH)
        candidates = self._candidates(last.at, last.alpha, alpha)
        return _Point(alpha, *minimise_among(candidates, None, **options), rough)

    def _reference(self) -> Reference | None:
        """Where all weights are 0; None: every product is with all features."""
        if self.known is not None or not isinstance(self.loss, DesignLoss):
            return None
        strength = row_norm(self.norm).dual(self.loss.cross)
        return Reference(self.loss.Y, strength)

    def _candidates(self, at: Reference, alpha: float, end: float) -> Candidates:
        """The features of solutions from alpha, a point of the grid, to ``end``."""
        assert isinstance(self.loss, DesignLoss)
        if self._last_candidates is None or self._last_candidates[0] != end:
            candidates = Candidates(self.loss, at.strong(alpha, end))
            self._last_candidates = end, candidates
        return self._last_candidates[1]

    def _between(
        self, interval: tuple[_Point, _Point], alpha: float, start: NDArray[Any]
    ) -> _Point:
        """Solve between two neighbours on the grid, or at the second."""
        last, end = interval
        if last.at is None or end.at is None:
            return _Point(alpha, self.solve(alpha, start))
        candidates = self._candidates(last.at, last.alpha, end.alpha)
        ends, options = (last.at, end.at), self._options(alpha, start)
        return _Point(alpha, *minimise_among(candidates, ends, **options))

    def _bisect(self, place: int, budget: int, visited: list[SolverResult]) -> _Point:
        """Search between a point of the grid beyond the budget and the one before."""
        interval = best, beyond = self.path[place - 1], self.path[place]
        while beyond.alpha < (1 - _CLOSE) * best.alpha:
            middle = (best.alpha + beyond.alpha) / 2
            if middle not in self.between:
                start = _towards(best.result, beyond.result, 0.5)
                self.between[middle] = self._between(interval, middle, start)
            trial = self.between[middle]
            visited.append(trial.result)
            if n_used(trial.result) <= budget:
                best = trial
            else:
                beyond = trial
        return best


def _towards(start: SolverResult, end: SolverResult, part: float) -> NDArray[Any]:
    """A point on the line through two solutions; features of the second may enter."""
    W, used = start.solution, start.solution.any(axis=1)
    moved = np.zeros_like(W)
    moved[used] = W[used] + part * (end.solution[used] - W[used])
    return moved


def n_used(result: SolverResult) -> int:
    """Number of features with weights."""
    return int(result.solution.any(axis=1).sum())
