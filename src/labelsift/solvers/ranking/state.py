# SPDX-License-Identifier: BSD-3-Clause
"""State of a ranking machine: its dual variables and quantities derived from them."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import brentq

from labelsift.solvers.ranking.capped_simplex import capped_shares, largest
from labelsift.solvers.ranking.design import Design
from labelsift.solvers.ranking.label_covariance import best_inverse_penalty

if TYPE_CHECKING:
    from labelsift.kernels.rank_dcd import Pairs

# Sweeps over the samples between two checks of the bounds, and rounds over the pairs of
# a sample at each visit: a visit computes scores, further rounds are almost free.
_SWEEPS = 3
_INNER = 3
# The curvature of the sweeps is that of a D that favours no direction at this share of
# mu; what is stiffer than that is left to the line search.
_STIFFNESS = 0.3
# eta_j moves to eta_j s_j^0.75: 0.5 is the minimiser for given W, 1 may oscillate.
_RELAXATION = 0.75
# A column never leaves eta = 0, so this share of the tolerance is given to those of the
# lower bound.
_FLOOR = 0.1


@dataclass(frozen=True)
class Bounds:
    """Bounds of the optimum at one point."""

    eta: NDArray[np.float64]  # the best column weights for W
    sizes: NDArray[np.float64]  # s_j = u_j R^-1 u_j'; empty where no column is weighted
    lower: float
    upper: float
    inner: float  # the gap that would remain if eta did not change

    @property
    def gap(self) -> float:
        """Between the bounds."""
        return self.upper - self.lower


class RankState:
    """alpha, U = X'B, W = U R^-1 and eta of ``solve_rank``, always consistent."""

    def __init__(
        self, design: Design, pairs: "Pairs", C: float, mu: float, m: int
    ) -> None:
        self.design, self.pairs = design, pairs
        self.C, self.mu, self.m = C, mu, m
        self.selects = m < design.n_features
        self.convex = not (self.selects and mu > 0)
        self.curvature = 1 / (1 + _STIFFNESS * mu * (pairs.labels.shape[1] - 1))
        self.n_sweeps = 1 if mu > 0 else _SWEEPS
        self.r_inv = np.eye(pairs.labels.shape[1])
        self.rng = np.random.default_rng(0)

    def begin(self, alpha: NDArray[Any], eta: NDArray[Any]) -> None:
        """Start at C alpha and eta."""
        self.alpha = self.C * alpha
        self.point = self._gather()
        self._set_eta(eta if self.selects else np.ones(self.design.n_features))

    def sweep(self, limit: int) -> int:
        """Visit every sample a few times; returns how often, at most ``limit``.

        The order is drawn each time: a fixed one can take fifty times as many.
        """
        from labelsift.kernels.rank_dcd import sweep

        before = self.alpha.copy() if self.mu > 0 else self.alpha
        count = min(self.n_sweeps, limit)
        for _ in range(count):
            order = self.rng.permutation(self.pairs.rows)
            model = (self.C, self.curvature, _INNER)
            sweep(self.samples, self.pairs, order, *model, self.alpha, self.weights)
        if self.mu > 0:
            self._take_best_point(before)
        return count

    def bounds(self) -> Bounds:
        """The bounds at the current alpha and eta."""
        from labelsift.kernels.rank_dcd import pair_loss

        U, ones = self.design.centred(*self.point)
        W, bias = self.design.centred(self.weights.columns, self.weights.total)
        fixed = float(ones @ bias)  # the bias has no eta of its own
        eta, sizes = self.eta, np.empty(0)
        if self.selects:
            sizes = _row_products(U, W)
            norms = self.eta * np.sqrt(sizes)
            eta = capped_shares(norms, self.m)
            least = float(np.sum(norms[eta > 0] ** 2 / eta[eta > 0])) + fixed
            most = float(sizes[largest(sizes, self.m)].sum()) + fixed
            spent = float(self.eta @ sizes) + fixed
            W = self.eta[:, np.newaxis] * W
        else:
            least = most = spent = float(np.vdot(U, W)) + fixed
        loss = self.C * pair_loss(self.design.scores(W, bias), self.pairs)
        gain = float(self.alpha.sum())
        return Bounds(
            eta=eta,
            sizes=sizes,
            lower=gain - most / 2,
            upper=least / 2 + loss,
            inner=spent + loss - gain,
        )

    def move(self, now: Bounds, tol: float) -> None:
        """Move eta slightly beyond the best for W, never exactly to 0."""
        eta = capped_shares(self.eta * now.sizes**_RELAXATION, self.m)
        eta *= 1 - _FLOOR * tol
        eta[largest(now.sizes, self.m)] += _FLOOR * tol
        self._set_eta(eta)

    def machine(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """W of the columns and of the ones."""
        W, bias = self.design.centred(self.weights.columns, self.weights.total)
        return self.eta[:, np.newaxis] * W if self.selects else W, bias

    def norms(self) -> NDArray[np.float64]:
        """sqrt(w^j R w^j') of every column."""
        U, _ = self.design.centred(*self.point)
        W, _ = self.design.centred(self.weights.columns, self.weights.total)
        return self.eta * np.sqrt(_row_products(U, W))

    def _gather(self) -> tuple[NDArray[Any], NDArray[Any]]:
        """U, not yet centred, and its row for the ones."""
        from labelsift.kernels.rank_dcd import label_forces

        if not self.alpha.any():
            d, c = self.design.n_features, self.pairs.labels.shape[1]
            return np.zeros((d, c)), np.zeros(c)
        forces = label_forces(self.alpha, self.pairs)
        return self.design.gather(forces), forces.sum(axis=0)

    def _set_eta(self, eta: NDArray[Any]) -> None:
        self.eta = eta
        self.samples = self.design.samples(eta)
        if self.mu > 0:
            self.products = self._multiply(self.point, self.point)
        self._set_weights()

    def _set_weights(self) -> None:
        """W before the column weights; U itself, not a copy, where mu = 0."""
        from labelsift.kernels.rank_dcd import Weights

        columns, total = self.point
        if self.mu > 0:
            self.r_inv = best_inverse_penalty(self.products, self.mu)
            columns, total = columns @ self.r_inv, total @ self.r_inv
        moment = (self.eta * self.design.centre) @ columns
        self.weights = Weights(columns, total, moment)

    def _multiply(self, a: Any, b: Any) -> NDArray[np.float64]:
        """U_a' diag(eta) U_b with the ones, for two points."""
        (A, ones_a), (B, ones_b) = self.design.centred(*a), self.design.centred(*b)
        if self.selects:
            B = self.eta[:, np.newaxis] * B
        return np.asarray(A.T @ B + np.outer(ones_a, ones_b))

    def _take_best_point(self, before: NDArray[Any]) -> None:
        """Maximise the dual between the alpha ``before`` the sweeps and now."""
        start, end = self.point, self._gather()
        cross = self._multiply(start, end)
        line = _Segment(self.products, cross + cross.T, self._multiply(end, end))
        gain = float(self.alpha.sum() - before.sum())

        def slope(share: float) -> float:
            r_inv = best_inverse_penalty(line.at(share), self.mu)
            return gain - float(np.vdot(r_inv, line.slope(share))) / 2

        share = _falls_to_zero(slope)
        self.n_sweeps = _SWEEPS if share == 1 else 1
        self.alpha *= share
        self.alpha += (1 - share) * before
        columns = (1 - share) * start[0] + share * end[0]
        self.point = columns, (1 - share) * start[1] + share * end[1]
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


def _row_products(U: NDArray[Any], W: NDArray[Any]) -> NDArray[np.float64]:
    """u^j w^j' of every row; not below 0, where they can only be by rounding."""
    return np.maximum(np.einsum("jk,jk->j", U, W), 0.0)


def _falls_to_zero(slope: Callable[[float], float]) -> float:
    """Where a falling slope is 0 within [0, 1], to a hundredth of itself."""
    if slope(1.0) >= 0:
        return 1.0
    if slope(0.0) <= 0:
        return 0.0
    return float(brentq(slope, 0.0, 1.0, xtol=1e-9, rtol=1e-2))
