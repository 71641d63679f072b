# SPDX-License-Identifier: BSD-3-Clause
"""Rounds of wide sparse data take the steps of the rounds for all data."""

import numpy as np
import pytest
import scipy.sparse as sp

from labelsift.solvers.graph.knn import knn_laplacian
from labelsift.solvers.row_sparse.latent_labels import (
    LatentProblem,
    PlainRounds,
    polar,
    solve_latent_labels,
)
from labelsift.solvers.row_sparse.least_squares import least_squares
from labelsift.solvers.row_sparse.sparse_rows import SparseRows
from labelsift.solvers.row_sparse.wide_latent import (
    WidePoint,
    WideRounds,
)

N_LABELS = 5


def _problem(gamma=0.3, ridge=0.0):
    rng = np.random.default_rng(0)
    X = sp.random_array((150, 2100), density=0.03, rng=rng, format="csr")
    Y = X[:, :60] @ rng.normal(size=(60, N_LABELS)) + 0.1 * rng.normal(size=(150, 5))
    Y -= Y.mean(axis=0)
    mean = np.asarray(X.mean(axis=0)).ravel()
    loss = least_squares(X, Y, mean=mean, form="residual")
    return LatentProblem(loss, Y, knn_laplacian(X, 4), 0.5, 1.0, gamma, ridge)


def _mixing(n_latent):
    return polar(np.random.default_rng(1).normal(size=(n_latent, N_LABELS)))


def _as_wide(problem, point):
    W = SparseRows.of(point.W)
    return WidePoint(W, problem.fitted(point.W), point.V, point.B)


# Many features with weight are swept by the residual, few by their Gram matrix.
@pytest.mark.parametrize("gamma", [0.02, 0.1, 1.5])
@pytest.mark.parametrize("n_latent", [2, N_LABELS])
def test_each_round_is_the_plain_one(gamma, n_latent):
    problem, B = _problem(gamma), _mixing(n_latent)
    of_plain, of_wide = PlainRounds(problem), WideRounds(problem, problem.loss)
    path, wide = [of_plain.first(B, None)] * 2, of_wide.first(B, None)
    for share in (0.0, 0.4, 0.7, 0.2):
        plain = path[-1]
        np.testing.assert_allclose(wide.W.dense(), plain.W, atol=1e-10)
        np.testing.assert_allclose(wide.XW, problem.fitted(plain.W), atol=1e-10)
        np.testing.assert_allclose(wide.V, plain.V, atol=1e-10)
        np.testing.assert_allclose(wide.B, plain.B, atol=1e-10)
        used = np.flatnonzero(plain.W.any(axis=1))
        np.testing.assert_array_equal(wide.W.places, used)
        wanted = of_plain.objective(plain)
        assert of_wide.objective(wide) == pytest.approx(wanted, rel=1e-12)
        last = [_as_wide(problem, point) for point in path[:-3:-1]]
        wide = of_wide.next(*last, share)
        path.append(of_plain.next(*path[:-3:-1], share))


def test_both_forms_of_a_sweep_are_tested():
    few, many = (
        WideRounds(problem, problem.loss).first(_mixing(2), None).W.count
        for problem in (_problem(1.5), _problem(0.02))
    )
    assert 0 < few < _problem().loss.residual_cost(slice(None)) < many


@pytest.mark.parametrize("ridge", [0.0, 1.0])
def test_the_solution_is_the_plain_one(ridge):
    problem, B = _problem(0.1, ridge), _mixing(3)
    plain, wide = (
        solve_latent_labels(problem, B, tol=1e-7, rounds=rounds)
        for rounds in (None, WideRounds(problem, problem.loss))
    )
    assert wide.converged
    assert wide.n_iter == plain.n_iter
    np.testing.assert_allclose(wide.objective, plain.objective, rtol=1e-10)
    for name in ("W", "V", "B"):
        ours, wanted = (getattr(it.solution, name) for it in (wide, plain))
        np.testing.assert_allclose(ours, wanted, atol=1e-9)
    assert wide.gap == pytest.approx(plain.gap, rel=1e-5)


def test_weights_to_start_from_are_used():
    problem, B = _problem(0.1), _mixing(N_LABELS)
    found = solve_latent_labels(problem, B, tol=1e-9).solution
    rounds = WideRounds(problem, problem.loss)
    again = solve_latent_labels(problem, B, W_init=found.W, tol=1e-7, rounds=rounds)
    assert again.n_iter <= 6  # five rounds show that nothing falls
    np.testing.assert_allclose(again.solution.W, found.W, atol=1e-4)


def test_a_large_penalty_leaves_no_weights():
    problem = _problem(1e4)
    rounds = WideRounds(problem, problem.loss)
    assert not solve_latent_labels(problem, _mixing(2), rounds=rounds).solution.W.any()
