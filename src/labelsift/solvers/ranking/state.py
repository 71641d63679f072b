# SPDX-License-Identifier: BSD-3-Clause
"""State of a ranking machine: its dual variables and quantities derived from them."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from labelsift.solvers.ranking.capped_simplex import capped_shares, largest
from labelsift.solvers.ranking.design import Design

if TYPE_CHECKING:
    from labelsift.kernels.rank_dcd import Pairs

# Sweeps over the samples between two checks of the bounds, and rounds over the pairs of
# a sample at each visit: a visit computes scores, further rounds are almost free.
SWEEPS = 3
INNER = 3
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
    inner: float  # the gap that would remain if neither eta nor D changed
    gap: float  # over eta at this D or, where larger, over D at this eta


class RankState:
    """alpha, U = X'B, W and eta of ``solve_rank``, always consistent.

    W = U here; with a covariance of the labels it is U R^-1 (``CorrelatedState``).
    """

    convex = True

    def __init__(self, design: Design, pairs: "Pairs", C: float, m: int) -> None:
        self.design, self.pairs, self.C, self.m = design, pairs, C, m
        self.selects = m < design.n_features
        self.r_inv = np.eye(pairs.labels.shape[1])
        self.rng = np.random.default_rng(0)

    @property
    def moves(self) -> bool:
        """Whether anything but alpha is learned by moves between the sweeps."""
        return self.selects

    def begin(self, alpha: NDArray[Any], eta: NDArray[Any]) -> None:
        """Start at C alpha and eta."""
        self.alpha = self.C * alpha
        self.point = self._gather()
        self._set_eta(eta if self.selects else np.ones(self.design.n_features))
        self._set_weights()

    def sweep(self, limit: int) -> int:
        """Visit every sample a few times; returns how often, at most ``limit``."""
        from labelsift.kernels.rank_dcd import sweep

        count = min(SWEEPS, limit)
        for _ in range(count):
            model = (self._order(), self.C, INNER)
            sweep(self.samples, self.pairs, *model, self.alpha, self.weights)
        return count

    def bounds(self) -> Bounds:
        """The bounds at the current alpha, eta and R."""
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
        lower, upper = gain - most / 2, least / 2 + loss
        return Bounds(eta, sizes, lower, upper, spent + loss - gain, upper - lower)

    def move(self, now: Bounds, tol: float, *, nearer: bool) -> None:
        """Move eta slightly beyond the best for W, never exactly to 0.

        ``nearer`` says whether the move before brought the bounds nearer.
        """
        if self.selects:
            eta = capped_shares(self.eta * now.sizes**_RELAXATION, self.m)
            eta *= 1 - _FLOOR * tol
            eta[largest(now.sizes, self.m)] += _FLOOR * tol
            self._set_eta(eta)
        self._set_weights()

    def settle(self) -> None:
        """The bounds are near; nothing changes here."""

    def machine(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """W of the columns and of the ones."""
        W, bias = self.design.centred(self.weights.columns, self.weights.total)
        return self.eta[:, np.newaxis] * W if self.selects else W, bias

    def norms(self) -> NDArray[np.float64]:
        """sqrt(w^j R w^j') of every column."""
        U, _ = self.design.centred(*self.point)
        W, _ = self.design.centred(self.weights.columns, self.weights.total)
        return self.eta * np.sqrt(_row_products(U, W))

    def _order(self) -> NDArray[Any]:
        """Samples in an order drawn anew: a fixed one can take fifty times as many."""
        return self.rng.permutation(self.pairs.rows)

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

    def _set_weights(self) -> None:
        """W before the column weights: U itself, not a copy."""
        self._weigh(*self.point)

    def _weigh(self, columns: NDArray[Any], total: NDArray[Any]) -> None:
        from labelsift.kernels.rank_dcd import Weights

        moment = (self.eta * self.design.centre) @ columns
        self.weights = Weights(columns, total, moment)


def _row_products(U: NDArray[Any], W: NDArray[Any]) -> NDArray[np.float64]:
    """u^j w^j' of every row; not below 0, where they can only be by rounding."""
    return np.maximum(np.einsum("jk,jk->j", U, W), 0.0)
