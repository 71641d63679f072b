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

from labelsift.core.scratch import scratch_zeros
from labelsift.solvers.ridge.centring import column_means
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
        if not sp.issparse(X):
            return cls._of_gram(CentredGram.of(X), Y, penalty)
        with scratch_zeros(n, n) as products:
            return cls._of_gram(_sparse_gram(X, products), Y, penalty)

    @classmethod
    def _of_gram(
        cls, gram: CentredGram, Y: NDArray[Any], penalty: float
    ) -> Self | None:
        """From the products of the rows, which are overwritten."""
        matrix, n = gram.matrix, len(gram.matrix)
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


def _sparse_gram(X: Any, products: NDArray[np.float64]) -> CentredGram:
    """The inner products of the rows, in the lower triangle of ``products``, zeros."""
    from labelsift.kernels.row_products import row_products

    columns = X.tocsr().tocsc().astype(np.float64, copy=False)  # never X itself
    columns.sum_duplicates()
    X = columns.tocsr()
    row_products(*((it.data, it.indices, it.indptr) for it in (X, columns)), products)
    mean = column_means(X)
    along = X @ mean - mean @ mean / 2  # (x - m)(y - m) = xy - along x - along y
    ones = np.ones(len(products))
    scipy.linalg.blas.dsyr2(-1.0, ones, along, a=products.T, overwrite_a=True)
    return CentredGram(X, mean, products)
