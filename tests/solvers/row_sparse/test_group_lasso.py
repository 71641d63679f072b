# SPDX-License-Identifier: BSD-3-Clause
import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.linear_model import MultiTaskLasso

from labelsift.kernels.group_lasso import shrink_row, warm_up
from labelsift.solvers.row_sparse.blocks import GramBlock
from labelsift.solvers.row_sparse.descent import RowDescent
from labelsift.solvers.row_sparse.group_lasso import (
    largest_alpha,
    minimise_group_lasso,
)
from labelsift.solvers.row_sparse.least_squares import (
    DenseLoss,
    GramLoss,
    least_squares,
)
from labelsift.solvers.row_sparse.norms import row_norm
from reference.mt_lasso import minimise, objective, optimality, prox

NORMS = ["2", "inf"]
SHAPES = [(40, 15, 4), (15, 40, 3), (50, 5, 1)]


def make_problem(rng, shape, density=0.4):
    """Correlated columns of unequal length, some entries zero; a few matter."""
    n, d, t = shape
    X = rng.normal(size=(n, d)) + rng.normal(size=(n, 1))
    X *= rng.random((n, d)) < density
    X *= rng.uniform(0.2, 3, size=d)
    W = rng.normal(size=(d, t))
    W[max(2, d // 8) :] = 0
    return X, X @ W + rng.normal(size=(n, t))


@pytest.fixture(params=SHAPES, ids=str)
def problem(request, rng):
    return make_problem(rng, request.param)


def as_form(X, Y, form, **options):
    """The loss in one of the forms that the solver knows."""
    kind, _, shape = form.partition("-")
    samples = sp.csr_array(X) if kind == "sparse" else X
    return least_squares(samples, Y, form=shape, **options)


def solve(X, Y, **options):
    """Minimise the loss in the form that is chosen for it."""
    return minimise_group_lasso(least_squares(X, Y), **options)


FORMS = ["dense-gram", "dense-residual", "sparse-gram", "sparse-residual"]


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("norm", NORMS)
@pytest.mark.parametrize("share", [0.5, 0.05])
def test_solution_is_that_of_the_reference(problem, norm, form, share):
    X, Y = problem
    loss = as_form(X, Y, form)
    alpha = share * largest_alpha(loss, norm)
    result = minimise_group_lasso(loss, alpha=alpha, norm=norm, tol=1e-13)
    expected = objective(X, Y, minimise(X, Y, alpha, norm), alpha, norm)
    found = objective(X, Y, result.solution, alpha, norm)
    assert result.converged
    assert found == pytest.approx(expected, rel=1e-9)
    assert result.objective[-1] == pytest.approx(found, rel=1e-9)
    assert optimality(X, Y, result.solution, alpha, norm) < 1e-4


def plain_sweep(X, Y, W, alpha, norm):
    """One sweep of coordinate descent over the rows of W, from the formula."""
    W = W.copy()
    for j, column in enumerate(X.T):
        square = column @ column
        W[j] = 0
        pull = column @ (Y - X @ W)
        if square > 0:
            W[j] = prox(pull[np.newaxis] / square, alpha / square, norm)
    return W


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("norm", NORMS)
@pytest.mark.parametrize("centred", [False, True])
def test_every_block_sweeps_row_by_row(rng, norm, form, centred):
    X, Y = make_problem(rng, (25, 90, 3), density=0.2)
    X[:, 7] = 0
    mean = X.mean(axis=0) if centred else None
    loss = as_form(X, Y, form, mean=mean)
    W, alpha = rng.normal(size=(90, 3)), 0.1 * largest_alpha(loss, norm)
    seen = X - mean if centred else X
    expected = plain_sweep(seen, Y, plain_sweep(seen, Y, W, alpha, norm), alpha, norm)
    block = loss.block(np.arange(90))
    kind = {"dense-residual": "Dense", "sparse-residual": "Sparse"}.get(form, "Gram")
    assert type(block).__name__ == f"{kind}Block"
    block.place(W)
    block.sweep(W, alpha, norm == "inf")
    block.sweep(W, alpha, norm == "inf")
    np.testing.assert_allclose(W, expected, atol=1e-8)
    residual = Y - seen @ W
    np.testing.assert_allclose(block.correlation(), seen.T @ residual, atol=1e-8)
    assert block.residual_sq(W) == pytest.approx(np.sum(residual**2))
    np.testing.assert_allclose(block.curve(W), seen.T @ (seen @ W), atol=1e-8)
    np.testing.assert_allclose(block.column_sq, np.sum(seen**2, axis=0), atol=1e-10)


def degenerate(rng, X, how):
    """The same problem with columns that depend on each other, or on a grid."""
    d = X.shape[1]
    if how == "copies":
        return X[:, rng.integers(0, d, size=d)]
    if how == "low rank":
        few = max(1, d // 3)
        return X[:, :few] @ rng.normal(size=(few, d))
    return np.round(X) if how == "integers" else X


@given(
    seed=st.integers(0, 2**31),
    n=st.integers(2, 30),
    d=st.integers(1, 80),
    t=st.integers(1, 5),
    share=st.floats(0.01, 1.2),
    norm=st.sampled_from(NORMS),
    form=st.sampled_from(FORMS),
    how=st.sampled_from(["general", "copies", "low rank", "integers"]),
)
@settings(max_examples=50, deadline=None)
@pytest.mark.filterwarnings("error")
def test_any_problem_ends_at_its_optimum(seed, n, d, t, share, norm, form, how):
    rng = np.random.default_rng(seed)
    X, Y = make_problem(rng, (n, d, t))
    loss = as_form(degenerate(rng, X, how), Y, form)
    alpha = share * (largest_alpha(loss, norm) or 1.0)
    result = minimise_group_lasso(loss, alpha=alpha, norm=norm, tol=1e-10)
    assert result.converged
    assert result.n_iter < 1000
    assert 0 <= result.gap <= 1e-10 * loss.target_sq / 2
    slack = 1e-12 * result.objective[0]
    assert (np.diff(result.objective) <= slack).all()


@pytest.mark.parametrize("how", ["copies", "low rank", "integers"])
@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("norm", NORMS)
def test_a_tolerance_below_rounding_ends_at_rounding(rng, norm, form, how):
    X, Y = make_problem(rng, (15, 40, 3))
    loss = as_form(degenerate(rng, X, how), Y, form)
    alpha = 0.003 * largest_alpha(loss, norm)
    result = minimise_group_lasso(loss, alpha=alpha, norm=norm, tol=1e-30)
    used = np.flatnonzero(result.solution.any(axis=1))
    assert result.converged
    assert result.gap <= loss.rounding(used, result.solution[used])
    assert result.gap <= 1e-12 * loss.target_sq


@pytest.mark.parametrize("sparse", [False, True])
def test_norm_2_is_scikit_learns_multi_task_lasso(problem, sparse):
    X, Y = problem
    n = len(X)
    alpha = 0.1 * np.linalg.norm(X.T @ Y, axis=1).max()
    peer = MultiTaskLasso(
        alpha / n, fit_intercept=False, tol=1e-14, max_iter=100_000
    ).fit(X, Y)
    result = solve(sp.csc_array(X) if sparse else X, Y, alpha=alpha, tol=1e-14)
    np.testing.assert_allclose(result.solution, peer.coef_.T, atol=1e-6)


@pytest.mark.parametrize("form", FORMS)
def test_columns_are_standardised_on_the_fly(rng, form):
    X, Y = make_problem(rng, (60, 40, 4))
    mean, scale = X.mean(axis=0), X.std(axis=0)
    loss = as_form(X, Y, form, mean=mean, scale=scale)
    expected = DenseLoss((X - mean) / scale, Y)
    W = rng.normal(size=(3, 4))
    features = np.array([4, 5, 30])
    for found, wanted in zip(
        loss.correlation(features, W), expected.correlation(features, W), strict=True
    ):
        np.testing.assert_allclose(found, wanted, atol=1e-9)
    alpha = 0.1 * largest_alpha(loss, "2")
    found = minimise_group_lasso(loss, alpha=alpha, tol=1e-13).solution
    wanted = minimise_group_lasso(expected, alpha=alpha, tol=1e-13).solution
    np.testing.assert_allclose(found, wanted, atol=1e-7)


@pytest.mark.parametrize("norm", NORMS)
def test_gap_bounds_the_distance_to_the_minimum(problem, norm):
    X, Y = problem
    alpha = 0.05 * largest_alpha(least_squares(X, Y), norm)
    best = objective(X, Y, minimise(X, Y, alpha, norm), alpha, norm)
    for sweeps in (1, 2, 5, 20):
        result = solve(X, Y, alpha=alpha, norm=norm, max_iter=sweeps)
        reached = objective(X, Y, result.solution, alpha, norm)
        assert -1e-9 <= (reached - best) / best <= result.gap / best + 1e-9
        assert result.n_iter == len(result.objective) - 1 <= sweeps


@pytest.mark.parametrize("norm", NORMS)
def test_the_largest_alpha_is_the_first_without_weights(problem, norm):
    loss = least_squares(*problem)
    top = largest_alpha(loss, norm)
    nothing = minimise_group_lasso(loss, alpha=top, norm=norm)
    assert not nothing.solution.any()
    assert nothing.n_iter == 0
    assert nothing.gap == 0
    something = minimise_group_lasso(loss, alpha=0.99 * top, norm=norm, tol=1e-10)
    assert 1 <= something.solution.any(axis=1).sum() <= 3


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("norm", NORMS)
def test_a_warm_path_ends_where_cold_fits_end(rng, norm, form):
    X, Y = make_problem(rng, (60, 40, 4))
    loss = as_form(X, Y, form)
    alphas = largest_alpha(loss, norm) * np.geomspace(1, 0.01, 8)
    W = None
    for alpha in alphas:
        warm = minimise_group_lasso(loss, alpha=alpha, norm=norm, W_init=W, tol=1e-12)
        W = warm.solution
        cold = solve(X, Y, alpha=alpha, norm=norm, tol=1e-12)
        np.testing.assert_allclose(warm.solution, cold.solution, atol=1e-4)
        assert warm.objective[-1] == pytest.approx(cold.objective[-1], rel=1e-10)
        used = warm.solution.any(axis=1)
        assert (used == cold.solution.any(axis=1)).all()


@pytest.mark.parametrize("norm", NORMS)
def test_the_order_of_features_does_not_matter(rng, norm):
    X, Y = make_problem(rng, (60, 100, 4))
    order = rng.permutation(100)
    alpha = 0.1 * largest_alpha(least_squares(X, Y), norm)
    plain = solve(X, Y, alpha=alpha, norm=norm, tol=1e-13)
    mixed = solve(X[:, order], Y, alpha=alpha, norm=norm, tol=1e-13)
    np.testing.assert_allclose(mixed.solution, plain.solution[order], atol=1e-5)


@pytest.mark.parametrize("norm", NORMS)
def test_near_copies_of_features_need_few_sweeps(rng, norm):
    """Sweeps alone do not arrive within 5000 here."""
    X, Y = make_problem(rng, (80, 60, 5), density=1.0)
    X = np.hstack([X, X + 0.01 * rng.normal(size=X.shape)])
    alpha = 0.1 * largest_alpha(least_squares(X, Y), norm)
    result = solve(X, Y, alpha=alpha, norm=norm, tol=1e-8)
    assert result.converged
    assert result.n_iter < 500
    assert (np.diff(result.objective) <= 1e-12 * result.objective[0]).all()


@pytest.mark.parametrize("norm", NORMS)
def test_many_correlated_features_need_few_sweeps(rng, norm, monkeypatch):
    """Binary X, nearly as many features as samples, weights for almost all."""
    base = rng.random((150, 1))
    X = sp.csc_array(rng.random((150, 120)) < base, dtype=float)
    Y = (rng.random((150, 20)) < base).astype(float)
    mean = np.ravel(X.mean(axis=0))
    loss = least_squares(X, Y - Y.mean(axis=0), mean=mean, form="residual")
    alpha = 0.02 * largest_alpha(loss, norm)
    result = minimise_group_lasso(loss, alpha=alpha, norm=norm, tol=1e-10)
    assert result.solution.any(axis=1).sum() > 100
    assert result.gap <= 1e-10 * loss.target_sq / 2
    assert (np.diff(result.objective) <= 1e-12 * result.objective[0]).all()
    monkeypatch.setattr(GramBlock, "gram_of", lambda *_: None)
    plain = minimise_group_lasso(loss, alpha=alpha, norm=norm, tol=1e-10)
    np.testing.assert_allclose(result.solution, plain.solution, atol=1e-4)
    assert result.n_iter <= plain.n_iter < 200
    assert (result.n_iter < plain.n_iter) == (norm == "2")


def test_a_gram_matrix_that_rounding_made_indefinite_is_no_obstacle(rng):
    X, Y = make_problem(rng, (20, 40, 3), density=1.0)
    gram = X.T @ X - 1e-6 * np.eye(40)
    block = GramBlock(gram, X.T @ Y, float(np.vdot(Y, Y)))
    descent = RowDescent(block, row_norm("2"), 1e-9, np.zeros((40, 3)))
    objectives = list(descent.run(0.0, range(1, 40)))
    assert np.isfinite(descent.W).all()
    assert (np.diff(objectives) <= 1e-12 * block.target_sq).all()


def test_weights_of_an_empty_column_are_taken_away(rng):
    X, Y = make_problem(rng, (30, 10, 2))
    X[:, 3] = 0
    for form in FORMS:
        loss = as_form(X, Y, form)
        result = minimise_group_lasso(
            loss, alpha=0.2 * largest_alpha(loss, "2"), W_init=np.ones((10, 2))
        )
        assert result.converged
        assert not result.solution[3].any()


def test_new_targets_reuse_what_is_known_of_x(rng):
    X, Y = make_problem(rng, (60, 40, 4))
    other = rng.normal(size=Y.shape)
    loss = least_squares(X, Y, form="residual")
    minimise_group_lasso(loss, alpha=1.0)
    loss.set_targets(other)
    found = minimise_group_lasso(loss, alpha=1.0, tol=1e-12).solution
    wanted = solve(X, other, alpha=1.0, tol=1e-12).solution
    np.testing.assert_allclose(found, wanted, atol=1e-6)


def test_gram_matrices_are_right_after_the_cache_was_cleared(rng):
    X = rng.normal(size=(1500, 2500))
    loss = least_squares(X, rng.normal(size=(1500, 2)), form="residual")
    for start in (0, 300, 900, 1700, 0):
        features = np.arange(start, start + 400)
        gram = loss.block(features).gram
        np.testing.assert_allclose(gram, X[:, features].T @ X[:, features], atol=1e-9)


def test_auto_makes_the_gram_matrix_only_where_it_pays(rng):
    X, Y = rng.normal(size=(300, 100)), rng.normal(size=(300, 4))
    assert isinstance(least_squares(X, Y, n_solves=10), GramLoss)
    assert isinstance(least_squares(X, Y, n_solves=1), DenseLoss)
    wide = rng.normal(size=(30, 100))
    assert isinstance(least_squares(wide, Y[:30], n_solves=10), DenseLoss)


@given(
    z=st.lists(st.floats(-1e3, 1e3), min_size=1, max_size=8),
    radius=st.floats(1e-6, 2e3),
    norm=st.sampled_from(NORMS),
)
@settings(max_examples=200, deadline=None)
def test_a_row_is_shrunk_by_its_proximal_step(z, radius, norm):
    row = np.array(z)
    expected = prox(row[np.newaxis], radius, norm)[0]
    shrink_row(row, radius, norm == "inf")
    np.testing.assert_allclose(row, expected, atol=1e-9)


def test_a_radius_below_rounding_changes_nothing():
    for norm in NORMS:
        row = np.ones(3)
        shrink_row(row, 1e-20, norm == "inf")
        assert (row == 1).all()


def test_clipping_ends_where_rounding_moves_the_level_to_and_fro():
    row = np.array([np.nextafter(1.2, 1), 1.2, 1.2, -1.2, -1.2])
    expected = row.copy()
    shrink_row(row, 2.1615418637246175e-15, True)
    np.testing.assert_allclose(row, expected, rtol=1e-14)


def test_kernels_warm_up():
    warm_up()


def test_bad_arguments_are_refused_in_words(rng):
    X, Y = make_problem(rng, (30, 10, 2))
    with pytest.raises(ValueError, match="alpha must be positive, got 0"):
        solve(X, Y, alpha=0)
    with pytest.raises(ValueError, match="norm must be '2' or 'inf', got '1'"):
        solve(X, Y, alpha=1.0, norm="1")
    with pytest.raises(ValueError, match=r"W_init must have shape \(10, 2\)"):
        solve(X, Y, alpha=1.0, W_init=np.zeros((2, 10)))
    with pytest.raises(ValueError, match="form must be"):
        least_squares(X, Y, form="primal")


def test_too_few_sweeps_do_not_converge(rng):
    X, Y = make_problem(rng, (30, 70, 3))
    result = solve(X, Y, alpha=0.01, max_iter=2)
    assert not result.converged
    assert result.n_iter == 2
