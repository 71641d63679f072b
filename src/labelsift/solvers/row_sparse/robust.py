# SPDX-License-Identifier: BSD-3-Clause
r"""Robust regression of many targets with a penalty on whole rows of W.

.. math::

    \min_W \sum_i \|y_i - x_i W\| + \alpha \sum_j \|W_j\|
        + \beta \min_{Q^T Q = I} \|W - Q Q^T W\|_F^2,

by reweighting: each norm is bounded by the parabola that touches it at the current
weights, and the sum of the parabolas is minimised by one linear system. In terms of
S_j = (\alpha / 2\|W_j\| + \beta)^{-1/2} and D_i = 1 / 2\|y_i - x_i W\| its matrix is
S X'DX S + I for few features, X S^2 X' + D^{-1} for more features than samples: rows of
W that are zero cost nothing and stay zero. Features enter and leave a working set by
the optimality conditions; the objective never rises.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.linalg
import scipy.sparse as sp
from numpy.typing import NDArray

from labelsift.core.result import SolverResult
from labelsift.solvers.ridge.centring import scaled_rows

# Residuals are smoothed to sqrt(|e|^2 + eps^2): weights stay finite.
_EPS = 1e-6
# Working features to begin with; later at most twice those with weights.
_FIRST_FEATURES = 1000
# A feature without weight enters when its pull exceeds alpha by this share.
_SLACK = 1e-3
# Share of the objective by which the first working features must lower it still; each
# later set a tenth of that, down to tol.
_FIRST_FALL = 1e-4
# Norm of the rows of W and, over alpha, of the residuals in the first step: D = I, as
# in the paper of RFS.
_START = 0.5

Watcher = Callable[[int, float, float], None]


def solve_robust_rows(
    X: Any,
    Y: NDArray[Any],
    *,
    alpha: float,
    beta: float = 0.0,
    n_latent: int | None = None,
    tol: float = 1e-6,
    max_iter: int = 500,
    on_iteration: Watcher | None = None,
    weights: NDArray[Any] | None = None,
) -> SolverResult:
    """Minimise the sum of residual norms, penalised by the norms of the rows of W.

    ``beta`` weighs what W has outside a subspace of ``n_latent`` dimensions; None, or
    as many as targets: it does nothing. An iteration solves one linear system. It stops
    when one lowers the objective by less than ``tol`` of itself and no feature is left
    that should enter; ``on_iteration(n_iter, objective, fall)`` is called after each.
    Rows count by their ``weights``: w |y - xW| = |wy - wxW|.
    The result holds the weights, of shape (n_features, n_targets), the objective at
    W = 0 and after each system, and its last fall as a share of it.
    """
    if n_latent is None or n_latent >= Y.shape[1]:
        beta = 0.0
    X = sp.csc_array(X, dtype=np.float64) if sp.issparse(X) else np.asarray(X, float)
    Y, unit = np.asarray(Y, dtype=np.float64), np.ones((len(Y), 1))
    if weights is not None:
        unit = weights[:, np.newaxis]
        X, Y = scaled_rows(X, weights), unit * Y
        X = X.tocsc() if sp.issparse(X) else X
    problem = _Problem(Y, unit, alpha, beta, n_latent or Y.shape[1])
    W = np.zeros((X.shape[1], Y.shape[1]))
    used = np.empty(0, dtype=np.intp)
    point = _place(problem, X[:, used], W[used])
    trace, fall, stop = [point.objective], 0.0, _FIRST_FALL
    while len(trace) <= max_iter:
        working = _working_features(used, X.T @ point.direction, alpha)
        if len(working) == len(used) and fall <= tol:
            break
        descent = _Descent(problem, X[:, working], stop, max_iter, trace, on_iteration)
        rounds = len(trace)
        point, fall = descent.run(W[working])
        if fall <= 0 and len(trace) == rounds + 1:  # the next set would not improve
            break
        W[working] = point.W
        used = working[point.W.any(axis=1)]
        stop = max(tol, stop / 10)
    return SolverResult(
        W, np.array(trace), fall, n_iter=len(trace) - 1, converged=fall <= tol
    )


def unit_residuals(residual: NDArray[Any]) -> NDArray[Any]:
    """Rows divided by their smoothed norms: minus the gradient of the loss."""
    return residual / _lengths(residual, 1.0)


def _lengths(residual: NDArray[Any], unit: NDArray[Any] | float) -> NDArray[Any]:
    squares = np.einsum("ij,ij->i", residual, residual)[:, np.newaxis]
    return np.sqrt(squares + (_EPS * unit) ** 2)


@dataclass(frozen=True)
class _Problem:
    Y: NDArray[Any]
    unit: NDArray[Any]  # what X and Y are multiplied with, as a column
    alpha: float
    beta: float
    n_latent: int


@dataclass(frozen=True)
class _Point:
    """Weights of some features and what follows from them."""

    W: NDArray[Any]
    Q: NDArray[Any]  # the subspace, of shape (n_features, n_latent or 0)
    rest: NDArray[Any] | float  # W - QQ'W
    lengths: NDArray[Any]  # smoothed norms of the residuals, as a column
    direction: NDArray[Any]  # residuals divided by their lengths
    objective: float


def _place(problem: _Problem, X: Any, W: NDArray[Any]) -> _Point:
    residual = problem.Y - X @ W
    lengths = _lengths(residual, problem.unit)
    Q: NDArray[Any] = np.empty((len(W), 0))
    rest: NDArray[Any] | float = 0.0
    if problem.beta > 0 and W.any():
        Q = np.linalg.svd(W, full_matrices=False)[0][:, : problem.n_latent]
        rest = W - Q @ (Q.T @ W)
    penalty = problem.alpha * np.linalg.norm(W, axis=1).sum()
    objective = lengths.sum() + penalty + problem.beta * np.vdot(rest, rest)
    return _Point(W, Q, rest, lengths, residual / lengths, float(objective))


def _working_features(
    used: NDArray[np.intp], gradient: NDArray[Any], alpha: float
) -> NDArray[np.intp]:
    """Features with weights, and the strongest of those that should have some."""
    pull = np.linalg.norm(gradient, axis=1)
    enough = (1 + _SLACK) * alpha
    if not len(used) and pull.max() > enough and len(pull) <= _FIRST_FEATURES:
        return np.flatnonzero(pull)
    pull[used] = 0.0
    strongest = np.argsort(-pull, kind="stable")[: max(len(used), _FIRST_FEATURES)]
    entering = strongest[pull[strongest] > enough]
    return np.sort(np.concatenate([used, entering]))


class _Descent:
    """Linear systems over the working features until the objective converges."""

    def __init__(
        self,
        problem: _Problem,
        X: Any,
        tol: float,
        max_iter: int,
        trace: list[float],
        on_iteration: Watcher | None,
    ) -> None:
        self.problem, self.X, self.tol, self.max_iter = problem, X, tol, max_iter
        self.squares = X.multiply(X) if sp.issparse(X) else X**2
        self.trace, self.on_iteration = trace, on_iteration

    def run(self, W: NDArray[Any]) -> tuple[_Point, float]:
        """The last point, and by what share the objective fell to it."""
        last = _place(self.problem, self.X, W)
        point = self._drop(self._enter(last))
        while True:
            if point.objective > last.objective:  # by rounding: converged
                point = last
            fall = 1 - point.objective / last.objective
            self.trace.append(point.objective)
            if self.on_iteration is not None:
                self.on_iteration(len(self.trace) - 1, point.objective, fall)
            if fall <= self.tol or len(self.trace) > self.max_iter:
                return point, fall
            last, norms = point, np.linalg.norm(point.W, axis=1)
            point = self._drop(self._step(point, norms, point.lengths))

    def _enter(self, point: _Point) -> _Point:
        """A step that gives weights to features that have none.

        Their parabolas touch at a guessed norm, not at 0; for a norm that
        is small enough the step lowers the objective. Before any feature has weights,
        all are given some, and the parabolas of the residuals touch at a guess too:
        rows of Y that are 0 would be held at 0. Where that step is too long, only the
        features whose pull exceeds alpha enter: however small their weights, those of
        the others raise the objective.
        """
        norms = np.linalg.norm(point.W, axis=1)
        new, guess, alpha = norms == 0, _START, self.problem.alpha
        if not new.all():
            guess = norms[~new].mean()
        else:
            lengths = _START * alpha * self.problem.unit
            moved = self._step(point, np.full_like(norms, _START), lengths)
            if moved.objective <= point.objective:
                return moved
            new = self._pull(point) > alpha
        for _ in range(20 if new.any() else 1):
            norms[new] = guess
            moved = self._step(point, norms, point.lengths)
            if moved.objective <= point.objective:
                return moved
            guess /= 4
        return point

    def _pull(self, point: _Point) -> NDArray[Any]:
        """How steeply the rest of the objective falls along each row of W."""
        gradient = self.X.T @ point.direction - 2 * self.problem.beta * point.rest
        return np.linalg.norm(gradient, axis=1)

    def _drop(self, point: _Point) -> _Point:
        """Zero the rows that should be, without raising the objective.

        With c_j the curvature along row j, zeroing the rows of a set changes any pull
        by at most sqrt(c_j) times the sum of sqrt(c) |W| over the set. Rows whose pull
        stays below alpha for the set of all rows that are no larger may be zeroed.
        """
        norms = np.linalg.norm(point.W, axis=1)
        curvature = np.ravel(self.squares.T @ (1 / point.lengths))
        roots = np.sqrt(curvature + 2 * self.problem.beta)
        order = np.argsort(norms, kind="stable")
        change = np.empty_like(norms)
        change[order] = np.cumsum((roots * norms)[order])
        pull = self._pull(point) + roots * change
        small = (norms > 0) & (pull <= self.problem.alpha)
        if not small.any():
            return point
        W = np.where(small[:, np.newaxis], 0.0, point.W)
        return _place(self.problem, self.X, W)

    def _step(
        self, point: _Point, norms: NDArray[Any], lengths: NDArray[Any]
    ) -> _Point:
        """Minimise the sum of the parabolas that touch at these norms and lengths."""
        rows = np.flatnonzero(norms)
        X, Q = self.X, point.Q
        if len(rows) < 0.9 * len(norms):  # a copy of X pays off
            X, Q, norms = X[:, rows], Q[rows], norms[rows]
        else:
            rows = np.arange(len(norms))
        alpha, beta = self.problem.alpha, self.problem.beta
        scale_sq = 2 * norms / (alpha + 2 * beta * norms)
        solve = _few_features if len(rows) <= X.shape[0] else _many_features
        start, shared = solve(X, self.problem.Y, 2 * lengths, scale_sq, Q)
        if Q.shape[1]:  # (M - beta QQ')^-1 from M^-1
            small = np.eye(Q.shape[1]) / beta - Q.T @ shared
            start = start + shared @ np.linalg.solve(small, Q.T @ start)
        W = np.zeros_like(point.W)
        W[rows] = start
        return _place(self.problem, self.X, W)


def _few_features(
    X: Any, Y: NDArray[Any], spread: NDArray[Any], scale_sq: NDArray[Any], Q: Any
) -> tuple[NDArray[Any], NDArray[Any]]:
    """M^-1 X'DY and M^-1 Q for M = X'DX + S^-2, D = 1 / spread; features squared."""
    scale = np.sqrt(scale_sq)
    column = scale[:, np.newaxis]
    matrix = _gram(X, 1 / spread)
    matrix *= scale
    matrix *= column
    matrix.flat[:: len(matrix) + 1] += 1
    right = column * np.hstack([X.T @ (Y / spread), Q])
    solved = column * _solve(matrix, right)
    return solved[:, : Y.shape[1]], solved[:, Y.shape[1] :]


def _many_features(
    X: Any, Y: NDArray[Any], spread: NDArray[Any], scale_sq: NDArray[Any], Q: Any
) -> tuple[NDArray[Any], NDArray[Any]]:
    """The same by Woodbury's formula; samples squared."""
    column, t = scale_sq[:, np.newaxis], Y.shape[1]
    matrix = _gram(X.T, column)
    matrix.flat[:: len(matrix) + 1] += spread[:, 0]
    solved = column * (X.T @ _solve(matrix, np.hstack([Y, X @ (column * Q)])))
    return solved[:, :t], column * Q - solved[:, t:]


def _gram(X: Any, weights: NDArray[Any]) -> NDArray[Any]:
    """X'DX, D given as a column; of sparse X no more than the upper triangle."""
    if not sp.issparse(X):
        weighted = X * np.sqrt(weights)
        return np.asarray(weighted.T @ weighted)
    from labelsift.kernels.sparse_gram import add_outer_products

    rows = X.tocsr()
    rows.sort_indices()
    gram = np.zeros((X.shape[1], X.shape[1]))
    add_outer_products(rows.data, rows.indices, rows.indptr, weights[:, 0], gram)
    return gram


def _solve(matrix: NDArray[Any], right: NDArray[Any]) -> NDArray[Any]:
    """Solve from the upper triangle of a positive definite matrix, overwriting it."""
    try:
        factor = scipy.linalg.cho_factor(
            matrix.T, lower=True, overwrite_a=True, check_finite=False
        )
    except scipy.linalg.LinAlgError:
        raise ValueError(
            "The weights cannot be computed in double precision, as columns of X are "
            "large for the differences between their values: subtract their means "
            "first (StandardScaler)."
        ) from None
    return scipy.linalg.cho_solve(factor, right, overwrite_b=True, check_finite=False)
