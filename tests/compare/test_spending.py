# SPDX-License-Identifier: BSD-3-Clause
import pytest

from compare.measured import results, rows_of
from labelsift.compare import recommend

MEANS = {
    ("greedy", 5): 0.80, ("greedy", 20): 0.895, ("greedy", 40.5): 0.90,
    ("fisher", 5): 0.70, ("fisher", 20): 0.80, ("fisher", 40.5): 0.896,
    ("mrmr", 5): 0.60, ("mrmr", 20): 0.75, ("mrmr", 40.5): 0.74,
    ("random", 5): 0.5, ("random", 20): 0.55, ("random", 40.5): 0.6,
    ("all-features", 100): 0.91,
}  # fmt: skip


def paid(means=MEANS, **changes):
    """The answer from means, every method spending all but a half of each total."""
    spent = {key: key[1] - 0.5 for key in means}
    spent[("all-features", 100)] = 100.0
    counts = {key: 12.0 if key[0] == "all-features" else key[1] // 5 for key in means}
    rows = rows_of(means, spread=0.02, **changes)
    rows += rows_of(spent, spread=0, measure="total_cost", **changes)
    rows += rows_of(counts, spread=0, measure="n_selected", **changes)
    return recommend(results(rows), "macro_auc")


def test_the_smallest_total_within_one_standard_error():
    answer = paid()
    assert (answer.method, answer.budget) == ("greedy", 20)
    assert (answer.total_cost, answer.n_features) == (100, 12)
    assert answer.best_budget == 40.5


def test_every_method_is_told_what_it_needs():
    first, second, third = paid().purchases
    assert (first.method, first.budget, first.spent, first.good) == (
        "greedy", 20, 19.5, True,
    )  # fmt: skip
    assert (second.method, second.budget, second.good) == ("fisher", 40.5, True)
    assert second.value == pytest.approx(0.896)
    # Never as close as the best: its own best mean.
    assert (third.method, third.budget, third.good) == ("mrmr", 20, False)
    assert third.n_features == 4


def test_the_words_speak_of_money():
    answer = paid()
    assert answer.headline.startswith("Features for 20 of 100 keep 98.3 % of the macro")
    assert "greedy" in answer.detail
    assert "at that cost" in answer.detail
    assert "The next method to come as close is fisher, for 40.5." in answer.detail
    assert "features than were tried" not in answer.sentence


def test_without_costs_nothing_is_said_of_money():
    whole = {key: mean for key, mean in MEANS.items() if key[1] != 40.5}
    answer = recommend(results(rows_of(whole)), "macro_auc")
    assert answer.purchases == ()
    assert answer.total_cost is None
    assert "cost" not in answer.sentence
