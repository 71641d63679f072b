# SPDX-License-Identifier: BSD-3-Clause
"""Ranking machines by dual coordinate descent in the space of scores."""

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import brentq

from labelsift.core.result import SolverResult
from labelsift.solvers.capped_simplex import capped_shares, largest
from labelsift.solvers.label_covariance import (
    LabelPenalty,
    fixed_penalty,
    learned_penalty,
)
from labelsift.solvers.rank_design import Design

if TYPE_CHECKING:
    from labelsift.kernels.rank_dcd import Pairs

# Sweeps over the samples between two looks at the bounds, and rounds over the pairs of
# a sample at each visit: a visit pays for its scores, further rounds are almost free.
_SWEEPS = 3
_INNER = 3
# The curvature of the sweeps is that of a D that favours no direction at this share of
# mu; what is stiffer than that is left to the line search.
_STIFFNESS = 0.3
# eta moves once alpha is no longer the larger part of the gap.
_INNER_SHARE = 0.5
# eta_j moves to eta_j s_j^0.75: 0.5 is the minimiser for given W, 1 may oscillate.
_RELAXATION = 0.75
# A column never comes back from eta = 0, so this share of the tolerance goes to those
# that the lower bound asks for.
_FLOOR = 0.1
# What a warm start gives back to columns that were closed.
_REOPEN = 0.05


@dataclass(frozen=True)
class RankStart:
    """Where a solver starts, or stopped.

    Parameters
    ----------
    alpha : ndarray of shape (n_pairs,)
        Dual variables divided by C, so that they are feasible for any C.
    eta : ndarray of shape (n_features,)
        Weights of the columns.
    """

    alpha: NDArray[np.float64]
    eta: NDArray[np.float64]

    @classmethod
    def cold(cls, design: Design, pairs: "Pairs", m: int) -> Self:
        """Nothing known: alpha = 0, all columns alike."""
        c = pairs.labels.shape[1]
        n_pairs = int(np.sum(pairs.n_relevant * (c - pairs.n_relevant)))
        d = design.n_features
        return cls(np.zeros(n_pairs), np.full(d, m / d))

    def reopened(self, m: int) -> Self:
        """For another C, mu or m: closed columns may come back."""
        even = np.full(len(self.eta), m / len(self.eta))
        eta = (1 - _REOPEN) * self.eta + _REOPEN * even
        return replace(self, eta=capped_shares(eta, m))


@dataclass(frozen=True)
class RankSolution:
    """A ranking machine.

    Parameters
    ----------
    weights : ndarray of shape (n_features, n_labels)
        W, for the columns of the design.
    bias : ndarray of shape (n_labels,)
        Weights of the column of ones; 0 without it.
    eta : ndarray of shape (n_features,)
        The best weights of the columns for W: within [0, 1], of sum m.
    covariance : ndarray of shape (n_labels, n_labels)
        The best covariance of the labels for W: of trace 1.
    value : float
        The objective at these weights.
    bounds : ndarray of shape (n_rounds, 2)
        Lower and upper bound of the optimum after each round.
    stop : RankStart
        For the next solver of a path.
    """

    weights: NDArray[np.float64]
    bias: NDArray[np.float64]
    eta: NDArray[np.float64]
    covariance: NDArray[np.float64]
    value: float
    bounds: NDArray[np.float64]
    stop: RankStart


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
    covariance: NDArray[Any] | None = None,
) -> SolverResult:
    r"""Minimise a label-ranking loss over weights, column weights and covariance.

    .. math::

        \min_{W, \eta, D} \tfrac12 \sum_j \tfrac1{\eta_j} w^j (I + \mu D^{-1}) w^{j\prime}
        + C \sum_i \frac{1}{|y_i||\bar y_i|} \sum_{k \in y_i, l \in \bar y_i}
        \max(0, 1 - (w_k - w_l)'x_i)

    over 0 <= eta <= 1 with sum m, and D >= 0 of trace 1. With B the signed sums of the
    dual variables (``label_forces``) and U = X'B, D is eliminated: the dual is
    sum(alpha) - 1/2 penalty(U), smooth and concave with W = U R^-1 as its gradient. A
    round sweeps the samples against a quadratic model with that gradient and, where
    mu > 0, takes the best point of the segment it has gone, so the dual never falls.
    The bounds follow; once alpha is near its best for this eta, eta moves.

    The bounds are rigorous for any alpha: above, the objective at W and the best eta
    for it; below, sum(alpha) minus half the largest penalty over all eta, that is, the
    m largest s_j = u_j R^-1 u_j'. With a fixed R^-1 or all columns at 1 the problem is
    convex and the best bounds so far are kept. Where both are learned it is not: the
    gap is then the larger of the one over eta at this D and the one over D at this eta,
    and 0 says that neither can be improved alone.

    Cost: a sweep is O(nnz(X) c + pairs), a round with mu > 0 adds O(d c^2 + c^3);
    memory O(d c + pairs).

    Parameters
    ----------
    design : Design
        The rows.
    pairs : Pairs
        The pairs of labels of the rows.
    C : float
        Weight of the loss.
    mu : float, default=0.0
        Weight of the label covariance; 0: none.
    m : int or None, default=None
        Sum of the column weights; None: all of them are 1.
    tol : float, default=1e-3
        Gap between the bounds, relative to the upper one, to stop at.
    max_iter : int, default=1000
        Sweeps over the samples at most.
    start : RankStart or None, default=None
        The end of a similar problem over the same pairs.
    covariance : ndarray of shape (n_labels, n_labels) or None, default=None
        A D that is given instead of learned.

    Returns
    -------
    SolverResult
        A RankSolution; the objective is the upper bound of each round, the gap
        relative, the iterations are sweeps.
    """
    solver = _Solver(design, pairs, C, mu, m, tol, covariance)
    solver.begin(start)
    bounds: list[tuple[float, float]] = []
    n_iter = 0
    while True:
        n_iter += solver.sweep(max_iter - n_iter)
        now = solver.certify()
        bounds.append((now.lower, now.upper))
        if solver.convex:
            bounds[-1] = tightest(bounds[-2:])
        gap = now.upper - bounds[-1][0] if solver.convex else max(now.gap, now.inner)
        converged = gap <= tol * now.upper
        if converged or n_iter >= max_iter:
            break
        if solver.selects and now.inner <= _INNER_SHARE * gap:
            solver.move(now)
    trace = np.array(bounds)
    solution = solver.solution(now, trace)
    return SolverResult(solution, trace[:, 1], gap / now.upper, n_iter, converged)


def tightest(bounds: list[tuple[float, float]]) -> tuple[float, float]:
    """The best lower and the best upper bound."""
    return max(lower for lower, _ in bounds), min(upper for _, upper in bounds)


@dataclass(frozen=True)
class _Round:
    """What one look at the bounds tells."""

    eta: NDArray[np.float64]  # the best for W
    sizes: NDArray[np.float64]  # s_j = u_j R^-1 u_j'
    lower: float
    upper: float
    inner: float  # the gap at the current eta

    @property
    def gap(self) -> float:
        return self.upper - self.lower


class _Solver:
    """The state of one run: alpha, U, eta and the penalty on U."""

    def __init__(
        self,
        design: Design,
        pairs: "Pairs",
        C: float,
        mu: float,
        m: int | None,
        tol: float,
        covariance: NDArray[Any] | None,
    ) -> None:
        self.design, self.pairs = design, pairs
        self.C, self.mu, self.given = C, mu, covariance
        self.m = design.n_features if m is None else min(m, design.n_features)
        self.floor = _FLOOR * tol
        self.selects = self.m < design.n_features
        self.convex = not (self.selects and mu > 0 and covariance is None)
        n_labels = pairs.labels.shape[1]
        self.curvature = 1 / (1 + _STIFFNESS * mu * (n_labels - 1))
        self.rng = np.random.default_rng(0)
        self.n_sweeps = 1 if mu > 0 else _SWEEPS

    def begin(self, start: RankStart | None) -> None:
        """Set alpha and eta, and what follows from them."""
        if start is None:
            start = RankStart.cold(self.design, self.pairs, self.m)
        self.alpha = self.C * start.alpha
        self.gathered, self.total = self._gather()
        eta = start.eta if self.selects else np.ones(self.design.n_features)
        self._set_eta(eta)

    def sweep(self, limit: int) -> int:
        """Visit every sample a few times; returns how often, at most ``limit``.

        The order is drawn anew each time: a fixed one can take fifty times as many.
        """
        from labelsift.kernels.rank_dcd import sweep

        before = self.alpha.copy() if self.mu > 0 else self.alpha
        count = min(self.n_sweeps, limit)
        for _ in range(count):
            sweep(
                self.samples,
                self.pairs,
                self.rng.permutation(self.pairs.rows),
                self.C,
                self.curvature,
                _INNER,
                self.alpha,
                self.weights,
            )
        if self.mu > 0:
            self._take_best_point(before)
        return count

    def certify(self) -> _Round:
        """The bounds at the current alpha and eta."""
        from labelsift.kernels.rank_dcd import pair_loss

        U, ones = self.design.centred(self.gathered, self.total)
        W, bias = self.design.centred(self.weights.columns, self.weights.total)
        fixed = float(ones @ bias)  # the bias has no eta of its own
        eta, sizes = self.eta, np.empty(0)
        if self.selects:
            sizes = np.maximum(np.einsum("jk,jk->j", U, W), 0.0)
            W = self.eta[:, np.newaxis] * W
        spent = float(np.vdot(U, W))
        least = most = spent
        if self.selects:
            norms = self.eta * np.sqrt(sizes)
            eta = capped_shares(norms, self.m)
            least = float(np.sum(norms[eta > 0] ** 2 / eta[eta > 0]))
            most = float(sizes[largest(sizes, self.m)].sum())
        loss = self.C * pair_loss(self.design.scores(W, bias), self.pairs)
        gain = float(self.alpha.sum())
        return _Round(
            eta=eta,
            sizes=sizes,
            lower=gain - (most + fixed) / 2,
            upper=(least + fixed) / 2 + loss,
            inner=spent + fixed + loss - gain,
        )

    def move(self, now: _Round) -> None:
        """Move eta somewhat beyond the best for W, and never quite to 0."""
        eta = capped_shares(self.eta * now.sizes**_RELAXATION, self.m)
        eta *= 1 - self.floor
        eta[largest(now.sizes, self.m)] += self.floor
        self._set_eta(eta)

    def solution(self, now: _Round, bounds: NDArray[np.float64]) -> RankSolution:
        """The machine at the current alpha."""
        W, bias = self.design.centred(self.weights.columns, self.weights.total)
        weights = self.eta[:, np.newaxis] * W if self.selects else W
        stop = RankStart(self.alpha / self.C, self.eta)
        if self.mu == 0:
            self.products = self._multiply(self._point, self._point)
        covariance = self._penalty(self.products).covariance
        return RankSolution(
            weights, bias, now.eta, covariance, now.upper, bounds, stop
        )

    @property
    def _point(self) -> tuple[NDArray[Any], NDArray[Any]]:
        return self.gathered, self.total

    def _gather(self) -> tuple[NDArray[Any], NDArray[Any]]:
        """X'B and 1'B."""
        from labelsift.kernels.rank_dcd import label_forces

        forces = label_forces(self.alpha, self.pairs)
        return self.design.gather(forces), forces.sum(axis=0)

    def _set_eta(self, eta: NDArray[Any]) -> None:
        self.eta = eta
        self.samples = self.design.samples(eta)
        if self.mu > 0:
            self.products = self._multiply(self._point, self._point)
        self._set_weights()

    def _set_weights(self) -> None:
        """W = U R^-1, before the column weights; U itself without label covariance."""
        from labelsift.kernels.rank_dcd import Weights

        columns, total = self.gathered, self.total
        if self.mu > 0:
            r_inv = self._penalty(self.products).r_inv
            columns, total = columns @ r_inv, total @ r_inv
        moment = (self.eta * self.design.centre) @ columns
        self.weights = Weights(columns, total, moment)

    def _penalty(self, products: NDArray[Any]) -> LabelPenalty:
        if self.given is None:
            return learned_penalty(products, self.mu)
        return fixed_penalty(products, self.given, self.mu)

    def _multiply(
        self,
        a: tuple[NDArray[Any], NDArray[Any]],
        b: tuple[NDArray[Any], NDArray[Any]],
    ) -> NDArray[np.float64]:
        """U_a' diag(eta) U_b, with the ones."""
        (A, ones_a), (B, ones_b) = self.design.centred(*a), self.design.centred(*b)
        if self.selects:
            B = self.eta[:, np.newaxis] * B
        return A.T @ B + np.outer(ones_a, ones_b)

    def _take_best_point(self, before: NDArray[Any]) -> None:
        """Maximise the dual between the alpha ``before`` the sweeps and now."""
        start, end = self._point, self._gather()
        cross = self._multiply(start, end)
        line = _Segment(
            self.products, cross + cross.T, self._multiply(end, end),
        )
        gain = float(self.alpha.sum() - before.sum())

        def slope(share: float) -> float:
            r_inv = self._penalty(line.at(share)).r_inv
            return gain - float(np.vdot(r_inv, line.slope(share))) / 2

        share = _root(slope)
        self.n_sweeps = _SWEEPS if share == 1 else 1
        self.alpha *= share
        self.alpha += (1 - share) * before
        self.gathered = _mix(start[0], end[0], share)
        self.total = _mix(start[1], end[1], share)
        self.products = line.at(share)
        self._set_weights()


@dataclass(frozen=True)
class _Segment:
    """U'U along a segment of U: (1 - t)^2 start + t (1 - t) cross + t^2 end."""

    start: NDArray[np.float64]
    cross: NDArray[np.float64]
    end: NDArray[np.float64]

    def at(self, t: float) -> NDArray[np.float64]:
        return (1 - t) ** 2 * self.start + t * (1 - t) * self.cross + t**2 * self.end

    def slope(self, t: float) -> NDArray[np.float64]:
        return 2 * (t - 1) * self.start + (1 - 2 * t) * self.cross + 2 * t * self.end


def _root(slope: Any) -> float:
    """Where a falling slope is 0 within [0, 1], to a hundredth of itself."""
    if slope(1.0) >= 0:
        return 1.0
    if slope(0.0) <= 0:
        return 0.0
    return float(brentq(slope, 0.0, 1.0, xtol=1e-9, rtol=1e-2))


def _mix(a: NDArray[Any], b: NDArray[Any], share: float) -> NDArray[np.float64]:
    return (1 - share) * a + share * b
