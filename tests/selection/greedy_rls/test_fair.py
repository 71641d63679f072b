# SPDX-License-Identifier: BSD-3-Clause
"""GreedyRLS(objective="fair"): no label left behind."""

import numpy as np
import pytest
import scipy.sparse as sp

from labelsift.datasets import make_planted
from labelsift.metrics import worst_auc
from labelsift.selection import GreedyRLS
from reference.greedy_rls import greedy_fair, label_gcv, with_constant

FAIR = {"objective": "fair", "criterion": "gcv"}


@pytest.fixture
def uneven(rng):
    """Three frequent labels that share features, a rare one that has its own."""
    X = rng.normal(size=(400, 40))
    scores = X[:, :6] @ rng.normal(size=(6, 3)) + rng.normal(size=(400, 3))
    rare = X[:, 30] + X[:, 31] + 0.3 * rng.normal(size=400)
    Y = np.column_stack([scores > 0, rare > np.quantile(rare, 0.96)])
    return X, Y.astype(int)


@pytest.mark.parametrize("seed", range(12))
def test_equals_the_definition(seed):
    rng = np.random.default_rng(seed)
    n, d = (20, 24) if seed % 2 else (40, 9)
    X = rng.normal(size=(n, d)) + 3
    X[:, 2] = 5.0 if seed % 3 else X[:, 2]
    Y = (X[:, :4] @ rng.normal(size=(4, 4)) + rng.normal(size=(n, 4)) > 0).astype(int)
    Y[:2] = [[0, 0, 0, 0], [1, 1, 1, 1]]
    alpha, bias = 2.0 ** rng.integers(-6, 11), float(seed % 3)
    order, errors = greedy_fair(X, Y, 8, alpha, bias)
    selector = GreedyRLS(8, alpha=alpha, bias=bias, **FAIR).fit(X, Y)
    np.testing.assert_array_equal(selector.feature_order_, order)
    np.testing.assert_allclose(selector.label_error_, errors, rtol=1e-8)
    np.testing.assert_allclose(selector.gcv_error_, errors.mean(axis=1), rtol=1e-8)


def test_labels_of_noise_close_and_then_all_count(rng):
    """With few rows nothing is above noise; the rule still takes features."""
    X, Y = rng.normal(size=(30, 12)), rng.integers(2, size=(30, 3))
    order, errors = greedy_fair(X, Y, 12, 1.0)
    selector = GreedyRLS(12, alpha=1.0, **FAIR).fit(X, Y)
    np.testing.assert_array_equal(selector.feature_order_, order)
    np.testing.assert_allclose(selector.label_error_, errors, rtol=1e-8)


@pytest.mark.parametrize("max_cost", [5.0, np.inf])
def test_costs_divide_the_merit(max_cost, rng):
    X = rng.normal(size=(60, 10))
    Y = (X[:, :4] + rng.normal(size=(60, 4)) > 0).astype(int)
    costs = rng.uniform(0.5, 3, size=10)
    order, _ = greedy_fair(X, Y, 10, 1.0, costs=costs, max_cost=max_cost)
    limit = {} if max_cost == np.inf else {"max_cost": max_cost}
    selector = GreedyRLS(10, alpha=1.0, costs=costs, **limit, **FAIR).fit(X, Y)
    np.testing.assert_array_equal(selector.feature_order_, order)


def test_the_rare_label_gets_its_features(uneven):
    X, Y = uneven
    plain = GreedyRLS(6, alpha=1.0, label_weight=None).fit(X, Y)
    fair = GreedyRLS(6, alpha=1.0, **FAIR).fit(X, Y)
    assert not plain.support_[[30, 31]].any()
    assert fair.support_[[30, 31]].any()
    served = worst_auc(Y, fair.decision_function(X))
    assert served > worst_auc(Y, plain.decision_function(X)) + 0.1


def test_the_side_of_a_label_has_no_part(uneven):
    X, Y = uneven
    one = GreedyRLS(8, alpha=1.0, **FAIR).fit(X, Y)
    other = GreedyRLS(8, alpha=1.0, **FAIR).fit(X, 1 - Y)
    np.testing.assert_array_equal(one.feature_order_, other.feature_order_)
    np.testing.assert_allclose(one.label_error_, other.label_error_, rtol=1e-9)


def test_sparse_and_dense_agree(rng):
    X = rng.normal(size=(60, 20)) * (rng.uniform(size=(60, 20)) < 0.3)
    Y = rng.integers(2, size=(60, 4))
    dense = GreedyRLS(8, **FAIR).fit(X, Y)
    sparse = GreedyRLS(8, **FAIR).fit(sp.csr_array(X), Y)
    np.testing.assert_array_equal(sparse.feature_order_, dense.feature_order_)
    np.testing.assert_allclose(sparse.label_error_, dense.label_error_)


def test_ties_go_to_the_lowest_index(rng):
    X = rng.normal(size=(80, 6))
    Y = (X[:, :3] + rng.normal(size=(80, 3)) > 0).astype(int)
    order = GreedyRLS(9, alpha=0.1, **FAIR).fit(np.hstack([X, X, X]), Y).feature_order_
    for feature in range(6):
        copies = order[order % 6 == feature]
        np.testing.assert_array_equal(copies, feature + 6 * np.arange(len(copies)))


def test_budgets_nest(uneven):
    X, Y = uneven
    selector = GreedyRLS(10, **FAIR).fit(X, Y)
    for budget in (1, 4, 9):
        fitted = GreedyRLS(budget, **FAIR).fit(X, Y)
        view = selector.with_budget(budget)
        np.testing.assert_array_equal(view.feature_order_, fitted.feature_order_)
        np.testing.assert_allclose(view.label_error_, fitted.label_error_)
        np.testing.assert_allclose(view.coef_, fitted.coef_)


def test_a_label_that_is_fitted_exactly_does_no_harm(rng):
    X = rng.normal(size=(40, 10))
    Y = np.column_stack([X[:, 0] > 0, X[:, 1] + X[:, 2] > 0]).astype(int)
    X[:, 0] = 2 * Y[:, 0] - 1
    selector = GreedyRLS(10, alpha=1e-13, bias=0.0, **FAIR).fit(X, Y)
    assert set(selector.feature_order_[:3]) == {0, 1, 2}
    assert np.isfinite(selector.label_error_).all()


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"criterion": "loo"}, 'objective="fair" with criterion="loo" is not possible'),
        ({"groups": [[0, 1], [2, 3]]}, 'objective="fair" with groups'),
        ({"label_weight": "balanced"}, "it scales the labels itself"),
        ({"label_weight": "sqrt"}, "it scales the labels itself"),
        ({"label_weight": np.ones(3)}, "it scales the labels itself"),
    ],
    ids=str,
)
def test_contradictions_are_explained(options, sentence, rng):
    X, Y = rng.normal(size=(30, 4)), rng.integers(2, size=(30, 3))
    with pytest.raises(ValueError, match=sentence):
        GreedyRLS(2, **{**FAIR, **options}).fit(X, Y)


WAYS = {
    "loo": {"alpha": 2.0},
    "mixed": {"alpha": 2.0, "solver": "mixed"},
    "sparse": {"alpha": 2.0, "solver": "sparse"},
    "no constant": {"alpha": 2.0, "bias": 0.0},
    "gcv": {"alpha": 2.0, "criterion": "gcv"},
    "fair": {"alpha": 2.0, **FAIR},
    "many penalties": {"alpha": "loo", "alphas": [0.1, 10.0, 1000.0]},
    "groups": {"alpha": 2.0, "groups": np.arange(20).reshape(10, 2)},
    "no weights": {"alpha": 2.0, "label_weight": None},
    "sqrt": {"alpha": 2.0, "label_weight": "sqrt"},
    "weights": {"alpha": 2.0, "label_weight": [1.0, 0.0, 2.0, 1.0, 3.0, 1.0]},
    "tiny penalty": {"alpha": 1e-6, "criterion": "gcv"},
    "auto": {"alpha": "auto"},
}


@pytest.mark.parametrize("budget", [8, "auto"])
@pytest.mark.parametrize("way", WAYS)
def test_label_error_is_the_gcv_of_each_label_after_each_step(way, budget):
    """Whatever the criterion; a label with one value has none."""
    made = make_planted(150, 20, 5, n_relevant=6, noise=0.5, random_state=0)
    X, Y = made.X + 1.0, np.column_stack([made.Y, np.ones(150, int)])
    options = WAYS[way]
    with pytest.warns(UserWarning, match="1 of 6 labels"):
        selector = GreedyRLS(budget, **options).fit(X, Y)
    codes = 2.0 * made.Y - 1
    weight = options.get("label_weight", "balanced" if way == "fair" else DEFAULT)
    if isinstance(weight, str):
        power = {"sqrt": 0.5, "balanced": 1.0}[weight]
        codes = (codes - codes.mean(axis=0)) / codes.std(axis=0) ** power
    elif weight is not None:
        codes *= weight[:5]
    size = 2 if way == "groups" else 1
    bias = options.get("bias", 1.0)
    if way == "auto":
        bias *= np.sqrt(selector.alpha_)
    expected = [
        label_gcv(with_constant(X[:, selector.feature_order_[:k]], bias), codes,
                  selector.alpha_)
        for k in range(size, len(selector.feature_order_) + 1, size)
    ]  # fmt: skip
    assert len(expected) >= (8 if budget == 8 else 20) / size
    np.testing.assert_allclose(selector.label_error_[:, :5], expected, rtol=1e-8)
    assert np.isnan(selector.label_error_[:, 5]).all()
    if options.get("criterion") == "gcv":
        mean = selector.label_error_[:, :5].mean(axis=1)
        np.testing.assert_allclose(mean, selector.gcv_error_, rtol=1e-8)


# What label_weight is by default.
DEFAULT = "sqrt"
