# SPDX-License-Identifier: BSD-3-Clause
"""Leave-one-out errors of a ridge model without a feature, or with another for it.

Z holds k columns (and the constant), Y the targets; P = (Z'Z + alpha I)^-1, W = P Z'Y,
U = Z P, residuals R = Y - Z W, g = 1 - leverage; left out, row i has the residuals
R_i / g_i. With u = U_j, p = P_jj and w = W_j, the model without column j has

    residuals A = R + u w'/p,    g_j = g + u^2/p,    an objective higher by |w|^2 / p.

Putting a column b of X in the place of j, with C = H x_b + u (u'x_b)/p the part of it
that the others do not explain, D = x_b'C, M = A'x_b and z = C / (alpha + D), gives

    residuals A - z M',    g_j - z C,    an objective lower by |M|^2 / (alpha + D)

than without j. Nothing is trained again. The objective needs X'R and X'U alone, of all
features at once; errors are computed for the most promising, column by column.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray
from scipy.linalg import qr, solve_triangular
from sklearn.utils.extmath import row_norms

from labelsift.solvers.ridge.centring import centred_cross


@dataclass(frozen=True)
class RidgeModel:
    """Ridge regression on the columns of Z, with what its neighbours need."""

    Q: NDArray[np.float64]  # rows of Z in an orthonormal basis of [Z; sqrt(alpha) I]
    inverse: NDArray[np.float64]  # of the triangle that leads from Q to Z
    W: NDArray[np.float64]
    R: NDArray[np.float64]
    alpha: float

    @classmethod
    def fit(
        cls, Z: NDArray[np.float64], Y: NDArray[np.float64], alpha: float
    ) -> "RidgeModel":
        """Fit by a QR decomposition of [Z; sqrt(alpha) I]."""
        n, size = Z.shape
        tall = np.vstack([Z, np.sqrt(alpha) * np.eye(size)])
        Q, triangle = qr(tall, mode="economic", overwrite_a=True)
        Q, inverse = Q[:n], solve_triangular(triangle, np.eye(size))
        W = inverse @ (Q.T @ Y)
        return cls(Q, inverse, W, Y - Z @ W, alpha)

    @property
    def P(self) -> NDArray[np.float64]:
        """(Z'Z + alpha I)^-1."""
        return np.asarray(self.inverse @ self.inverse.T)

    @property
    def g(self) -> NDArray[np.float64]:
        """1 - leverage of each row."""
        return np.asarray(1 - row_norms(self.Q, squared=True))

    def squared_errors(self) -> NDArray[np.float64]:
        """Squared leave-one-out error of each row and label."""
        return _squared(self.R, self.g)

    def squared_errors_without(self, columns: Sequence[int]) -> NDArray[np.float64]:
        """The same for the model without one or more of its columns."""
        return _squared(*self._without(columns))

    def _without(
        self, columns: Sequence[int]
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Residuals and g without some columns: A and g_j where it is one."""
        u = self.Q @ self.inverse[columns].T
        change = np.linalg.solve(self.P[np.ix_(columns, columns)], u.T)
        A = self.R + change.T @ self.W[columns]
        return A, self.g + np.einsum("ij,ji->i", u, change)

    def joint_rises(self) -> NDArray[np.float64]:
        """Rise of the objective without columns i and j, beyond the two single rises.

        Large where i and j can stand in for each other; -inf on the diagonal.
        """
        P, products = self.P, self.W @ self.W.T
        p, size = np.diag(P), np.diag(products)
        crossed = np.outer(size, p)
        determinant = np.outer(p, p) - P**2
        np.fill_diagonal(determinant, 1.0)
        rises = (crossed + crossed.T - 2 * P * products) / determinant
        rises -= np.add.outer(size / p, size / p)
        np.fill_diagonal(rises, -np.inf)
        return np.asarray(rises)

    def errors_with(self, j: int, B: NDArray[np.float64]) -> NDArray[np.float64]:
        """Leave-one-out error, summed, with each column of B in the place of j."""
        A, g = self._without([j])
        u, p = self.Q @ self.inverse[j], self.P[j, j]
        C = B - self.Q @ (self.Q.T @ B) + np.outer(u, (u @ B) / p)
        D, M = np.einsum("ib,ib->b", B, C), B.T @ A
        z = C / (self.alpha + D)
        top = row_norms(A, squared=True)[:, np.newaxis]
        top = top - 2 * z * (A @ M.T) + z**2 * row_norms(M, squared=True)
        return np.asarray((top / (g[:, np.newaxis] - z * C) ** 2).sum(axis=0))


class Candidates:
    """The columns of X as substitutes, judged by the objective they reach."""

    def __init__(self, model: RidgeModel, X: Any) -> None:
        origin = np.zeros(X.shape[1])
        self._model, self._XR = model, centred_cross(X, origin, model.R)
        XQ = centred_cross(X, origin, model.Q)
        self._V = XQ @ model.inverse.T  # X'U
        unexplained = _column_squares(X) - row_norms(XQ, squared=True)
        self._D = np.maximum(unexplained, 0)

    def gains(self, j: int) -> NDArray[np.float64]:
        """How far each column lowers the objective when it takes the place of j."""
        v, p = self._V[:, j], self._model.P[j, j]
        M = self._XR + np.outer(v / p, self._model.W[j])
        gain = row_norms(M, squared=True) / (self._model.alpha + self._D + v**2 / p)
        return np.asarray(gain)


def _squared(R: NDArray[Any], g: NDArray[Any]) -> NDArray[np.float64]:
    """Squared residuals of rows that were left out."""
    return np.asarray((R / g[:, np.newaxis]) ** 2)


def _column_squares(X: Any) -> NDArray[np.float64]:
    """Sum of squares of each column, in float64."""
    if sp.issparse(X):
        return np.asarray(X.astype(np.float64).power(2).sum(axis=0))
    return np.asarray(np.einsum("ij,ij->j", X, X, dtype=np.float64))
