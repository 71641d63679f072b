# SPDX-License-Identifier: BSD-3-Clause
"""Greedy selection by generalised cross-validation: steps free of the rows.

    GCV = (|H Y|^2 / (n t)) / (tr H / n)^2

needs only T = X'H X, N = X'H^2 X, P = X'H Y and R = X'H^2 Y, which start as sums over
the rows. With D = diag T and delta_i = 1 / (alpha + D_i) feature i changes

    |H Y|^2  by  -2 delta_i R_i.P_i + delta_i^2 N_ii |P_i|^2,   tr H  by  -delta_i N_ii.

T and N are never formed: taking feature b asks for its two columns alone. They are a
column of X'X minus the steps taken so far, O(k d); or, where there are fewer rows than
features, X'h and X'H h with h = H x_b, from H as the steps left it, O(k n + nnz(X)).
Sparse rows have a cheaper form of the latter, ``sparse_gcv.py``.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.linalg.blas import dgemm

from labelsift.selection.greedy_rls.problem import Moments, Problem
from labelsift.selection.greedy_rls.steps import Rule

# Share of a column that may be stored for its entries to be taken one by one.
_FEW = 0.03


class _FeatureSteps:
    """T and N from columns of centred X'X and the steps taken, over the features."""

    def __init__(
        self,
        moments: Moments,
        rho: float,
        gram_column: Callable[[int], NDArray[Any]],
        steps: int,
    ) -> None:
        self._moments, self._rho, self._gram_column = moments, rho, gram_column
        self._taken, (self._v, self._z) = 0, np.empty((2, steps, len(moments.x_mean)))
        self._delta = np.empty(steps)

    def columns(self, b: int) -> tuple[NDArray[Any], NDArray[Any]]:
        """Columns b of T and of N."""
        v, z = self._v[: self._taken], self._z[: self._taken]
        delta, x_mean = self._delta[: self._taken], self._moments.x_mean
        means = self._rho * self._moments.n * x_mean[b] * x_mean
        column = self._gram_column(b)
        return (
            column + means - (delta * v[:, b]) @ v,
            column + self._rho * means - (delta * v[:, b]) @ z - (delta * z[:, b]) @ v,
        )

    def add(self, b: int, delta: float, v: NDArray[Any], z: NDArray[Any]) -> None:
        """A step: T loses delta v v', N loses delta (v z' + z v')."""
        self._v[self._taken], self._z[self._taken] = v, z
        self._delta[self._taken] = delta
        self._taken += 1


class _RowSteps:
    """T and N from the rows: H loses delta h h' in a step, with h = H x_b.

    With S holding the h of all steps as rows, H x = x - S' delta S x. The products of S
    with h follow from those with x_b and from S S', where that is the smaller matrix.
    """

    def __init__(self, problem: Problem, rho: float, steps: int) -> None:
        self._problem, n = problem, len(problem.Y)
        ones = np.ones(n) if problem.root is None else problem.root
        # H of the constant column alone is the first step.
        self._steps, self._delta = np.empty((steps + 1, n)), np.empty(steps + 1)
        self._inner = np.empty((steps + 1, steps + 1)) if steps < n else None
        self._taken, self._last = 0, (ones, np.empty(0))
        self.add(0, (1 - rho) / problem.n, ones, ones)

    def columns(self, b: int) -> tuple[NDArray[Any], NDArray[Any]]:
        """Columns b of T and of N."""
        steps, x = self._steps[: self._taken], self._problem.column(b)
        delta = self._delta[: self._taken]
        stored = np.flatnonzero(x)
        few = len(stored) < _FEW * len(x)
        products = steps[:, stored] @ x[stored] if few else steps @ x
        h = x - (delta * products) @ steps
        if self._inner is None:
            again = steps @ h
        else:
            inner = self._inner[: self._taken, : self._taken]
            again = products - inner @ (delta * products)
        self._last = h, again
        transposed = self._problem.X.T  # sparse, two vectors one by one are cheaper
        return transposed @ h, transposed @ (h - (delta * again) @ steps)

    def add(self, b: int, delta: float, v: NDArray[Any], z: NDArray[Any]) -> None:
        """A step, of the feature whose columns were asked for last."""
        (h, products), taken = self._last, self._taken
        self._steps[taken], self._delta[taken] = h, delta
        if self._inner is not None:
            self._inner[taken, :taken] = self._inner[:taken, taken] = products
            self._inner[taken, taken] = h @ h
        self._taken += 1


class GcvModel:
    """The model as sums over its features and labels.

    ``gram_column`` maps a feature to its column of centred X'X; where it has ``expect``
    it is told the errors of all features first. None: the moments are a Problem, whose
    rows are used.
    """

    def __init__(
        self,
        moments: Moments,
        alpha: float,
        gram_column: Callable[[int], NDArray[Any]] | None,
        *,
        steps: int,
    ) -> None:
        n, t, rho = moments.n, len(moments.y_mean), moments.rho(alpha)
        self._alpha, self._n, self._t = alpha, n, t
        self._expect = getattr(gram_column, "expect", None)
        # T and N, by their diagonals and the steps that changed them.
        self._D, self._N = moments.norms(rho), moments.norms(rho**2)
        self._steps: _FeatureSteps | _RowSteps
        if gram_column is not None:
            self._steps = _FeatureSteps(moments, rho, gram_column, steps)
        else:
            assert isinstance(moments, Problem)
            self._steps = _RowSteps(moments, rho, steps)
        # P and R side by side, so that one product changes both.
        self._PR = np.hstack([moments.products(rho), moments.products(rho**2)])
        self._P, self._R = self._PR[:, :t], self._PR[:, t:]
        self._residual = moments.y_spread + rho**2 * n * moments.y_mean**2
        self._freedom = n - 1 + rho

    @property
    def error(self) -> float:
        """GCV of the model as it is."""
        return float(self._gcv(self._residual.sum(), np.array(self._freedom)))

    @property
    def slack(self) -> float:
        """Mean of 1 - leverage over the rows."""
        return self._freedom / self._n

    def errors(self, candidates: NDArray[Any], rule: Rule) -> NDArray[Any]:
        """GCV with each feature added."""
        delta = 1 / (self._alpha + self._D)
        freedom = delta * self._N
        gain = 2 * np.einsum("il,il->i", self._R, self._P)
        gain -= freedom * np.einsum("il,il->i", self._P, self._P)
        residual = self._residual.sum() - delta * gain
        errors = self._gcv(residual, self._freedom - freedom)
        if self._expect is not None:
            self._expect(errors)
        return errors

    def add(self, candidate: int) -> None:
        """Add a feature."""
        b = candidate
        delta, N_b = 1 / (self._alpha + self._D[b]), self._N[b]
        v, q = self._steps.columns(b)
        z = q - delta * N_b / 2 * v
        P_b, R_b = self._P[b].copy(), self._R[b].copy()
        self._residual += delta * P_b * (delta * N_b * P_b - 2 * R_b)
        self._freedom -= delta * N_b
        changes = np.hstack([P_b, R_b - delta * N_b / 2 * P_b, 0 * P_b, P_b])
        # PR loses v and z times the changes, in place.
        dgemm(
            -delta, changes.reshape(2, -1), np.stack([v, z]), 1.0, self._PR.T,
            trans_a=True, overwrite_c=True,
        )  # fmt: skip
        self._D = np.maximum(self._D - delta * v**2, 0)
        self._N = np.maximum(self._N - 2 * delta * z * v, 0)
        self._steps.add(b, delta, v, z)

    def _gcv(self, residual: NDArray[Any], freedom: NDArray[Any]) -> NDArray[Any]:
        """Rounding must not make a sum of squares or a trace vanish."""
        freedom = np.maximum(freedom, self._n * np.finfo(np.float64).eps)
        return np.maximum(residual, 0) * self._n / (self._t * freedom**2)
