# SPDX-License-Identifier: BSD-3-Clause
"""GreedyRLS with costs of features and with groups of them."""

import numpy as np
import pytest
import scipy.sparse as sp

from labelsift.datasets import make_planted
from labelsift.selection import GreedyRLS
from reference.greedy_rls import greedy

PLAIN = {"alpha": 1.0, "label_weight": None}  # what the reference does
GROUPS = [[3, 0], [1], [8, 2, 9], [4, 5], [6, 7], [10, 11]]


@pytest.fixture
def small(rng):
    X = rng.normal(size=(30, 12))
    X[:, 10] = X[:, 11] = 5.0
    Y = (X[:, :4] @ rng.normal(size=(4, 3)) + 0.3 * rng.normal(size=(30, 3)) > 0) * 1
    return X, Y


def _features(order, groups=GROUPS):
    return [i for f in order for i in groups[f]]


@pytest.mark.parametrize("solver", ["dense", "mixed", "sparse"])
@pytest.mark.parametrize("max_cost", [6.0, 18.0, np.inf])
def test_costs_equal_the_rule(solver, max_cost, small, rng):
    X, Y = small
    costs = rng.uniform(0.5, 4, size=12)
    order, steps = greedy(X, 2.0 * Y - 1, 12, 0.5, costs=costs, max_cost=max_cost)
    limit = {} if max_cost == np.inf else {"max_cost": max_cost}
    options = {**PLAIN, **limit, "alpha": 0.5, "solver": solver}
    selector = GreedyRLS(12, costs=costs, **options).fit(X, Y)
    np.testing.assert_array_equal(selector.feature_order_, order)
    errors = [errors[f] for errors, f in zip(steps, order, strict=True)]
    np.testing.assert_allclose(selector.loo_error_, errors, rtol=1e-4)
    assert selector.total_cost_ == pytest.approx(costs[selector.support_].sum())
    assert selector.total_cost_ <= max_cost
    assert selector.n_features_ == len(order)


@pytest.mark.parametrize("criterion", ["loo", "gcv"])
def test_equal_costs_change_nothing(criterion, small):
    X, Y = small
    plain = GreedyRLS(8, criterion=criterion).fit(X, Y)
    priced = GreedyRLS(8, criterion=criterion, costs=np.full(12, 3.0)).fit(X, Y)
    np.testing.assert_array_equal(priced.feature_order_, plain.feature_order_)


def test_a_dear_feature_gives_way_to_a_cheap_copy(rng):
    data = make_planted(300, 10, 4, n_relevant=3, random_state=0)
    X = np.column_stack([data.X, data.X + 0.3 * rng.normal(size=(300, 10))])
    costs = np.repeat([10.0, 1.0], 10)
    assert GreedyRLS(3).fit(X, data.Y).support_[:10].sum() >= 2
    assert GreedyRLS(3, costs=costs).fit(X, data.Y).support_[:10].sum() == 0


def test_without_a_gain_the_price_does_not_matter(rng):
    """Labels of pure noise: a loss per unit of cost would prefer dear features."""
    X, Y = rng.normal(size=(40, 8)), rng.integers(2, size=(40, 3))
    costs = np.geomspace(1, 1000, 8)
    options = {**PLAIN, "alpha": 1e-3}
    plain = GreedyRLS(8, **options).fit(X, Y)
    priced = GreedyRLS(8, costs=costs, **options).fit(X, Y)
    lossy = np.flatnonzero(np.diff(priced.loo_error_) > 0) + 1
    assert len(lossy) > 2
    order, _ = greedy(X, 2.0 * Y - 1, 8, 1e-3, costs=costs)
    np.testing.assert_array_equal(priced.feature_order_, order)
    assert plain.loo_error_[-1] == pytest.approx(priced.loo_error_[-1])


def test_a_budget_spent_to_the_last_digit_counts_as_kept(small):
    X, Y = small
    selector = GreedyRLS(10, costs=np.full(12, 0.1), max_cost=0.3).fit(X, Y)
    assert selector.n_features_ == 3


@pytest.mark.parametrize("bias", [0.0, 1.0])
@pytest.mark.parametrize("alpha", [2.0**-6, 1.0, 2.0**8])
def test_groups_equal_retraining(bias, alpha, small):
    X, Y = small
    order, steps = greedy(X, 2.0 * Y - 1, 12, alpha, bias, groups=GROUPS)
    assert order[-1] == 5
    options = {"alpha": alpha, "bias": bias, "label_weight": None, "groups": GROUPS}
    selector = GreedyRLS(12, **options).fit(X, Y)
    np.testing.assert_array_equal(selector.feature_order_, _features(order))
    errors = [errors[f] for errors, f in zip(steps, order, strict=True)]
    np.testing.assert_allclose(selector.loo_error_, errors, rtol=1e-8)
    assert selector.n_features_ == 12
    sparse = GreedyRLS(12, **options).fit(sp.csr_array(X), Y)
    np.testing.assert_allclose(sparse.coef_, selector.coef_)


@pytest.mark.parametrize("budget", [1, 2, 4, 7])
def test_groups_fill_the_budget_and_never_exceed_it(budget, small):
    X, Y = small
    order, _ = greedy(X, 2.0 * Y - 1, budget, 1.0, groups=GROUPS)
    selector = GreedyRLS(budget, groups=GROUPS, **PLAIN).fit(X, Y)
    np.testing.assert_array_equal(selector.feature_order_, _features(order))
    assert selector.n_features_ == len(_features(order)) <= budget
    assert selector.transform(X).shape[1] == selector.n_features_


def test_groups_of_one_are_features(small):
    X, Y = small
    plain = GreedyRLS(8, alpha="loo").fit(X, Y)
    grouped = GreedyRLS(8, alpha="loo", groups=[[i] for i in range(12)]).fit(X, Y)
    np.testing.assert_array_equal(grouped.feature_order_, plain.feature_order_)
    np.testing.assert_allclose(grouped.loo_error_, plain.loo_error_, rtol=1e-8)
    assert grouped.alpha_ == plain.alpha_


def test_groups_have_the_cost_of_their_features(small, rng):
    X, Y = small
    costs = rng.uniform(0.5, 4, size=12)
    order, _ = greedy(
        X, 2.0 * Y - 1, 12, 1.0, groups=GROUPS, costs=costs, max_cost=12.0
    )
    priced = {"costs": costs, "max_cost": 12.0}
    selector = GreedyRLS(12, groups=GROUPS, **priced, **PLAIN).fit(X, Y)
    np.testing.assert_array_equal(selector.feature_order_, _features(order))
    assert selector.total_cost_ == pytest.approx(costs[selector.support_].sum())
    assert selector.total_cost_ <= 12.0
    smaller = GreedyRLS(4, costs=costs).fit(X, Y).with_budget(2)
    assert smaller.total_cost_ == pytest.approx(costs[smaller.support_].sum())
    assert not hasattr(selector.set_params(costs=None, max_cost=None).fit(X, Y),
                       "total_cost_")  # fmt: skip


def test_groups_of_many_sizes_do_not_nest(small):
    X, Y = small
    selector = GreedyRLS(8, groups=GROUPS).fit(X, Y)
    assert not selector.nested_budgets
    with pytest.raises(ValueError, match="solves each budget on its own"):
        selector.with_budget(3)
    pairs = GreedyRLS(8, groups=np.arange(12).reshape(6, 2)).fit(X, Y)
    assert pairs.nested_budgets
    assert pairs.with_budget(5).n_features_ == 4
    with pytest.raises(ValueError, match="less than a group of 2"):
        pairs.with_budget(1)


def test_groups_of_large_sparse_data_are_refused(small, monkeypatch):
    X, Y = small
    monkeypatch.setattr("labelsift.selection.greedy_rls.search._LARGE_ENTRIES", 100)
    with pytest.raises(ValueError, match="groups need dense arrays"):
        GreedyRLS(4, groups=GROUPS).fit(X, Y)
    assert GreedyRLS(4, groups=GROUPS, solver="dense").fit(X, Y).solver_ == "dense"


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"costs": np.ones(11)}, "costs must be a vector of length 12"),
        ({"costs": -np.ones(12)}, "costs must be positive, got -1"),
        ({"costs": np.zeros(12)}, "costs must be positive"),
        ({"costs": np.full(12, np.nan)}, "costs contains NaN"),
        ({"costs": np.full(12, 2.0), "max_cost": 1.5}, "below the cheapest choice"),
        ({"costs": np.ones(12), "max_cost": -1.0}, "'max_cost' parameter"),
        ({"max_cost": 3.0}, "max_cost=3.0 without costs"),
        ({"groups": [[0, 1], [1, 2]]}, "groups must partition the 12 features"),
        ({"groups": [range(11)]}, "groups must partition the 12 features"),
        ({"groups": [range(12), []]}, "groups must partition the 12 features"),
        ({"groups": [range(13)]}, "groups must partition the 12 features"),
        ({"groups": [np.ones(12, bool)]}, "groups must partition the 12 features"),
        ({"groups": []}, "groups must partition the 12 features"),
        ({"groups": GROUPS, "solver": "mixed"}, 'groups with solver="mixed"'),
        ({"groups": GROUPS, "solver": "sparse"}, 'groups with solver="sparse"'),
        ({"groups": np.arange(12).reshape(4, 3)}, "less than the smallest group"),
    ],
    ids=str,
)
def test_bad_options_are_explained(options, sentence, small):
    with pytest.raises(ValueError, match=sentence):
        GreedyRLS(2, **options).fit(*small)


def test_costs_that_are_not_weighed_only_limit(small):
    X, Y = small
    costs = np.arange(1.0, 13.0)
    plain = GreedyRLS(12).fit(X, Y).feature_order_
    counted = GreedyRLS(12, costs=costs, weigh_costs=False).fit(X, Y)
    np.testing.assert_array_equal(counted.feature_order_, plain)
    first = int(plain[0])
    limited = GreedyRLS(12, costs=costs, weigh_costs=False, max_cost=costs[first] + 2)
    limited.fit(X, Y)
    assert limited.feature_order_[0] == first
    assert set(limited.feature_order_[1:]) <= {0, 1}
    assert limited.total_cost_ <= costs[first] + 2
