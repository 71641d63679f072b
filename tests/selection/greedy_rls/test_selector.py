# SPDX-License-Identifier: BSD-3-Clause
import pickle

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.base import clone
from sklearn.linear_model import Ridge
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from labelsift.datasets import make_planted
from labelsift.selection import GreedyRLS
from labelsift.selection.greedy_rls import dense, search
from reference.greedy_rls import greedy, loo_error, ridge, with_constant

SOLVERS = ["dense", "mixed", "sparse"]
PLAIN = {"alpha": 1.0, "label_weight": None}  # what the reference does


@pytest.fixture
def planted():
    return make_planted(120, 20, 5, n_relevant=6, noise=0.5, random_state=0)


def _same(view, fitted):
    """Two fitted selectors that must not differ."""
    for name in ("feature_order_", "support_", "scores_", "n_features_"):
        np.testing.assert_array_equal(getattr(view, name), getattr(fitted, name), name)
    for criterion in ("loo", "gcv"):
        assert hasattr(view, f"{criterion}_error_") == hasattr(
            fitted, f"{criterion}_error_"
        )
    traces = [name for name in vars(fitted) if name.endswith(("error_", "margin_"))]
    for name in (*traces, "alpha_", "coef_", "intercept_"):
        np.testing.assert_allclose(
            getattr(view, name), getattr(fitted, name), rtol=1e-9, atol=1e-12
        )


def test_copies_of_good_features_are_not_taken():
    data = make_planted(800, 60, 8, n_relevant=8, redundancy=0.8, random_state=0)
    selector = GreedyRLS(8).fit(data.X, data.Y)
    np.testing.assert_array_equal(np.flatnonzero(selector.support_), data.relevant)


@pytest.mark.parametrize("bias", [0.0, 1.0, 3.0])
def test_weights_are_those_of_ridge(bias, planted):
    selector = GreedyRLS(6, alpha=2.0, bias=bias).fit(planted.X, planted.Y)
    columns = with_constant(planted.X[:, selector.feature_order_], bias)
    model = Ridge(alpha=2.0, fit_intercept=False).fit(columns, 2.0 * planted.Y - 1)
    scores = selector.decision_function(planted.X)
    np.testing.assert_allclose(scores, model.predict(columns))
    np.testing.assert_array_equal(selector.predict(planted.X), scores > 0)
    assert not selector.coef_[:, ~selector.support_].any()


def test_weights_keep_their_digits_at_a_tiny_penalty(rng):
    X, Y = rng.normal(size=(14, 7)), rng.integers(2, size=(14, 3))
    X[:, 1] = X[:, 0] + 1e-3 * rng.normal(size=14)
    selector = GreedyRLS(7, alpha=2.0**-15).fit(X, Y)
    W = ridge(with_constant(X[:, selector.feature_order_], 1.0), 2.0 * Y - 1, 2.0**-15)
    np.testing.assert_allclose(
        selector.coef_[:, selector.feature_order_], W[1:].T, rtol=1e-9
    )


@pytest.mark.parametrize(
    "options",
    [
        {},
        PLAIN,
        {"bias": 0.0},
        {"solver": "mixed"},
        {"solver": "sparse"},
        {"alpha": "loo"},
        {"alpha": "loo", "solver": "sparse", "alphas": [0.1, 10, 1000]},
        {"criterion": "gcv"},
        {"criterion": "gcv", "objective": "fair"},
        {"label_weight": "balanced", "alpha": "loo", "alphas": [0.1, 10, 1000]},
        {"costs": np.linspace(1, 3, 20), "max_cost": 28.0},
        {"costs": np.linspace(1, 3, 20), "max_cost": 28.0, "alpha": "loo"},
        {"groups": np.arange(20).reshape(10, 2)},
    ],
    ids=str,
)
@pytest.mark.parametrize("longest", [14, "auto"])
def test_one_fit_serves_every_smaller_budget(options, longest, planted):
    selector = GreedyRLS(longest, **options).fit(planted.X, planted.Y)
    assert selector.nested_budgets
    for budget in range(1 if "groups" not in options else 2, 14, 3):
        fitted = GreedyRLS(budget, **options).fit(planted.X, planted.Y)
        _same(selector.with_budget(budget), fitted)
        _same(pickle.loads(pickle.dumps(selector)).with_budget(budget), fitted)
        smaller = selector.with_budget(budget).with_budget(fitted.n_features_)
        _same(smaller, fitted)


def test_auto_is_the_lowest_error_of_all_steps(planted):
    selector = GreedyRLS("auto", alpha=0.1).fit(planted.X, planted.Y)
    assert len(selector.loo_error_) == len(selector.feature_order_) == 20
    assert selector.n_features_ == np.argmin(selector.loo_error_) + 1 < 20
    assert selector.support_.sum() == selector.n_features_
    by_count = GreedyRLS(selector.n_features_, alpha=0.1).fit(planted.X, planted.Y)
    np.testing.assert_allclose(selector.coef_, by_count.coef_)


def test_alpha_loo_is_the_best_of_its_grid(planted):
    alphas = [2.0**-5, 1.0, 2.0**3, 2.0**8]
    plain = GreedyRLS(7, alphas=alphas, label_weight=None)
    fits = [clone(plain).set_params(alpha=a).fit(planted.X, planted.Y) for a in alphas]
    selector = plain.set_params(alpha="loo").fit(planted.X, planted.Y)
    for budget in range(1, 8):
        errors = [fit.loo_error_[budget - 1] for fit in fits]
        best = fits[int(np.argmin(errors))].with_budget(budget)
        _same(selector.with_budget(budget), best)
    assert len({selector.with_budget(k).alpha_ for k in range(1, 8)}) > 1


def test_the_default_grid_has_31_powers_of_two(planted):
    chosen = GreedyRLS(3, alpha="loo").fit(planted.X, planted.Y)
    grid = GreedyRLS(3, alpha="loo", alphas=2.0 ** np.arange(-15, 16))
    _same(chosen, grid.fit(planted.X, planted.Y))


@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize("alpha", [1.0, "loo"])
def test_threads_change_nothing(solver, alpha, monkeypatch):
    monkeypatch.setattr(dense, "_WORTH_THREADS", 0)
    data = make_planted(60, 300, 5, n_relevant=6, noise=0.5, random_state=0)
    options = {"alpha": alpha, "alphas": [0.1, 1.0, 30.0], "solver": solver}
    one = GreedyRLS(6, **options).fit(data.X, data.Y)
    many = GreedyRLS(6, n_jobs=4, **options).fit(data.X, data.Y)
    for name in ("feature_order_", "loo_error_", "loo_margin_", "coef_"):
        np.testing.assert_array_equal(getattr(one, name), getattr(many, name))


def test_the_margin_is_the_distance_to_the_runner_up(planted):
    codes = 2.0 * planted.Y - 1
    order, steps = greedy(planted.X[:40], codes[:40], 3, 1.0)
    selector = GreedyRLS(3, **PLAIN).fit(planted.X[:40], planted.Y[:40])
    np.testing.assert_array_equal(selector.feature_order_, order)
    for errors, margin in zip(steps, selector.loo_margin_, strict=True):
        best, second = sorted(errors.values())[:2]
        assert margin == pytest.approx((second - best) / best)
    assert GreedyRLS(20).fit(planted.X, planted.Y).loo_margin_[-1] == np.inf


@pytest.mark.parametrize("weight", ["auto", "sqrt", "balanced", [0.0, 1.0, 2.0]])
def test_weights_steer_the_selection_only(weight, rng):
    X = rng.normal(size=(30, 8))
    Y = (rng.uniform(size=(30, 3)) < [0.5, 0.2, 0.1]).astype(int)
    Y[:2] = [[0, 0, 0], [1, 1, 1]]
    codes = 2.0 * Y - 1
    if isinstance(weight, str):
        power = {"balanced": 1, "sqrt": 0.5, "auto": 0.5}[weight]
        targets = (codes - codes.mean(axis=0)) / codes.std(axis=0) ** power
    else:
        targets = codes * weight
    order, steps = greedy(X, targets, 4, 0.5)
    selector = GreedyRLS(4, alpha=0.5, label_weight=weight).fit(X, Y)
    np.testing.assert_array_equal(selector.feature_order_, order)
    errors = [errors[f] for errors, f in zip(steps, order, strict=True)]
    np.testing.assert_allclose(selector.loo_error_, errors, rtol=1e-10)
    W = ridge(with_constant(X[:, order], 1.0), codes, 0.5)
    np.testing.assert_allclose(selector.intercept_, W[0])
    np.testing.assert_allclose(selector.coef_[:, order], W[1:].T)


def test_none_is_none(planted):
    """Files such as TOML know no None."""
    named = GreedyRLS(6, label_weight="none").fit(planted.X, planted.Y)
    _same(named, GreedyRLS(6, label_weight=None).fit(planted.X, planted.Y))


def _auto(X, Y, **options):
    """The selector with alpha="auto", and the one with its penalty given."""
    norms = np.sort((X - X.mean(axis=0)) ** 2, axis=0).sum(axis=0)
    alpha = 0.05 * np.median(norms[np.ptp(X, axis=0) > 0])
    bias = options.pop("bias", 1.0)
    given = {"alpha": alpha, "bias": bias * np.sqrt(alpha)}
    auto = GreedyRLS(6, alpha="auto", bias=bias, **options)
    return auto, GreedyRLS(6, **given, **options)


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"bias": 0.0},
        {"bias": 3.0},
        {"solver": "sparse"},
        {"criterion": "gcv"},
        {"criterion": "gcv", "objective": "fair"},
        {"groups": np.arange(20).reshape(10, 2)},
    ],
    ids=str,
)
def test_alpha_auto_is_a_share_of_the_median_squared_norm(options, planted, rng):
    """Whatever the scales of the columns; constant ones have no part."""
    X = planted.X * np.geomspace(1, 50, 20) + rng.normal(size=20)
    X[:, [3, 4]] = 7.0
    auto, given = _auto(X, planted.Y, **options)
    _same(auto.fit(X, planted.Y), given.fit(X, planted.Y))
    _same(auto.fit(sp.csr_array(X), planted.Y), given)


def test_alpha_auto_of_standardised_columns(planted):
    X = StandardScaler().fit_transform(planted.X)
    X = np.column_stack([X, np.zeros(len(X))])
    assert GreedyRLS(4).fit(X, planted.Y).alpha_ == pytest.approx(0.05 * len(X))


@pytest.mark.parametrize("factor", [1e-3, 1e4])
def test_alpha_auto_does_not_depend_on_the_unit_of_X(factor, planted):
    X = planted.X + 0.5
    one, other = GreedyRLS(8).fit(X, planted.Y), GreedyRLS(8).fit(factor * X, planted.Y)
    np.testing.assert_array_equal(one.feature_order_, other.feature_order_)
    np.testing.assert_allclose(one.loo_error_, other.loo_error_)
    scores = other.decision_function(factor * X)
    np.testing.assert_allclose(one.decision_function(X), scores, rtol=1e-7)


def test_alpha_auto_without_a_column_that_varies(planted):
    selector = GreedyRLS(2).fit(np.ones((120, 3)), planted.Y)
    assert selector.alpha_ == pytest.approx(0.05 * 120)


def test_a_repeated_label_is_a_weight(planted):
    twice = planted.Y[:, [0, 0, 1, 2]]
    weights = np.sqrt([2.0, 1.0, 1.0])
    repeated = GreedyRLS(6, label_weight=None).fit(planted.X, twice)
    weighted = GreedyRLS(6, label_weight=weights).fit(planted.X, planted.Y[:, :3])
    np.testing.assert_array_equal(repeated.feature_order_, weighted.feature_order_)
    np.testing.assert_allclose(repeated.loo_error_ * 4, weighted.loo_error_ * 3)


@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize("bias", [0.0, 1.0])
def test_constant_columns_come_last(solver, bias, planted):
    X = planted.X[:, :8].copy()
    X[:, 2], X[:, 5] = 0.0, 7.0
    selector = GreedyRLS(8, bias=bias, solver=solver, **PLAIN).fit(X, planted.Y)
    assert set(selector.feature_order_[-2:]) == {2, 5}
    constant = with_constant(X[:, selector.feature_order_], bias)
    error = loo_error(constant, 2.0 * planted.Y - 1, 1.0)
    assert selector.loo_error_[-1] == pytest.approx(error, rel=1e-4)


def test_classes_are_coded_one_by_one(rng):
    y = np.repeat(["a", "b", "c"], 30)
    X = rng.normal(size=(90, 10))
    X[:, 3] += y == "a"
    X[:, 7] += 2 * (y == "c")
    selector = GreedyRLS(2, alpha=0.1).fit(X, y)
    assert set(selector.feature_order_) == {3, 7}
    as_matrix = GreedyRLS(2, alpha=0.1).fit(X, y[:, np.newaxis] == ["a", "b", "c"])
    np.testing.assert_allclose(selector.coef_, as_matrix.coef_)


def test_the_order_of_rows_does_not_matter(planted, rng):
    rows = rng.permutation(120)
    one = GreedyRLS(10).fit(planted.X, planted.Y)
    other = GreedyRLS(10).fit(planted.X[rows], planted.Y[rows])
    np.testing.assert_array_equal(one.feature_order_, other.feature_order_)
    np.testing.assert_allclose(one.loo_error_, other.loo_error_)


def test_works_in_a_pipeline_and_a_grid(planted):
    pipeline = make_pipeline(StandardScaler(), GreedyRLS(5))
    grid = GridSearchCV(pipeline, {"greedyrls__alpha": [0.1, 10.0]}, cv=3)
    grid.fit(planted.X, planted.Y)
    assert grid.best_score_ > 0.2


def test_auto_chooses_by_size_and_density(rng, monkeypatch):
    data = make_planted(50, 40, 3, n_relevant=5, density=0.05, random_state=0)
    dense = data.X.toarray()
    assert GreedyRLS(3).fit(data.X, data.Y).solver_ == "dense"
    monkeypatch.setattr(search, "_SMALL_ENTRIES", 1000)
    assert GreedyRLS(3).fit(data.X, data.Y).solver_ == "sparse"
    assert GreedyRLS(3).fit(dense, data.Y).solver_ == "dense"
    monkeypatch.setattr(search, "_LARGE_ENTRIES", 1000)
    assert GreedyRLS(3).fit(dense, data.Y).solver_ == "mixed"


def test_a_long_run_is_announced(planted, monkeypatch):
    monkeypatch.setattr(search, "_SECONDS_PER_ENTRY", 1.0)
    with pytest.warns(
        UserWarning, match=r"31 selection\(s\) of 5 features .* 6200 minutes"
    ):
        GreedyRLS(5, alpha="loo").fit(planted.X, planted.Y)


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"alpha": 0.0}, "'alpha' parameter"),
        ({"alpha": -1.0}, "'alpha' parameter"),
        ({"bias": -1.0}, "'bias' parameter"),
        ({"alpha": "loo", "alphas": [1.0, 0.0]}, "alphas must be positive"),
        ({"alpha": "loo", "alphas": []}, "alphas must be positive"),
        ({"alpha": "loo", "alphas": [[1.0]]}, "alphas must be a vector"),
        ({"label_weight": [1.0, 1.0]}, "label_weight must be a vector of length 5"),
        ({"label_weight": [-1.0] * 5}, "label_weight must be at least 0"),
        ({"label_weight": [0.0] * 5}, "label_weight must be at least 0"),
        ({"solver": "gpu"}, "'solver' parameter"),
        ({"objective": "worst"}, "'objective' parameter"),
        ({"alpha": "gcv"}, "'alpha' parameter"),
        ({"n_features_to_select": "all"}, "'n_features_to_select' parameter"),
    ],
    ids=str,
)
def test_bad_options_are_explained(options, sentence, planted):
    with pytest.raises(ValueError, match=sentence):
        GreedyRLS(**{"n_features_to_select": 3, **options}).fit(planted.X, planted.Y)
