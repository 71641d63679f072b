# SPDX-License-Identifier: BSD-3-Clause
"""The smallest alpha of a row-wise penalty that leaves at most so many features."""

from dataclasses import dataclass, replace
from itertools import count, pairwise
from typing import Any, cast

from numpy.typing import NDArray

from labelsift.core.result import SolverResult
from labelsift.solvers.row_sparse.group_lasso import (
    largest_alpha,
    minimise_group_lasso,
)
from labelsift.solvers.row_sparse.halving import halve, neighbours
from labelsift.solvers.row_sparse.known_targets import KnownTargets
from labelsift.solvers.row_sparse.least_squares import DesignLoss, RowLoss
from labelsift.solvers.row_sparse.norms import row_norm
from labelsift.solvers.row_sparse.screening import (
    Candidates,
    Reference,
    minimise_among,
)
from labelsift.solvers.row_sparse.sparse_rows import SparseRows
from labelsift.solvers.row_sparse.wide_candidates import candidates_of, is_wide

# The search for alpha: ratio of neighbours on the grid, the end of the grid relative
# to its beginning, how many neighbours with too many features end the search, and how
# closely the result is bracketed.
_RATIO = 0.9
_END = 1e-3
_PATIENCE = 3
_CLOSE = 1e-3
# Points of the grid are only solved as closely as it takes to tell on which side of the
# budget they are: to these tolerances, where the number of features is beyond the
# budget, or short of it, by these factors. After the last they are solved as asked.
_ROUGH = ((1e-3, 1.25), (1e-4, 1.015))
# Where X is wide: from so many features that enter between neighbours on the grid on,
# most points between them are on the side of the budget where they are expected to be;
# candidates are stored for so many neighbours.
_MANY = 100
_INTERVALS = 4


@dataclass(frozen=True)
class _Point:
    """A value of alpha and the solution there."""

    alpha: float
    result: SolverResult  # its solution as SparseRows
    # Of this solution or one that is close to it, where features are screened.
    at: Reference | None = None
    # How far from the budget its number of features tells the side; 1: always.
    margin: float = 1.0

    @property
    def count(self) -> int:
        """Number of features with weights."""
        return cast(SparseRows, self.result.solution).count

    def tells(self, budget: int) -> bool:
        """Whether it is known on which side of the budget it is."""
        low, high = sorted((self.count, budget))
        return self.margin == 1.0 or low * self.margin + 1 < high


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
        self.wide = known is None and is_wide(loss)
        self._last_candidates: dict[float, Candidates] = {}

    def solve(self, alpha: float, W_init: NDArray[Any] | None) -> SolverResult:
        """The solution at one alpha."""
        options = self._options(alpha, W_init)
        if self.known is None:
            return minimise_group_lasso(self.loss, **options)
        return self.known.minimise(**options)

    def _options(self, alpha: float, W_init: Any) -> dict[str, Any]:
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
        best = self._search(budget, visited)
        while best.margin > 1:  # nothing nearer was found between it and the next
            place = self.path.index(best)
            self.path[place] = best = self._closer(place, 1.0)
            visited.append(best.result)
            if best.count > budget:  # it was not on the side that it seemed to be
                best = self._bisect(place, budget, visited)
        solution = best.result.solution.dense()
        return best.alpha, replace(best.result, solution=solution), visited

    def _search(self, budget: int, visited: list[SolverResult]) -> _Point:
        """The best point of the grid, or between it and the next."""
        beyond: int | None = None
        for place in count():
            point = self._on_grid(place, budget)
            visited.append(point.result)
            if point.count <= budget:
                best, beyond = point, None
            elif beyond is None:
                beyond = place
            done = beyond is not None and place - beyond + 1 == _PATIENCE
            if done or point.alpha <= _END * self.path[0].alpha:
                break
        return best if beyond is None else self._bisect(beyond, budget, visited)

    def _on_grid(self, place: int, budget: int) -> _Point:
        """A point of the grid from the alpha that admits no feature.

        It is solved where it is new, and then as closely as this budget needs it.
        """
        if place == len(self.path):
            self.path.append(self._next())
        for _, margin in (*_ROUGH[1:], (0.0, 1.0)):
            if self.path[place].tells(budget):
                break
            if margin < self.path[place].margin:
                self.path[place] = self._closer(place, margin)
        return self.path[place]

    def _next(self) -> _Point:
        """The point after the last one of the grid."""
        if not self.path:
            # Where no feature is correlated with a label, any alpha is valid.
            alpha = largest_alpha(self.loss, self.norm) or 1.0
            return self._plain(alpha, None, self._reference())
        last, before = self.path[-1], self.path[max(len(self.path) - 2, 0)]
        start = _towards(last.result, before.result, -_RATIO)  # on as the path came
        alpha = _RATIO * last.alpha
        if last.at is None:
            return self._plain(alpha, start.dense())
        tol, margin = _ROUGH[0]
        options = {**self._options(alpha, start), "tol": max(self.tol, tol)}
        candidates = self._candidates(last.at, last.alpha, alpha)
        return _Point(alpha, *minimise_among(candidates, None, **options), margin)

    def _plain(
        self, alpha: float, start: NDArray[Any] | None, at: Reference | None = None
    ) -> _Point:
        """Solve with all features."""
        result = self.solve(alpha, start)
        rows = SparseRows.of(result.solution)
        return _Point(alpha, replace(result, solution=rows), at)

    def _closer(self, place: int, margin: float) -> _Point:
        """Solve a point of the grid again, to the tolerance of a smaller margin."""
        point = self.path[place]
        tol = next((tol for tol, other in _ROUGH if other == margin), 0.0)
        interval = self.path[place - 1], point
        start = point.result.solution
        closer = self._between(interval, point.alpha, start, max(self.tol, tol))
        return replace(closer, at=closer.at or point.at, margin=margin)

    def _reference(self) -> Reference | None:
        """Where all weights are 0; None: every product is with all features."""
        if self.known is not None or not isinstance(self.loss, DesignLoss):
            return None
        strength = row_norm(self.norm).dual(self.loss.cross)
        return Reference(self.loss.Y, strength)

    def _candidates(self, at: Reference, alpha: float, end: float) -> Candidates:
        """The features of solutions from alpha, a point of the grid, to ``end``."""
        assert isinstance(self.loss, DesignLoss)
        known = self._last_candidates
        if end not in known:
            known[end] = candidates_of(self.loss, at.strong(alpha, end))
            if len(known) > (_INTERVALS if self.wide else 1):
                del known[next(iter(known))]
        return known[end]

    def _between(
        self,
        interval: tuple[_Point, _Point],
        alpha: float,
        start: SparseRows,
        tol: float,
    ) -> _Point:
        """Solve between two neighbours on the grid, or at the second."""
        last, end = interval
        if last.at is None or end.at is None:
            return self._plain(alpha, start.dense())
        candidates = self._candidates(last.at, last.alpha, end.alpha)
        ends = last.at, end.at
        options = {**self._options(alpha, start), "tol": tol}
        return _Point(alpha, *minimise_among(candidates, ends, **options))

    def _bisect(self, place: int, budget: int, visited: list[SolverResult]) -> _Point:
        """Search between a point of the grid beyond the budget and the one before.

        Both are solved as asked, unless most of what is between them is skipped.
        """
        guess = self.wide and self._entering(place) > _MANY
        for end in () if guess else (place - 1, place):
            if self.path[end].margin > 1:
                self.path[end] = self._closer(end, 1.0)
                visited.append(self.path[end].result)
        if self.path[place - 1].count > budget:  # it was not where it seemed to be
            return self._bisect(place - 1, budget, visited)
        interval = self.path[place - 1], self.path[place]
        alphas = _halved(interval[0].alpha, interval[1].alpha)
        points = {
            at: self.between[a] for at, a in enumerate(alphas) if a in self.between
        }
        points |= {0: interval[0], len(alphas) - 1: interval[1]}
        while True:
            counts = {at: point.count for at, point in points.items()}
            through, at = halve(counts, budget, guess=guess)
            if at in points:
                visited.extend(points[other].result for other in through)
                return points[at]
            start = _start(points, *neighbours(counts, at), at)
            points[at] = self._between(interval, alphas[at], start, self.tol)
            self.between[alphas[at]] = points[at]

    def _entering(self, place: int) -> int:
        """How many features a point of the grid has more than the one before."""
        return self.path[place].count - self.path[place - 1].count


def _halved(first: float, last: float) -> list[float]:
    """Alphas from the first to the last, halved until neighbours are close."""
    alphas = [first, last]
    while alphas[1] < (1 - _CLOSE) * alphas[0]:
        halves = [each for a, b in pairwise(alphas) for each in (a, (a + b) / 2)]
        alphas = [*halves, last]
    return alphas


def _start(points: dict[int, _Point], before: int, after: int, at: int) -> SparseRows:
    """Where to start between two points: on the line, with the features of the first.

    If these are far off and only roughly known, the start is the second: on the line
    its features, too many, could remain in a solution that is close enough.
    """
    part = (at - before) / (after - before)
    if part > 0.5 and points[before].margin > 1:
        return cast(SparseRows, points[after].result.solution)
    return _towards(points[before].result, points[after].result, part)


def _towards(start: SolverResult, end: SolverResult, part: float) -> SparseRows:
    """A point on the line through two solutions; features of the second may enter."""
    rows: SparseRows = start.solution
    return rows.towards(end.solution, part)


def n_used(result: SolverResult) -> int:
    """Number of features with weights."""
    return int(result.solution.any(axis=1).sum())
