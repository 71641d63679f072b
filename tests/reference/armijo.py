# SPDX-License-Identifier: BSD-3-Clause
"""MIFS by gradient steps with Armijo's rule: the paper's Algorithm 1.

One step for V, one for B, one for W in each round, the lengths found by halving. Row
norms are smoothed to sqrt(|w|^2 + eps), so no row becomes exactly zero. The paper takes
the three gradients at the old point; here each is taken after the block before it has
moved, without which the objective may rise.
"""

from typing import ClassVar

import numpy as np
import scipy.sparse as sp

from labelsift.core.labels import constant_labels
from labelsift.core.result import SolverResult
from labelsift.selection.base import RowSparseSelector
from labelsift.solvers.graph.knn import knn_laplacian
from labelsift.solvers.row_sparse.latent_labels import (
    LatentPoint,
    LatentProblem,
    polar,
    sum_of_squares,
)
from labelsift.solvers.row_sparse.least_squares import least_squares

# Smoothing of squared row norms.
_EPS = 1e-10
# Share of the fall that the gradient promises which a step must bring.
_SUFFICIENT = 1e-4
# A step that moves nothing, brought back to where it was, would double without end.
_LONGEST = 1e6


class ArmijoMIFS(RowSparseSelector):
    """MIFS by gradient steps; ``gauge="printed"`` is the objective without a minimum.

    X and Y are centred, except with "printed", whose random start is uniform.
    """

    _parameter_constraints: ClassVar = {}

    def __init__(
        self,
        n_features_to_select=None,
        *,
        alpha=0.4,
        beta=1.0,
        gamma=0.8,
        n_latent=None,
        gauge="printed",
        bandwidth="auto",
        tol=1e-5,
        max_iter=1000,
        random_state=None,
    ):
        self.n_features_to_select = n_features_to_select
        self.alpha = alpha
        self.beta = beta
        self.gamma = gamma
        self.n_latent = n_latent
        self.gauge = gauge
        self.bandwidth = bandwidth
        self.tol = tol
        self.max_iter = max_iter
        self.random_state = random_state

    def _rank(self, X, Y):
        Y = Y[:, ~constant_labels(Y)].astype(float)
        mean = None
        if self.gauge != "printed":
            Y, mean = Y - Y.mean(axis=0), np.ravel(X.mean(axis=0))
        L = sp.csr_array((len(Y), len(Y)))
        if self.beta > 0:
            L = knn_laplacian(X, 5, self.bandwidth)
        problem = LatentProblem(
            least_squares(X, Y, mean=mean, form="residual"), Y, L,
            self.alpha, self.beta, self.gamma, 1.0 * (self.gauge == "ridge"),
        )  # fmt: skip
        start = self._start(X.shape[1], Y, self.n_latent or Y.shape[1])
        options = {"tol": self.tol, "max_iter": self.max_iter}
        orthonormal = self.gauge == "orthonormal"
        result = descend(problem, start, orthonormal=orthonormal, **options)
        point = result.solution
        self.latent_labels_, self.mixing_ = point.V, point.B
        residual = point.V - problem.fitted(point.W)
        return self._rank_rows(X, point.W, residual, result)

    def _start(self, d, Y, n_latent):
        W, rng = np.zeros((d, n_latent)), np.random.RandomState(self.random_state)
        if self.random_state is None:
            B = np.linalg.svd(Y, full_matrices=False)[2][:n_latent]
        elif self.gauge == "printed":
            sizes = (W.shape, (len(Y), n_latent), (n_latent, Y.shape[1]))
            return LatentPoint(*(rng.uniform(size=size) for size in sizes))
        else:
            B = polar(rng.normal(size=(n_latent, Y.shape[1])))
        return LatentPoint(W, Y @ B.T, B)


def descend(problem, start, *, orthonormal, tol, max_iter, on_iteration=None):
    """Take gradient steps over V, B and W in turn, until one round hardly helps.

    With ``orthonormal`` B is brought back to BB' = I after each step.
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

    def __init__(self, problem, start, orthonormal):
        self.problem, self.orthonormal = problem, orthonormal
        self.W, self.V, self.B = start.W, start.V, start.B
        self.XW = problem.fitted(self.W)
        self.steps = {"V": 1.0, "B": 1.0, "W": 1.0}

    def objective(self):
        """Theta, with smoothed row norms."""
        return self._fit(self.XW, self.W) + self._labels(self.V, self.B) + self._graph()

    def move_V(self):
        problem = self.problem
        ahead = self.V - self.XW + problem.beta * (problem.L @ self.V)
        gradient = ahead + problem.alpha * (self.V @ self.B - problem.Y) @ self.B.T

        def value(V, _step):
            graph = problem.beta * float(np.vdot(V, problem.L @ V))
            return sum_of_squares(self.XW - V) + self._labels(V, self.B) + graph

        self.V = self._search("V", self.V, 2 * gradient, value)

    def move_B(self):
        problem = self.problem
        gradient = problem.alpha * self.V.T @ (self.V @ self.B - problem.Y)
        self.B = self._search(
            "B",
            self.B,
            2 * (gradient + problem.ridge * self.B),
            lambda B, _step: self._labels(self.V, B),
            polar if self.orthonormal else None,
        )

    def move_W(self):
        problem = self.problem
        shrink = problem.gamma * self.W / self._norms(self.W)[:, np.newaxis]
        gradient = 2 * problem.loss.products(self.XW - self.V) + shrink
        XW, image = self.XW, problem.fitted(gradient)

        def value(W, step):
            return self._fit(XW - step * image, W)  # no further product with X

        self.W = self._search("W", self.W, gradient, value)
        self.XW = problem.fitted(self.W)

    def _search(self, block, start, gradient, value, retract=None):
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

    def _fit(self, XW, W):
        penalty = self.problem.gamma * float(self._norms(W).sum())
        return sum_of_squares(XW - self.V) + penalty

    def _labels(self, V, B):
        problem = self.problem
        return problem.alpha * sum_of_squares(
            problem.Y - V @ B
        ) + problem.ridge * sum_of_squares(B)

    def _graph(self):
        problem = self.problem
        return problem.beta * float(np.vdot(self.V, problem.L @ self.V))

    def _norms(self, W):
        return np.sqrt(np.einsum("ij,ij->i", W, W) + _EPS)
