# SPDX-License-Identifier: BSD-3-Clause
import numpy as np
import pytest
import scipy.sparse as sp

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
