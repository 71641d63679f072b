# SPDX-License-Identifier: BSD-3-Clause
r"""The group lasso of sparse X with thousands of features in use.

.. math::

    \min_W \tfrac12 \|Y - XW\|_F^2 + \alpha \sum_j \|W_j\|_2

as ``minimise_group_lasso``, with the same steps and the same duality gap. Where Gram
matrices are too large, nearly all time goes into products with X in Newton systems:
these are solved by a compiled loop (``kernels/sparse_newton.py``).
"""

from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from labelsift.core.result import SolverResult
from labelsift.solvers.row_sparse.blocks import RowBlock, SparseBlock
from labelsift.solvers.row_sparse.descent import RowDescent, duality_gap
from labelsift.solvers.row_sparse.group_lasso import minimise_group_lasso
from labelsift.solvers.row_sparse.least_squares import RowLoss, SparseLoss
from labelsift.solvers.row_sparse.norms import CautiousFace, EuclideanNorm, Face

# From so many features on; the iterates are not those of ``minimise_group_lasso``.
_WIDE = 2000
# Working features to begin with, and how many may enter for each that has weights.
_FIRST_FEATURES = 128
_GROWTH = 3
# A set of working features is left when its gap is this share of the gap of all.
_SHARE = 0.1
# Relative residual at which a Newton system is solved, and what is added to its
# diagonal, as a share.
_NEWTON_TOL = 1e-2
_DAMPING = 1e-10

_NORM = EuclideanNorm()


def minimise_rows(
    loss: RowLoss,
    *,
    alpha: float,
    W_init: NDArray[Any] | None = None,
    tol: float = 1e-6,
    max_iter: int = 10_000,
) -> SolverResult:
    """``minimise_group_lasso`` with the 2-norm, in the way that suits the loss."""
    wide = len(loss.cross) >= _WIDE
    if not wide or not isinstance(loss, SparseLoss) or loss.root is not None:
        return minimise_group_lasso(
            loss, alpha=alpha, W_init=W_init, tol=tol, max_iter=max_iter
        )
    W = np.zeros_like(loss.cross) if W_init is None else W_init.copy()
    used = np.flatnonzero(W.any(axis=1))
    trace: list[float] = []
    while True:
        correlation, residual_sq = loss.correlation(used, W[used])
        strength = _NORM.dual(correlation)
        trace = trace or [residual_sq / 2 + alpha * _NORM.values(W[used]).sum()]
        gap = duality_gap(
            _NORM, alpha, W[used], correlation[used], residual_sq, strength.max()
        )
        goal = max(tol * loss.target_sq / 2, loss.rounding(used, W[used]))
        if gap <= goal or len(trace) > max_iter:
            break
        working = _working(used, strength, alpha)
        descent = _descent(loss.block(working), alpha, W[working])
        enough = max((1 - _SHARE) * goal, _SHARE * gap)
        trace.extend(descent.run(enough, range(len(trace), max_iter + 1)))
        W[working] = descent.W
        used = working[descent.W.any(axis=1)]
    return SolverResult(
        W, np.array(trace), gap, n_iter=len(trace) - 1, converged=gap <= goal
    )


def _working(
    used: NDArray[np.intp], strength: NDArray[Any], alpha: float
) -> NDArray[np.intp]:
    """Features with weights, and the strongest of those that should have some."""
    others = np.where(strength > alpha, strength, 0.0)
    others[used] = 0.0
    most = max(_GROWTH * len(used), _FIRST_FEATURES)
    strongest = np.argsort(-others, kind="stable")[:most]
    return np.sort(np.concatenate([used, strongest[others[strongest] > 0]]))


def _descent(block: RowBlock, alpha: float, W: NDArray[Any]) -> RowDescent:
    if isinstance(block, SparseBlock):
        return SparseDescent(CollectedBlock(block), _NORM, alpha, W)
    return RowDescent(block, _NORM, alpha, W)


class CollectedBlock(SparseBlock):
    """A sparse block with rows and columns, whose products collect."""

    def __init__(self, block: SparseBlock) -> None:
        super().__init__(block.X, block.Y, block.mean, block.column_sq)
        by_row = sp.csr_array(block.X)
        self.rows = by_row.data, by_row.indices, by_row.indptr
        self.columns = block.X.data, block.X.indices, block.X.indptr

    def place(self, W: NDArray[Any]) -> None:
        self.stored = self.Y - self._times(self.rows, W)
        self.total = self.stored.sum(axis=0)

    def correlation(self) -> NDArray[Any]:
        pulls = self._times(self.columns, self.stored)
        return pulls - np.outer(self.mean, self.total)

    def curve(self, V: NDArray[Any]) -> NDArray[Any]:
        shift = len(self.Y) * np.outer(self.mean, self.mean @ V)
        return self._times(self.columns, self._times(self.rows, V)) - shift

    def _times(self, parts: tuple[Any, ...], V: NDArray[Any]) -> NDArray[np.float64]:
        """X or X', by the parts of its rows, times V."""
        from labelsift.kernels.sparse_newton import collect

        product = np.empty((len(parts[2]) - 1, V.shape[1]))
        collect(*parts, np.ascontiguousarray(V), np.zeros(V.shape[1]), product)
        return product


class SparseDescent(RowDescent):
    """Descent over a collected block, whose Newton systems a compiled loop solves."""

    block: CollectedBlock

    def _newton_step(self, face: Face, max_products: int) -> tuple[NDArray[Any], int]:
        from labelsift.kernels.sparse_newton import newton_step

        block = self.block
        downhill = face.project(block.correlation() - self.alpha * face.gradient)
        damping = _DAMPING * self._diagonal(face)[:, 0]
        # Along itself a row has the curvature of the loss alone, unless it is cautious.
        cautious = isinstance(face, CautiousFace)
        step, products = newton_step(
            block.rows,
            block.columns,
            block.mean,
            downhill,
            np.zeros_like(self.W) if cautious else face.gradient,
            np.where(block.column_sq > 0, block.column_sq, 1.0) + damping,
            self.alpha * face.stiffness[:, 0],
            damping,
            face.project(np.ones_like(self.W)).any(axis=1),
            _NEWTON_TOL,
            max_products,
        )
        return step, products
