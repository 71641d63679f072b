# SPDX-License-Identifier: BSD-3-Clause
import numpy as np
import pytest
import scipy.sparse as sp
from bench.tasks import planted
from labelsift.bench.defaults import (
    FAST_SECONDS,
    choose_methods,
    counts_of,
    default_budgets,
    default_scale,
    estimated_seconds,
    read_budgets,
    scale_of,
)
from labelsift.bench.methods import GREEDY_GCV

from labelsift.core.data import MultiLabelData, numbered_names
from labelsift.datasets import load_dataset
from labelsift.selection import METHODS


def large_data():
    """Many features, of which next to nothing is stored."""
    X = sp.random(300, 40_000, density=1e-3, random_state=0, format="csr")
    Y = np.zeros((300, 60), dtype=np.int8)
    Y[::2] = 1
    return MultiLabelData(X, Y, numbered_names("f", 40_000), numbered_names("l", 60))


def test_budgets_of_few_features_are_counts_up_to_half():
    budgets = [int(budget) for budget in default_budgets(64)]
    assert budgets[0] == 1
    assert budgets[-1] == 32
    assert budgets == sorted(set(budgets))
    assert 8 <= len(budgets) <= 16
    assert np.diff(budgets)[0] < np.diff(budgets)[-1]
    assert default_budgets(1) == default_budgets(2) == ("1",)


def test_budgets_of_many_features_are_shares_up_to_a_fifth():
    budgets = default_budgets(101)
    assert (budgets[0], budgets[-1], len(budgets)) == ("1%", "20%", 12)


def test_counts_are_told_once_in_order():
    assert counts_of(("20%", "3", "1%", "30%", "500"), 10) == [1, 2, 3, 10]


@pytest.mark.parametrize(
    ("given", "wanted"),
    [
        ("1%:3%", ("1%", "2%", "3%")),
        ("5, 10,20", ("5", "10", "20")),
        (["5", "1:3"], ("5", "1", "2", "3")),
        ([5, 10], ("5", "10")),
        (None, default_budgets(64)),
    ],
)
def test_budgets_are_read_as_users_write_them(given, wanted):
    assert read_budgets(given, 64) == wanted


def test_a_wrong_budget_is_an_error_of_one_sentence():
    with pytest.raises(ValueError, match=r"'5 percent' is no budget: write a count"):
        read_budgets("5 percent", 64)


def test_scales_follow_the_data_and_the_method():
    data = planted()
    assert default_scale(data) == "standardize"
    assert default_scale(large_data()) == "minmax"
    assert scale_of("rlefs", "standardize") == "minmax"
    assert scale_of("rfs", "standardize") == "standardize"


@pytest.mark.parametrize("name", METHODS)
def test_every_selector_has_an_estimate_that_grows_with_the_data(name):
    small = estimated_seconds(name, 100, 50, 5, 5_000, 10)
    large = estimated_seconds(name, 10_000, 5_000, 50, 50_000_000, 100)
    assert 0 < small < FAST_SECONDS
    assert small < large


def test_small_data_leaves_no_method_out():
    methods, left_out = choose_methods("fast", load_dataset("traits"), 32)
    assert methods == [name for name in METHODS if name != "random"]
    assert left_out == []


def test_slow_methods_are_left_out_with_a_reason_unless_asked_for():
    data = large_data()
    dense = MultiLabelData(
        np.zeros((3000, 6000), dtype=np.float32),
        np.tile(data.Y, (10, 1)),
        numbered_names("f", 6000),
        data.label_names,
    )
    methods, left_out = choose_methods("fast", dense, 600)
    known = {*METHODS, GREEDY_GCV}
    assert GREEDY_GCV not in methods  # only in place of the leave-one-out form
    assert "ralm" not in methods
    shown = {*methods, *(left.method for left in left_out)}
    assert {*shown, "random", GREEDY_GCV} == known
    why = {left.method: left.why for left in left_out}["ralm"]
    assert why.startswith("One fit would take about ")
    assert "--methods all" in why
    everything, none = choose_methods("all", dense, 600)
    assert {*everything, "random"} == known
    assert none == []
    assert GREEDY_GCV in choose_methods("fast", dense, 700)[0]
    assert choose_methods(["cmlfs", "random", "cmlfs"], dense, 600) == (["cmlfs"], [])


def test_methods_are_named_in_a_list_or_with_commas():
    data = planted()
    assert choose_methods("rfs, fisher", data, 5) == (["rfs", "fisher"], [])
    with pytest.raises(ValueError, match=r"There is no method 'rsf': choose from"):
        choose_methods(["rfs", "rsf"], data, 5)
