# SPDX-License-Identifier: BSD-3-Clause
import cvxpy
import numpy as np
import pytest
from scipy.linalg import block_diag, toeplitz

from labelsift.solvers.knockoffs import (
    CONSTRUCTIONS,
    GaussianKnockoffs,
    equicorrelated,
    minimum_variance,
    semidefinite,
)
from reference.knockoff_selector import mvr, mvr_loss

DESIGNS = {
    "AR .7": toeplitz(0.7 ** np.arange(30)),
    "equal .5": 0.5 * np.eye(30) + 0.5,
    "blocks .9": block_diag(*[0.1 * np.eye(5) + 0.9] * 6),
    "independent": np.eye(30),
}
EACH = pytest.mark.parametrize("correlation", DESIGNS.values(), ids=DESIGNS)
METHODS = pytest.mark.parametrize("construction", CONSTRUCTIONS)


def random_correlation(d, seed):
    rows = np.random.default_rng(seed).normal(size=(2 * d, d))
    rows[:, 1] += rows[:, 0]
    rows[:, 2] -= 2 * rows[:, 0]
    return np.corrcoef(rows.T)


@EACH
@METHODS
def test_s_stays_inside_the_cone(correlation, construction):
    s = CONSTRUCTIONS[construction](correlation)
    assert (s > 0).all()
    assert (s <= 1 + 1e-9).all()
    assert np.linalg.eigvalsh(2 * correlation - np.diag(s))[0] > -1e-8


@pytest.mark.parametrize("seed", range(3))
def test_mvr_is_the_optimum_of_a_general_optimiser(seed):
    correlation = random_correlation(5, seed)
    s, expected = minimum_variance(correlation), mvr(correlation)
    np.testing.assert_allclose(s, expected, atol=1e-4)
    assert mvr_loss(s, correlation) <= mvr_loss(expected, correlation) + 1e-8


@EACH
def test_mvr_is_stationary(correlation):
    """|D^-1 e_j| = 1 / s_j for every feature."""
    s = minimum_variance(correlation)
    inverse = np.linalg.inv(2 * correlation - np.diag(s))
    np.testing.assert_allclose(np.linalg.norm(inverse, axis=0) * s, 1, rtol=1e-4)


@EACH
def test_sdp_is_nearly_the_optimum(correlation):
    s = cvxpy.Variable(len(correlation))
    cone = 2 * correlation - cvxpy.diag(s) >> 0
    problem = cvxpy.Problem(cvxpy.Maximize(cvxpy.sum(s)), [s >= 0, s <= 1, cone])
    best = problem.solve(solver="CLARABEL")
    assert (1 - 3e-3) * best <= semidefinite(correlation).sum() <= best + 1e-5


@EACH
def test_equicorrelated_is_twice_the_least_eigenvalue(correlation):
    least = np.linalg.eigvalsh(correlation)[0]
    np.testing.assert_allclose(equicorrelated(correlation), min(1, 2 * least))


@METHODS
def test_moments_are_those_of_exchangeable_copies(construction):
    correlation = random_correlation(6, 0)
    s = CONSTRUCTIONS[construction](correlation)
    rng = np.random.RandomState(0)
    X = rng.multivariate_normal(np.zeros(6), correlation, size=200_000)
    copies = GaussianKnockoffs.build(correlation, construction).draw(X, rng)
    moments = np.cov(np.hstack([X, copies]).T)
    np.testing.assert_allclose(moments[6:, 6:], correlation, atol=0.015)
    np.testing.assert_allclose(moments[:6, 6:], correlation - np.diag(s), atol=0.015)
    np.testing.assert_allclose(copies.mean(axis=0), 0, atol=0.015)


def test_one_feature_has_an_independent_copy():
    for construct in CONSTRUCTIONS.values():
        np.testing.assert_allclose(construct(np.eye(1)), 1, atol=1e-5)
