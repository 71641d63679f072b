# SPDX-License-Identifier: BSD-3-Clause
"""Ranking machines by dual coordinate descent in the space of scores."""

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Self

import numpy as np
from numpy.typing import NDArray

from labelsift.core.result import SolverResult
from labelsift.solvers.ranking.capped_simplex import capped_shares
from labelsift.solvers.ranking.correlated_state import CorrelatedState
from labelsift.solvers.ranking.design import Design, pair_counts
from labelsift.solvers.ranking.state import RankState

if TYPE_CHECKING:
    from labelsift.kernels.rank_dcd import Pairs

# eta and D move once what alpha leaves open is no more than a share of the gap. A move
# from an alpha far from its best brings noise, so that a move which does not bring the
# least gap so far lowers the share, down to a limit.
_INNER_SHARE, _LOWERED, _LEAST_SHARE = 0.5, 0.9, 0.1
# Gap, relative to the upper bound, from which D follows U.
_NEAR = 2e-3
# Weight that a warm start gives to columns at 0.
_REOPEN = 0.05


@dataclass(frozen=True)
class RankStart:
    """Start of a solver, or its last point."""

    alpha: NDArray[np.float64]  # dual variables over C, so feasible for any C
    eta: NDArray[np.float64]  # weights of the columns

    @classmethod
    def cold(cls, design: Design, pairs: "Pairs", m: int) -> Self:
        """A cold start: alpha = 0, all columns equal."""
        d = design.n_features
        return cls(np.zeros(pair_counts(pairs).sum()), np.full(d, m / d))

    def reopened(self, m: int) -> Self:
        """For another C, mu or m: columns at 0 may return."""
        even = np.full(len(self.eta), m / len(self.eta))
        eta = (1 - _REOPEN) * self.eta + _REOPEN * even
        return replace(self, eta=capped_shares(eta, m))


@dataclass(frozen=True)
class RankSolution:
    """A ranking machine for the columns of a design."""

    weights: NDArray[np.float64]  # W, of shape (n_features, n_labels)
    bias: NDArray[np.float64]  # weights of the column of ones; 0 without it
    norms: NDArray[np.float64]  # sqrt(w^j R w^j') of each column
    eta: NDArray[np.float64]  # best column weights for W: min(1, norm / nu), of sum m
    r_inv: NDArray[np.float64]  # R^-1 = D (D + mu I)^-1; the identity at mu = 0
    value: float  # the objective at these weights
    bounds: NDArray[np.float64]  # of the optimum, lower and upper, after each round
    stop: RankStart  # for the next point of a path


def solve_rank(
    design: Design,
    pairs: "Pairs",
    *,
    C: float,
    mu: float = 0.0,
    m: int | None = None,
    tol: float = 1e-3,
    max_iter: int = 1000,
    start: RankStart | None = None,
) -> SolverResult:
    r"""Minimise a label-ranking loss over weights, column weights and covariance.

    .. math::

        \min_{W, \eta, D} \tfrac12 \sum_j \tfrac1{\eta_j}
        w^j (I + \mu D^{-1}) w^{j\prime} + C \sum_i \frac{1}{|y_i||\bar y_i|}
        \sum_{k \in y_i, l \in \bar y_i}
        \max(0, 1 - (w_k - w_l)'x_i)

    over 0 <= eta <= 1 with sum m, and D >= 0 of trace 1. With B the signed sums of the
    dual variables (``label_forces``) and U = X'B, the dual at these eta and D is
    sum(alpha) - 1/2 tr(U diag(eta) R^-1 U'), with W = U R^-1. Sweeps over the samples
    raise it, alpha by alpha; the bounds follow; once alpha is near its best for this
    eta and D, these move.

    The bounds are rigorous for any alpha: above, the objective at W and the best eta
    (or D) for it; below, sum(alpha) minus half the largest penalty over all eta, that
    is, the m largest s_j = u_j R^-1 u_j' (or over all D, ``dual_covariance``). With
    mu = 0 or all columns at 1 the problem is convex and the best bounds so far are
    used. Where both are learned it is not: the gap is then the larger of the one over
    eta at this D and the one over D at this eta, and 0 says that neither can be
    improved alone.

    Cost: a sweep is O(nnz(X) c + pairs), with mu > 0 O(nnz(X) c + pairs c), and a round
    adds O(d c^2 + c^3); memory O(d c + pairs).

    m None puts all column weights at 1; ``start`` is the end of a similar problem over
    the same pairs. The solution is a RankSolution, the objective the upper bound of
    each round, the gap relative to it, the iterations are sweeps.
    """
    m = design.n_features if m is None else min(m, design.n_features)
    start = start or RankStart.cold(design, pairs, m)
    state = (
        CorrelatedState(design, pairs, C, mu, m)
        if mu > 0
        else RankState(design, pairs, C, m)
    )
    state.begin(start.alpha, start.eta)
    bounds: list[tuple[float, float]] = []
    n_iter, share, least = 0, _INNER_SHARE, np.inf
    while True:
        n_iter += state.sweep(max_iter - n_iter)
        now = state.bounds()
        bounds.append((now.lower, now.upper))
        if state.convex:
            bounds[-1] = tightest(bounds[-2:])
        gap = now.upper - bounds[-1][0] if state.convex else now.gap
        converged = gap <= tol * now.upper
        if converged or n_iter >= max_iter:
            break
        if gap <= _NEAR * now.upper:
            state.settle()
        if state.moves and now.inner <= share * gap:
            if gap >= least:
                share = max(_LOWERED * share, _LEAST_SHARE)
            state.move(now, tol, nearer=gap < least)
            least = min(gap, least)
    trace = np.array(bounds)
    solution = RankSolution(
        *state.machine(),
        norms=state.norms(),
        eta=now.eta,
        r_inv=state.r_inv,
        value=now.upper,
        bounds=trace,
        stop=RankStart(state.alpha / C, state.eta),
    )
    return SolverResult(solution, trace[:, 1], gap / now.upper, n_iter, converged)


def tightest(bounds: list[tuple[float, float]]) -> tuple[float, float]:
    """The best lower and the best upper bound."""
    return max(lower for lower, _ in bounds), min(upper for _, upper in bounds)
