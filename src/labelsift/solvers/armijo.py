# SPDX-License-Identifier: BSD-3-Clause
"""Latent labels by gradient steps with Armijo's rule: the printed way, for comparison.

One step for V, one for B, one for W in each round, the lengths found by halving. Row
norms are smoothed to sqrt(|w|^2 + eps), so no row becomes exactly zero. The paper takes
the three gradients at the old point; here each is taken after the block before it has
moved, without which the objective may rise.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from labelsift.core.result import SolverResult
from labelsift.solvers.latent_labels import (
    LatentPoint,
    LatentProblem,
    Watcher,
    polar,
    sum_of_squares,
)

# Smoothing of squared row norms.
_EPS = 1e-10
# Share of the fall that the gradient promises which a step must bring.
_SUFFICIENT = 1e-4
# A step that moves nothing, brought back to where it was, would double without end.
_LONGEST = 1e6


def descend_armijo(
    problem: LatentProblem,
    start: LatentPoint,
    *,
    orthonormal: bool,
    tol: float = 1e-5,
    max_iter: int = 500,
    on_iteration: Watcher | None = None,
) -> SolverResult:
    """Take gradient steps over V, B and W in turn.

    Parameters
    ----------
    problem : LatentProblem
        What to minimise; with ``ridge`` 0 and B free there is no minimum.
    start : LatentPoint
        Where to start.
    orthonormal : bool
        Whether B is brought back to BB' = I after each step.
    tol : float, default=1e-5
        Stop when a round lowers the objective by less than this share of itself, as in
        the paper.
    max_iter : int, default=500
        Rounds at most.
    on_iteration : callable or None, default=None
        Called as on_iteration(n_iter, objective) after each round.

    Returns
    -------
    SolverResult
        A LatentPoint; the smoothed objective after each round; its last relative fall.
    """
    descent = _Descent(problem, start, orthonormal)
    trace, fall = [descent.objective()], np.inf
    while fall > tol and len(trace) <= max_iter:
        descent.move_V()
        descent.move_B()
        descent.move_W()
        trace.append(descent.objective())
        fall = 1 - trace[-1] / trace[-2]
        if on_iteration is not None:
            on_iteration(len(trace) - 1, trace[-1])
    point = LatentPoint(descent.W, descent.V, descent.B)
    return SolverResult(
        point, np.array(trace[1:]), float(fall), len(trace) - 1, converged=fall <= tol
    )


class _Descent:
    """The three blocks, their step lengths and the products that they share."""

    def __init__(
        self, problem: LatentProblem, start: LatentPoint, orthonormal: bool
    ) -> None:
        self.problem, self.orthonormal = problem, orthonormal
        self.W, self.V, self.B = start.W, start.V, start.B
        self.XW = problem.fitted(self.W)
        self.steps = {"V": 1.0, "B": 1.0, "W": 1.0}

    def objective(self) -> float:
        """Theta, with smoothed row norms."""
        return self._fit(self.XW, self.W) + self._labels(self.V, self.B) + self._graph()

    def move_V(self) -> None:
        problem = self.problem
        ahead = self.V - self.XW + problem.beta * (problem.L @ self.V)
        gradient = ahead + problem.alpha * (self.V @ self.B - problem.Y) @ self.B.T

        def value(V: NDArray[Any], _step: float) -> float:
            graph = problem.beta * float(np.vdot(V, problem.L @ V))
            return sum_of_squares(self.XW - V) + self._labels(V, self.B) + graph

        self.V = self._search("V", self.V, 2 * gradient, value)

    def move_B(self) -> None:
        problem = self.problem
        gradient = problem.alpha * self.V.T @ (self.V @ self.B - problem.Y)
        self.B = self._search(
            "B",
            self.B,
            2 * (gradient + problem.ridge * self.B),
            lambda B, _step: self._labels(self.V, B),
            polar if self.orthonormal else None,
        )

    def move_W(self) -> None:
        problem = self.problem
        shrink = problem.gamma * self.W / self._norms(self.W)[:, np.newaxis]
        gradient = 2 * problem.loss.products(self.XW - self.V) + shrink
        XW, image = self.XW, problem.fitted(gradient)

        def value(W: NDArray[Any], step: float) -> float:
            return self._fit(XW - step * image, W)  # no further product with X

        self.W = self._search("W", self.W, gradient, value)
        self.XW = problem.fitted(self.W)

    def _search(
        self,
        block: str,
        start: NDArray[Any],
        gradient: NDArray[Any],
        value: Callable[[NDArray[Any], float], float],
        retract: Callable[[NDArray[Any]], NDArray[Any]] | None = None,
    ) -> NDArray[Any]:
        """Halve a step, twice the last one at first, until it falls enough."""
        before, step = value(start, 0.0), min(2 * self.steps[block], _LONGEST)
        for _ in range(60):
            trial = start - step * gradient
            trial = trial if retract is None else retract(trial)
            enough = before - _SUFFICIENT / step * sum_of_squares(trial - start)
            if value(trial, step) <= enough:
                self.steps[block] = step
                return trial
            step /= 2
        return start

    def _fit(self, XW: NDArray[Any], W: NDArray[Any]) -> float:
        penalty = self.problem.gamma * float(self._norms(W).sum())
        return sum_of_squares(XW - self.V) + penalty

    def _labels(self, V: NDArray[Any], B: NDArray[Any]) -> float:
        problem = self.problem
        return problem.alpha * sum_of_squares(
            problem.Y - V @ B
        ) + problem.ridge * sum_of_squares(B)

    def _graph(self) -> float:
        problem = self.problem
        return problem.beta * float(np.vdot(self.V, problem.L @ self.V))

    def _norms(self, W: NDArray[Any]) -> NDArray[Any]:
        return np.sqrt(np.einsum("ij,ij->i", W, W) + _EPS)
