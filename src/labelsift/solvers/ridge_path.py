# SPDX-License-Identifier: BSD-3-Clause
r"""Ridge regression of many targets: one decomposition, every penalty.

With X and Y centred and ``X = U S V'``, ridge regression with penalty l on the sum of
squares has the weights ``V S (S^2 + l)^-1 U'Y``: only a diagonal depends on l.
``CentredGram`` holds the inner products of X on its smaller side; ``CentredGram.path``
decomposes them once, and the ``RidgePath`` it returns serves every penalty. The folds
of a cross-validation take their parts of the one matrix, so that X is multiplied with
itself once.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np
import scipy.linalg
import scipy.sparse as sp
from numpy.typing import NDArray
from sklearn.linear_model import Ridge
from sklearn.utils import gen_batches

# Sparse X with more rows and more columns than this is solved without a Gram matrix.
_LARGEST_GRAM = 8192
# So many Cholesky factors still cost less than one eigendecomposition.
_FEW_PENALTIES = 8
# Eigenvalues of what labels have in common are known to this share of the largest.
_ROUNDING = 1e-13
# Part of X that is made dense, centred or multiplied at a time.
_BLOCK_BYTES = 2**25


def ridge_path(
    X: Any, Y: NDArray[Any], penalties: Sequence[float], *, centred: bool = True
) -> Iterator[tuple[NDArray[np.float64], NDArray[np.float64]]]:
    r"""Fit ridge regressions with an unpenalised intercept, one per penalty.

    Each minimises :math:`\|Y - X W' - 1 b'\|_F^2 + \lambda \|W\|_F^2` over W and b; a
    penalty of 0 gives the solution of least norm. A few penalties cost one Cholesky
    factor each of the centred Gram matrix, more share one eigendecomposition. Sparse X
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
    centred : bool
        Whether there is an intercept; b is 0 otherwise.

    Yields
    ------
    coef : ndarray of shape (n_targets, n_features)
        Weights W.
    intercept : ndarray of shape (n_targets,)
        Intercept b.
    """
    if not has_gram(X):
        for penalty in penalties:
            model = Ridge(penalty, solver="lsqr", tol=1e-10, fit_intercept=centred)
            model.fit(X, Y)
            yield model.coef_, np.broadcast_to(model.intercept_, Y.shape[1])
        return
    gram = CentredGram.of(X, centred=centred)
    mean = Y.mean(axis=0) if centred else np.zeros(Y.shape[1])
    # Above the rounding of the Gram matrix, the Cholesky factor is sure to exist.
    rounding = len(gram.matrix) * np.finfo(np.float64).eps * np.trace(gram.matrix)
    if len(penalties) <= _FEW_PENALTIES and min(penalties) > rounding:
        targets = gram.targets(Y - mean)
        solutions = (_solve(gram.matrix, targets, penalty) for penalty in penalties)
    else:
        path = gram.path(Y)
        solutions = (path.basis @ path.weights(penalty) for penalty in penalties)
    for solution in solutions:
        coef = gram.weights(solution).T
        yield coef, mean - coef @ gram.mean


def has_gram(X: Any) -> bool:
    """Whether the inner products of X are worth their memory."""
    return not sp.issparse(X) or min(X.shape) <= _LARGEST_GRAM


@dataclass(frozen=True)
class RidgePath:
    """All ridge fits of one Y on the same rows, in the eigenbasis of these rows.

    Parameters
    ----------
    eigenvalues : ndarray of shape (n_directions,)
        S^2, the eigenvalues of centred XX' or X'X, none negative.
    basis : ndarray of shape (n_rows, n_directions)
        What leads from weights in the eigenbasis to an answer: the eigenvectors (U
        where ``dual``, V otherwise), or the rows of a test part in the eigenbasis.
    targets : ndarray of shape (n_directions, n_targets)
        U'Y where ``dual``, S U'Y otherwise.
    mean : ndarray of shape (n_targets,)
        What was subtracted from Y.
    dual : bool
        Whether the eigenvectors belong to the samples rather than the features.
    """

    eigenvalues: NDArray[np.float64]
    basis: NDArray[np.float64]
    targets: NDArray[np.float64]
    mean: NDArray[np.float64]
    dual: bool

    def inverse(self, penalty: float) -> NDArray[np.float64]:
        """1 / (S^2 + penalty), and 0 where that sum cannot be told from 0."""
        shifted = self.eigenvalues + penalty
        largest = self.eigenvalues.max(initial=0.0)
        rounding = len(shifted) * np.finfo(np.float64).eps * largest
        inverse = np.zeros_like(shifted)
        return np.divide(1.0, shifted, out=inverse, where=shifted > rounding)

    def weights(self, penalty: float) -> NDArray[np.float64]:
        """Ridge weights in the eigenbasis, of shape (n_directions, n_targets)."""
        return self.inverse(penalty)[:, np.newaxis] * self.targets

    def solutions(self, penalties: Sequence[float]) -> NDArray[np.float64]:
        """Ridge fits carried out of the eigenbasis: basis @ weights, per penalty.

        Parameters
        ----------
        penalties : sequence of float
            At least 0.

        Returns
        -------
        ndarray of shape (n_penalties, n_rows, n_targets)
            From a single matrix product.
        """
        weights = np.hstack([self.weights(penalty) for penalty in penalties])
        shape = (len(self.basis), len(penalties), self.targets.shape[1])
        stacked = (self.basis @ weights).reshape(shape)
        return np.ascontiguousarray(np.moveaxis(stacked, 1, 0))

    def directions(self, low: float, high: float) -> NDArray[np.float64]:
        """Rotate the targets so that those which gain most from less penalty lead.

        Parameters
        ----------
        low, high : float
            Two penalties.

        Returns
        -------
        ndarray of shape (n_targets, n_directions)
            Eigenvectors of W_low'W_high, as columns, where W are ridge weights: the
            same as those of Y'(H_low - H_high)Y, and defined for low = high too.
        """
        diagonal = self.inverse(low) * self.inverse(high)
        if self.dual:
            diagonal = self.eigenvalues * diagonal
        products = self.targets.T @ (diagonal[:, np.newaxis] * self.targets)
        return leading_directions(products)[1]


def leading_directions(
    products: NDArray[Any],
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Eigenvectors of what the labels have in common, those that matter.

    Parameters
    ----------
    products : ndarray of shape (n_targets, n_targets)
        Symmetric up to rounding, no eigenvalue below 0.

    Returns
    -------
    values : ndarray of shape (n_directions,)
        Eigenvalues that can be told from 0, largest first.
    directions : ndarray of shape (n_targets, n_directions)
        Their eigenvectors, as columns.
    """
    values, vectors = scipy.linalg.eigh((products + products.T) / 2)
    kept = np.flatnonzero(values > _ROUNDING * values[-1])[::-1]
    if not len(kept):
        raise ValueError(
            "X and the labels have nothing in common (X'Y is 0 about the means): pass "
            "features that vary with a label."
        )
    return values[kept], vectors[:, kept]


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
        Mean of each column; 0 where X is not to be centred.
    matrix : ndarray
        The inner products, in float64.
    centred : bool
        Whether the mean is subtracted, from X and from Y.
    """

    X: Any
    mean: NDArray[np.float64]
    matrix: NDArray[np.float64]
    centred: bool = True

    @classmethod
    def of(cls, X: Any, *, centred: bool = True) -> Self:
        """Take the inner products of X."""
        if sp.issparse(X):
            X = X.tocsr().astype(np.float64, copy=False)
        mean = column_means(X) if centred else np.zeros(X.shape[1])
        matrix = _products(X, mean, dual=X.shape[0] <= X.shape[1])
        return cls(X, mean, matrix, centred)

    @property
    def dual(self) -> bool:
        """Whether the matrix belongs to the samples rather than the features."""
        return bool(self.X.shape[0] <= self.X.shape[1])

    def targets(self, Y: NDArray[Any]) -> NDArray[np.float64]:
        """Right-hand side T for centred Y: (matrix + penalty I) S = T gives S."""
        return Y if self.dual else _cross(self.X, self.mean, Y)

    def weights(self, solution: NDArray[Any]) -> NDArray[np.float64]:
        """Weights of shape (n_features, n_targets) that belong to a solution S."""
        return _cross(self.X, self.mean, solution) if self.dual else solution

    def path(self, Y: NDArray[Any]) -> RidgePath:
        """Decompose once, for every penalty.

        Parameters
        ----------
        Y : ndarray of shape (n_samples, n_targets)
            What to predict, not centred.

        Returns
        -------
        RidgePath
            Its solutions lead to weights of the features by ``weights``.
        """
        Y, mean = self._centred_targets(Y)
        return _decompose(self.matrix.copy(), self.targets(Y), mean, self.dual)

    def fold(
        self, Y: NDArray[Any], train: NDArray[Any], test: NDArray[Any]
    ) -> RidgePath:
        """Decompose the part of the rows that a fold trains on.

        Parameters
        ----------
        Y : ndarray of shape (n_samples, n_targets)
            What to predict, all rows, not centred.
        train, test : ndarray of int
            The rows of the fold, no row twice in ``train``.

        Returns
        -------
        RidgePath
            Fitted on the training rows; its solutions, plus its mean, predict the test
            rows.
        """
        Y, target_mean = self._centred_targets(Y[train])
        if self.dual:
            within = self.matrix[np.ix_(train, train)]
            across = self.matrix[np.ix_(test, train)]
            if self.centred:
                _centre_both(within, across)
            path = _decompose(within, Y, target_mean, dual=True)
            return replace(path, basis=across @ path.basis)
        X, mean = self.X[train], self.mean
        left_out = np.setdiff1d(np.arange(self.X.shape[0]), train)
        matrix = self.matrix - _products(self.X[left_out], mean, dual=False)
        if self.centred:
            mean = column_means(X)
            shift = mean - self.mean
            matrix -= len(train) * np.outer(shift, shift)
        path = _decompose(matrix, _cross(X, mean, Y), target_mean, dual=False)
        return replace(path, basis=self.X[test] @ path.basis - mean @ path.basis)

    def _centred_targets(
        self, Y: NDArray[Any]
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        mean = Y.mean(axis=0) if self.centred else np.zeros(Y.shape[1])
        return Y - mean, mean


def _decompose(
    matrix: NDArray[Any], targets: NDArray[Any], mean: NDArray[Any], dual: bool
) -> RidgePath:
    """Decompose inner products; the matrix is overwritten."""
    eigenvalues, vectors = scipy.linalg.eigh(
        matrix.T, overwrite_a=True, check_finite=False, driver="evd"
    )
    return RidgePath(
        np.maximum(eigenvalues, 0), vectors, vectors.T @ targets, mean, dual
    )


def _solve(
    matrix: NDArray[Any], targets: NDArray[Any], penalty: float
) -> NDArray[np.float64]:
    """Solve for one penalty by Cholesky."""
    shifted = matrix.copy()
    shifted.flat[:: len(matrix) + 1] += penalty
    factor = scipy.linalg.cho_factor(shifted.T, overwrite_a=True)
    return scipy.linalg.cho_solve(factor, targets)


def column_means(X: Any) -> NDArray[np.float64]:
    """Mean of each column of dense or sparse X, in float64."""
    if sp.issparse(X):  # whose own mean adds up in the precision of X
        return np.asarray(X.T @ np.ones(X.shape[0])) / X.shape[0]
    return np.asarray(X.mean(axis=0, dtype=np.float64))


def _centre_both(within: NDArray[Any], across: NDArray[Any]) -> None:
    """Centre products of training rows, and of test with training rows, in place.

    All rows move by the mean of the training rows.
    """
    means = within.mean(axis=0)
    across -= across.mean(axis=1, keepdims=True) + (means - means.mean())
    within -= means
    within -= (means - means.mean())[:, np.newaxis]


def _products(X: Any, mean: NDArray[Any], *, dual: bool) -> NDArray[np.float64]:
    """(X - mean)(X - mean)' where dual, (X - mean)'(X - mean) otherwise."""
    if sp.issparse(X):
        return _sparse_products(X, mean, dual)
    size = X.shape[0] if dual else X.shape[1]
    matrix = np.zeros((size, size))
    for _, block in _centred_blocks(X, mean, dual):
        matrix += block @ block.T if dual else block.T @ block
    return matrix


def _sparse_products(X: Any, mean: NDArray[Any], dual: bool) -> NDArray[np.float64]:
    """The same of CSR X: the mean is subtracted from the products, block by block."""
    if dual:
        left, right, ones = X, X.T, np.ones(X.shape[0])
        along = X @ mean
        shifts = [(ones, along), (along - mean @ mean, ones)]
    else:
        left, right, sums = X.T.tocsr(), X, X.sum(axis=0)
        shifts = [(mean, sums), (sums - X.shape[0] * mean, mean)]
    size = left.shape[0]
    matrix = np.empty((size, size))
    for rows in gen_batches(size, max(1, _BLOCK_BYTES // (8 * size))):
        matrix[rows] = (left[rows] @ right).toarray()
        for first, second in shifts:
            matrix[rows] -= np.outer(first[rows], second)
    return matrix


def _cross(X: Any, mean: NDArray[Any], Y: NDArray[Any]) -> NDArray[np.float64]:
    """(X - mean)'Y."""
    if sp.issparse(X):
        return X.T @ Y - np.outer(mean, Y.sum(axis=0))
    dual = X.shape[0] <= X.shape[1]
    blocks = _centred_blocks(X, mean, dual)
    if dual:
        return np.vstack([block.T @ Y for _, block in blocks])
    return sum(block.T @ Y[rows] for rows, block in blocks)


def _centred_blocks(
    X: Any, mean: NDArray[Any], by_columns: bool
) -> Iterator[tuple[slice, NDArray[np.float64]]]:
    """Parts of dense X - mean, cut along the columns or along the rows."""
    n, d = X.shape
    length = max(1, _BLOCK_BYTES // (8 * (n if by_columns else d)))
    for part in gen_batches(d if by_columns else n, length):
        yield part, X[:, part] - mean[part] if by_columns else X[part] - mean
