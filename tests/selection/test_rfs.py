# SPDX-License-Identifier: BSD-3-Clause

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.exceptions import ConvergenceWarning

from core.quiet import fit
from labelsift.datasets import make_planted
from labelsift.selection import RFS
from reference.rfs import dense_diagonal, duality_gap, objective


@pytest.fixture(params=[(80, 20), (25, 60)], ids=["tall", "wide"])
def data(request):
    n, d = request.param
    return make_planted(n, d, 5, n_relevant=4, random_state=0)


@pytest.mark.parametrize("gamma", [0.5, 4.0])
def test_reaches_the_minimum_of_the_printed_algorithm(data, gamma):
    W = dense_diagonal(data.X, data.Y.astype(float), gamma, 300)
    selector = fit(RFS(gamma=gamma, tol=1e-10, max_iter=3000), data.X, data.Y)
    slow = objective(data.X, data.Y, W, gamma)
    assert selector.objective_[-1] <= slow * (1 + 1e-5)
    assert selector.objective_[-1] == pytest.approx(
        objective(data.X, data.Y, selector.coef_.T, gamma), rel=1e-9
    )
    heavy = np.linalg.norm(W, axis=1) > 0.1 * np.linalg.norm(W, axis=1).max()
    np.testing.assert_allclose(selector.coef_.T[heavy], W[heavy], rtol=0.05, atol=0.01)


@pytest.mark.parametrize("rounds", [1, 2, 3])
def test_the_rounds_are_those_of_the_printed_algorithm(rounds):
    data = make_planted(60, 8, 4, n_relevant=3, random_state=1)
    with pytest.warns(ConvergenceWarning):
        selector = RFS(gamma=0.01, max_iter=rounds, tol=0).fit(data.X, data.Y)
    W = dense_diagonal(data.X, data.Y.astype(float), 0.01, rounds)
    np.testing.assert_allclose(selector.coef_.T, W, rtol=1e-5)


@settings(max_examples=40, deadline=None, derandomize=True)
@given(
    gamma=st.sampled_from([1e-3, 0.1, 1.0, 10.0, 1e4]),
    n_samples=st.sampled_from([12, 40]),
    seed=st.integers(0, 100),
)
def test_the_objective_never_rises(gamma, n_samples, seed):
    data = make_planted(n_samples, 20, 4, n_relevant=3, random_state=seed)
    selector = fit(RFS(gamma=gamma), data.X, data.Y)
    trace = selector.objective_
    assert (np.diff(trace) <= 1e-10 * trace[:-1]).all()
    assert np.isfinite(selector.scores_).all()


def test_the_duality_gap_closes():
    data = make_planted(200, 30, 5, n_relevant=4, random_state=0)
    selector = fit(RFS(gamma=10.0, tol=1e-12, max_iter=5000), data.X, data.Y)
    gap = duality_gap(data.X, data.Y, selector.coef_.T, 10.0)
    assert gap <= 2e-3 * selector.objective_[-1]
    assert 0 < selector.n_weighted_ < 30


def test_a_large_gamma_leaves_no_weights_and_ranks_by_the_residual(data):
    with pytest.warns(UserWarning, match=r"weight to only 0 of .* lower gamma"):
        selector = RFS(3, gamma=1e4).fit(data.X, data.Y)
    assert not selector.coef_.any()
    lengths = np.maximum(np.linalg.norm(data.Y, axis=1), 1e-6)
    pull = np.linalg.norm(data.X.T @ (data.Y / lengths[:, None]), axis=1)
    np.testing.assert_array_equal(selector.feature_order_, np.argsort(-pull))


@pytest.mark.parametrize("share", [0.9, 0.99, 1.001])
def test_close_to_the_first_gamma_without_weights_only_strong_features_enter(share):
    data = make_planted(200, 40, 5, n_relevant=3, random_state=0)
    Y = data.Y[data.Y.any(axis=1)]
    X = data.X[: len(Y)] * np.where(np.arange(40) == 7, 1.0, 0.4)
    unit = Y / np.linalg.norm(Y, axis=1, keepdims=True)
    pull = np.linalg.norm(X.T @ unit, axis=1)
    gamma = share * pull.max()
    selector = fit(RFS(gamma=gamma), X, Y)
    weighted = np.flatnonzero(selector.coef_.any(axis=0))
    np.testing.assert_array_equal(weighted, np.flatnonzero(pull > gamma))
    assert selector.n_iter_ < 50
    best = fit(RFS(gamma=gamma, tol=1e-12, max_iter=5000), X, Y).objective_
    assert selector.objective_[-1] <= best[-1] * (1 + 1e-5)
    assert (best[-1] < best[0]) == (share < 1)


def test_working_sets_reach_the_same_minimum(data, monkeypatch):
    plain = fit(RFS(gamma=2.0, tol=1e-9, max_iter=3000), data.X, data.Y)
    monkeypatch.setattr("labelsift.solvers.row_sparse.robust._FIRST_FEATURES", 5)
    small = fit(RFS(gamma=2.0, tol=1e-9, max_iter=3000), data.X, data.Y)
    assert small.objective_[-1] == pytest.approx(plain.objective_[-1], rel=1e-4)


def test_the_order_of_features_and_labels_does_not_matter(data, rng):
    features = rng.permutation(data.X.shape[1])
    plain = fit(RFS(gamma=2.0), data.X, data.Y)
    moved = fit(RFS(gamma=2.0), data.X[:, features], data.Y[:, ::-1])
    np.testing.assert_allclose(
        moved.scores_, plain.scores_[features], rtol=1e-4, atol=1e-7
    )


def test_scaling_x_and_gamma_together_scales_the_weights(data):
    plain = fit(RFS(gamma=2.0, max_iter=5000, tol=1e-9), data.X, data.Y)
    scaled = fit(RFS(gamma=6.0, max_iter=5000, tol=1e-9), 3 * data.X, data.Y)
    assert scaled.objective_[-1] == pytest.approx(plain.objective_[-1], rel=1e-5)


def test_resists_outliers_better_than_the_squared_loss(rng):
    X = rng.normal(size=(300, 20))
    Y = (X[:, :4] > 0).astype(int)
    X[:15, 10] = 60.0  # some rows hold nonsense in one feature
    selector = fit(RFS(4, gamma=5.0), X, Y)
    assert selector.support_[:4].all()


def test_constant_columns_come_last_and_are_not_counted(data):
    X = np.column_stack([np.ones(len(data.Y)), data.X, np.zeros(len(data.Y))])
    selector = fit(RFS(gamma=0.5), X, data.Y)
    assert set(selector.feature_order_[-2:]) == {0, X.shape[1] - 1}
    assert selector.n_weighted_ == selector.coef_.any(axis=0)[1:].sum()


def test_budgets_that_reach_features_without_weight_are_told():
    data = make_planted(200, 30, 5, n_relevant=4, random_state=0)
    selector = RFS(2, gamma=15.0).fit(data.X, data.Y)
    weighted = selector.n_weighted_
    assert 2 < weighted < 30
    selector.with_budget(weighted)
    with pytest.warns(UserWarning, match=f"weight to only {weighted} of the"):
        view = selector.with_budget(weighted + 1)
    assert view.support_.sum() == weighted + 1


def test_too_few_rounds_are_told(data):
    with pytest.warns(ConvergenceWarning, match="max_iter=2 .* raise max_iter or tol"):
        RFS(max_iter=2, tol=1e-12).fit(data.X, data.Y)


@pytest.mark.parametrize("n_features", [8, 60])
def test_columns_far_from_zero_are_a_sentence(n_features):
    """At 1e8 the squares lose the differences: a bare LinAlgError, once."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(40, n_features))
    Y = (X[:, :2] > 0).astype(int)
    with pytest.raises(ValueError, match="subtract their means first") as error:
        RFS().fit(X + 1e8, Y)
    assert "StandardScaler" in str(error.value)
    moved = X + 1e8
    far = RFS(2).fit(moved - moved.mean(axis=0), Y)
    assert 0 in far.feature_order_[:2]
