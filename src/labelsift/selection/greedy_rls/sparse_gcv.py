# SPDX-License-Identifier: BSD-3-Clause
"""Generalised cross-validation of sparse rows: a step is one pass over X.

Letters of ``gcv.py``. With the columns of the model in Z (the constant one first) and
K = (Z'Z + alpha I)^-1, taking feature b asks for

    c = K Z'x_b,    h = H x_b = x_b - Z c,    H h = h - alpha Z K c,

as Z'h = alpha c: products with sparse columns and with K = sum_i m_i m_i', to which the
step adds m = (-c, 1) / sqrt(alpha + x_b'h).

Of P = X'A and R = X'B, where A = H Y and B = H^2 Y are stored, n x t, a candidate needs
|P_i|^2 and R_i.P_i only. With R^ = R_b - delta N_bb P_b / 2 the step takes

    delta v P_b' from P,    delta (z P_b' + v R^') from R,

so that P_i.P_b and R_i.P_b + P_i.R^ tell the new values: products of X with A P_b and
with B P_b + A R^, as v and z are with h and H h - delta N_bb h / 2. All four come from
one pass over X, O(nnz(X) + n t).

Squares lose digits that P and R have. The two best, and all that are one of them but
for rounding, are computed anew from A and B.
"""

from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from labelsift.selection.greedy_rls.problem import Problem
from labelsift.selection.greedy_rls.steps import Rule

_EPS = np.finfo(np.float64).eps
# Errors this close, relatively, are all computed anew: more than what is a tie.
_CLOSE = 1e-10
# Rounding in a step of |P_i|^2 or R_i.P_i, as a share of |x_i|^2 |Y|^2.
_ROUNDING = 16 * _EPS
# Squares of Z over alpha, up to which the digits that K costs do not count.
_CONDITION = 1e7


def suits(problem: Problem, alpha: float, steps: int) -> bool:
    """Whether X is sparse and K has no more columns than X rows, and loses little."""
    if not sp.issparse(problem.X) or steps > min(problem.shape[:2]):
        return False
    squares = np.partition(problem.norms(1.0), -steps)[-steps:]
    return bool(squares.sum() + problem.n * problem.bias**2 <= _CONDITION * alpha)


class _Hat:
    """H by the columns of the model and the rows m of K."""

    def __init__(self, problem: Problem, alpha: float, steps: int) -> None:
        X, n = problem.X, len(problem.Y)
        self._X, self._alpha = (X.data, X.indices, X.indptr), alpha
        self._features, self._taken = np.empty(steps, np.intp), 0
        # Without a bias it is 0, and so are its weights.
        ones = np.ones(n) if problem.root is None else problem.root
        self._constant = problem.bias * ones
        self._rows = np.empty((steps + 1) * (steps + 2) // 2)
        self._rows[0] = 1 / np.sqrt(alpha + self._constant @ self._constant)
        self._last = np.empty(0), 0.0

    def residuals(self, x: NDArray[Any]) -> NDArray[Any]:
        """H x and H H x, as two columns."""
        from labelsift.kernels.sparse_gcv import inverse_product, products, subtract

        features = self._features[: self._taken]
        inner = np.append(self._constant @ x, products(self._X, features, x))
        c = inverse_product(self._rows, inner)
        again = self._alpha * inverse_product(self._rows, c)
        weights = np.stack([c, c + again])
        pair = np.asarray(subtract(self._X, features, self._constant, weights, x))
        self._last = c, self._alpha + float(x @ pair[:, 0])
        return pair

    def add(self, b: int) -> None:
        """Add the feature whose residuals were asked for last."""
        c, pivot = self._last
        start = len(c) * (len(c) + 1) // 2
        row = self._rows[start : start + len(c) + 1]
        row[:-1], row[-1] = c, -1  # m with its sign changed, as m m' has none
        row /= np.sqrt(pivot)
        self._features[self._taken] = b
        self._taken += 1


class SparseGcvModel:
    """The model by its rows and four numbers for each feature."""

    def __init__(self, problem: Problem, alpha: float, *, steps: int) -> None:
        X, n, rho = problem.X, problem.n, problem.rho(alpha)
        self._X, self._alpha = (X.data, X.indices, X.indptr), alpha
        self._n, self._t = n, problem.shape[2]
        self._hat = _Hat(problem, alpha, steps)
        P, R = problem.products(rho), problem.products(rho**2)
        products = [np.einsum("il,il->i", B, P) for B in (P, R)]
        norms = [problem.norms(rho), problem.norms(rho**2)]
        self._state = np.column_stack([*norms, *products])
        self._residuals = np.hstack([problem.residuals(rho), problem.residuals(rho**2)])
        squares = problem.y_spread + rho**2 * n * problem.y_mean**2
        self._residual = float(squares.sum())
        self._freedom = n - 1 + rho
        # Rounding grows by as much in every step.
        self._norms, self._unit = problem.norms(1.0), _ROUNDING * self._residual
        self._rounding = self._unit
        # A feature that was taken does not matter any more, and has no entries left.
        self._ends = X.indptr[1:].copy()

    @property
    def error(self) -> float:
        """GCV of the model as it is."""
        residual, freedom, floor, scale = self._model
        return max(residual, 0.0) * scale / max(freedom, floor) ** 2

    @property
    def slack(self) -> float:
        """Mean of 1 - leverage over the rows."""
        return self._freedom / self._n

    @property
    def _model(self) -> tuple[float, float, float, float]:
        """|H Y|^2, tr H, the least that rounding may leave of that, and n / t."""
        return self._residual, self._freedom, self._n * _EPS, self._n / self._t

    def errors(self, candidates: NDArray[Any], rule: Rule) -> NDArray[Any]:
        """GCV with each feature added; infinite for those that are surely worse."""
        from labelsift.kernels.sparse_gcv import least_errors

        current, errors = self.error, np.full(len(candidates), np.inf)
        bound = least_errors(
            self._alpha, self._state, self._norms, self._rounding, self._model
        )
        loss = rule.loss(bound - _CLOSE * current, current)
        loss = np.where(candidates, loss, np.inf)
        first = np.argmin(loss)
        loss[first] = np.inf
        best = np.array([first, np.argmin(loss)])
        errors[best] = self._exact(best)
        # With one candidate only, the other of the two is none.
        second = rule.loss(errors, current)[best].max()
        others = np.flatnonzero((loss <= second) & candidates)
        errors[others] = self._exact(others)
        return errors

    def add(self, candidate: int) -> None:
        """Add a feature."""
        from labelsift.kernels.sparse_gcv import move_features, move_rows

        (data, indices, indptr), b = self._X, candidate
        stored = slice(indptr[b], indptr[b + 1])
        x = np.bincount(indices[stored], data[stored], len(self._residuals))
        D_b, N_b = self._state[b, :2]
        delta = 1 / (self._alpha + D_b)
        half = delta * N_b / 2
        pair = self._hat.residuals(x)
        self._hat.add(b)
        products = data[stored] @ self._residuals[indices[stored]]
        P_b, R_b = products[: self._t], products[self._t :]
        R_b -= half * P_b
        inner = float(P_b @ P_b), float(R_b @ P_b)
        self._residual -= 2 * delta * inner[1]
        self._freedom -= delta * N_b
        columns = move_rows(self._residuals, pair, P_b, R_b, delta, half)
        self._ends[b] = indptr[b]
        move_features(self._X, self._ends, columns, delta, inner, self._state)
        self._rounding += self._unit

    def _exact(self, features: NDArray[Any]) -> NDArray[Any]:
        """GCV with each of some features added, from the rows."""
        from labelsift.kernels.sparse_gcv import least_errors, renew

        renew(self._X, features, self._residuals, self._state)
        state, norms = self._state[features], self._norms[features]
        return np.asarray(least_errors(self._alpha, state, norms, 0.0, self._model))
