# SPDX-License-Identifier: BSD-3-Clause
"""The group lasso among the features that may have weights, safe for all others.

Correlations X'R change slowly along a path. By the sequential strong rule (Tibshirani
et al., 2012) a feature whose correlation at alpha is below 2 beta - alpha, in the dual
norm, is without weights at beta < alpha. The rule may fail. A solution is therefore
checked: no feature that was left out may have a correlation above alpha, and those that
have are let in. Between two alphas on the path most are known to be below without a
product with X, by the triangle inequality.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from labelsift.core.result import SolverResult
from labelsift.solvers.row_sparse.blocks import RowBlock
from labelsift.solvers.row_sparse.descent import duality_gap
from labelsift.solvers.row_sparse.group_lasso import minimise_group_lasso
from labelsift.solvers.row_sparse.least_squares import DesignLoss, RowLoss
from labelsift.solvers.row_sparse.norms import row_norm


@dataclass(frozen=True)
class Reference:
    """A residual, and the dual norm of every feature's correlation with it."""

    residual: NDArray[Any]
    strength: NDArray[Any]

    def strong(self, alpha: float, further: float) -> NDArray[np.intp]:
        """The features that may have weights at ``further``, by the strong rule."""
        return np.flatnonzero(self.strength >= 2 * further - alpha)


class Candidates(RowLoss):
    """The loss over some features of another, whose Gram matrices it uses."""

    def __init__(self, whole: DesignLoss, features: NDArray[np.intp]) -> None:
        self.whole, self.features = whole, features
        self.cross, self.target_sq = whole.cross[features], whole.target_sq
        self.column_sq = whole.column_sq[features]
        self._products = whole.products_with(features)

    def _correlation(
        self, features: NDArray[Any], W: NDArray[Any]
    ) -> tuple[NDArray[Any], float]:
        residual = self.whole.residual(self.features[features], W)
        return self._products(residual), float(np.vdot(residual, residual))

    def block(self, features: NDArray[Any]) -> RowBlock:
        return self.whole.block(self.features[features])

    def missed(self, at: Reference, alpha: float) -> NDArray[np.intp]:
        """Other features that should have weights."""
        return np.setdiff1d(np.flatnonzero(at.strength > alpha), self.features)


def minimise_among(
    candidates: Candidates,
    ends: tuple[Reference, Reference] | None,
    *,
    alpha: float,
    norm: str,
    W_init: NDArray[Any],
    tol: float,
    max_iter: int,
) -> tuple[SolverResult, Reference | None]:
    """As ``minimise_group_lasso`` with the loss of all features, most of them unused.

    Also the reference of the solution, where it was needed: not if all features that
    are left out are known to be below alpha from those at both ``ends`` of an interval.
    """
    loss, rows = candidates.whole, row_norm(norm)
    trace, W = np.empty(0), W_init
    while True:
        result = minimise_group_lasso(
            candidates,
            alpha=alpha,
            norm=norm,
            W_init=W[candidates.features],
            tol=tol,
            max_iter=max_iter - max(len(trace) - 1, 0),
        )
        trace = np.append(trace, result.objective[min(len(trace), 1) :])
        weighted = result.solution.any(axis=1)
        used, W_used = candidates.features[weighted], result.solution[weighted]
        W = np.zeros_like(loss.cross)
        W[used] = W_used
        residual, gap, at = loss.residual(used, W_used), result.gap, None
        if ends is None or _largest(candidates, norm, ends, residual) > alpha:
            correlation = loss.products(residual)
            at = Reference(residual, rows.dual(correlation))
            squares, most = float(np.vdot(residual, residual)), at.strength.max()
            gap = duality_gap(rows, alpha, W_used, correlation[used], squares, most)
        goal = max(tol * loss.target_sq / 2, loss.rounding(used, W_used))
        missed = () if at is None else candidates.missed(at, alpha)
        if gap <= goal or not len(missed) or len(trace) > max_iter:
            done = gap <= goal or (result.converged and not len(missed))
            return SolverResult(W, trace, gap, len(trace) - 1, done), at
        candidates = Candidates(loss, np.union1d(candidates.features, missed))


def _largest(
    candidates: Candidates,
    norm: str,
    ends: tuple[Reference, Reference],
    residual: NDArray[Any],
) -> float:
    """A bound on the dual norm of the correlations of all features left out.

    The residual is a mixture of those at the ends, whose correlations are in the dual
    norm at most the mixture of theirs, and a rest.
    """
    (start, end), loss = ends, candidates.whole
    along, part = end.residual - start.residual, residual - start.residual
    share = np.vdot(along, part) / (np.vdot(along, along) or 1.0)
    share = min(max(float(share), 0.0), 1.0)
    rest = float(np.linalg.norm(part - share * along))
    # A dual norm is at most so many times the 2-norm.
    widest = np.sqrt(residual.shape[1]) if norm == "inf" else 1.0
    bounds = (1 - share) * start.strength + share * end.strength
    bounds += widest * rest * np.sqrt(np.maximum(loss.column_sq, 0.0))
    bounds[candidates.features] = 0.0
    return float(bounds.max())
