# SPDX-License-Identifier: BSD-3-Clause
"""Exact leave-one-out errors of the best candidates only; no n x d array.

The residuals of X are stored as C = X - U V, one rank per step. Leverage only grows:
with weights gamma_j = g_j^-2 of the current model, or of any earlier one,

    e_i >= sum_j gamma_j |A_j - delta_i C_ji P_i|^2
         = E - 2 delta_i alpha_i + delta_i^2 p_i beta_i,

    alpha_i = P_i.M_i,    M = C'Gamma A,    beta_i = C_i'Gamma C_i,

where E = sum_j gamma_j |A_j|^2. While gamma is unchanged, M and beta follow each step
by one product of X with a vector. The exact errors are computed by increasing bound,
until no bound is below the two best. Weights of earlier models make the bounds looser;
after each step the rows whose weight is most out of date get the current one, which
changes M and beta by these rows alone.
"""

from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray
from sklearn.utils.extmath import row_norms

from labelsift.selection.greedy_rls.problem import Problem, least_slack, summed_error
from labelsift.selection.greedy_rls.steps import Rule

# Exact errors are computed in blocks of growing size.
_FIRST_BLOCK, _LARGEST_BLOCK = 8, 64
# Rounding of a bound, relative to the error of the model.
_ROUNDING = 1e-10


class SparseModel:
    """The model by its low-rank change of X."""

    def __init__(self, problem: Problem, alpha: float, *, steps: int) -> None:
        n, d, t = problem.shape
        rho = problem.rho(alpha)
        self._alpha, self._scale = alpha, problem.n * t
        self._X = sp.csc_array(problem.X)
        self._by_row = sp.csr_array(self._X)
        self._A, self._P = problem.residuals(rho), problem.products(rho)
        self._g, self._cap = problem.slack(rho), problem.cap
        self._D = problem.norms(rho)
        self._U, self._V = np.empty((n, steps + 1)), np.empty((steps + 1, d))
        self._U[:, 0] = (1 - rho) * np.ravel(problem.ones())
        self._V[0], self._rank = problem.x_mean, 1
        # Weights of 1 to begin with, as X'H^2 Y and X'H^2 X are known.
        self._gamma = np.ones(n)
        self._M, self._beta = problem.products(rho**2), problem.norms(rho**2)
        self._floor = n * np.finfo(np.float64).eps

    @property
    def error(self) -> float:
        """Mean leave-one-out error of the current model."""
        return summed_error(self._row_errors(), self._g, self._cap) / self._scale

    @property
    def slack(self) -> float:
        """Smallest 1 - leverage of a row."""
        return least_slack(self._g, self._cap)

    def errors(self, candidates: NDArray[Any], rule: Rule) -> NDArray[Any]:
        """Mean leave-one-out error with each feature added; the two best are exact."""
        errors, current = np.full(len(candidates), np.inf), self.error
        bound = rule.loss(self._bounds() - _ROUNDING * current, current)
        bound[~candidates] = np.inf
        queue = np.argsort(bound, kind="stable")[: np.count_nonzero(candidates)]
        second, size = np.inf, _FIRST_BLOCK
        while len(queue) and bound[queue[0]] <= second:
            block, queue = queue[:size], queue[size:]
            errors[block] = self._exact(block)
            second = np.sort(rule.loss(errors, current))[:2][-1]
            size = min(2 * size, _LARGEST_BLOCK)
        return errors

    def add(self, candidate: int) -> None:
        """Add a feature."""
        b, U, V = candidate, self._U[:, : self._rank], self._V[: self._rank]
        c = np.ravel(self._X[:, [b]].toarray()) - U @ V[:, b]
        v = self._X.T @ c
        delta, P_b = 1 / (self._alpha + self._D[b]), self._P[b].copy()
        u, w = delta * c, delta * v
        weighted = self._gamma * u
        q, uu = self._X.T @ weighted - V.T @ (U.T @ weighted), float(u @ weighted)
        self._M -= np.outer(v, weighted @ self._A) + np.outer(q - uu * v, P_b)
        self._beta += v * (uu * v - 2 * q)
        self._A -= np.outer(u, P_b)
        self._P -= np.outer(w, P_b)
        self._D = np.maximum(self._D - w * v, 0)
        self._g = np.maximum(self._g - u * c, self._floor)
        self._U[:, self._rank], self._V[self._rank] = u, v
        self._rank += 1
        self._renew_weights()

    def _row_errors(self) -> NDArray[Any]:
        """s_j = |A_j|^2."""
        return np.asarray(row_norms(self._A, squared=True))

    def _bounds(self) -> NDArray[Any]:
        """A lower bound of the mean error with each feature added."""
        delta = 1 / (self._alpha + self._D)
        total = float(self._gamma @ self._row_errors())
        alpha = np.einsum("il,il->i", self._P, self._M)
        beta = row_norms(self._P, squared=True) * self._beta
        return (total - delta * (2 * alpha - delta * beta)) / self._scale

    def _exact(self, block: NDArray[Any]) -> NDArray[Any]:
        """Mean leave-one-out error with each feature of a block added."""
        from labelsift.kernels.greedy import update_and_score

        n, width = len(self._g), len(block)
        C = self._X[:, block].toarray(order="C")
        C -= self._U[:, : self._rank] @ self._V[: self._rank, block]
        Q = self._A @ self._P[block].T
        delta = 1 / (self._alpha + self._D[block])
        p = row_norms(self._P[block], squared=True)
        # One tile, and nothing to update.
        errors, zero, zeros = np.empty((1, width)), np.zeros((1, width)), np.zeros(n)
        update_and_score(
            C[np.newaxis], Q[np.newaxis], zeros, zeros, zero, zero, self._g,
            self._row_errors(), delta[np.newaxis], p[np.newaxis], self._floor, errors,
            None, self._cap,
        )  # fmt: skip
        return errors[0] / self._scale

    def _renew_weights(self) -> None:
        """Update the weights of the rows that are most out of date."""
        current = self._g**-2 if self._cap is None else (self._cap / self._g) ** 2
        stale = (current - self._gamma) * self._row_errors()
        rows = np.flatnonzero(stale > stale.mean())
        U, V = self._U[rows, : self._rank], self._V[: self._rank]
        X, A = self._by_row[rows], self._A[rows]
        change = current[rows] - self._gamma[rows]
        self._gamma[rows] += change
        changed_A, changed_U = (change[:, np.newaxis] * B for B in (A, U))
        self._M += X.T @ changed_A - V.T @ (U.T @ changed_A)
        inner = 2 * (X.T @ changed_U).T - (U.T @ changed_U) @ V
        self._beta += X.power(2).T @ change - np.einsum("ri,ri->i", V, inner)
