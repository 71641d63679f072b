# SPDX-License-Identifier: BSD-3-Clause
"""State of a ranking machine that learns a covariance of the labels."""

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from labelsift.solvers.ranking.design import Design
from labelsift.solvers.ranking.label_covariance import (
    dual_covariance,
    inverse_penalty,
    least_penalty,
    moved_covariance,
)
from labelsift.solvers.ranking.segment import Segment
from labelsift.solvers.ranking.state import INNER, SWEEPS, Bounds, RankState

if TYPE_CHECKING:
    from labelsift.kernels.rank_dcd import Pairs

# D moves to the minimiser or, by a share, twice as far, which may oscillate: the share
# grows with each move that brings bounds nearer and is halved by one that does not.
_FURTHER, _SHORTENED = 0.1, 0.5
# Every direction of D gets this share of the gap: one nearly closed hardly turns.
_OPEN = 0.1
# Where D follows U, sweeps see the curvature of a D that favours no direction at this
# share of mu; what is stiffer than that is left to the line search.
_STIFFNESS = 0.3


class CorrelatedState(RankState):
    """alpha, U = X'B, W = U R^-1, eta and D, always consistent.

    Far from the optimum D stays while alpha is learned and moves as eta does, which
    takes few sweeps however large mu is. Near it D is the best one for U after every
    sweep, which goes on to any precision: with D eliminated the dual is smooth and
    concave with W as its gradient, sweeps see a quadratic model of it, and the best
    point of the segment of a sweep is taken, so that the dual never falls.
    """

    def __init__(
        self, design: Design, pairs: "Pairs", C: float, mu: float, m: int
    ) -> None:
        super().__init__(design, pairs, C, m)
        self.mu, self.convex = mu, not self.selects
        self.follows, self.extrapolated, self.n_sweeps = False, 0.0, SWEEPS

    @property
    def moves(self) -> bool:
        """Whether anything but alpha is learned by moves between the sweeps."""
        return self.selects or not self.follows

    def begin(self, alpha: NDArray[Any], eta: NDArray[Any]) -> None:
        """Start at C alpha and eta, and nearly the best D for them."""
        self.D = self.r_inv  # until U is there
        super().begin(alpha, eta)
        self.D, _ = dual_covariance(self._products(), self.mu)
        self._open(_OPEN)
        self._set_weights()

    def sweep(self, limit: int) -> int:
        """Visit every sample a few times; returns how often, at most ``limit``."""
        from labelsift.kernels.rank_dcd import sweep_correlated

        count = min(self.n_sweeps, limit)
        before = self.alpha.copy() if self.follows else self.alpha
        metric = self._curvature() if self.follows else self.r_inv
        for _ in range(count):
            model = (self._order(), self.C, metric, INNER)
            sweep_correlated(self.samples, self.pairs, *model, self.alpha, self.weights)
        if self.follows:
            self._take_best_point(before)
        else:
            self.point = self._gather()
        return count

    def bounds(self) -> Bounds:
        """The bounds at the current alpha, over eta at this D and over D at this eta.

        Where all columns are at 1, lower and upper are those over D.
        """
        now = super().bounds()
        products = self._products()
        _, most = dual_covariance(products, self.mu)
        least = least_penalty(self.r_inv @ products @ self.r_inv, self.mu)
        spent = float(np.vdot(products, self.r_inv))
        gap = max(now.gap, now.inner + (most - spent + least - spent) / 2)
        if self.selects:
            return replace(now, gap=gap)
        lower, upper = now.lower - (most - spent) / 2, now.upper + (least - spent) / 2
        return replace(now, lower=lower, upper=upper, gap=gap)

    def move(self, now: Bounds, tol: float, *, nearer: bool) -> None:
        """Move eta, and D slightly beyond the best for W, never exactly to 0."""
        if not self.follows:
            share = self.extrapolated
            self.extrapolated = (
                min(share + _FURTHER, 1.0) if nearer else _SHORTENED * share
            )
            given = (self._products(), self.mu, self.extrapolated)
            self.D = moved_covariance(self.D, *given)
            self._open(_OPEN * min(now.gap / now.upper, 1.0))
        super().move(now, tol, nearer=nearer)

    def settle(self) -> None:
        """The bounds are near: D follows U from now on."""
        if not self.follows:
            self.follows, self.n_sweeps = True, 1
            self._set_weights()

    def _open(self, share: float) -> None:
        """Give every direction of D a part."""
        even = np.eye(len(self.D)) / len(self.D)
        self.D = (1 - share) * self.D + share * even

    def _curvature(self) -> NDArray[np.float64]:
        c = len(self.D)
        return np.eye(c) / (1 + _STIFFNESS * self.mu * (c - 1))

    def _set_weights(self) -> None:
        """W = U R^-1 before the column weights, and D where it follows U."""
        if self.follows:
            self.D, _ = dual_covariance(self._products(), self.mu)
        self.r_inv = inverse_penalty(self.D, self.mu)
        columns, total = self.point
        self._weigh(columns @ self.r_inv, total @ self.r_inv)

    def _products(self) -> NDArray[np.float64]:
        """U' diag(eta) U, with the ones."""
        return self._multiply(self.point, self.point)

    def _multiply(self, a: Any, b: Any) -> NDArray[np.float64]:
        """The same for two points."""
        (A, ones_a), (B, ones_b) = self.design.centred(*a), self.design.centred(*b)
        if self.selects:
            B = self.eta[:, np.newaxis] * B
        return np.asarray(A.T @ B + np.outer(ones_a, ones_b))

    def _take_best_point(self, before: NDArray[Any]) -> None:
        """Maximise the dual between the alpha ``before`` the sweeps and now."""
        start, end = self.point, self._gather()
        cross = self._multiply(start, end)
        line = Segment(self._products(), cross + cross.T, self._multiply(end, end))
        share = line.best(float(self.alpha.sum() - before.sum()), self.mu)
        self.n_sweeps = SWEEPS if share == 1 else 1
        self.alpha *= share
        self.alpha += (1 - share) * before
        columns = (1 - share) * start[0] + share * end[0]
        self.point = columns, (1 - share) * start[1] + share * end[1]
        self._set_weights()
