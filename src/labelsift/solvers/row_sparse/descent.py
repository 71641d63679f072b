# SPDX-License-Identifier: BSD-3-Clause
"""Descent over the rows of a few features: sweeps, and Newton steps between them.

Sweeps alone quickly determine which rows are zero, and then converge slowly where
features are correlated. A Newton step along the current face costs a few products
with the Gram matrix (conjugate gradients, with a Cholesky factor where that is cheap)
and replaces hundreds of sweeps. It is taken only where it lowers the objective, or the
duality gap where the objective is equal up to rounding, so that the objective never
rises by more than rounding.
"""

import copy
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import LinAlgError, cho_factor, cho_solve
from scipy.optimize import brentq
from scipy.sparse.linalg import LinearOperator, cg

from labelsift.solvers.row_sparse.blocks import RowBlock
from labelsift.solvers.row_sparse.norms import CautiousFace, Face, MaximumNorm, RowNorm

# Sweeps between two checks of the gap.
_SWEEPS = 5
# Relative residual at which a Newton system is solved.
_NEWTON_TOL = 1e-2
# A share of a Newton step that counts as all of it.
_NEARLY = 1 - 1e-4
# A share of a Newton step that is too small.
_SHORT = 0.1
# Halvings of a step before its best part is computed.
_HALVINGS = 8
# Share of the diagonal that is added to a Newton system.
_DAMPING = 1e-10
# Differences of the objective that are rounding, as a share of ||Y||^2.
_ROUNDING = 1e-15


def duality_gap(
    norm: RowNorm,
    alpha: float,
    W: NDArray[Any],
    correlation: NDArray[Any],
    residual_sq: float,
    largest: float,
) -> float:
    """Bound on how far the objective at W is above its minimum.

    The dual point is s R, with the largest s <= 1 for which every row of s X'R is
    within alpha in the dual norm. Written out, the difference of the two objectives is
    (1 - s)^2 / 2 ||R||^2 + alpha * penalty - s <W, X'R>, free of large numbers that
    cancel. Rows of W and ``correlation`` X'R belong to the features with weights,
    ``largest`` is the largest dual norm of a row of X'R over all features.
    """
    s = min(1.0, alpha / largest) if largest > 0 else 1.0
    excess = alpha * norm.values(W).sum() - s * np.vdot(W, correlation)
    return float(max((1 - s) ** 2 / 2 * residual_sq + excess, 0.0))


class RowDescent:
    """Minimise a block's loss plus alpha times the sum of the norms of its rows.

    It starts at W; the attribute ``W`` is the current point.
    """

    def __init__(
        self, block: RowBlock, norm: RowNorm, alpha: float, W: NDArray[Any]
    ) -> None:
        self.block, self.norm, self.alpha, self.W = block, norm, alpha, W
        block.place(W)

    def run(self, enough: float, sweeps: range) -> Iterator[float]:
        """Yield the objective after each sweep until the gap is at most ``enough``.

        The last move is a sweep, so that rows without weights are exactly zero. The
        numbers of the sweeps continue from one block to the next: the more there were,
        the harder is the problem, and the more Newton steps may cost.
        """
        for number in sweeps:
            self.block.sweep(self.W, self.alpha, isinstance(self.norm, MaximumNorm))
            self.objective = self._objective()
            done = number - sweeps.start + 1
            if done % _SWEEPS == 0 and number + 1 < sweeps.stop:
                if self.gap() <= enough:
                    yield self.objective
                    return
                self.newton(max_products=max(done, number // 4))
            yield self.objective

    def gap(self) -> float:
        """Duality gap over the block's features."""
        correlation = self.block.correlation()
        largest = self.norm.dual(correlation).max()
        residual_sq = self.block.residual_sq(self.W)
        return duality_gap(
            self.norm, self.alpha, self.W, correlation, residual_sq, largest
        )

    def newton(self, max_products: int) -> None:
        """Take Newton steps, from one face to the next, as long as they help."""
        while max_products > 0:
            face = self.norm.face(self.W)
            part, helps, products = self._move(face, max_products)
            if part < _SHORT:
                face = CautiousFace(self.norm.face(self.W))
                _, more_helps, more = self._move(face, max_products)
                helps, products = helps or more_helps, products + more
            if not helps or part == 1:
                return
            max_products -= products + 3

    def _move(self, face: Face, max_products: int) -> tuple[float, bool, int]:
        """Step along a face: the best share, whether it helped, and its products."""
        start, sizes = self.W, self.norm.values(self.W)
        step, products = self._newton_step(face, max_products)
        part = self._best_part(step)
        helps = self._try(self.norm.snap(start + part * step, sizes))
        if part < 1:  # a border was reached: a longer step may do better
            helps |= self._try(face.retract(start + step))
        return part, helps, products

    def _try(self, W: NDArray[Any]) -> bool:
        """Move to W if it is better: by the objective or, on a tie, by the gap.

        Near the minimum the objective differs by the square of the distance and is lost
        in rounding long before the gap is.
        """
        trial = copy.copy(self)
        trial.block = copy.copy(self.block)
        trial.W = W
        trial.block.place(W)
        trial.objective = trial._objective()
        gain = self.objective - trial.objective
        rounding = _ROUNDING * trial.block.target_sq
        better = gain > rounding or (gain >= -rounding and trial.gap() < self.gap())
        if better:
            self.block, self.W, self.objective = trial.block, W, trial.objective
        return better

    def _objective(self) -> float:
        penalty = self.alpha * self.norm.values(self.W).sum()
        return float(self.block.residual_sq(self.W) / 2 + penalty)

    def _best_part(self, step: NDArray[Any]) -> float:
        """The part of a step, at most 1, that lowers the objective most."""
        downhill = np.vdot(self.block.correlation(), step)
        curvature = np.vdot(step, self.block.curve(step))
        W, V, settled = self.W, step, 0.0

        def slopes(part: float) -> NDArray[Any]:
            return self.norm.slopes(W + part * V, V)

        def slope(part: float) -> float:
            penalty = settled + slopes(part).sum()
            return float(part * curvature - downhill + self.alpha * penalty)

        low, high = 0.0, _NEARLY
        if slope(high) <= 0:
            return 1.0
        for _ in range(_HALVINGS):
            # The slope of a row never falls: it is constant where both ends agree.
            before = slopes(low)
            changing = before != slopes(high)
            settled += before[~changing].sum()
            W, V = W[changing], V[changing]
            middle = (low + high) / 2
            low, high = (middle, high) if slope(middle) < 0 else (low, middle)
        for end in (low, high):  # by rounding there may be no change of sign
            if (slope(end) < 0) != (end == low):
                return end
        # A long step is cut to a tiny share: the tolerance is relative, not absolute.
        return float(brentq(slope, low, high, xtol=1e-300, maxiter=1000))

    def _newton_step(self, face: Face, max_products: int) -> tuple[NDArray[Any], int]:
        """Solve for the step by conjugate gradients; also the products it took.

        A few products that do not suffice still give a good direction. Where features
        depend on each other there are directions without curvature: the damping makes
        the step along them very long, so that it ends at a border of the face.
        """
        shape, size = self.W.shape, (self.W.size, self.W.size)
        downhill = face.project(self.block.correlation() - self.alpha * face.gradient)
        scale = self._diagonal(face)
        divide = self._preconditioner(face, scale, max_products)
        products = 0

        def curve(flat: NDArray[Any]) -> NDArray[Any]:
            nonlocal products
            products += 1
            V = flat.reshape(shape)
            curved = self.block.curve(V) + self.alpha * face.curve(V)
            return face.project(curved) + _DAMPING * scale * V

        step, _ = cg(
            LinearOperator(size, curve, dtype=np.float64),
            downhill.ravel(),
            rtol=_NEWTON_TOL,
            maxiter=max_products,
            M=LinearOperator(size, lambda V: divide(V.reshape(shape)), dtype=float),
        )
        return np.asarray(step).reshape(shape), products

    def _diagonal(self, face: Face) -> NDArray[Any]:
        """Largest curvature of each row or entry, by itself."""
        scale = self.block.column_sq[:, np.newaxis] + self.alpha * face.stiffness
        return np.where(scale > 0, scale, 1.0)  # an empty column has no slope either

    def _preconditioner(
        self, face: Face, scale: NDArray[Any], max_products: int
    ) -> Callable[[NDArray[Any]], NDArray[Any]]:
        """Division by the curvature, about: row by row or, better, by a matrix.

        Where a face curves whole rows, X'X plus the largest curvature of each row is
        too large in one direction per row only, and one Cholesky factor serves all
        labels. It is computed where it costs less than the allowed products.
        """
        n_labels = self.W.shape[1]
        rows = np.flatnonzero(face.stiffness.any(axis=1))
        by_row = face.stiffness.shape[1] == 1
        # p^3 / 3 operations for the factor, 2 p^2 n_labels for a product.
        cheap = 0 < len(rows) <= 6 * n_labels * max_products
        gram = self.block.gram_of(rows) if by_row and cheap else None
        if gram is not None:
            ridge = self.alpha * face.stiffness[rows] + _DAMPING * scale[rows]
            gram.flat[:: len(rows) + 1] += ridge[:, 0]
            try:
                factor = cho_factor(gram.T, overwrite_a=True, check_finite=False)
            except LinAlgError:  # X'X is indefinite by rounding, its diagonal positive
                gram = None
        if gram is None:
            own = self.block.column_sq[:, np.newaxis] + _DAMPING * scale
            return lambda V: face.divide(V, own, self.alpha)

        def divide(V: NDArray[Any]) -> NDArray[Any]:
            divided = V / scale
            divided[rows] = cho_solve(factor, V[rows], check_finite=False)
            return divided

        return divide
