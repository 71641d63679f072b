# SPDX-License-Identifier: BSD-3-Clause
"""Ranking machines over the few columns that can matter: a cutting-plane method."""

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from labelsift.core.result import SolverResult
from labelsift.solvers.ranking.capped_simplex import capped_shares, largest
from labelsift.solvers.ranking.dcd import (
    RankSolution,
    RankStart,
    solve_rank,
    tightest,
)
from labelsift.solvers.ranking.design import Design, pair_counts

if TYPE_CHECKING:
    from labelsift.kernels.rank_dcd import Pairs

# How far the problem on the working columns is solved before the next cut: to this
# share of the gap over all columns, and never further than half the tolerance.
_MASTER_SHARE = 0.25
_FIRST_MASTER = 0.1
# The weight that the columns of a new cut get.
_CUT_SHARE = 0.25
# Columns with less weight than this are left out of a warm start.
_CLOSED = 1e-4


def solve_rank_by_cuts(
    design: Design,
    pairs: "Pairs",
    *,
    C: float,
    mu: float = 0.0,
    m: int,
    tol: float = 1e-3,
    max_iter: int = 1000,
    start: RankStart | None = None,
) -> SolverResult:
    """Solve the problem of ``solve_rank`` on a growing set of columns.

    A cut is the m columns with the largest s_j = u_j R^-1 u_j', the most violated
    constraint of the dual problem. The problem is solved over all columns of the cuts
    so far (0 <= eta <= 1, which is more than the hull of the cuts), from its last
    solution; then s_j of all columns gives a lower bound of the whole problem and the
    next cut. The first cut is taken at alpha = C, the gradient of the loss at W = 0, or
    at the alpha of ``start``.

    Cost: a sweep touches the working columns only; each cut takes one product X'B and a
    copy of the working columns. The result is that of ``solve_rank``, with cuts as
    rounds.
    """
    space = _Space(design, pairs, C, mu, m)
    start = space.cold() if start is None else space.warm(start)
    bounds: list[tuple[float, float]] = []
    n_iter, gap = 0, _FIRST_MASTER / _MASTER_SHARE
    while True:
        result, solution = space.solve_working(
            start, max(_MASTER_SHARE * gap, tol / 2), max_iter - n_iter
        )
        n_iter += result.n_iter
        lower, cut = space.bound(solution)
        bounds.append((lower, solution.value))
        if mu == 0:  # at another D an older bound would be invalid
            bounds[-1] = tightest(bounds[-2:])
        gap = 1 - bounds[-1][0] / solution.value
        if mu > 0:  # the bounds are over eta only, the working gap also over D
            gap = max(gap, result.gap)
        if gap <= tol or n_iter >= max_iter:
            break
        start = space.with_cut(solution.stop, cut)
    trace = np.array(bounds)
    solution = replace(solution, bounds=trace)
    return SolverResult(solution, trace[:, 1], gap, n_iter, gap <= tol)


@dataclass(frozen=True)
class _Space:
    """The whole problem, of which some columns are worked on."""

    design: Design
    pairs: "Pairs"
    C: float
    mu: float
    m: int

    def cold(self) -> RankStart:
        """alpha = 0 on the m columns of the first cut, at W = 0."""
        start = RankStart.cold(self.design, self.pairs, self.m)
        counts = pair_counts(self.pairs)
        at_bound = replace(start, alpha=np.repeat(self.pairs.share, counts))
        sizes, _ = self._sizes(at_bound, np.eye(self.pairs.labels.shape[1]))
        return replace(start, eta=self._indicator(largest(sizes, self.m)))

    def warm(self, start: RankStart) -> RankStart:
        """The columns that have weight in ``start``, and its next cut."""
        sizes, _ = self._sizes(start, np.eye(self.pairs.labels.shape[1]))
        eta = capped_shares(np.where(start.eta > _CLOSED, start.eta, 0.0), self.m)
        return self.with_cut(replace(start, eta=eta), largest(sizes, self.m))

    def with_cut(self, stop: RankStart, cut: NDArray[Any]) -> RankStart:
        """Give the columns of a cut a part of the weight."""
        eta = (1 - _CUT_SHARE) * stop.eta + _CUT_SHARE * self._indicator(cut)
        return replace(stop, eta=eta)

    def solve_working(
        self, start: RankStart, tol: float, max_iter: int
    ) -> tuple[SolverResult, RankSolution]:
        """Solve over the columns that are open; 0 is written for the others."""
        working = np.flatnonzero(start.eta)
        result = solve_rank(
            self.design.columns(working),
            self.pairs,
            C=self.C,
            mu=self.mu,
            m=self.m,
            tol=tol,
            max_iter=max_iter,
            start=replace(start, eta=start.eta[working]),
        )
        part: RankSolution = result.solution
        d = self.design.n_features
        stop = replace(part.stop, eta=_spread(part.stop.eta, working, d))
        return result, replace(
            part,
            weights=_spread(part.weights, working, d),
            eta=_spread(part.eta, working, d),
            norms=_spread(part.norms, working, d),
            stop=stop,
        )

    def bound(self, solution: RankSolution) -> tuple[float, NDArray[np.intp]]:
        """A lower bound over all columns, and the cut that attains it."""
        sizes, fixed = self._sizes(solution.stop, solution.r_inv)
        cut = largest(sizes, self.m)
        gain = self.C * float(solution.stop.alpha.sum())
        lower = gain - (float(sizes[cut].sum()) + fixed) / 2
        return min(lower, float(solution.bounds[-1, 0])), cut

    def _sizes(
        self, at: RankStart, r_inv: NDArray[Any]
    ) -> tuple[NDArray[np.float64], float]:
        """s_j of every column, and that of the ones."""
        from labelsift.kernels.rank_dcd import label_forces

        forces = label_forces(self.C * at.alpha, self.pairs)
        U, total = self.design.centred(self.design.gather(forces), forces.sum(axis=0))
        sizes = np.einsum("jk,jk->j", U, U @ r_inv)
        return np.maximum(sizes, 0.0), float(total @ r_inv @ total)

    def _indicator(self, cut: NDArray[np.intp]) -> NDArray[np.float64]:
        return _spread(np.ones(len(cut)), cut, self.design.n_features)


def _spread(values: NDArray[Any], columns: NDArray[Any], d: int) -> NDArray[np.float64]:
    """Values at some columns, 0 at the others."""
    spread = np.zeros((d, *values.shape[1:]))
    spread[columns] = values
    return spread
