# SPDX-License-Identifier: BSD-3-Clause
import numpy as np
import pytest
import scipy.sparse as sp
from scipy.optimize import minimize

from labelsift.kernels.nonnegative_rows import (
    fit_row,
    sweep_dense,
    sweep_sparse,
    warm_up,
)


@pytest.mark.parametrize("by_norm", [False, True])
@pytest.mark.parametrize("start", [0.0, 0.3])
def test_a_row_minimises_its_part_of_the_objective(rng, by_norm, start):
    S = rng.random((5, 5))
    S = (S + S.T) / 2
    degrees, alpha, beta, curvature = S.sum(axis=1), 0.7, 0.9, 3.0
    M = curvature * np.eye(5) + alpha * (np.diag(degrees) - S)
    for r in rng.normal(size=(20, 5)):

        def value(w, r=r):
            size = np.linalg.norm(w) if by_norm else w.sum()
            return w @ M @ w - 2 * r @ w + beta * size

        w = np.full(5, start)
        for _ in range(30):  # each call a few passes, which go on
            fit_row(w, r.copy(), curvature, S, degrees, alpha, beta, by_norm)
        best = minimize(value, np.full(5, 0.1), bounds=[(0, None)] * 5, tol=1e-14)
        assert w.min() >= 0
        assert value(w) <= min(best.fun, 0.0) + 1e-9


def test_a_row_that_should_be_zero_is_exactly_zero():
    S, degrees = np.eye(2), np.ones(2)
    w = np.array([0.5, 0.2])
    fit_row(w, np.array([0.3, 0.4]), 1.0, S, degrees, 0.1, 1.0, True)
    np.testing.assert_array_equal(w, 0)  # the positive part of r has length 1/2
    fit_row(w, np.array([0.5, -3.0]), 1.0, S, degrees, 0.1, 1.0, False)
    np.testing.assert_array_equal(w, 0)
    w += 1
    fit_row(w, np.array([0.5, 3.0]), 0.0, S, degrees, 0.1, 1.0, False)
    np.testing.assert_array_equal(w, 0)  # a constant feature


@pytest.mark.parametrize("width", [np.int32, np.int64])
def test_sparse_sweeps_are_those_of_centred_dense_ones(rng, width):
    X = rng.normal(size=(30, 6)) * (rng.random((30, 6)) < 0.5)
    Y = rng.normal(size=(30, 3))
    S, features = np.full((3, 3), 0.5), np.array([0, 2, 3, 5])
    mean, centred = X.mean(axis=0), np.asfortranarray(X - X.mean(axis=0))
    curvatures = (centred**2).sum(axis=0)
    rest = (S, S.sum(axis=1), (0.3, 1.0, 0.2), True)
    states = [(np.zeros((6, 3)), Y.copy(), np.zeros(3)) for _ in range(2)]
    csc = sp.csc_array(X)
    parts = csc.data, csc.indices.astype(width), csc.indptr.astype(width)
    totals = Y.sum(axis=0)
    for _ in range(4):
        sweep_dense(centred, curvatures, features, *states[0], *rest)
        sweep_sparse(*parts, mean, totals, curvatures, features, *states[1], *rest)
    (W, residual, sums), (W_sparse, stored, _) = states
    np.testing.assert_allclose(W_sparse, W, atol=1e-12)
    np.testing.assert_allclose(residual, Y - centred @ W, atol=1e-12)
    np.testing.assert_allclose(stored, Y - X @ W, atol=1e-12)
    np.testing.assert_allclose(totals, stored.sum(axis=0), atol=1e-12)
    np.testing.assert_allclose(sums, W.sum(axis=0), atol=1e-12)
    assert W[features].any()
    assert not W[[1, 4]].any()


def test_kernels_warm_up():
    warm_up()
