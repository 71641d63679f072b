# SPDX-License-Identifier: BSD-3-Clause
r"""Ridge regression on all columns, and the prediction of each row without itself.

With centred ``X``, ``K = XX'`` and ``M = K + l I``, the residuals are ``l M^-1 Y`` and
the leverages ``1/n + diag(K M^-1)``, so that a row is predicted by the others
as

    y - l (M^-1 Y) / (l diag(M^-1) - 1/n),

where ``diag(M^-1)`` are sums of squares of the inverse of M's triangular factor: with
M's factor twice ``n^3 / 3`` operations, nearly all that it takes. Where there are more
rows than columns, the same follows from ``X'X``.
"""

from dataclasses import dataclass
from typing import Any, Self

import numpy as np
import scipy.linalg
import scipy.sparse as sp
from numpy.typing import NDArray

from labelsift.solvers.ridge.centring import column_means, lower_products
from labelsift.solvers.ridge.path import CentredGram, has_gram
from labelsift.solvers.ridge.prefixes import RidgePrefixes, rounding_shows


@dataclass(frozen=True)
class RidgeLeftOut:
    """Weights (n_targets, n_features), intercepts, and predictions of rows left out."""

    coef: NDArray[np.float64]
    intercept: NDArray[np.float64]
    left_out: NDArray[np.float64]

    @classmethod
    def of(
        cls,
        X: Any,
        Y: NDArray[Any],
        penalty: float,
        counts: NDArray[np.float64] | None = None,
    ) -> Self | None:
        """Fit by one factor; None where rounding would show or X is too large.

        Rows that count ``counts`` times need more rows than columns.
        """
        n, d = X.shape
        if d < n:
            return cls._of_columns(X, Y, penalty, counts)
        if counts is not None or not has_gram(X):
            return None
        gram = _sparse_gram(X) if sp.issparse(X) else CentredGram.of(X)
        matrix = gram.matrix
        if rounding_shows(np.trace(matrix), penalty):
            return None
        centred, mean = gram.centred_targets(Y)
        matrix.flat[:: n + 1] += penalty
        # The transpose is the array as LAPACK wants it: its upper triangle is read.
        factor = scipy.linalg.cholesky(matrix.T, overwrite_a=True, check_finite=False)
        solution = scipy.linalg.cho_solve((factor, False), centred, check_finite=False)
        inverse, _ = scipy.linalg.lapack.dtrtri(factor, overwrite_c=True)
        slack = penalty * np.einsum("ij,ij->i", inverse, inverse) - 1 / n
        coef = gram.weights(solution).T
        left_out = Y - penalty * solution / slack[:, np.newaxis]
        return cls(coef, mean - coef @ gram.mean, left_out)

    @classmethod
    def _of_columns(
        cls, X: Any, Y: NDArray[Any], penalty: float, counts: Any
    ) -> Self | None:
        fits = RidgePrefixes.of(X, Y, penalty, counts)
        if fits is None:
            return None
        coef = scipy.linalg.solve_triangular(fits.factor, fits.weights).T
        [left_out] = fits.left_out([X.shape[1]])
        mean = np.average(Y, axis=0, weights=counts)
        return cls(coef, mean - coef @ fits.mean, left_out)


def _sparse_gram(X: Any) -> CentredGram:
    """The inner products of the rows, of which the lower triangle alone is right."""
    X = X.tocsr().astype(np.float64, copy=False)
    mean, matrix = column_means(X), lower_products(X, dual=True)
    along = X @ mean - mean @ mean / 2  # (x - m)(y - m) = xy - along x - along y
    ones = np.ones(len(matrix))
    scipy.linalg.blas.dsyr2(-1.0, ones, along, a=matrix.T, overwrite_a=True)
    return CentredGram(X, mean, matrix)
