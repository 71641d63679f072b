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

from labelsift.solvers.ridge.centring import (
    centre_both,
    centred_cross,
    centred_products,
    column_means,
    scaled_rows,
)

# Sparse X with more rows and more columns than this is solved without a Gram matrix.
_LARGEST_GRAM = 8192
# This many Cholesky factors still cost less than one eigendecomposition.
_FEW_PENALTIES = 8
# Eigenvalues of what labels have in common are known to this share of the largest.
_ROUNDING = 1e-13


def ridge_path(
    X: Any,
    Y: NDArray[Any],
    penalties: Sequence[float],
    *,
    centred: bool = True,
    weights: NDArray[Any] | None = None,
) -> Iterator[tuple[NDArray[np.float64], NDArray[np.float64]]]:
    r"""Fit ridge regressions with an unpenalised intercept, one per penalty.

    Each minimises :math:`\|Y - X W' - 1 b'\|_F^2 + \lambda \|W\|_F^2` over W and b; a
    penalty of 0 gives the solution of least norm. A few penalties cost one Cholesky
    factor each of the centred Gram matrix, more share one eigendecomposition. Sparse X
    with more than 8192 rows and columns is solved by scikit-learn's LSQR instead,
    which forms no Gram matrix. Rows count by their ``weights``. Yields W, of shape
    (n_targets, n_features), and b, which is 0 where X is not to be ``centred``.
    """
    if not has_gram(X):
        for penalty in penalties:
            model = Ridge(penalty, solver="lsqr", tol=1e-10, fit_intercept=centred)
            model.fit(X, Y, sample_weight=weights)
            yield model.coef_, np.broadcast_to(model.intercept_, Y.shape[1])
        return
    gram = CentredGram.of(X, centred=centred, weights=weights)
    centred_Y, mean = gram.centred_targets(Y)
    targets = gram.targets(centred_Y)
    for solution in ridge_solutions(gram.matrix, targets, penalties, dual=gram.dual):
        coef = gram.weights(solution).T
        yield coef, mean - coef @ gram.mean


def ridge_solutions(
    matrix: NDArray[Any],
    targets: NDArray[Any],
    penalties: Sequence[float],
    *,
    dual: bool = False,
) -> Iterator[NDArray[np.float64]]:
    """Solutions S of (matrix + penalty I) S = targets, one per penalty.

    With X'X and X'Y of centred data these are the weights, of shape (n_features,
    n_targets); ``dual`` says that the matrix is XX'.
    """
    # Above the rounding of the Gram matrix, the Cholesky factor always exists.
    rounding = len(matrix) * np.finfo(np.float64).eps * np.trace(matrix)
    if len(penalties) <= _FEW_PENALTIES and min(penalties) > rounding:
        return (_solve(matrix, targets, penalty) for penalty in penalties)
    path = _decompose(matrix.copy(), targets, np.zeros(targets.shape[1]), dual)
    return (path.basis @ path.weights(penalty) for penalty in penalties)


def has_gram(X: Any) -> bool:
    """Whether the inner products of X are worth their memory."""
    return not sp.issparse(X) or min(X.shape) <= _LARGEST_GRAM


@dataclass(frozen=True)
class RidgePath:
    """All ridge fits of one Y on the same rows, in the eigenbasis of these rows."""

    eigenvalues: NDArray[np.float64]  # S^2, of centred XX' or X'X, none negative
    # Maps weights in the eigenbasis to the output: the eigenvectors (U where ``dual``,
    # V otherwise), or the rows of a test part in the eigenbasis.
    basis: NDArray[np.float64]
    targets: NDArray[np.float64]  # U'Y where ``dual``, S U'Y otherwise
    mean: NDArray[np.float64]  # what was subtracted from Y
    dual: bool  # whether the eigenvectors belong to the samples, not the features

    def inverse(self, penalty: float) -> NDArray[np.float64]:
        """1 / (S^2 + penalty), and 0 where that sum is 0 up to rounding."""
        shifted = self.eigenvalues + penalty
        largest = self.eigenvalues.max(initial=0.0)
        rounding = len(shifted) * np.finfo(np.float64).eps * largest
        inverse = np.zeros_like(shifted)
        return np.divide(1.0, shifted, out=inverse, where=shifted > rounding)

    def weights(self, penalty: float) -> NDArray[np.float64]:
        """Ridge weights in the eigenbasis, of shape (n_directions, n_targets)."""
        return self.inverse(penalty)[:, np.newaxis] * self.targets

    def solutions(self, penalties: Sequence[float]) -> NDArray[np.float64]:
        """basis @ weights for each penalty, from a single matrix product."""
        weights = np.hstack([self.weights(penalty) for penalty in penalties])
        shape = (len(self.basis), len(penalties), self.targets.shape[1])
        stacked = (self.basis @ weights).reshape(shape)
        return np.ascontiguousarray(np.moveaxis(stacked, 1, 0))

    def directions(self, low: float, high: float) -> NDArray[np.float64]:
        """Rotate the targets so that those which gain most from less penalty are first.

        The columns are the eigenvectors of W_low'W_high, where W are ridge weights: the
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
    """Eigenvalues above rounding error, largest first, and their eigenvectors.

    ``products`` of the targets is symmetric up to rounding, no eigenvalue below 0.
    """
    values, vectors = scipy.linalg.eigh((products + products.T) / 2)
    positive = np.flatnonzero(values > _ROUNDING * values[-1])[::-1]
    if not len(positive):
        raise ValueError(
            "X and the labels are uncorrelated (X'Y is 0 about the means): pass "
            "features that vary with a label."
        )
    return values[positive], vectors[:, positive]


@dataclass(frozen=True)
class CentredGram:
    """The inner products of centred X on its smaller side, X never densified.

    With n_samples <= n_features (``dual``) the matrix is Xc Xc' of shape (n_samples,
    n_samples), otherwise Xc'Xc of shape (n_features, n_features). Dense X is centred
    in blocks of 32 MiB and its products are summed, so the peak is twice the matrix;
    sparse X is multiplied in such blocks and centred after the product.
    """

    X: Any  # ndarray or csr_array, not centred
    mean: NDArray[np.float64]  # of each column; 0 where X is not to be centred
    matrix: NDArray[np.float64]  # the inner products
    centred: bool = True  # whether the mean is subtracted, from X and from Y
    # Roots of the weights of the rows, by which X is multiplied; None: all are 1.
    root: NDArray[np.float64] | None = None

    @classmethod
    def of(
        cls, X: Any, *, centred: bool = True, weights: NDArray[Any] | None = None
    ) -> Self:
        """Take the inner products of X."""
        if sp.issparse(X):
            X = X.tocsr().astype(np.float64, copy=False)
        mean = column_means(X, weights) if centred else np.zeros(X.shape[1])
        root = None if weights is None else np.sqrt(weights)
        X = X if root is None else scaled_rows(X, root)
        dual = X.shape[0] <= X.shape[1]
        matrix = centred_products(X, mean, dual=dual, root=root)
        return cls(X, mean, matrix, centred, root)

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
        return centred_cross(self.X, self.mean, Y, self.root)

    def path(self, Y: NDArray[Any]) -> RidgePath:
        """Decompose once; ``weights`` maps solutions to those of the features."""
        Y, mean = self.centred_targets(Y)
        return _decompose(self.matrix.copy(), self.targets(Y), mean, self.dual)

    def fold(
        self, Y: NDArray[Any], train: NDArray[Any], test: NDArray[Any]
    ) -> RidgePath:
        """Decompose the rows that a fold trains on, none of them twice.

        The solutions, plus the mean, predict the test rows. For rows that count alike.
        """
        Y, target_mean = self.centred_targets(Y[train])
        if self.dual:
            within = self.matrix[np.ix_(train, train)]
            across = self.matrix[np.ix_(test, train)]
            if self.centred:
                centre_both(within, across)
            path = _decompose(within, Y, target_mean, dual=True)
            return replace(path, basis=across @ path.basis)
        X, mean = self.X[train], self.mean
        left_out = np.setdiff1d(np.arange(self.X.shape[0]), train)
        matrix = self.matrix - centred_products(self.X[left_out], mean, dual=False)
        if self.centred:
            mean = column_means(X)
            shift = mean - self.mean
            matrix -= len(train) * np.outer(shift, shift)
        path = _decompose(matrix, centred_cross(X, mean, Y), target_mean, dual=False)
        return replace(path, basis=self.X[test] @ path.basis - mean @ path.basis)

    def centred_targets(
        self, Y: NDArray[Any]
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Y about its mean, times the roots of the weights, and the mean."""
        weights = None if self.root is None else self.root**2
        mean = np.zeros(Y.shape[1])
        if self.centred:
            mean = np.average(Y, axis=0, weights=weights)
        Y = Y - mean
        return Y if self.root is None else self.root[:, np.newaxis] * Y, mean


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
