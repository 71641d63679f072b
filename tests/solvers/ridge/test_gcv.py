# SPDX-License-Identifier: BSD-3-Clause
import numpy as np
import pytest
import scipy.sparse as sp

from labelsift.solvers.ridge.gcv import ridge_gcv


def by_hat_matrix(X, Y, alpha):
    """The definition: the hat matrix of centred ridge, and of the free intercept."""
    n = len(X)
    centring = np.eye(n) - 1 / n
    Z = centring @ X
    hat = 1 / n + Z @ np.linalg.inv(Z.T @ Z + alpha * np.eye(X.shape[1])) @ Z.T
    residual = Y - hat @ Y
    return n * (residual**2).sum() / (n - np.trace(hat)) ** 2


@pytest.mark.parametrize("shape", [(30, 4), (12, 20)])
@pytest.mark.parametrize("alpha", [0.3, 1.0, 50.0])
def test_it_is_the_definition_dense_and_sparse(shape, alpha, rng):
    X, Y = rng.normal(size=shape) + 3.0, rng.normal(size=(shape[0], 3))
    expected = by_hat_matrix(X, Y, alpha)
    for kind in (np.asarray, sp.csr_array):
        assert ridge_gcv(kind(X), Y, alpha) == pytest.approx(expected, rel=1e-9)


def test_a_column_that_predicts_lowers_it(rng):
    X, y = rng.normal(size=(50, 2)), rng.normal(size=(50, 1))
    assert ridge_gcv(np.hstack([X, y]), y) < ridge_gcv(X, y)
