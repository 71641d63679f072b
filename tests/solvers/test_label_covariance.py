# SPDX-License-Identifier: BSD-3-Clause
import cvxpy as cp
import numpy as np
import pytest

from labelsift.solvers.label_covariance import (
    fixed_penalty,
    inverse_penalty,
    learned_penalty,
)


@pytest.fixture
def U(rng):
    return rng.normal(size=(7, 4)) * [3, 1, 0.3, 0.05]


def _penalty(U, D, mu):
    R = np.eye(len(D)) + mu * np.linalg.inv(D)
    return np.trace(U @ np.linalg.inv(R) @ U.T)


@pytest.mark.parametrize("mu", [0.01, 0.3, 5.0])
def test_no_covariance_has_a_larger_penalty(U, mu, rng):
    best = learned_penalty(U.T @ U, mu)
    assert np.trace(best.covariance) == pytest.approx(1)
    assert best.value == pytest.approx(np.vdot(best.r_inv, U.T @ U))
    for _ in range(200):
        root = rng.normal(size=(4, 4)) * rng.uniform(0.01, 1, size=4)
        step = root @ root.T
        D = 0.9 * best.covariance + 0.1 * step / np.trace(step)
        assert _penalty(U, D, mu) <= best.value * (1 + 1e-9)


@pytest.mark.parametrize("mu", [0.01, 0.3, 5.0])
def test_the_penalty_is_the_conjugate_of_the_squared_norms(U, mu):
    """1/2 value = max over W of <W, U> - 1/2 |W|_F^2 - mu/2 |W|_*^2, at W = U R^-1."""
    best = learned_penalty(U.T @ U, mu)
    W = cp.Variable(U.shape)
    norms = cp.sum_squares(W) + mu * cp.square(cp.normNuc(W))
    value = cp.Problem(cp.Maximize(cp.sum(cp.multiply(U, W)) - norms / 2)).solve(
        solver=cp.CLARABEL
    )
    assert best.value / 2 == pytest.approx(value, rel=1e-6)
    np.testing.assert_allclose(U @ best.r_inv, W.value, atol=1e-3)


def test_small_directions_are_closed(U):
    shares = np.linalg.eigvalsh(learned_penalty(U.T @ U, 5.0).covariance)
    assert shares[-1] > 0.5
    assert np.all(np.abs(shares[:2]) < 1e-12)


def test_the_inverse_of_a_penalty_needs_no_inverse():
    D = np.diag([0.75, 0.25, 0.0])
    np.testing.assert_allclose(inverse_penalty(D, 0.25), np.diag([0.75, 0.5, 0.0]))
    np.testing.assert_array_equal(inverse_penalty(D, 0.0), np.eye(3))
    given = fixed_penalty(np.diag([4.0, 2.0, 9.0]), D, 0.25)
    assert given.value == pytest.approx(4.0)


def test_nothing_known_favours_no_direction():
    empty = learned_penalty(np.zeros((4, 4)), 0.5)
    np.testing.assert_allclose(empty.covariance, np.eye(4) / 4)
    assert empty.value == 0
