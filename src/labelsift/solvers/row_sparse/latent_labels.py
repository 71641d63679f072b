# SPDX-License-Identifier: BSD-3-Clause
r"""Row-sparse regression on latent labels that follow a graph, block by block.

.. math::

    \Theta = \|XW - V\|_F^2 + \alpha \|Y - VB\|_F^2 + \beta \operatorname{tr}(V^T L V)
        + \gamma \sum_j \|W_j\| + \rho \|B\|_F^2 + \sum_i \delta_i \|v_i\|^2

where either B B' = I (``ridge`` = rho = 0) or rho > 0; the weights delta of the columns
of V are 0 unless B = I is fixed. Each block is minimised exactly:
V by shifted conjugate gradients, B by a polar factor or least squares, W by the group
lasso. With B B' = I, V may be eliminated (``ReducedLatent``): what remains is a
quadratic form in W that is computed once for every gamma and every B.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Protocol, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.utils import gen_batches

from labelsift.core.result import SolverResult
from labelsift.solvers.graph.shifted_cg import solve_shifted
from labelsift.solvers.row_sparse.group_lasso import minimise_group_lasso
from labelsift.solvers.row_sparse.least_squares import DesignLoss, GramLoss

# Sweeps over W between two updates of V and B, fewer where W is optimal to this gap.
SWEEPS, SWEEP_TOL = 10, 1e-12
# Maximum of sweeps where V is eliminated and B is optimal.
_ALL_SWEEPS = 10_000
# Rounds over which the objective must not change; momentum can stall in one.
_ROUNDS = 5
# Columns that are solved for at a time when V is eliminated.
_COLUMNS = 64

Watcher = Callable[[int, float], None]


@dataclass(frozen=True)
class LatentProblem:
    """The data and weights of the objective."""

    loss: DesignLoss  # gives products with X; its targets are overwritten
    Y: NDArray[Any]
    L: Any  # Laplacian of the graph, sparse
    alpha: float  # weight of the labels
    beta: float  # weight of the graph
    gamma: float  # weight of the row norms
    ridge: float = 0.0  # weight of |B|^2; 0 means BB' = I
    damping: NDArray[Any] | float = (
        0.0  # weight of |v|^2 of each column; only for B = I
    )

    def fitted(self, W: NDArray[Any]) -> NDArray[Any]:
        """XW from the rows of W that are not zero."""
        used = np.flatnonzero(W.any(axis=1))
        return self.loss.fitted(used, W[used])

    def objective(self, point: "LatentPoint", XW: NDArray[Any] | None = None) -> float:
        """Theta, with XW where it is known."""
        XW = self.fitted(point.W) if XW is None else XW
        return float(
            sum_of_squares(XW - point.V)
            + self.alpha * sum_of_squares(self.Y - point.V @ point.B)
            + self.beta * np.vdot(point.V, self.L @ point.V)
            + self.gamma * np.linalg.norm(point.W, axis=1).sum()
            + self.ridge * sum_of_squares(point.B)
            + np.sum(self.damping * np.einsum("ij,ij->j", point.V, point.V))
        )

    def best_V(
        self, XW: NDArray[Any], B: NDArray[Any], start: NDArray[Any] | None = None
    ) -> NDArray[Any]:
        """Minimise over V: ((1 + alpha s_i) I + beta L) v_i, BB' = U diag(s) U'."""
        s, U = np.linalg.eigh(B @ B.T)  # exactly I for B = I
        right = (XW + self.alpha * self.Y @ B.T) @ U
        start = None if start is None else start @ U
        shifts = 1 + self.alpha * s + self.damping
        solved = solve_shifted(
            self.L, right, beta=self.beta, shifts=shifts, start=start
        )
        return solved @ U.T

    def best_B(self, V: NDArray[Any], B: NDArray[Any]) -> NDArray[Any]:
        """Minimise over B: a polar factor, or ridge regression."""
        if self.ridge == 0 and len(B) == self.Y.shape[1]:
            return B  # a rotation changes nothing
        if self.ridge == 0:
            return polar(V.T @ self.Y)
        gram = self.alpha * V.T @ V + self.ridge * np.eye(V.shape[1])
        return np.linalg.solve(gram, self.alpha * V.T @ self.Y)

    def kkt_residual(self, point: "LatentPoint") -> float:
        """Largest violation of W's optimality, as a share of gamma."""
        pull = 2 * self.loss.products(point.V - self.fitted(point.W))
        return row_violation(point.W, pull, self.gamma)


@dataclass(frozen=True)
class LatentPoint:
    """Weights, latent labels and mixing."""

    W: NDArray[Any]
    V: NDArray[Any]
    B: NDArray[Any]


class Rounds(Protocol):
    """How the blocks are minimised in turn, in points of any form."""

    def first(self, B: NDArray[Any], W: NDArray[Any] | None) -> Any:
        """The point after a round from W (None: from 0)."""

    def next(self, point: Any, previous: Any, share: float) -> Any:
        """V and B at extrapolated weights, then some sweeps over W."""

    def objective(self, point: Any) -> float:
        """Theta."""

    def last(self, point: Any) -> LatentPoint:
        """The point with the best V for its weights."""


@dataclass(frozen=True)
class PlainRounds:
    """Rounds in points that hold all of W."""

    problem: LatentProblem

    def first(self, B: NDArray[Any], W: NDArray[Any] | None) -> LatentPoint:
        """The point after a round from W (None: from 0)."""
        if W is None:
            W = np.zeros((self.problem.loss.cross.shape[0], len(B)))
        return self._round(LatentPoint(W, self.problem.Y @ B.T, B), W)

    def next(
        self, point: LatentPoint, previous: LatentPoint, share: float
    ) -> LatentPoint:
        """V and B at extrapolated weights, then some sweeps over W."""
        return self._round(point, point.W + share * (point.W - previous.W))

    def _round(self, point: LatentPoint, ahead: NDArray[Any]) -> LatentPoint:
        problem = self.problem
        V = problem.best_V(problem.fitted(ahead), point.B, point.V)
        problem.loss.set_targets(V)
        result = minimise_group_lasso(
            problem.loss,
            alpha=problem.gamma / 2,
            W_init=ahead,
            tol=SWEEP_TOL,
            max_iter=SWEEPS,
        )
        return LatentPoint(result.solution, V, problem.best_B(V, point.B))

    def objective(self, point: LatentPoint) -> float:
        """Theta."""
        return self.problem.objective(point)

    def last(self, point: LatentPoint) -> LatentPoint:
        """The point with the best V for its weights."""
        XW = self.problem.fitted(point.W)
        return replace(point, V=self.problem.best_V(XW, point.B, point.V))


def solve_latent_labels(
    problem: LatentProblem,
    B: NDArray[Any],
    *,
    W_init: NDArray[Any] | None = None,
    tol: float = 1e-6,
    max_iter: int = 500,
    on_iteration: Watcher | None = None,
    rounds: Rounds | None = None,
) -> SolverResult:
    """Minimise over V, B and W in turn, W extrapolated between the rounds.

    It starts at ``W_init``, or at W = 0. An extrapolation that raises the objective is
    undone and the momentum lost, so the objective never rises. It stops when five
    rounds lower the objective by less than ``tol`` of itself;
    ``on_iteration(n_iter, objective)`` is called after each. ``rounds`` does the work
    of a round. The solution is a LatentPoint, the gap W's violation of optimality.
    """
    rounds = PlainRounds(problem) if rounds is None else rounds
    point = previous = rounds.first(B, W_init)
    trace, momentum, fall = [rounds.objective(point)], 1.0, np.inf
    while fall > tol and len(trace) < max_iter:
        grown = (1 + np.sqrt(1 + 4 * momentum**2)) / 2
        moved = rounds.next(point, previous, (momentum - 1) / grown)
        objective = rounds.objective(moved)
        if objective > trace[-1]:
            if momentum == 1.0:  # not extrapolated: a rise by rounding, converged
                fall = 0.0
            momentum, previous = 1.0, point
            continue
        previous, momentum, point = point, grown, moved
        trace.append(objective)
        fall = _fall(trace)
        if on_iteration is not None:
            on_iteration(len(trace), trace[-1])
    solution = rounds.last(point)
    return SolverResult(
        solution,
        np.array(trace),
        problem.kkt_residual(solution),
        len(trace),
        converged=fall <= tol,
    )


@dataclass(frozen=True)
class ReducedLatent:
    """The objective with V eliminated, for B B' = I; independent of n_samples.

    With M = (1 + alpha) I + beta L it is
    tr W'QW - 2 alpha tr W'CB' - alpha^2 tr BTB' + alpha |Y|^2 + gamma * row norms.
    """

    Q: NDArray[Any]  # X'X - X'M^-1 X
    C: NDArray[Any]  # X'M^-1 Y
    T: NDArray[Any]  # Y'M^-1 Y
    labels_sq: float  # |Y|^2
    alpha: float  # weight of the labels

    @classmethod
    def of(cls, problem: LatentProblem) -> Self:
        """Solve with M for the columns of Y and, some at a time, of X."""
        loss, Y, d = problem.loss, problem.Y, problem.loss.cross.shape[0]

        def solved(R: NDArray[Any]) -> NDArray[Any]:
            shifts = np.full(R.shape[1], 1 + problem.alpha)
            return solve_shifted(problem.L, R, beta=problem.beta, shifts=shifts)

        of_Y = solved(Y)
        Q = np.empty((d, d))
        for columns in gen_batches(d, _COLUMNS):
            some = np.arange(columns.start, columns.stop)
            X = loss.fitted(some, np.eye(len(some)))
            Q[:, columns] = loss.products(X - solved(X))
        return cls(
            (Q + Q.T) / 2,
            loss.products(of_Y),
            Y.T @ of_Y,
            sum_of_squares(Y),
            problem.alpha,
        )

    def minimise(
        self,
        gamma: float,
        B: NDArray[Any],
        *,
        W_init: NDArray[Any] | None = None,
        tol: float = 1e-6,
        max_iter: int = 500,
        on_iteration: Watcher | None = None,
    ) -> SolverResult:
        """Minimise over W and, where it is not square, B; the solution is (W, B).

        As ``solve_latent_labels`` does, from ``W_init`` or from W = 0.
        """
        W = np.zeros((len(self.C), len(B))) if W_init is None else W_init
        trace: list[float] = []
        fall = 0.0 if len(B) == len(self.T) else np.inf  # a rotation changes nothing
        while fall > tol and len(trace) < max_iter:
            result = self._lasso(gamma, B, W, tol, SWEEPS)
            W = result.solution
            trace.append(2 * float(result.objective[-1]))
            B = polar(W.T @ self.C + self.alpha * B @ self.T)
            fall = _fall(trace)
            if on_iteration is not None:
                on_iteration(len(trace), trace[-1])
        result = self._lasso(gamma, B, W, tol / 10, _ALL_SWEEPS)
        W = result.solution
        trace.extend(2 * result.objective[1:] if trace else 2 * result.objective)
        pull = 2 * (self.alpha * self.C @ B.T - self.Q @ W)
        return SolverResult(
            (W, B),
            np.array(trace),
            row_violation(W, pull, gamma),
            len(trace),
            converged=fall <= tol and result.converged,
        )

    def _lasso(
        self, gamma: float, B: NDArray[Any], W: NDArray[Any], tol: float, max_iter: int
    ) -> SolverResult:
        loss = self._loss(B)
        return minimise_group_lasso(
            loss, alpha=gamma / 2, W_init=W, tol=tol, max_iter=max_iter
        )

    def _loss(self, B: NDArray[Any]) -> GramLoss:
        constant = self.alpha * self.labels_sq
        constant -= self.alpha**2 * float(np.vdot(B, B @ self.T))
        return GramLoss(self.Q, self.alpha * self.C @ B.T, constant)


def polar(M: NDArray[Any]) -> NDArray[Any]:
    """The matrix with orthonormal rows that has the largest product with M."""
    U, _, rows = np.linalg.svd(M, full_matrices=False)
    return U @ rows


def row_violation(W: NDArray[Any], pull: NDArray[Any], gamma: float) -> float:
    """How far minus the gradient is from gamma times a subgradient, over gamma."""
    norms = np.linalg.norm(W, axis=1, keepdims=True)
    unit = np.divide(W, norms, out=np.zeros_like(W), where=norms > 0)
    off = np.linalg.norm(pull - gamma * unit, axis=1)
    off = np.where(norms[:, 0] > 0, off, np.maximum(off - gamma, 0))
    return float(off.max() / gamma)


def _fall(trace: list[float]) -> float:
    """Share by which the last rounds have lowered the objective."""
    if len(trace) <= _ROUNDS:
        return np.inf
    return 1 - trace[-1] / trace[-1 - _ROUNDS]


def sum_of_squares(M: NDArray[Any]) -> float:
    """Squared Frobenius norm."""
    return float(np.vdot(M, M))
