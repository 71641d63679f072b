# SPDX-License-Identifier: BSD-3-Clause
r"""The group lasso of sparse X with thousands of features in use.

.. math::

    \min_W \tfrac12 \|Y - XW\|_F^2 + \alpha \sum_j \|W_j\|_2

as ``minimise_group_lasso``, until the same duality gap. Where Gram matrices are too
large, nearly all time goes into products with X in Newton systems: these are solved by
a compiled loop (``kernels/sparse_newton.py``), and sweeps over the rows that still move
leave few of them.
"""

from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from labelsift.core.result import SolverResult
from labelsift.solvers.row_sparse.blocks import RowBlock, SparseBlock
from labelsift.solvers.row_sparse.descent import RowDescent
from labelsift.solvers.row_sparse.group_lasso import minimise_group_lasso
from labelsift.solvers.row_sparse.least_squares import RowLoss, SparseLoss
from labelsift.solvers.row_sparse.norms import CautiousFace, Face, RowNorm

# From so many features on: the solutions are as close, but not the same bits.
_WIDE = 2000
# Relative residual at which a Newton system is solved, and what is added to its
# diagonal, as a share.
_NEWTON_TOL = 1e-2
_DAMPING = 1e-10
# Where this share of the features in a block have weights, few more will enter.
_SETTLED = 0.95
# The share of the rows that are swept again after a sweep over all, and how often.
_LIVELY = 1 / 4
_AGAIN = 12


def minimise_rows(loss: RowLoss, **options: Any) -> SolverResult:
    """``minimise_group_lasso`` with the 2-norm, in the way that suits the loss."""
    sparse = isinstance(loss, SparseLoss) and loss.root is None
    if sparse and len(loss.cross) >= _WIDE:
        options["descend"] = _descent
    return minimise_group_lasso(loss, **options)


def _descent(
    block: RowBlock, norm: RowNorm, alpha: float, W: NDArray[Any]
) -> RowDescent:
    if isinstance(block, SparseBlock):
        settled = W.any(axis=1).mean() >= _SETTLED
        kind = LivelyBlock if settled else CollectedBlock
        return SparseDescent(kind(block), norm, alpha, W)
    return RowDescent(block, norm, alpha, W)


class CollectedBlock(SparseBlock):
    """A sparse block with rows and columns, whose products and sweeps collect.

    Correlations are stored until the weights change.
    """

    _pulls: NDArray[Any] | None = None

    def __init__(self, block: SparseBlock) -> None:
        super().__init__(block.X, block.Y, block.mean, block.column_sq)
        by_row = sp.csr_array(block.X)
        self.rows = by_row.data, by_row.indices, by_row.indptr
        self.columns = block.X.data, block.X.indices, block.X.indptr

    def place(self, W: NDArray[Any]) -> None:
        self.stored = self.Y - self._times(self.rows, W)
        self.total = self.stored.sum(axis=0)
        self._pulls = None

    def correlation(self) -> NDArray[Any]:
        if self._pulls is None:
            pulls = self._times(self.columns, self.stored)
            self._pulls = pulls - np.outer(self.mean, self.total)
        return self._pulls

    def curve(self, V: NDArray[Any]) -> NDArray[Any]:
        shift = len(self.Y) * np.outer(self.mean, self.mean @ V)
        return self._times(self.columns, self._times(self.rows, V)) - shift

    def sweep(self, W: NDArray[Any], alpha: float, sup_norm: bool) -> None:
        if sup_norm:
            super().sweep(W, alpha, sup_norm)
            self._pulls = None
        else:
            self._sweep(W, alpha, np.arange(len(W)))

    def _sweep(
        self, W: NDArray[Any], alpha: float, features: NDArray[np.intp]
    ) -> NDArray[Any]:
        """Sweep over some rows in the 2-norm; how much each moved, for its entries."""
        from labelsift.kernels.sparse_newton import sweep_rows

        moved = np.empty(len(features))
        sweep_rows(
            self.columns,
            self.mean,
            self.column_sq,
            W,
            self.stored,
            self.total,
            alpha,
            features,
            moved,
        )
        self._pulls = None
        return moved

    def _times(self, parts: tuple[Any, ...], V: NDArray[Any]) -> NDArray[np.float64]:
        """X or X', by the parts of its rows, times V."""
        from labelsift.kernels.sparse_newton import collect

        product = np.empty((len(parts[2]) - 1, V.shape[1]))
        collect(*parts, np.ascontiguousarray(V), np.zeros(V.shape[1]), product)
        return product


class LivelyBlock(CollectedBlock):
    """A block whose sweeps stay with the rows that still move, for the 2-norm.

    Features that nearly repeat each other come to rest slowly, and slow down conjugate
    gradients; where they have few entries it is cheap to sweep them often. It is for
    features that mostly have weights: exact copies share theirs in any way, and how is
    left to the sweeps before, which are those of other blocks.
    """

    def sweep(self, W: NDArray[Any], alpha: float, sup_norm: bool) -> None:
        """A sweep over all rows, and some over those that moved most for their cost."""
        moved = self._sweep(W, alpha, np.arange(len(W)))
        count = int(_LIVELY * len(W))
        lively = np.sort(np.argpartition(-moved, count)[:count])
        for _ in range(_AGAIN):
            self._sweep(W, alpha, lively)


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
