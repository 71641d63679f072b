# SPDX-License-Identifier: BSD-3-Clause
from fractions import Fraction

import numpy as np
import pytest

from labelsift.core.budget import (
    FEW_FEATURES,
    MANY_FEATURES,
    budget_count,
    counts_of,
    default_budgets,
    expand_budgets,
    parse_budget,
    read_budgets,
)


@pytest.mark.parametrize(
    ("text", "budget"),
    [
        ("20", 20), ("1", 1), ("5%", 0.05), ("0.5%", 0.005), ("100%", 1.0),
        ("0.05", 0.05), ("1.0", 1.0), (".5", 0.5),
    ],
)  # fmt: skip
def test_a_budget_is_a_count_or_a_share(text, budget):
    read = parse_budget(text)
    assert read == budget
    assert type(read) is type(budget)


@pytest.mark.parametrize(
    "bad",
    [
        "", "%", "x", "auto", "0", "-3", "1.5", "0.0", "0%", "-1%", "101%", "nan",
        "nan%", "inf", "1:3", "1%:20",
    ],
)  # fmt: skip
def test_what_is_no_budget(bad):
    with pytest.raises(ValueError, match=f"'{bad}' is not a budget: write a count"):
        parse_budget(bad)


@pytest.mark.parametrize(
    ("given", "wanted"),
    [
        (["1%:4%"], ("1%", "2%", "3%", "4%")),
        (["2%:10%:4"], ("2%", "6%", "10%")),
        (["1:3"], ("1", "2", "3")),
        (["2", "1:3", "2%"], ("2", "1", "3", "2%")),
        ([5, "0.5%"], ("5", "0.5%")),
        ([], ()),
    ],
)
def test_ranges_are_written_out(given, wanted):
    assert expand_budgets(given) == wanted


@pytest.mark.parametrize(
    "bad", ["0:3", "0%:3%", "99%:101%", "1%:20", "1:2:0", "1:2:3:4"]
)
def test_ranges_hold_budgets_only(bad):
    with pytest.raises(ValueError, match="is not a budget: write a count"):
        expand_budgets([bad])


def test_a_range_that_ends_before_it_starts():
    with pytest.raises(ValueError, match="'20:1' is not a range"):
        expand_budgets(["20:1"])


@pytest.mark.parametrize("percent", range(1, 101))
def test_every_percent_is_rounded_down_exactly(percent):
    share = Fraction(percent, 100)
    for n_features in range(1, 2001):
        exact = max(1, int(share * n_features))
        assert budget_count(percent / 100, n_features) == exact
        assert budget_count(f"{percent}%", n_features) == exact


@pytest.mark.parametrize(
    ("budget", "n_features", "count"),
    [
        (0.29, 100, 29), ("29%", 100, 29), ("0.29", 100, 29), (20, 50, 20), (20, 7, 7),
        ("20", 7, 7), (np.int64(3), 7, 3), (np.float32(0.5), 7, 3), (1.0, 7, 7),
        (1, 7, 1), (0.001, 7, 1), (None, 7, 3), (None, 1, 1),
    ],
)  # fmt: skip
def test_counts_are_between_one_and_all(budget, n_features, count):
    assert budget_count(budget, n_features) == count


def test_counts_are_told_once_in_order():
    assert counts_of(["20%", "1%", "5", "2%"], 50) == [1, 5, 10]
    assert counts_of(["7", "3"], 5) == [3, 5]
    assert counts_of([], 5) == []


@pytest.mark.parametrize(
    ("given", "wanted"),
    [
        ("5", ("5",)),
        ("5, 10,20%", ("5", "10", "20%")),
        ("1%:3%", ("1%", "2%", "3%")),
        (["1:3", "2"], ("1", "2", "3")),
        ([5, 0.5], ("5", "0.5")),
        (None, default_budgets(64)),
    ],
)
def test_budgets_are_read_as_users_write_them(given, wanted):
    assert read_budgets(given, 64) == wanted


@pytest.mark.parametrize("bad", ["5 percent", "5,,7", "", ["5", "x"]])
def test_a_wrong_budget_is_an_error_of_one_sentence(bad):
    with pytest.raises(ValueError, match=r"' is not a budget: write a count"):
        read_budgets(bad, 64)


def test_budgets_of_few_features_are_counts_up_to_half():
    budgets = [int(budget) for budget in default_budgets(64)]
    assert (budgets[0], budgets[-1]) == (1, 32)
    assert budgets == sorted(set(budgets))
    assert 8 <= len(budgets) <= 16
    assert np.diff(budgets)[0] < np.diff(budgets)[-1]
    assert default_budgets(1) == default_budgets(2) == ("1",)


def test_budgets_of_many_features_are_shares_up_to_a_fifth():
    for n_features in (FEW_FEATURES + 1, MANY_FEATURES):
        budgets = default_budgets(n_features)
        assert (budgets[0], budgets[-1], len(budgets)) == ("1%", "20%", 12)


def test_budgets_of_very_many_features_end_at_a_thousand():
    budgets = default_budgets(MANY_FEATURES + 1)
    assert (budgets[0], budgets[-1]) == ("10", "1000")


@pytest.mark.parametrize("n_features", [1, 2, 3, 10, 100, 101, 5000, 5001])
def test_default_budgets_can_be_read_and_fit_the_data(n_features):
    budgets = default_budgets(n_features)
    assert expand_budgets(budgets) == budgets
    counts = counts_of(budgets, n_features)
    assert len(counts) == len(budgets)
    assert counts[-1] <= max(1, n_features // 2)


@pytest.mark.parametrize("text", ["1:9999999999", "1%:99999999999%", f"1:{10**29}"])
def test_a_range_is_counted_before_it_is_made(text):
    with pytest.raises(ValueError, match="has more than 10000 budgets: add a step"):
        expand_budgets([text])


def test_a_range_with_a_step_may_be_wide():
    assert len(expand_budgets([f"1:{10**9}:{10**6}"])) == 1000


def test_numbers_without_end_are_no_budgets():
    for text in ("9" * 5000, f"1:{'9' * 5000}", "9" * 5000 + "%"):
        with pytest.raises(ValueError, match="is not a budget"):
            expand_budgets([text])
