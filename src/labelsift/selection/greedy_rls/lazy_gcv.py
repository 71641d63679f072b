# SPDX-License-Identifier: BSD-3-Clause
"""Generalised cross-validation of sparse rows: exact for the best candidates only.

Letters of ``gcv.py``. A step asks for h = H x_b and H h. With the columns of the model
in Z (the constant one first) and K = (Z'Z + alpha I)^-1

    c = K Z'x_b,    h = x_b - Z c,    H h = h - alpha Z K c,

as Z'h = alpha c: products with sparse columns, and with K = sum_i m_i m_i', to which
the step adds m = (-c, 1) / sqrt(alpha + x_b'h). One pass over X then leads to v and z,
and so to D and N of every feature.

H Y and H^2 Y are kept, n x t, but P = X'H Y and R = X'H^2 Y are not: only R_i.P_i, |P_i|
and |R_i| as they were when last computed, and how far P_i and R_i can have moved since,
a_i and c_i, the sums of the norms of their changes. The gain of a feature is at most

    delta_i (2 (R_i.P_i + |R_i| a_i + |P_i| c_i + a_i c_i)
             - delta_i N_ii max(|P_i| - a_i, 0)^2).

P_i and R_i are computed anew, from the stored entries of x_i, by increasing bound of
the error, until no bound is below the two best.
"""

from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray
from scipy.linalg.blas import dgemm

from labelsift.selection.greedy_rls.problem import Problem
from labelsift.selection.greedy_rls.steps import Rule

# How many candidates are looked at first; twice as many each time after that.
_FIRST_BLOCK = 8
# Rounding of a bound, relative to the error of the model.
_ROUNDING = 1e-10
# Largest eigenvalue of Z'Z over alpha, up to which K costs no digits that count.
_CONDITION = 1e7


def is_lazy(problem: Problem, alpha: float, steps: int) -> bool:
    """Whether K is the smaller matrix, and well enough conditioned."""
    if not sp.issparse(problem.X) or not steps <= min(problem.shape[:2]):
        return False
    squares = np.partition(problem.norms(1.0), -steps)[-steps:]
    return bool(squares.sum() + problem.n * problem.bias**2 <= _CONDITION * alpha)


class _Hat:
    """H by the columns of the model and the rows m of K."""

    def __init__(self, problem: Problem, alpha: float, steps: int) -> None:
        X = problem.X
        self._X, self._alpha = (X.data, X.indices, X.indptr), alpha
        self._features, self._taken = np.empty(steps, np.intp), 0
        # Not in the model where bias is 0: its row of K is 0 then.
        self._constant = problem.bias * np.ravel(problem.ones() * np.ones((len(problem.Y), 1)))
        self._rows = np.zeros((steps + 1) * (steps + 2) // 2)
        self._rows[0] = bool(problem.bias) / np.sqrt(
            alpha + self._constant @ self._constant
        )
        self._last = np.empty(0), 0.0

    def residuals(self, x: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any]]:
        """H x and H^2 x."""
        from labelsift.kernels.lazy_gcv import inverse_product, products, subtract

        features, h = self._features[: self._taken], x.copy()
        inner = np.append(self._constant @ x, products(self._X, features, x))
        c = inverse_product(self._rows, inner)
        subtract(self._X, features, c[1:], h)
        h -= c[0] * self._constant
        again, twice = self._alpha * inverse_product(self._rows, c), h.copy()
        subtract(self._X, features, again[1:], twice)
        twice -= again[0] * self._constant
        self._last = c, self._alpha + float(x @ h)
        return h, twice

    def add(self, b: int) -> None:
        """Add the feature whose residuals were asked for last."""
        c, pivot = self._last
        start = len(c) * (len(c) + 1) // 2
        self._rows[start : start + len(c) + 1] = np.append(-c, 1) / np.sqrt(pivot)
        self._features[self._taken] = b
        self._taken += 1


class LazyGcvModel:
    """The model by its rows; X is sparse."""

    def __init__(self, problem: Problem, alpha: float, *, steps: int) -> None:
        n, t, rho = problem.n, problem.shape[2], problem.rho(alpha)
        X = problem.X
        self._X, self._alpha, self._n, self._t = (X.data, X.indices, X.indptr), alpha, n, t
        self._hat = _Hat(problem, alpha, steps)
        self._diagonals = np.column_stack([problem.norms(rho), problem.norms(rho**2)])
        P, R = problem.products(rho), problem.products(rho**2)
        squares = (np.einsum("il,il->i", A, B) for A, B in ((R, P), (P, P), (R, R)))
        self._sizes = np.column_stack(list(squares))
        np.sqrt(self._sizes[:, 1:], out=self._sizes[:, 1:])
        self._moved = np.zeros((len(P), 2))
        # H Y and H^2 Y side by side, so that one product changes both.
        self._residuals = np.hstack([problem.residuals(rho), problem.residuals(rho**2)])
        self._residual = float((problem.y_spread + rho**2 * n * problem.y_mean**2).sum())
        self._freedom = n - 1 + rho
        self.count=[]

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
        floor = self._n * np.finfo(np.float64).eps
        return self._residual, self._freedom, float(floor), self._n / self._t

    def errors(self, candidates: NDArray[Any], rule: Rule) -> NDArray[Any]:
        """GCV with each feature added; infinite for those that are surely worse."""
        from labelsift.kernels.lazy_gcv import renew

        current, errors = self.error, np.full(len(candidates), np.inf)
        bound = self._bounds(slice(None)) - _ROUNDING * current
        bound = np.where(candidates, rule.loss(bound, current), np.inf)
        size = min(_FIRST_BLOCK, np.count_nonzero(candidates))
        block = np.argpartition(bound, size - 1)[:size]
        count=0
        while len(block):
            count+=len(block)
            renew(self._X, block, self._residuals, self._sizes, self._moved)
            errors[block] = self._bounds(block)
            bound[block] = np.inf
            second = np.partition(rule.loss(errors, current), 1)[1]
            queue = np.flatnonzero(bound <= second)
            size *= 2
            block = queue[np.argsort(bound[queue])[:size]]
        self.count.append(count)
        return errors

    def add(self, candidate: int) -> None:
        """Add a feature."""
        from labelsift.kernels.lazy_gcv import follow

        b, t = candidate, self._t
        (D_b, N_b), (data, indices, indptr) = self._diagonals[b], self._X
        stored = slice(indptr[b], indptr[b + 1])
        rows, values = indices[stored], data[stored]
        x = np.zeros(len(self._residuals))
        np.add.at(x, rows, values)
        delta = 1 / (self._alpha + D_b)
        half = delta * N_b / 2
        h, twice = self._hat.residuals(x)
        both = values @ self._residuals[rows]
        P_b, R_b = both[:t], both[t:] - half * both[:t]
        self._residual -= 2 * delta * float(P_b @ R_b)
        self._freedom -= delta * N_b
        norms = float(np.linalg.norm(P_b)), float(np.linalg.norm(R_b))
        pair = np.column_stack([h, twice])
        follow(self._X, pair, delta, half, norms, self._diagonals, self._moved)
        changes = np.hstack([P_b, R_b, 0 * P_b, P_b]).reshape(2, -1)
        dgemm(
            -delta, changes, np.stack([h, twice - half * h]), 1.0, self._residuals.T,
            trans_a=True, overwrite_c=True,
        )  # fmt: skip
        self._hat.add(b)

    def _bounds(self, features: Any) -> NDArray[Any]:
        """No more than the GCV with each of some features added."""
        from labelsift.kernels.lazy_gcv import least_errors

        known = (self._diagonals, self._sizes, self._moved)
        known = [values[features] for values in known]
        return least_errors(self._alpha, *known, self._model)
