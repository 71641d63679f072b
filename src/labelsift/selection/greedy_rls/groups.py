# SPDX-License-Identifier: BSD-3-Clause
"""Exact leave-one-out errors of whole groups of features.

The step of ``dense.py`` with a block of columns in place of one: for the group F,

    L = (alpha I + X_F'C_F)^-1,    U = C_F L,
    g_j - U_j.C_jF,    s_j - 2 U_j.Q_jF + U_j (P_F P_F') U_j'

are the new 1 - leverage and squared residual of row j. O(n m^2) for a group of m.
"""

from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray
from sklearn.utils.extmath import row_norms

from labelsift.selection.greedy_rls.problem import Problem, least_slack, summed_error
from labelsift.selection.greedy_rls.steps import Rule


class GroupModel:
    """The model with its two n x d arrays; a candidate is a group of features."""

    def __init__(
        self, problem: Problem, alpha: float, groups: list[NDArray[Any]]
    ) -> None:
        n, _, t = problem.shape
        rho = problem.rho(alpha)
        self._alpha, self._groups, self._scale = alpha, groups, problem.n * t
        X = problem.X.toarray() if sp.issparse(problem.X) else problem.X
        self._X = X.astype(np.float64, copy=False)
        self._C = self._X - (1 - rho) * problem.x_mean * problem.ones()
        A, self._P = problem.residuals(rho), problem.products(rho)
        self._Q = A @ self._P.T
        self._g, self._cap = problem.slack(rho), problem.cap
        self._s = row_norms(A, squared=True)
        self._T = [self._X[:, F].T @ self._C[:, F] for F in groups]
        self._floor = n * np.finfo(np.float64).eps

    @property
    def error(self) -> float:
        """Mean leave-one-out error of the current model."""
        return summed_error(self._s, self._g, self._cap) / self._scale

    @property
    def slack(self) -> float:
        """Smallest 1 - leverage of a row."""
        return least_slack(self._g, self._cap)

    def errors(self, candidates: NDArray[Any], rule: Rule) -> NDArray[Any]:
        """Mean leave-one-out error with each group added."""
        errors = np.full(len(candidates), np.inf)
        for f in np.flatnonzero(candidates).tolist():
            _, g, s = self._with(f)
            errors[f] = summed_error(s, g, self._cap) / self._scale
        return errors

    def add(self, candidate: int) -> None:
        """Add a group."""
        F = self._groups[candidate]
        U, self._g, self._s = self._with(candidate)
        V = self._C[:, F].T @ self._X
        W = self._inverse(candidate) @ V
        P_F = self._P[F]
        Z = P_F @ self._P.T - (P_F @ P_F.T) @ W
        self._Q -= self._Q[:, F] @ W + U @ Z
        self._C -= U @ V
        self._P -= W.T @ P_F
        for T, G in zip(self._T, self._groups, strict=True):
            T -= V[:, G].T @ W[:, G]

    def _inverse(self, f: int) -> NDArray[Any]:
        """L; rounding must not make a variance negative."""
        variances, axes = np.linalg.eigh((self._T[f] + self._T[f].T) / 2)
        return (axes / (self._alpha + np.maximum(variances, 0))) @ axes.T

    def _with(self, f: int) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
        """U, 1 - leverage and squared residuals of the rows with group f added."""
        F = self._groups[f]
        C, Q, P = self._C[:, F], self._Q[:, F], self._P[F]
        U = C @ self._inverse(f)
        g = self._g - np.einsum("jf,jf->j", U, C)
        s = self._s + np.einsum("jf,jf->j", U, U @ (P @ P.T) - 2 * Q)
        return U, np.maximum(g, self._floor), np.maximum(s, 0)
