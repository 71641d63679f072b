# SPDX-License-Identifier: BSD-3-Clause
import cvxpy as cp
import numpy as np
import pytest

from labelsift.solvers.ranking.label_covariance import (
    best_covariance,
    dual_covariance,
    inverse_penalty,
    least_penalty,
    moved_covariance,
)

WEIGHTS = pytest.mark.parametrize("mu", [0.01, 0.3, 5.0])


@pytest.fixture
def U(rng):
    return rng.normal(size=(7, 4)) * [3, 1, 0.3, 0.05]


def _value(U, r_inv):
    return np.vdot(r_inv, U.T @ U)


@WEIGHTS
def test_the_inverse_penalty_is_that_of_the_formula(U, mu):
    D = U.T @ U / np.trace(U.T @ U)
    expected = D @ np.linalg.inv(D + mu * np.eye(4))
    np.testing.assert_allclose(inverse_penalty(D, mu), expected, atol=1e-12)


@WEIGHTS
def test_no_covariance_has_a_larger_penalty(U, mu, rng):
    D, penalty = dual_covariance(U.T @ U, mu)
    assert np.trace(D) == pytest.approx(1)
    assert _value(U, inverse_penalty(D, mu)) == pytest.approx(penalty)
    for _ in range(200):
        root = rng.normal(size=(4, 4)) * rng.uniform(0.01, 1, size=4)
        other = 0.9 * D + 0.1 * root @ root.T / np.trace(root @ root.T)
        assert _value(U, inverse_penalty(other, mu)) <= penalty * (1 + 1e-9)


@WEIGHTS
def test_the_penalty_is_the_conjugate_of_the_squared_norms(U, mu):
    """Half of it is max over W of <W, U> - 1/2 |W|_F^2 - mu/2 |W|_*^2, at U R^-1."""
    D, penalty = dual_covariance(U.T @ U, mu)
    W = cp.Variable(U.shape)
    norms = cp.sum_squares(W) + mu * cp.square(cp.normNuc(W))
    value = cp.Problem(cp.Maximize(cp.sum(cp.multiply(U, W)) - norms / 2)).solve(
        solver=cp.CLARABEL
    )
    assert penalty / 2 == pytest.approx(value, rel=1e-6)
    np.testing.assert_allclose(U @ inverse_penalty(D, mu), W.value, atol=1e-3)


@WEIGHTS
def test_the_best_covariance_for_u_is_the_best_for_w(U, mu):
    D, _ = dual_covariance(U.T @ U, mu)
    W = U @ inverse_penalty(D, mu)
    np.testing.assert_allclose(best_covariance(W.T @ W), D, atol=1e-7)


@WEIGHTS
def test_the_least_penalty_of_weights_is_that_of_the_norms(U, mu):
    expected = np.sum(U**2) + mu * np.linalg.norm(U, "nuc") ** 2
    assert least_penalty(U.T @ U, mu) == pytest.approx(expected)


@WEIGHTS
@pytest.mark.parametrize("extrapolated", [0.0, 0.5, 1.0])
def test_moves_stay_where_both_sides_agree(U, mu, extrapolated):
    D, _ = dual_covariance(U.T @ U, mu)
    moved = moved_covariance(D, U.T @ U, mu, extrapolated)
    np.testing.assert_allclose(moved, D, atol=1e-7)


@WEIGHTS
def test_moves_go_to_the_minimiser_or_twice_as_far(U, mu, rng):
    root = rng.normal(size=(4, 4))
    D = root @ root.T / np.trace(root @ root.T)
    W = U @ inverse_penalty(D, mu)
    nearest = moved_covariance(D, U.T @ U, mu, 0.0)
    np.testing.assert_allclose(nearest, best_covariance(W.T @ W), atol=1e-12)
    sides, turned = np.linalg.eigh(U.T @ U)
    shares = np.array([0.1, 0.2, 0.3, 0.4])
    aligned = (turned * shares) @ turned.T
    once, twice = (
        np.diag(turned.T @ moved_covariance(aligned, U.T @ U, mu, far) @ turned)
        for far in (0.0, 1.0)
    )
    ratio = np.sqrt(sides) / (shares + mu)
    np.testing.assert_allclose(once, shares * ratio / (shares @ ratio))
    np.testing.assert_allclose(twice, shares * ratio**2 / (shares @ ratio**2))
    assert np.trace(moved_covariance(D, U.T @ U, mu, 0.3)) == pytest.approx(1)


def test_small_directions_are_closed(U):
    shares = np.linalg.eigvalsh(dual_covariance(U.T @ U, 5.0)[0])
    assert shares[-1] > 0.1
    assert np.all(np.abs(shares[:2]) < 1e-12)


def test_nothing_known_favours_no_direction():
    nothing, even = np.zeros((4, 4)), np.eye(4) / 4
    np.testing.assert_allclose(best_covariance(nothing), even)
    D, penalty = dual_covariance(nothing, 0.5)
    np.testing.assert_allclose(D, even)
    assert penalty == 0
    np.testing.assert_allclose(moved_covariance(even, nothing, 0.5, 1.0), even)
