# SPDX-License-Identifier: BSD-3-Clause
r"""The group lasso where each target is known in some rows only.

.. math::

    \min_{W, b} \tfrac12 \sum_{(i, l) \text{ known}} (y_{il} - x_i W_l - b_l)^2
        + \alpha \sum_j \|W_j\|_p

Filling the unknown entries with what the current model predicts bounds the loss from
above and touches it: each round solves the group lasso of the filled targets, from the
last weights, and lowers the objective. What is left to the minimum is bounded by the
duality gap of the known entries, by which it stops. A round is cheap, and the share of
known entries tells how many there are.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from labelsift.core.result import SolverResult
from labelsift.solvers.row_sparse.descent import duality_gap
from labelsift.solvers.row_sparse.group_lasso import minimise_group_lasso
from labelsift.solvers.row_sparse.least_squares import DesignLoss
from labelsift.solvers.row_sparse.norms import row_norm

# A round is solved until its own gap is this share of the gap of the known entries.
_SHARE = 0.1


class KnownTargets:
    """The loss over known entries; X is centred, rows are times the roots of weights.

    ``loss`` holds X; its targets are overwritten with the filled ones.
    """

    def __init__(
        self,
        loss: DesignLoss,
        Y: NDArray[Any],
        root: NDArray[Any] | None = None,
    ) -> None:
        n = len(Y)
        self.root = np.ones((n, 1)) if root is None else root[:, np.newaxis]
        self.loss, self._known = loss, ~np.isnan(Y)
        self._Y = np.where(self._known, self.root * Y, 0.0)
        self._totals = (self._known * self.root**2).sum(axis=0)
        residual, _, _ = self._residual(np.zeros_like(loss.cross))
        self.target_sq = float(np.vdot(residual, residual))
        loss.set_targets(residual)

    def minimise(
        self,
        *,
        alpha: float,
        norm: str,
        W_init: NDArray[Any] | None,
        tol: float,
        max_iter: int,
    ) -> SolverResult:
        """As ``minimise_group_lasso``; a round counts as an iteration."""
        rows, goal, trace = row_norm(norm), tol * self.target_sq / 2, []
        W = np.zeros_like(self.loss.cross) if W_init is None else W_init
        while True:
            residual, fitted, _ = self._residual(W)
            self.loss.set_targets(fitted + residual)
            used = np.flatnonzero(W.any(axis=1))
            correlation = self.loss.products(residual)
            squares = float(np.vdot(residual, residual))
            trace.append(squares / 2 + alpha * rows.values(W[used]).sum())
            strongest = rows.dual(correlation).max()
            gap = duality_gap(
                rows, alpha, W[used], correlation[used], squares, strongest
            )
            rounding = self.loss.rounding(used, W[used])
            if gap <= max(goal, rounding) or len(trace) > max_iter:
                break
            W = minimise_group_lasso(
                self.loss,
                alpha=alpha,
                norm=norm,
                W_init=W,
                tol=_SHARE * gap / (self.loss.target_sq / 2),
                max_iter=max_iter,
            ).solution
        converged = gap <= max(goal, rounding)
        return SolverResult(W, np.array(trace), gap, len(trace) - 1, converged)

    def level(self, W: NDArray[Any]) -> NDArray[np.float64]:
        """The intercepts b of centred X."""
        return self._residual(W)[2]

    def _residual(
        self, W: NDArray[Any]
    ) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
        """Residuals, 0 where unknown, what is fitted without b, and the best b."""
        used = np.flatnonzero(W.any(axis=1))
        fitted = np.zeros_like(self._Y)
        if len(used):
            fitted = self.loss.fitted(used, W[used])
        residual = np.where(self._known, self._Y - fitted, 0.0)
        level = (self.root * residual).sum(axis=0) / np.maximum(self._totals, 1e-300)
        return residual - self._known * (self.root * level), fitted, level
