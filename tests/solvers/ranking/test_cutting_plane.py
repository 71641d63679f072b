# SPDX-License-Identifier: BSD-3-Clause
import numpy as np
import pytest
import scipy.sparse as sp

from labelsift.solvers.ranking.cutting_plane import solve_rank_by_cuts
from labelsift.solvers.ranking.dcd import solve_rank
from reference.cmlfs import mlfs
from reference.larank_svm import with_ones
from solvers.ranking.problems import task, tiny

C = 1.5


@pytest.mark.parametrize("form", [np.asarray, sp.csr_array])
def test_cuts_meet_the_general_solver(form):
    X, Y = tiny(0, d=9)
    problem = task(form(X), Y)
    result = solve_rank_by_cuts(*problem, C=C, m=2, tol=1e-8, max_iter=20000)
    value, _, eta = mlfs(with_ones(X), Y, C, 2)
    assert result.converged
    np.testing.assert_allclose(result.solution.bounds[-1], value, rtol=1e-6)
    np.testing.assert_allclose(result.solution.eta, eta, atol=1e-3)


@pytest.mark.parametrize("mu", [0.0, 0.1])
def test_cuts_and_all_columns_agree(mu):
    X, Y = tiny(1, n=60, d=80, c=5)
    problem = task(X / 9, Y)
    settings = {"C": 10.0, "mu": mu, "m": 4, "tol": 1e-4, "max_iter": 20000}
    cuts = solve_rank_by_cuts(*problem, **settings)
    whole = solve_rank(*problem, **settings)
    assert cuts.converged
    assert cuts.solution.value == pytest.approx(whole.solution.value, rel=2e-4)
    np.testing.assert_allclose(cuts.solution.eta, whole.solution.eta, atol=0.05)
    assert np.count_nonzero(cuts.solution.eta) < 60


def test_the_gap_speaks_of_the_covariance_too():
    X, Y = tiny(1, n=60, d=80, c=5)
    settings = {"C": 30.0, "mu": 1.0, "max_iter": 20000}
    result = solve_rank_by_cuts(*task(X / 9, Y), m=4, tol=1e-2, **settings)
    eta = result.solution.eta
    weighted = X[:, eta > 0] / 9 * np.sqrt(eta[eta > 0])
    best = solve_rank(*task(weighted, Y), tol=1e-6, **settings).solution.value
    assert result.gap <= 1e-2
    assert best <= result.solution.value <= best / (1 - 1e-2)


def test_bounds_over_all_columns_are_monotone():
    X, Y = tiny(2, n=60, d=80, c=5)
    bounds = solve_rank_by_cuts(
        *task(X / 9, Y), C=10.0, m=4, tol=1e-4, max_iter=20000
    ).solution.bounds
    assert len(bounds) > 3
    assert np.all(np.diff(bounds[:, 0]) >= 0)
    assert np.all(np.diff(bounds[:, 1]) <= 0)


def test_a_warm_start_takes_its_columns_along():
    X, Y = tiny(1, n=60, d=80, c=5)
    problem = task(X / 9, Y)
    settings = {"m": 4, "tol": 1e-3, "max_iter": 20000}
    one = solve_rank_by_cuts(*problem, C=10.0, **settings)
    cold = solve_rank_by_cuts(*problem, C=12.0, **settings)
    warm = solve_rank_by_cuts(*problem, C=12.0, start=one.solution.stop, **settings)
    assert len(warm.solution.bounds) < len(cold.solution.bounds)
    assert warm.solution.value == pytest.approx(cold.solution.value, rel=2e-3)


def test_max_iter_holds_over_all_cuts():
    X, Y = tiny(1, n=60, d=80, c=5)
    result = solve_rank_by_cuts(*task(X / 9, Y), C=10.0, m=4, tol=1e-12, max_iter=50)
    assert result.n_iter == 50
    assert not result.converged
