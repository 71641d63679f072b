# SPDX-License-Identifier: BSD-3-Clause
from dataclasses import replace

import numpy as np
import pytest
import scipy.sparse as sp

from labelsift.kernels.rank_dcd import (
    Weights,
    label_forces,
    pair_loss,
    sweep,
    sweep_correlated,
)
from labelsift.solvers.ranking.dcd import RankStart, solve_rank
from labelsift.solvers.ranking.design import pair_counts
from labelsift.solvers.ranking.label_covariance import best_covariance
from reference.cmlfs import best_subset, mlfs
from reference.larank_svm import (
    clarank,
    larank,
    pair_by_pair,
    ranking_loss,
    with_ones,
)
from solvers.ranking.problems import task, tiny

C, MU, M = 1.5, 0.3, 2
EXACT = {"C": C, "tol": 1e-8, "max_iter": 20000}
SEEDS = pytest.mark.parametrize("seed", [0, 1, 2])


def _assert_certified(result, value, rel=1e-6):
    """Lower and upper bound both meet the value of the general solver."""
    lower, upper = result.solution.bounds[-1]
    assert result.converged
    assert lower == pytest.approx(value, rel=rel)
    assert upper == pytest.approx(value, rel=rel)
    assert result.solution.value == pytest.approx(value, rel=rel)


@pytest.mark.parametrize("form", [np.asarray, sp.csr_array])
def test_a_sweep_takes_the_steps_of_a_loop_over_pairs(form):
    X, Y = tiny(0, n=20, d=6, c=5)
    design, pairs = task(form(X), Y)
    weights = Weights(np.zeros((6, 5)), np.zeros(5), np.zeros(5))
    alpha = np.zeros(len(RankStart.cold(design, pairs, 6).alpha))
    samples = design.samples(np.ones(6))
    order = np.random.default_rng(0).permutation(pairs.rows)
    for _ in range(3):
        sweep(samples, pairs, order, C, 1, alpha, weights)
    expected, W = pair_by_pair(with_ones(X), Y, C, np.tile(order, 3))
    np.testing.assert_allclose(label_forces(alpha, pairs), expected, atol=1e-13)
    np.testing.assert_allclose(weights.columns, W[:-1], atol=1e-13)
    np.testing.assert_allclose(weights.total, W[-1], atol=1e-13)


def _swept(form, metric, sweeps):
    """B and the weights U metric after sweeps, and the formula's X and Y."""
    X, Y = tiny(0, n=20, d=6, c=5)
    design, pairs = task(form(X), Y)
    weights = Weights(np.zeros((6, 5)), np.zeros(5), np.zeros(5))
    alpha = np.zeros(len(RankStart.cold(design, pairs, 6).alpha))
    samples = design.samples(np.ones(6))
    rng = np.random.default_rng(0)
    for _ in range(sweeps):
        order = rng.permutation(pairs.rows)
        sweep_correlated(samples, pairs, order, C, metric, 1, alpha, weights)
    return with_ones(X), Y, alpha, label_forces(alpha, pairs), weights


@pytest.mark.parametrize("form", [np.asarray, sp.csr_array])
def test_a_sweep_without_correlation_takes_the_same_steps(form):
    X, Y, _, forces, weights = _swept(form, np.eye(5), 1)
    _, pairs = task(X, Y)
    order = np.random.default_rng(0).permutation(pairs.rows)
    expected, W = pair_by_pair(X, Y, C, order)
    np.testing.assert_allclose(forces, expected, atol=1e-13)
    np.testing.assert_allclose(weights.columns, W[:-1], atol=1e-13)


@pytest.mark.parametrize("form", [np.asarray, sp.csr_array])
def test_sweeps_with_a_metric_maximise_its_dual(form, rng):
    root = rng.normal(size=(5, 5))
    metric = root @ root.T / 5
    X, Y, alpha, forces, weights = _swept(form, metric, 300)
    U = X.T @ forces
    np.testing.assert_allclose(weights.columns, (U @ metric)[:-1], atol=1e-11)
    np.testing.assert_allclose(weights.total, (U @ metric)[-1], atol=1e-11)
    dual = alpha.sum() - np.vdot(U @ metric, U) / 2
    W = U @ metric
    primal = np.vdot(W, U) / 2 + C * ranking_loss(X, Y, W)
    assert dual == pytest.approx(primal, rel=1e-6)


def test_the_loss_is_that_of_the_formula(rng):
    X, Y = tiny(1)
    W = rng.normal(size=(X.shape[1], Y.shape[1]))
    _, pairs = task(X, Y)
    assert pair_loss(X @ W, pairs) == pytest.approx(ranking_loss(X, Y, W))


@SEEDS
@pytest.mark.parametrize("form", [np.asarray, sp.csr_array])
def test_larank_meets_the_general_solver(seed, form):
    X, Y = tiny(seed)
    result = solve_rank(*task(form(X), Y), **EXACT)
    value, W = larank(with_ones(X), Y, C)
    _assert_certified(result, value)
    np.testing.assert_allclose(result.solution.weights, W[:-1], atol=1e-5)
    np.testing.assert_allclose(result.solution.bias, W[-1], atol=1e-5)


@SEEDS
@pytest.mark.parametrize("mu", [0.01, 0.3, 5.0])
def test_clarank_meets_the_general_solver_with_the_trace_norm(seed, mu):
    X, Y = tiny(seed)
    result = solve_rank(*task(X, Y), mu=mu, **EXACT)
    value, W = clarank(with_ones(X), Y, C, mu)
    _assert_certified(result, value)
    np.testing.assert_allclose(result.solution.weights, W[:-1], atol=1e-4)


def _learned_covariance(found):
    """D from R^-1 = D (D + mu I)^-1."""
    return MU * found.r_inv @ np.linalg.inv(np.eye(len(found.r_inv)) - found.r_inv)


def test_the_learned_covariance_is_the_root_of_the_weights():
    X, Y = tiny(0)
    found = solve_rank(*task(X, Y), mu=MU, **EXACT).solution
    D = _learned_covariance(found)
    assert np.trace(D) == pytest.approx(1)
    W = np.vstack([found.weights, found.bias])
    np.testing.assert_allclose(best_covariance(W.T @ W), D, atol=1e-6)
    # Weights of a ranking sum to 0 over the labels: D has no inverse.
    np.testing.assert_allclose(D.sum(axis=0), 0, atol=1e-8)


def test_no_start_traps_the_covariance():
    """A start whose U has rank one leaves little of every other direction of D."""
    X, Y = tiny(2, n=20)
    design, pairs = task(X, Y)
    value = solve_rank(design, pairs, mu=MU, **EXACT).solution.value
    alpha = np.zeros_like(RankStart.cold(design, pairs, 5).alpha)
    alpha[0] = 0.1
    start = RankStart(alpha, np.ones(5))
    again = solve_rank(design, pairs, mu=MU, start=start, **EXACT)
    assert again.solution.value == pytest.approx(value, rel=1e-7)


@SEEDS
def test_mlfs_meets_the_general_solver(seed):
    X, Y = tiny(seed)
    result = solve_rank(*task(X, Y), m=M, **EXACT)
    value, _, eta = mlfs(with_ones(X), Y, C, M)
    _assert_certified(result, value)
    np.testing.assert_allclose(result.solution.eta, eta, atol=1e-3)
    assert result.solution.eta.sum() == pytest.approx(M)
    assert value < best_subset(with_ones(X), Y, C, M)


def test_bounds_of_a_convex_problem_are_monotone():
    X, Y = tiny(0, n=60, d=12, c=5)
    bounds = solve_rank(*task(X, Y), C=C, m=3, tol=1e-6).solution.bounds
    assert len(bounds) > 5
    assert np.all(np.diff(bounds[:, 0]) >= 0)
    assert np.all(np.diff(bounds[:, 1]) <= 0)
    assert np.all(bounds[:, 0] <= bounds[:, 1])


@SEEDS
def test_cmlfs_cannot_be_improved_in_either_part(seed):
    X, Y = tiny(seed)
    found = solve_rank(*task(X, Y), mu=MU, m=M, **EXACT).solution
    # D is singular along the ones only, where no weight lies.
    R = np.eye(4) + MU * np.linalg.inv(_learned_covariance(found) + 1e-7)
    at_d, _, _ = mlfs(with_ones(X), Y, C, M, R)
    at_eta, _ = clarank(with_ones(X * np.sqrt(found.eta)), Y, C, MU)
    assert found.value == pytest.approx(at_d, rel=1e-5)
    assert found.value == pytest.approx(at_eta, rel=1e-5)


@pytest.mark.parametrize("seed", [0, 1, 3, 4, 5])
def test_cmlfs_reaches_one_value_from_several_starts(seed, rng):
    X, Y = tiny(seed)
    design, pairs = task(X, Y)
    boxes = np.repeat(pairs.share, pair_counts(pairs))
    settings = {"C": C, "mu": MU, "m": M, "tol": 1e-6, "max_iter": 20000}
    values = [solve_rank(design, pairs, **settings).solution.value]
    for _ in range(4):
        eta = np.clip(M * rng.dirichlet(np.ones(5)), 0.01, 1)
        start = RankStart(boxes * rng.uniform(size=len(boxes)), eta)
        found = solve_rank(design, pairs, start=start, **settings)
        assert found.converged
        values.append(found.solution.value)
    np.testing.assert_allclose(values, values[0], rtol=2e-6)


def test_cmlfs_is_not_convex():
    """Two points where neither eta nor D can be improved alone."""
    X, Y = tiny(4)
    design, pairs = task(X, Y)
    cold = RankStart.cold(design, pairs, M)
    found = []
    for first in ([0, 4], [1, 3]):
        eta = np.full(5, 0.01)
        eta[first] = 0.985
        start = replace(cold, eta=eta)
        result = solve_rank(design, pairs, mu=2.0, m=M, start=start, **EXACT)
        assert result.converged
        found.append(result.solution)
    assert found[1].value > 1.01 * found[0].value
    assert found[0].eta[2] < 1e-3
    assert found[1].eta[2] > 0.2


@pytest.mark.parametrize("mu", [1.0, 10.0])
def test_a_stiff_covariance_takes_few_sweeps(mu):
    """A large mu and C: D moves between sweeps, instead of bounding their steps."""
    X, Y = tiny(1, n=100, d=30, c=8)
    for m in (None, 6):
        result = solve_rank(*task(X, Y), C=100.0, mu=mu, m=m, tol=1e-2, max_iter=350)
        assert result.converged


def test_extremes_of_mu_and_m_are_the_other_machines():
    X, Y = tiny(0)
    problem = task(X, Y)
    plain = solve_rank(*problem, mu=MU, **EXACT).solution
    full = solve_rank(*problem, mu=MU, m=5, **EXACT).solution
    np.testing.assert_array_equal(full.weights, plain.weights)
    small = solve_rank(*problem, mu=1e-9, m=M, **EXACT).solution
    assert small.value == pytest.approx(
        solve_rank(*problem, m=M, **EXACT).solution.value, rel=1e-6
    )


@pytest.mark.parametrize("mu", [0.0, 0.3])
@pytest.mark.parametrize("m", [None, 3])
def test_a_warm_start_goes_on_where_another_stopped(mu, m):
    X, Y = tiny(0, n=80, d=12, c=5)
    problem = task(X, Y)
    settings = {"mu": mu, "m": m, "tol": 1e-5, "max_iter": 20000}
    one = solve_rank(*problem, C=1.0, **settings)
    again = solve_rank(*problem, C=1.0, start=one.solution.stop, **settings)
    assert again.n_iter < one.n_iter / 2
    other = solve_rank(*problem, C=30.0, **settings)
    warm = solve_rank(*problem, C=30.0, start=one.solution.stop, **settings)
    assert warm.solution.value == pytest.approx(other.solution.value, rel=2e-5)


def test_a_reopened_start_gives_every_column_some_weight():
    eta = np.array([1.0, 1.0, 0.0, 0.0])
    opened = RankStart(np.zeros(3), eta).reopened(1).eta
    assert opened.min() > 0
    assert opened.sum() == pytest.approx(1)


def test_max_iter_is_kept_to_the_sweep():
    X, Y = tiny(0)
    for mu in (0.0, 0.3):
        result = solve_rank(*task(X, Y), C=C, mu=mu, tol=1e-15, max_iter=7)
        assert result.n_iter == 7
        assert not result.converged


def test_columns_that_do_not_matter_cost_nothing():
    """A column of zeros gets no weight; zeros stored are zeros."""
    X, Y = tiny(0)
    wide = np.hstack([X, np.zeros((12, 3))])
    found = solve_rank(*task(wide, Y), m=M, **EXACT).solution
    assert not found.eta[5:].any()
    value, _, _ = mlfs(with_ones(X), Y, C, M)
    assert found.value == pytest.approx(value, rel=1e-6)


def test_rows_of_zeros_without_bias_only_add_their_loss():
    X, Y = tiny(1)
    X[2:5] = 0
    design, pairs = task(X, Y, bias=False)
    result = solve_rank(design, pairs, **EXACT)
    value, _ = larank(X, Y, C)
    _assert_certified(result, value)
