# SPDX-License-Identifier: BSD-3-Clause
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.base import clone

from labelsift.prepare.groups import Groups
from labelsift.prepare.purchase import (
    Limit,
    check_limits,
    cost_budget,
    default_totals,
    fill,
    purchases,
)
from labelsift.prepare.units import Units
from labelsift.selection import MRMR, FisherScore, GreedyRLS, MTLasso
from reference.purchase import better_of_two, filled

COSTS = (8.0, 1.0, 3.0, 2.0, 5.0, 0.5, 4.0, 1.0)


@pytest.fixture
def samples(rng):
    X = rng.normal(size=(60, 8))
    Y = (X[:, [0, 2, 4]] + 0.5 * rng.normal(size=(60, 3)) > 0).astype(int)
    X[:, 1] = X[:, 0] + rng.normal(size=60)  # a cheap and noisy twin
    return X, Y


def bought(estimator, totals, samples, units, groups=None, **options):
    X, Y = samples
    limits = [Limit(8, total) for total in totals]
    groups = groups or Groups.single(X.shape[1])
    found = purchases(clone(estimator), limits, X, Y, groups, units, **options)
    return [choice.columns.tolist() for choice in found]


@given(
    st.permutations(range(6)),
    st.lists(st.integers(1, 9), min_size=6, max_size=6),
    st.integers(1, 30),
    st.integers(1, 6),
)
def test_filling_is_the_obvious_loop_and_leaves_nothing_that_fits(
    order, prices, money, most
):
    units = Units(tuple(range(6)), tuple(map(float, prices)))
    taken = fill(np.array(order), units, Limit(most, money)).tolist()
    assert taken == filled(order, prices, [1] * 6, money, most)
    rest = money - sum(prices[i] for i in taken)
    left = set(range(6)).difference(taken)
    assert len(taken) == most or all(prices[i] > rest for i in left)


def test_limits_as_text():
    assert Limit.read("20", 30) == Limit(20)
    assert Limit.read("50%", 30) == Limit(15)
    assert Limit.read(cost_budget(0.1), 30) == Limit(30, 0.1)
    assert Limit.read(cost_budget(12.5, "4"), 30) == Limit(4, 12.5)
    assert (Limit(4).budget, Limit(4, 12.5).budget) == (4, 12.5)


def test_default_totals_go_from_the_cheapest_three_to_all():
    units = Units(tuple(range(8)), COSTS)
    totals = default_totals(units)
    assert totals[0] == 2.5
    assert totals[-1] == sum(COSTS)
    assert totals == sorted(totals)
    assert len(totals) == 8
    assert default_totals(units, 10.0)[-1] == 10.0
    assert default_totals(units, 1.0) == [1.0]


def test_a_ranking_takes_the_better_of_two(samples):
    X, Y = samples
    scores = FisherScore().fit(X, Y).scores_
    units = Units(tuple(range(8)), COSTS)
    totals = [2.0, 5.0, 9.0, 14.0, 20.0]
    for total, columns in zip(
        totals, bought(FisherScore(), totals, samples, units), strict=True
    ):
        expected = better_of_two(scores, np.array(COSTS), X, Y, total)
        assert sorted(columns) == sorted(expected)


@pytest.mark.parametrize("weigh", [True, False])
def test_greedy_keeps_to_the_limit_step_by_step(weigh, samples):
    """One of its two orders under the limit; without weighing that of the gains."""
    X, Y = samples
    units = Units(tuple(range(8)), COSTS)
    for total in (4.0, 9.0, 15.0):
        orders = [
            GreedyRLS(8, costs=COSTS, max_cost=total, weigh_costs=weighed).fit(X, Y)
            for weighed in ([True, False] if weigh else [False])
        ]
        [columns] = bought(GreedyRLS(), [total], samples, units, weigh=weigh)
        assert columns in [order.feature_order_.tolist() for order in orders]


@pytest.mark.parametrize(
    "estimator",
    [
        FisherScore(),
        MRMR(),
        MTLasso(),
        GreedyRLS(),
        GreedyRLS(criterion="gcv"),
        GreedyRLS(criterion="gcv", objective="fair"),
    ],
    ids=repr,
)
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_every_method_is_filled_and_takes_groups_whole(estimator, samples):
    """Columns 2 and 3 are bought together; column 1 became two columns."""
    X, Y = samples
    made = np.column_stack([X[:, :1], X[:, 1] > 0, X[:, 1] < -1, X[:, 2:]])
    groups = Groups([[0], [1, 2], *([i] for i in range(3, 9))])
    units = Units((0, 1, 2, 2, 3, 4, 5, 6), (8.0, 1.0, 5.0, 5.0, 0.5, 4.0, 1.0))
    totals = [1.0, 3.0, 7.0, 12.0, 24.5]
    found = bought(estimator, totals, (made, Y), units, groups)
    for total, columns in zip(totals, found, strict=True):
        assert len(set(columns)) == len(columns)
        assert (2 in columns) == (3 in columns)
        rest = total - units.cost(columns)
        assert rest >= 0
        left = [units.costs[units.owner[i]] for i in range(8) if i not in columns]
        assert all(cost > rest for cost in left)
    assert sorted(found[-1]) == list(range(8))


def test_groups_without_costs_are_filled_by_their_columns(samples):
    units = Units((0, 0, 0, 1, 2, 3, 4, 4))
    X, Y = samples
    limits = [Limit(1), Limit(2), Limit(4), Limit(8)]
    groups = Groups.single(8)
    for choice, limit in zip(
        purchases(FisherScore(), limits, X, Y, groups, units), limits, strict=True
    ):
        owners = {units.owner[i] for i in choice.columns}
        assert sum(units.sizes[unit] for unit in owners) == len(choice.columns)
        assert len(choice.columns) <= limit.count
        rest = limit.count - len(choice.columns)
        assert all(units.sizes[unit] > rest for unit in {*range(5)} - owners)


def test_limits_under_which_nothing_can_be_bought():
    units = Units((0, 0, 1, 1), (2.0, 3.0))
    check_limits(units, [Limit(2, 2.0), Limit(4)], "max_cost")
    with pytest.raises(ValueError, match=r"max_cost=1.5 is below the cheapest"):
        check_limits(units, [Limit(4, 1.5)], "max_cost")
    with pytest.raises(ValueError, match=r"-k=1 features are fewer .* group has \(2\)"):
        check_limits(units, [Limit(1, math.inf)], "-k")
