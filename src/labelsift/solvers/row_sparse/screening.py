# SPDX-License-Identifier: BSD-3-Clause
"""The group lasso among the features that may have weights, safe for all others.

Correlations X'R change slowly along a path. By the sequential strong rule (Tibshirani
et al., 2012) a feature whose correlation at alpha is below 2 beta - alpha, in the dual
norm, is without weights at beta < alpha. The rule may fail. A solution is therefore
checked: no feature that was left out may have a correlation above alpha, and those that
have are let in. Between two alphas on the path most are known to be below without a
product with X, by the triangle inequality; those of the others are computed.
"""

from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from labelsift.core.result import SolverResult
from labelsift.solvers.row_sparse.blocks import RowBlock
from labelsift.solvers.row_sparse.descent import RowDescent, duality_gap
from labelsift.solvers.row_sparse.group_lasso import minimise_group_lasso
from labelsift.solvers.row_sparse.least_squares import DesignLoss, RowLoss
from labelsift.solvers.row_sparse.norms import row_norm
from labelsift.solvers.row_sparse.sparse_rows import SparseRows

# A share of the features of which the products cost as much as those of all.
_MANY = 0.3


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

    descend: type[RowDescent] = RowDescent

    def __init__(self, whole: DesignLoss, features: NDArray[np.intp]) -> None:
        self.whole, self.features = whole, features
        self.cross, self.target_sq = whole.cross[features], whole.target_sq
        self.column_sq = whole.column_sq[features]
        self._products = whole.products_with(features)

    def _correlation(
        self, features: NDArray[Any], W: NDArray[Any]
    ) -> tuple[NDArray[Any], float]:
        self._residual = self.whole.residual(self.features[features], W)
        squares = float(np.vdot(self._residual, self._residual))
        return self._products(self._residual), squares

    def with_more(self, features: NDArray[np.intp]) -> Self:
        """These candidates and others."""
        return type(self)(self.whole, np.union1d(self.features, features))

    def all_products(self, residual: NDArray[Any]) -> NDArray[np.float64]:
        """X'R of all features."""
        return self.whole.products(residual)

    def block(self, features: NDArray[Any]) -> RowBlock:
        return self.whole.block(self.features[features])

    def residual(self, W: SparseRows) -> NDArray[Any]:
        """Y - XW for weights of the candidates, from their last correlations."""
        if not W.count:
            return self.whole.Y
        self.correlation(W.places, W.values)
        return self._residual

    def gap(self, W: SparseRows, norm: str, alpha: float, outside: float) -> float:
        """The duality gap of all features; ``outside``: the strongest of the others."""
        rows = row_norm(norm)
        correlation, squares = self.correlation(W.places, W.values)
        largest = max(float(rows.dual(correlation).max()), outside)
        used = correlation[W.places]
        return duality_gap(rows, alpha, W.values, used, squares, largest)


def minimise_among(
    candidates: Candidates,
    ends: tuple[Reference, Reference] | None,
    *,
    alpha: float,
    norm: str,
    W_init: SparseRows,
    tol: float,
    max_iter: int,
) -> tuple[SolverResult, Reference | None]:
    """As ``minimise_group_lasso`` with the loss of all features, most of them unused.

    The solution is a ``SparseRows``. Also its reference, unless most features that are
    left out are known to be below alpha from those at both ``ends`` of an interval.
    """
    loss, trace, W = candidates.whole, np.empty(0), W_init
    while True:
        result = minimise_group_lasso(
            candidates,
            alpha=alpha,
            norm=norm,
            W_init=W.among(candidates.features),
            tol=tol,
            max_iter=max_iter - max(len(trace) - 1, 0),
            descend=candidates.descend,
        )
        trace = np.append(trace, result.objective[min(len(trace), 1) :])
        few, gap = SparseRows.of(result.solution), result.gap
        W = SparseRows(len(loss.cross), candidates.features[few.places], few.values)
        residual = candidates.residual(few)
        missed, strongest, at = _missed(candidates, ends, norm, alpha, residual)
        if len(missed):
            gap = candidates.gap(few, norm, alpha, strongest)
        goal = max(tol * loss.target_sq / 2, loss.rounding(W.places, W.values))
        if gap <= goal or not len(missed) or len(trace) > max_iter:
            done = gap <= goal or (result.converged and not len(missed))
            return SolverResult(W, trace, gap, len(trace) - 1, done), at
        candidates = candidates.with_more(missed)


def _missed(
    candidates: Candidates,
    ends: tuple[Reference, Reference] | None,
    norm: str,
    alpha: float,
    residual: NDArray[Any],
) -> tuple[NDArray[np.intp], float, Reference | None]:
    """Features left out that should have weights, and the strongest of them.

    Only those that the ends leave in doubt are looked at, unless these are many: then
    all are, which gives a reference.
    """
    loss, rows = candidates.whole, row_norm(norm)
    doubtful, at = np.arange(len(loss.cross)), None
    if ends is not None:
        bounds = _bounds(candidates, norm, ends, residual)
        doubtful = np.flatnonzero(bounds > alpha)
    if len(doubtful) > _MANY * len(loss.cross):
        at = Reference(residual, rows.dual(candidates.all_products(residual)))
        doubtful = np.setdiff1d(
            np.flatnonzero(at.strength > alpha), candidates.features
        )
        strength = at.strength[doubtful]
    elif len(doubtful):
        strength = rows.dual(loss.products_with(doubtful)(residual))
    else:
        strength = np.empty(0)
    above = strength > alpha
    return doubtful[above], float(strength.max(initial=0.0)), at


def _bounds(
    candidates: Candidates,
    norm: str,
    ends: tuple[Reference, Reference],
    residual: NDArray[Any],
) -> NDArray[Any]:
    """Bounds on the dual norm of the correlations of all features left out.

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
    return bounds
