# SPDX-License-Identifier: BSD-3-Clause
import cvxpy as cp
import numpy as np
import pytest

from labelsift.solvers.ranking.label_covariance import (
    best_covariance,
    best_inverse_penalty,
)

WEIGHTS = pytest.mark.parametrize("mu", [0.01, 0.3, 5.0])


@pytest.fixture
def U(rng):
    return rng.normal(size=(7, 4)) * [3, 1, 0.3, 0.05]


def _inverse_penalty(D, mu):
    return D @ np.linalg.inv(D + mu * np.eye(len(D)))


def _value(U, r_inv):
    return np.vdot(r_inv, U.T @ U)


@WEIGHTS
def test_no_covariance_has_a_larger_penalty(U, mu, rng):
    best = best_inverse_penalty(U.T @ U, mu)
    D = mu * best @ np.linalg.inv(np.eye(4) - best)
    assert np.trace(D) == pytest.approx(1)
    for _ in range(200):
        root = rng.normal(size=(4, 4)) * rng.uniform(0.01, 1, size=4)
        other = 0.9 * D + 0.1 * root @ root.T / np.trace(root @ root.T)
        assert _value(U, _inverse_penalty(other, mu)) <= _value(U, best) * (1 + 1e-9)


@WEIGHTS
def test_the_penalty_is_the_conjugate_of_the_squared_norms(U, mu):
    """Half of it is max over W of <W, U> - 1/2 |W|_F^2 - mu/2 |W|_*^2, at U R^-1."""
    best = best_inverse_penalty(U.T @ U, mu)
    W = cp.Variable(U.shape)
    norms = cp.sum_squares(W) + mu * cp.square(cp.normNuc(W))
    value = cp.Problem(cp.Maximize(cp.sum(cp.multiply(U, W)) - norms / 2)).solve(
        solver=cp.CLARABEL
    )
    assert _value(U, best) / 2 == pytest.approx(value, rel=1e-6)
    np.testing.assert_allclose(U @ best, W.value, atol=1e-3)


@WEIGHTS
def test_the_best_covariance_for_u_is_the_best_for_w(U, mu):
    best = best_inverse_penalty(U.T @ U, mu)
    D = best_covariance(best @ U.T @ U @ best)
    np.testing.assert_allclose(_inverse_penalty(D, mu), best, atol=1e-7)


def test_small_directions_are_closed(U):
    shares = np.linalg.eigvalsh(best_inverse_penalty(U.T @ U, 5.0))
    assert shares[-1] > 0.1
    assert np.all(np.abs(shares[:2]) < 1e-12)


def test_nothing_known_favours_no_direction():
    np.testing.assert_allclose(best_covariance(np.zeros((4, 4))), np.eye(4) / 4)
    expected = 0.25 / 0.75 * np.eye(4)
    np.testing.assert_allclose(best_inverse_penalty(np.zeros((4, 4)), 0.5), expected)
