# SPDX-License-Identifier: BSD-3-Clause
"""Ridge regression of many targets: one decomposition, every penalty."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
import scipy.linalg
import scipy.sparse as sp
from numpy.typing import NDArray
from sklearn.linear_model import Ridge
from sklearn.utils import gen_batches

# Sparse X with more rows and more columns than this is solved without a Gram matrix.
_LARGEST_GRAM = 8192
# Part of X that is made dense, centred or multiplied at a time.
_BLOCK_BYTES = 2**25


def ridge_path(
    X: Any, Y: NDArray[Any], penalties: Sequence[float]
) -> Iterator[tuple[NDArray[np.float64], NDArray[np.float64]]]:
    r"""Fit ridge regressions with an unpenalised intercept, one per penalty.

    Each minimises :math:`\|Y - X W' - 1 b'\|_F^2 + \lambda \|W\|_F^2` over W and b; a
    penalty of 0 gives the solution of least norm. One penalty costs one Cholesky
    factor of the centred Gram matrix, several share one eigendecomposition. Sparse X
    with more than 8192 rows and columns is solved by scikit-learn's LSQR instead,
    which forms no Gram matrix.

    Parameters
    ----------
    X : ndarray, csr_array or csc_array of shape (n_samples, n_features)
        The samples; sparse X is centred implicitly and never made dense.
    Y : ndarray of shape (n_samples, n_targets)
        What to predict.
    penalties : sequence of float
        In scikit-learn's scale, at least 0.

    Yields
    ------
    coef : ndarray of shape (n_targets, n_features)
        Weights W.
    intercept : ndarray of shape (n_targets,)
        Intercept b.
    """
    if sp.issparse(X) and min(X.shape) > _LARGEST_GRAM:
        for penalty in penalties:
            model = Ridge(alpha=penalty, solver="lsqr", tol=1e-10).fit(X, Y)
            yield model.coef_, model.intercept_
        return
    gram = CentredGram.of(X)
    mean = Y.mean(axis=0)
    targets = gram.targets(Y - mean)
    # Above the rounding of the Gram matrix, the Cholesky factor is sure to exist.
    rounding = len(gram.matrix) * np.finfo(np.float64).eps * np.trace(gram.matrix)
    if len(penalties) == 1 and penalties[0] > rounding:
        solutions = iter([_solve(gram.matrix, targets, penalties[0])])
    else:
        solutions = _solve_each(gram.matrix, targets, penalties)
    for solution in solutions:
        coef = gram.weights(solution).T
        yield coef, mean - coef @ gram.mean


@dataclass(frozen=True)
class CentredGram:
    """The inner products of centred X on its smaller side, X never made dense.

    With n_samples <= n_features (``dual``) the matrix is Xc Xc' of shape (n_samples,
    n_samples), otherwise Xc'Xc of shape (n_features, n_features). Dense X is centred
    in blocks of 32 MiB and its products are summed, so the peak is twice the matrix;
    sparse X is multiplied in such blocks and centred after the product.

    Parameters
    ----------
    X : ndarray or csr_array of float64 or float32
        The samples, not centred.
    mean : ndarray of shape (n_features,)
        Mean of each column.
    matrix : ndarray
        The inner products, in float64.
    """

    X: Any
    mean: NDArray[np.float64]
    matrix: NDArray[np.float64]

    @classmethod
    def of(cls, X: Any) -> Self:
        """Take the inner products of X."""
        n, d = X.shape
        mean = np.asarray(X.mean(axis=0, dtype=np.float64)).ravel()
        if sp.issparse(X):
            X = X.tocsr().astype(np.float64, copy=False)
            return cls(X, mean, _sparse_gram(X, mean))
        matrix = np.zeros((min(n, d), min(n, d)))
        for _, block in _long_side_blocks(X, mean):
            matrix += block @ block.T
        return cls(X, mean, matrix)

    @property
    def dual(self) -> bool:
        """Whether the matrix belongs to the samples rather than the features."""
        return bool(self.X.shape[0] <= self.X.shape[1])

    def targets(self, Y: NDArray[Any]) -> NDArray[np.float64]:
        """Right-hand side T for centred Y: (matrix + penalty I) S = T gives S."""
        return Y if self.dual else self._cross(Y)

    def weights(self, solution: NDArray[Any]) -> NDArray[np.float64]:
        """Weights of shape (n_features, n_targets) that belong to a solution S."""
        return self._cross(solution) if self.dual else solution

    def _cross(self, Y: NDArray[Any]) -> NDArray[np.float64]:
        """Xc'Y for Y with one row per sample."""
        if sp.issparse(self.X):
            return self.X.T @ Y - np.outer(self.mean, Y.sum(axis=0))
        blocks = _long_side_blocks(self.X, self.mean)
        if self.dual:
            return np.vstack([block.T @ Y for _, block in blocks])
        return sum(block @ Y[rows] for rows, block in blocks)


def _long_side_blocks(
    X: Any, mean: NDArray[Any]
) -> Iterator[tuple[slice, NDArray[np.float64]]]:
    """Parts of the longer side of dense X, centred; rows are the smaller side."""
    n, d = X.shape
    for part in gen_batches(max(n, d), max(1, _BLOCK_BYTES // (8 * min(n, d)))):
        yield part, X[:, part] - mean[part] if n <= d else (X[part] - mean).T


def _sparse_gram(X: Any, mean: NDArray[Any]) -> NDArray[np.float64]:
    """Centred inner products of CSR X on its smaller side."""
    n, d = X.shape
    left, right = (X, X.T) if n <= d else (X.T.tocsr(), X)
    m = min(n, d)
    matrix = np.empty((m, m))
    for rows in gen_batches(m, max(1, _BLOCK_BYTES // (8 * m))):
        matrix[rows] = (left[rows] @ right).toarray()
        if n > d:
            matrix[rows] -= np.outer(n * mean[rows], mean)
    if n <= d:
        sample_means = matrix.mean(axis=0)
        matrix -= sample_means
        matrix -= (sample_means - sample_means.mean())[:, np.newaxis]
    return matrix


def _solve(
    matrix: NDArray[Any], targets: NDArray[Any], penalty: float
) -> NDArray[np.float64]:
    """Solve for one penalty by Cholesky; the matrix is overwritten."""
    matrix.flat[:: len(matrix) + 1] += penalty
    factor = scipy.linalg.cho_factor(matrix.T, overwrite_a=True)
    return scipy.linalg.cho_solve(factor, targets)


def _solve_each(
    matrix: NDArray[Any], targets: NDArray[Any], penalties: Sequence[float]
) -> Iterator[NDArray[np.float64]]:
    """Solve for each penalty by one eigendecomposition.

    Directions whose eigenvalue is below rounding are left out: X has none of them.
    """
    values, vectors = scipy.linalg.eigh(matrix.T, overwrite_a=True, driver="evd")
    kept = values > len(values) * np.finfo(np.float64).eps * values[-1]
    values, vectors = values[kept], vectors[:, kept]
    rotated = vectors.T @ targets
    for penalty in penalties:
        yield vectors @ (rotated / (values + penalty)[:, np.newaxis])
