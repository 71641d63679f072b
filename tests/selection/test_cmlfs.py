# SPDX-License-Identifier: BSD-3-Clause
from dataclasses import replace

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning
from sklearn.preprocessing import StandardScaler

from labelsift.classification import CLaRankSVM, LaRankSVM
from labelsift.datasets import make_planted
from labelsift.metrics import macro_auc
from labelsift.model_selection import PathSearchCV
from labelsift.selection import CMLFS, MLFS
from reference.cmlfs import mlfs
from reference.larank_svm import clarank, with_ones

SELECTORS = pytest.mark.parametrize("selector", [MLFS, CMLFS])
TIGHT = {"tol": 1e-7, "max_iter": 20000}


@pytest.fixture
def planted():
    return make_planted(150, 40, 5, n_relevant=4, random_state=0)


@pytest.fixture
def few():
    """As many samples and features as a general solver can do."""
    return make_planted(25, 8, 4, n_relevant=3, random_state=0)


@pytest.fixture
def wide():
    """Enough features for cutting planes."""
    return make_planted(60, 1200, 4, n_relevant=5, random_state=0)


def test_weights_are_those_of_the_formula(few):
    model = MLFS(1.0, C=2.0, m=3, **TIGHT).fit(few.X, few.Y)
    value, W, eta = mlfs(with_ones(few.X), few.Y, 2.0, 3)
    np.testing.assert_allclose(model.bounds_[-1], value, rtol=1e-6)
    np.testing.assert_allclose(model.feature_weights_, eta, atol=3e-3)
    np.testing.assert_allclose(model.coef_, W[:-1].T, atol=3e-3)
    np.testing.assert_allclose(model.intercept_, W[-1], atol=3e-3)
    np.testing.assert_allclose(model.scores_, np.linalg.norm(W[:-1], axis=1), atol=3e-3)


def test_correlated_weights_are_best_for_their_feature_weights(few):
    model = CMLFS(1.0, C=2.0, mu=0.3, m=3, **TIGHT).fit(few.X, few.Y)
    weighted = with_ones(few.X * np.sqrt(model.feature_weights_))
    value, _ = clarank(weighted, few.Y, 2.0, 0.3)
    assert model.bounds_[-1, 1] == pytest.approx(value, rel=1e-5)
    assert model.dual_gap_ <= 1e-7


def test_mu_zero_is_mlfs(planted):
    plain = MLFS(5, m=4).fit(planted.X, planted.Y)
    model = CMLFS(5, mu=0, m=4).fit(planted.X, planted.Y)
    np.testing.assert_array_equal(model.coef_, plain.coef_)
    np.testing.assert_array_equal(model.feature_weights_, plain.feature_weights_)


def test_m_of_all_features_is_the_machine_without_selection(planted):
    model = CMLFS(1.0, mu=0.2, m=40, tol=1e-4).fit(planted.X, planted.Y)
    plain = CLaRankSVM(mu=0.2, tol=1e-4).fit(planted.X, planted.Y)
    np.testing.assert_array_equal(model.coef_, plain.coef_)
    np.testing.assert_array_equal(model.feature_weights_, 1)
    np.testing.assert_array_equal(model.label_covariance_, plain.label_covariance_)


@SELECTORS
@pytest.mark.parametrize("seed", [0, 1, 2])
def test_planted_features_are_found(selector, seed):
    planted = make_planted(400, 60, 8, n_relevant=4, random_state=seed)
    model = selector(4, m=4).fit(planted.X, planted.Y)
    assert set(model.feature_order_[:4]) == set(planted.relevant)
    assert model.feature_weights_[planted.relevant].min() > 0.5


@SELECTORS
def test_planted_features_are_found_by_cuts(selector):
    planted = make_planted(300, 1200, 8, n_relevant=5, random_state=0)
    model = selector(5, C=0.05, m=5).fit(planted.X, planted.Y)
    assert set(model.feature_order_[:5]) == set(planted.relevant)
    assert np.count_nonzero(model.feature_weights_) < 30


@SELECTORS
def test_what_all_labels_share_alike_does_not_rank_them(selector, rng):
    X = rng.normal(size=(300, 10))
    strengths = np.zeros((10, 4))
    strengths[0], strengths[1] = 2.0, [1.5, -1.5, 1.0, -1.0]
    Y = (X @ strengths + rng.normal(size=(300, 4)) > 0).astype(int)
    model = selector(1, m=1).fit(X, Y)
    assert model.feature_order_[0] == 1
    assert model.feature_weights_[0] < 0.1


@SELECTORS
def test_weights_order_the_features_and_sum_to_m(selector, planted):
    model = selector(m=7, C=5.0).fit(planted.X, planted.Y)
    eta, scores = model.feature_weights_, model.scores_
    assert eta.sum() == pytest.approx(7)
    assert eta.max() <= 1
    assert np.all(np.diff(eta[model.feature_order_]) <= 1e-12)
    free = (eta > 0) & (eta < 1)
    nu = scores[free] / eta[free]
    np.testing.assert_allclose(nu, nu[0])
    np.testing.assert_allclose(eta, np.minimum(1, scores / nu[0]))


def test_m_is_not_a_number_of_features(planted):
    model = MLFS(m=4).fit(planted.X, planted.Y)
    assert np.count_nonzero(model.feature_weights_ > 0.01) > 4
    assert MLFS().fit(planted.X, planted.Y).feature_weights_.sum() == pytest.approx(4)


@SELECTORS
def test_a_small_selection_is_refitted_as_the_machine_on_it(selector, planted):
    machine = {MLFS: LaRankSVM, CMLFS: CLaRankSVM}[selector]
    model = selector(3, m=4, **TIGHT).fit(planted.X, planted.Y)
    chosen = model.get_support(indices=True)
    alone = machine(**TIGHT).fit(planted.X[:, chosen], planted.Y)
    np.testing.assert_allclose(model.coef_[:, chosen], alone.coef_, atol=1e-3)
    np.testing.assert_allclose(model.intercept_, alone.intercept_, atol=1e-3)
    assert not model.coef_[:, ~model.support_].any()


def test_a_larger_selection_is_refitted_with_weights(planted):
    model = MLFS(10, m=4, **TIGHT).fit(planted.X, planted.Y)
    chosen = model.get_support(indices=True)
    alone = MLFS(1.0, m=4, **TIGHT).fit(planted.X[:, chosen], planted.Y)
    np.testing.assert_allclose(model.coef_[:, chosen], alone.coef_, atol=1e-3)


@SELECTORS
def test_without_a_refit_one_fit_serves_every_budget(selector, planted):
    model = selector(20, m=4, refit=False, standardize=True).fit(planted.X, planted.Y)
    assert model.nested_budgets
    for budget in (1, 7, 20, 40, 0.3):
        view = model.with_budget(budget)
        fresh = selector(budget, m=4, refit=False, standardize=True)
        fresh.fit(planted.X, planted.Y)
        np.testing.assert_array_equal(view.support_, fresh.support_)
        np.testing.assert_array_equal(view.coef_, fresh.coef_)
        np.testing.assert_array_equal(view.intercept_, fresh.intercept_)
        np.testing.assert_array_equal(
            view.decision_function(planted.X), fresh.decision_function(planted.X)
        )
    assert np.count_nonzero(model.coef_.any(axis=0)) <= 20


def test_bounds_of_mlfs_are_monotone(planted, wide):
    for data, m in ((planted, 4), (wide, 5)):
        model = MLFS(m=m, C=1.0, tol=1e-4, max_iter=20000).fit(data.X, data.Y)
        lower, upper = model.bounds_.T
        assert len(lower) > 1
        assert np.all(np.diff(lower) >= 0)
        assert np.all(np.diff(upper) <= 0)
        assert np.all(lower <= upper)
        np.testing.assert_array_equal(model.objective_, upper)
        assert model.dual_gap_ <= 1e-4


@SELECTORS
def test_sparse_standardised_features_give_the_dense_answer(selector):
    planted = make_planted(150, 40, 5, density=0.3, random_state=0)
    model = selector(8, m=5, standardize=True, **TIGHT)
    dense = clone(model).fit(planted.X.toarray(), planted.Y)
    model.fit(planted.X, planted.Y)
    np.testing.assert_allclose(
        model.feature_weights_, dense.feature_weights_, atol=5e-3
    )
    np.testing.assert_array_equal(model.support_, dense.support_)
    np.testing.assert_allclose(model.coef_, dense.coef_, atol=5e-3)
    np.testing.assert_allclose(model.intercept_, dense.intercept_, atol=5e-3)


@SELECTORS
def test_cuts_on_sparse_standardised_features_give_the_dense_answer(selector):
    planted = make_planted(80, 1500, 4, density=0.05, random_state=0)
    settings = {"m": 10, "C": 0.01, "standardize": True, "tol": 1e-5}
    sparse = selector(15, **settings).fit(planted.X, planted.Y)
    dense = selector(15, **settings).fit(planted.X.toarray(), planted.Y)
    assert sparse.bounds_[-1, 1] == pytest.approx(dense.bounds_[-1, 1], rel=2e-5)
    np.testing.assert_allclose(
        sparse.decision_function(planted.X),
        dense.decision_function(planted.X.toarray()),
        atol=0.02,
    )


@SELECTORS
def test_standardize_is_a_scaler_before(selector, planted):
    X = planted.X * np.geomspace(0.1, 100, 40) + 7
    scaled = StandardScaler().fit_transform(X)
    inside = selector(6, m=4, standardize=True, **TIGHT).fit(X, planted.Y)
    before = selector(6, m=4, **TIGHT).fit(scaled, planted.Y)
    np.testing.assert_array_equal(inside.support_, before.support_)
    np.testing.assert_allclose(
        inside.decision_function(X), before.decision_function(scaled), atol=1e-3
    )


@SELECTORS
def test_the_bias_is_outside_selection(selector, planted):
    """A shift of all labels' frequencies goes to the intercept, not to a feature."""
    Y = np.hstack([planted.Y, np.ones((150, 1), np.uint8)])
    Y[:3, -1] = 0
    model = selector(4, m=4).fit(planted.X, Y)
    assert len(model.feature_weights_) == 40
    assert model.feature_weights_.sum() == pytest.approx(4)
    assert model.intercept_[-1] == model.intercept_.max()
    without = selector(4, m=4, fit_intercept=False).fit(planted.X, Y)
    np.testing.assert_array_equal(without.intercept_, 0)


@SELECTORS
@pytest.mark.parametrize(
    ("parameters", "sentence"),
    [
        ({"C": 0}, "'C' parameter"),
        ({"m": 0}, "'m' parameter"),
        ({"m": 41}, "m=41 is more than the 40 features of X"),
        ({"m": 2.5}, "'m' parameter"),
        ({"refit": "no"}, "'refit' parameter"),
    ],
)
def test_bad_parameters_are_named(selector, parameters, sentence, planted):
    with pytest.raises(ValueError, match=sentence):
        selector(**parameters).fit(planted.X, planted.Y)


def test_a_negative_mu_is_named(planted):
    with pytest.raises(ValueError, match="'mu' parameter of CMLFS"):
        CMLFS(mu=-1).fit(planted.X, planted.Y)


@SELECTORS
def test_bad_data_is_an_error(selector, planted):
    X = planted.X.copy()
    X[0, 0] = np.inf
    with pytest.raises(ValueError, match="infinity"):
        selector().fit(X, planted.Y)
    with pytest.raises(ValueError, match=r"FS ranks the labels .* no sample has one"):
        selector().fit(planted.X, planted.Y[:, :1])


@SELECTORS
def test_an_open_gap_is_told(selector, planted):
    with pytest.warns(ConvergenceWarning, match=r"scale X \(standardize=True\)"):
        model = selector(m=4, C=100.0, max_iter=2).fit(planted.X, planted.Y)
    assert model.dual_gap_ > 1e-2
    assert model.n_iter_ == 2


@SELECTORS
def test_the_open_gap_of_a_refit_is_told_too(selector, planted, monkeypatch):
    solve = selector._solve

    def stop_early(self, task, m, start):
        machine = solve(self, task, m, start)
        if task.design.n_features > 5:
            return machine
        unfinished = replace(machine.result, gap=0.5, converged=False)
        return replace(machine, result=unfinished)

    monkeypatch.setattr(selector, "_solve", stop_early)
    with pytest.warns(ConvergenceWarning, match=r"gap of 5.0e-01 .* lower C"):
        model = selector(5, m=8).fit(planted.X, planted.Y)
    assert model.dual_gap_ <= 1e-2


@SELECTORS
def test_a_path_ends_where_single_fits_do(selector, planted):
    grid = {"C": [0.1, 1.0], "m": [2, 8], "n_features_to_select": [5]}
    base = selector(tol=1e-6, max_iter=20000)
    for point, warm in base.fit_path(planted.X, planted.Y, grid):
        cold = selector(tol=1e-6, max_iter=20000, **point).fit(planted.X, planted.Y)
        assert warm.n_features_ == 5
        np.testing.assert_array_equal(warm.support_, cold.support_)
        assert warm.bounds_[-1, 1] == pytest.approx(cold.bounds_[-1, 1], rel=1e-5)
    assert not hasattr(base, "coef_")


def test_the_path_serves_a_search(planted):
    grid = {"C": [0.01, 1.0], "mu": [0.01, 0.1], "m": [3]}
    search = PathSearchCV(CMLFS(1.0), grid, cv=3, random_state=0)
    search.fit(planted.X, planted.Y)
    assert len(search.cv_results_["mean_test_score"]) == 4
    assert macro_auc(planted.Y, search.decision_function(planted.X)) > 0.65
    assert search.transform(planted.X).shape == (150, 40)


def test_float32_is_kept(planted):
    X = planted.X.astype(np.float32)
    assert MLFS(5, m=4).fit(X, planted.Y).coef_.dtype == np.float32


def test_few_features_of_emotions_are_enough(real):
    emotions = real("emotions")
    train, test = emotions.rows(emotions.train_idx), emotions.rows(emotions.test_idx)
    model = MLFS(15, C=0.05, m=10, standardize=True).fit(train.X, train.Y)
    assert model.dual_gap_ <= 1e-2
    assert macro_auc(test.Y, model.decision_function(test.X)) > 0.79
