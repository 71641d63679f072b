# SPDX-License-Identifier: BSD-3-Clause
import warnings

import numpy as np
import pytest
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import MultiTaskLasso

from labelsift.datasets import make_planted
from labelsift.selection import MTLasso
from reference.mt_lasso import minimise, norms, objective

NORMS = ["2", "inf"]


@pytest.fixture
def data():
    return make_planted(60, 14, 4, n_relevant=4, noise=0.3, random_state=0)


def standardised(X, Y):
    """Centred columns of unit norm and centred labels, with what undoes it."""
    centred = X - X.mean(axis=0)
    scale = np.linalg.norm(centred, axis=0)
    codes = 2.0 * Y - 1
    return centred / scale, codes - codes.mean(axis=0), scale, codes.mean(axis=0)


def quiet_fit(selector, X, Y):
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Only .* features have weights")
        return selector.fit(X, Y)


@pytest.mark.parametrize("norm", NORMS)
@pytest.mark.parametrize("alpha", [0.3, 1.5])
def test_weights_are_those_of_the_reference(data, norm, alpha):
    X, Y, scale, level = standardised(data.X, data.Y)
    W = minimise(X, Y, alpha, norm)
    lasso = quiet_fit(MTLasso(1.0, norm=norm, alpha=alpha, tol=1e-12), data.X, data.Y)
    np.testing.assert_allclose(lasso.coef_, (W / scale[:, None]).T, atol=1e-5)
    np.testing.assert_allclose(
        lasso.intercept_, level - lasso.coef_ @ data.X.mean(axis=0), atol=1e-9
    )
    used = norms(W, norm) > 1e-9
    np.testing.assert_array_equal(lasso.scores_ > 0, used)
    np.testing.assert_allclose(lasso.scores_[used], norms(W, norm)[used], rtol=1e-4)
    expected = objective(X, Y, W, alpha, norm)
    assert lasso.objective_[-1] == pytest.approx(expected, rel=1e-9)


def test_norm_2_is_scikit_learns_multi_task_lasso(data):
    X, Y, scale, _ = standardised(data.X, data.Y)
    theirs = MultiTaskLasso(alpha=0.8 / len(X), tol=1e-12, max_iter=100_000).fit(X, Y)
    ours = quiet_fit(MTLasso(1.0, norm="2", alpha=0.8, tol=1e-12), data.X, data.Y)
    np.testing.assert_allclose(ours.coef_, theirs.coef_ / scale, atol=1e-6)


@pytest.mark.parametrize("norm", NORMS)
def test_the_gap_bounds_the_distance_to_the_minimum(data, norm):
    X, Y, _, _ = standardised(data.X, data.Y)
    best = objective(X, Y, minimise(X, Y, 0.5, norm), 0.5, norm)
    for tol in (1e-2, 1e-6):
        lasso = quiet_fit(MTLasso(norm=norm, alpha=0.5, tol=tol), data.X, data.Y)
        assert lasso.objective_[-1] - best <= lasso.dual_gap_ + 1e-9
        assert lasso.dual_gap_ <= tol * 0.5 * (Y**2).sum()
        assert (np.diff(lasso.objective_) <= 1e-9).all()


@pytest.mark.parametrize("norm", NORMS)
@pytest.mark.parametrize("alpha", [None, 0.5])
def test_sparse_equals_dense(norm, alpha):
    data = make_planted(80, 30, 4, n_relevant=5, density=0.3, random_state=1)
    dense, sparse = (
        quiet_fit(MTLasso(8, norm=norm, alpha=alpha, tol=1e-10), X, data.Y)
        for X in (data.X.toarray(), data.X)
    )
    np.testing.assert_array_equal(sparse.support_, dense.support_)
    np.testing.assert_allclose(sparse.coef_, dense.coef_, atol=1e-4)


@pytest.mark.parametrize("norm", NORMS)
def test_scale_shift_and_order_do_not_matter(data, norm, rng):
    plain = quiet_fit(MTLasso(6, norm=norm, alpha=0.4, tol=1e-10), data.X, data.Y)
    order, factor = rng.permutation(14), rng.uniform(0.1, 10, size=14)
    moved_X = (data.X * factor + rng.normal(size=14))[:, order]
    moved = quiet_fit(MTLasso(6, norm=norm, alpha=0.4, tol=1e-10), moved_X, data.Y)
    np.testing.assert_array_equal(moved.support_, plain.support_[order])
    np.testing.assert_allclose(
        moved.decision_function(moved_X), plain.decision_function(data.X), atol=1e-4
    )


def test_norm_2_recovers_planted_features():
    data = make_planted(800, 60, 5, n_relevant=6, noise=0.2, random_state=2)
    lasso = MTLasso(6, norm="2").fit(data.X, data.Y)
    np.testing.assert_array_equal(np.flatnonzero(lasso.support_), data.relevant)


@pytest.mark.parametrize("norm", NORMS)
@pytest.mark.parametrize("budget", [2, 7])
def test_the_search_keeps_to_the_budget_and_no_larger_alpha_is_needed(
    data, norm, budget
):
    X, Y, _, _ = standardised(data.X, data.Y)
    lasso = quiet_fit(MTLasso(budget, norm=norm, tol=1e-10), data.X, data.Y)
    at, below = (
        (norms(minimise(X, Y, alpha, norm), norm) > 1e-7).sum()
        for alpha in (lasso.alpha_, 0.99 * lasso.alpha_)
    )
    assert at <= budget < below


def test_a_budget_beyond_the_weights_is_filled_by_those_nearest_to_entering(data):
    with pytest.warns(UserWarning, match=r"Only \d features have weights at alpha=6"):
        lasso = MTLasso(8, alpha=6.0).fit(data.X, data.Y)
    assert lasso.support_.sum() == 8
    filled = lasso.support_ & ~lasso.coef_.any(axis=0)
    assert filled.any()
    assert lasso.scores_[filled].min() >= lasso.scores_[~lasso.support_].max()


def test_budgets_nest_only_where_alpha_is_given(data):
    given = quiet_fit(MTLasso(8, alpha=0.3), data.X, data.Y)
    view, again = given.with_budget(3), quiet_fit(MTLasso(3, alpha=0.3), data.X, data.Y)
    np.testing.assert_array_equal(view.coef_, again.coef_)
    np.testing.assert_array_equal(view.support_, again.support_)
    assert not MTLasso(8).nested_budgets


def test_too_few_sweeps_are_told(data):
    with pytest.warns(ConvergenceWarning, match=r"max_iter=1 .*raise max_iter"):
        MTLasso(5, alpha=0.01, tol=1e-14, max_iter=1).fit(data.X, data.Y)


@pytest.mark.parametrize(
    ("name", "value"), [("alpha", 0), ("alpha", -1.0), ("norm", "1"), ("tol", 0)]
)
def test_bad_parameters_are_named(data, name, value):
    with pytest.raises(ValueError, match=f"'{name}' parameter"):
        MTLasso(**{name: value}).fit(data.X, data.Y)
