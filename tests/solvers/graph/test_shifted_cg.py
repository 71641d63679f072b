# SPDX-License-Identifier: BSD-3-Clause
import numpy as np
import pytest
import scipy.sparse as sp

from labelsift.solvers.graph import shifted_cg
from labelsift.solvers.graph.knn import knn_laplacian
from labelsift.solvers.graph.shifted_cg import solve_shifted


@pytest.mark.parametrize("beta", [0.0, 0.1, 1.0, 1e4])
@pytest.mark.parametrize("warm", [False, True])
def test_equals_dense_solves(rng, beta, warm):
    L = knn_laplacian(rng.normal(size=(40, 3)), 4)
    R, shifts = rng.normal(size=(40, 5)), np.array([0.1, 1.0, 1.4, 3.0, 50.0])
    start = rng.normal(size=(40, 5)) if warm else None
    V = solve_shifted(L, R, beta=beta, shifts=shifts, start=start)
    for column in range(5):
        matrix = shifts[column] * np.eye(40) + beta * L.toarray()
        expected = np.linalg.solve(matrix, R[:, column])
        np.testing.assert_allclose(V[:, column], expected, rtol=1e-4, atol=1e-6)


def test_zero_right_hand_sides_give_zero():
    V = solve_shifted(
        sp.eye_array(5).tocsr(), np.zeros((5, 2)), beta=1.0, shifts=np.ones(2)
    )
    assert not V.any()


def test_the_start_is_left_as_it_is(rng):
    L = knn_laplacian(rng.normal(size=(20, 3)), 4)
    start = rng.normal(size=(20, 2))
    kept = start.copy()
    solve_shifted(L, start + 1, beta=1.0, shifts=np.ones(2), start=start)
    np.testing.assert_array_equal(start, kept)


@pytest.mark.parametrize("order", ["C", "F"])
@pytest.mark.parametrize("n_columns", [2, 3, 8, 17, 64])
def test_the_compiled_loop_gives_the_same_bits(rng, monkeypatch, n_columns, order):
    L = knn_laplacian(rng.normal(size=(333, 3)), 4)
    R = np.asarray(rng.normal(size=(333, n_columns)), order=order)
    R[:, 1] = 0.0
    settings = {"beta": 3.0, "shifts": 0.1 + rng.random(n_columns)}
    for start in (None, np.asarray(rng.normal(size=R.shape), order=order)):
        compiled = solve_shifted(L, R, start=start, **settings)
        with monkeypatch.context() as patch:
            patch.setattr(shifted_cg, "_compiled_descent", shifted_cg._descend)
            plain = solve_shifted(L, R, start=start, **settings)
        np.testing.assert_array_equal(compiled, plain)
        assert compiled.flags.c_contiguous == plain.flags.c_contiguous


def test_few_steps_end_at_the_same_point(rng, monkeypatch):
    L = knn_laplacian(rng.normal(size=(50, 3)), 4)
    R = rng.normal(size=(50, 3))
    settings = {"beta": 100.0, "shifts": np.ones(3), "max_iter": 3}
    compiled = solve_shifted(L, R, **settings)
    monkeypatch.setattr(shifted_cg, "_compiled_descent", shifted_cg._descend)
    np.testing.assert_array_equal(compiled, solve_shifted(L, R, **settings))


def test_one_column_equals_a_dense_solve(rng):
    L = knn_laplacian(rng.normal(size=(40, 3)), 4)
    R = rng.normal(size=(40, 1))
    V = solve_shifted(L, R, beta=1.0, shifts=np.ones(1), tol=1e-12)
    expected = np.linalg.solve(np.eye(40) + L.toarray(), R)
    np.testing.assert_allclose(V, expected, atol=1e-10)
