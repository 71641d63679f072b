# SPDX-License-Identifier: BSD-3-Clause
import numpy as np
import pytest
import scipy.sparse as sp

from labelsift.solvers.ridge.reduced_rank import (
    covarying_directions,
    explaining_directions,
)


@pytest.mark.parametrize("shape", [(30, 8), (12, 20)])
@pytest.mark.parametrize("form", [np.asarray, sp.csr_array])
def test_directions_solve_their_eigenproblem(rng, shape, form):
    X, Y = rng.normal(size=shape) + 1, rng.normal(size=(shape[0], 3))
    Y -= Y.mean(axis=0)
    penalties = [0.3, 7.0]
    Xc = X - X.mean(axis=0)
    for penalty, (explained, directions) in zip(
        penalties, explaining_directions(form(X), Y, penalties), strict=True
    ):
        total = Xc.T @ Xc + penalty * np.eye(shape[1])
        between = Xc.T @ Y @ Y.T @ Xc
        np.testing.assert_allclose(
            between @ directions.T, total @ directions.T * explained, atol=1e-7
        )
        np.testing.assert_allclose(
            directions @ total @ directions.T, shape[0] * np.eye(3), atol=1e-8
        )
        assert (np.diff(explained) <= 0).all()


@pytest.mark.parametrize("form", [np.asarray, sp.csr_array])
def test_directions_that_vary_with_targets_are_singular_vectors(rng, form):
    X, Y = rng.normal(size=(30, 8)) + 1, rng.normal(size=(30, 3))
    Y = np.column_stack([Y, Y[:, 0] + Y[:, 1]])
    Y -= Y.mean(axis=0)
    U, sizes, _ = np.linalg.svd((X - X.mean(axis=0)).T @ Y)
    squares, directions = covarying_directions(form(X), Y)
    np.testing.assert_allclose(squares, sizes[:3] ** 2, rtol=1e-9)
    np.testing.assert_allclose(np.abs(directions @ U[:, :3]), np.eye(3), atol=1e-9)
