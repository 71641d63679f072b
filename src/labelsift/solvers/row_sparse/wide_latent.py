# SPDX-License-Identifier: BSD-3-Clause
"""Rounds over latent labels for sparse X with thousands of features.

The steps are those of ``PlainRounds``, with fewer products: XW is known after the
sweeps, and at extrapolated weights it is extrapolated itself; of W only the rows in use
are held; and no product is spent on how far W is from its minimum when a round ends.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from labelsift.solvers.row_sparse.blocks import SparseBlock
from labelsift.solvers.row_sparse.descent import RowDescent, duality_gap
from labelsift.solvers.row_sparse.group_lasso import working_features
from labelsift.solvers.row_sparse.latent_labels import (
    SWEEP_TOL,
    SWEEPS,
    LatentPoint,
    LatentProblem,
    sum_of_squares,
)
from labelsift.solvers.row_sparse.least_squares import SparseLoss
from labelsift.solvers.row_sparse.norms import row_norm
from labelsift.solvers.row_sparse.sparse_rows import SparseRows
from labelsift.solvers.row_sparse.wide_lasso import CollectedBlock, SparseDescent

_NORM = row_norm("2")


@dataclass(frozen=True)
class WidePoint:
    """Weights in use, what they give, latent labels and mixing."""

    W: SparseRows
    XW: NDArray[Any]
    V: NDArray[Any]
    B: NDArray[Any]


class WideRounds:
    """Rounds in points that hold the rows of W in use, and XW."""

    def __init__(self, problem: LatentProblem, loss: SparseLoss) -> None:
        self.problem, self.loss = problem, loss
        self.alpha = problem.gamma / 2

    def first(self, B: NDArray[Any], W: NDArray[Any] | None) -> WidePoint:
        """The point after a round from W (None: from 0)."""
        V = self.problem.Y @ B.T
        W = np.zeros((len(self.loss.cross), len(B))) if W is None else W
        return self._round(SparseRows.of(W), self.problem.fitted(W), V, B)

    def next(self, point: WidePoint, previous: WidePoint, share: float) -> WidePoint:
        """V and B at extrapolated weights, then some sweeps over W."""
        places = np.union1d(point.W.places, previous.W.places)
        W, before = point.W.among(places), previous.W.among(places)
        ahead = self._in_use(places, W + share * (W - before))
        XW = point.XW + share * (point.XW - previous.XW)
        return self._round(ahead, XW, point.V, point.B)

    def objective(self, point: WidePoint) -> float:
        """Theta."""
        rows = LatentPoint(point.W.values, point.V, point.B)
        return self.problem.objective(rows, point.XW)

    def last(self, point: WidePoint) -> LatentPoint:
        """The point with the best V for its weights."""
        W = point.W.dense()
        V = self.problem.best_V(self.problem.fitted(W), point.B, point.V)
        return LatentPoint(W, V, point.B)

    def _round(
        self, W: SparseRows, XW: NDArray[Any], V: NDArray[Any], B: NDArray[Any]
    ) -> WidePoint:
        V = self.problem.best_V(XW, B, V)
        # Targets without X'V, which blocks with a residual do not use.
        self.loss.Y, self.loss.target_sq = V, sum_of_squares(V)
        W, XW = self._swept(W, XW)
        return WidePoint(W, XW, V, self.problem.best_B(V, B))

    def _swept(
        self, W: SparseRows, XW: NDArray[Any]
    ) -> tuple[SparseRows, NDArray[Any]]:
        """``minimise_group_lasso`` for some sweeps, without its gap at the end."""
        loss, done = self.loss, 0
        while done < SWEEPS:
            residual = loss.Y - XW
            pulls = self._pulls(residual)
            strength = _NORM.dual(pulls)
            square, largest = sum_of_squares(residual), strength.max()
            used = pulls[W.places]
            gap = duality_gap(_NORM, self.alpha, W.values, used, square, largest)
            rounding = loss.rounding(W.places, W.values)
            goal = max(SWEEP_TOL * loss.target_sq / 2, rounding)
            if gap <= goal:
                break
            places = working_features(W.places, strength, self.alpha)
            descent = self._descent(places, W.among(places))
            enough = max(0.9 * goal, 0.1 * gap)
            done += len(list(descent.run(enough, range(done + 1, SWEEPS + 1))))
            W = self._in_use(places, descent.W)
            XW = self._fitted(descent, places, W)
        return W, XW

    def _descent(self, places: NDArray[Any], W: NDArray[Any]) -> RowDescent:
        """By the residual where features are many, and else by products of features."""
        loss = self.loss
        if len(places) > loss.residual_cost(places):
            parts = loss.mean[places], loss.column_sq[places]
            block = CollectedBlock(SparseBlock(loss.X[:, places], loss.Y, *parts))
            return SparseDescent(block, _NORM, self.alpha, W)
        loss.set_targets(loss.Y)
        return RowDescent(loss.block(places), _NORM, self.alpha, W)

    def _fitted(
        self, descent: RowDescent, places: NDArray[Any], W: SparseRows
    ) -> NDArray[Any]:
        """XW, from the residual that a descent has left."""
        if not isinstance(descent.block, CollectedBlock):
            return self.loss.fitted(W.places, W.values)
        level = descent.block.mean @ descent.W
        fitted: NDArray[Any] = self.loss.Y - descent.block.stored - level
        return fitted

    def _pulls(self, R: NDArray[Any]) -> NDArray[Any]:
        """X'R of all features."""
        from labelsift.kernels.sparse_newton import collect

        X, pulls = self.loss.X, np.empty((len(self.loss.cross), R.shape[1]))
        R = R - R.mean(axis=0)  # then the mean of X does not matter
        collect(X.data, X.indices, X.indptr, R, np.zeros(R.shape[1]), pulls)
        return pulls

    def _in_use(self, places: NDArray[Any], W: NDArray[Any]) -> SparseRows:
        used = W.any(axis=1)
        return SparseRows(len(self.loss.cross), places[used], W[used])
