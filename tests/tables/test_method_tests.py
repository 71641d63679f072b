# SPDX-License-Identifier: BSD-3-Clause
"""Ranks for every measure and budget, and pairs with effect sizes."""

import math

import pandas as pd
import pytest

from labelsift.experiment.results import Results
from labelsift.stats import compare_methods, rank_methods
from labelsift.tables import pair_table, rank_frame, rank_table
from measured_rows import results, row, three_methods


def test_there_are_ranks_for_every_measure_readout_and_budget():
    base = three_methods().values
    both = [base, base.assign(measure="hamming_loss")]
    both += [part[part["readout"] == "svm"].assign(readout="3nn") for part in both]
    found = Results(pd.concat(both))
    frame = rank_frame(found, readouts=["svm", "3nn"], budgets=["10%", "10"])
    places = frame[["measure", "readout", "budget"]].itertuples(index=False, name=None)
    assert list(places) == [
        (measure, readout, budget)
        for measure in ("macro_auc", "hamming_loss")
        for readout in ("svm", "3nn")
        for budget in ("mean", "10%", "10")
    ]
    assert set(frame["n_data"]) == {7}
    aucs = frame[frame["measure"] == "macro_auc"]
    assert aucs[["a", "b", "c"]].drop_duplicates().to_numpy().tolist() == [[1, 2, 3]]
    losses = frame[frame["measure"] == "hamming_loss"]
    assert losses[["a", "b", "c"]].drop_duplicates().to_numpy().tolist() == [[3, 2, 1]]
    assert "all" not in frame  # never ranked
    test = rank_methods(found, "macro_auc", readout="svm", budget="10%").test
    assert frame.loc[1, "p_value"] == test.p_value
    assert frame.loc[1, "critical_difference"] == test.critical_difference


def test_a_budget_that_nobody_has_is_no_row_and_one_of_some_sets_says_how_many():
    rows = [row("d", m, 0.5, budget=b) for m in "abc" for b in (5, 7)]
    rows += [row("e", m, 0.5, budget=5) for m in "abc"]
    frame = rank_frame(results(rows), ["macro_auc"], budgets=["5", "7", "9"])
    assert frame["budget"].tolist() == ["mean", "5", "7"]
    assert frame["n_data"].tolist() == [2, 2, 1]
    assert rank_frame(results([])).empty


def test_the_table_has_a_dash_where_there_is_nothing():
    rows = [row(d, m, 0.5) for d in "de" for m in "ab"] + [row("d", "c", 0.9, budget=7)]
    table = rank_table(rank_frame(results(rows), budgets=["7", "10"]))
    assert table.head[:6] == [
        "measure", "read-out", "features", "data sets", "Friedman's p", "CD",
    ]  # fmt: skip
    both, seven, ten = table.rows
    assert both == ["macro AUC", "svm", "mean", "2", "–", "–", "1.50", "1.50", "–"]
    assert seven[2:] == ["7", "1", "–", "–", "–", "–", "1.00"]
    assert ten[2:] == ["10", *both[3:]]


def test_one_budget_needs_no_mean():
    rows = [row(d, m, 0.5) for d in "de" for m in "ab"]
    assert rank_frame(results(rows), budgets=["10"])["budget"].tolist() == ["10"]


def test_pairs_say_how_often_how_much_and_how_surely():
    tests = compare_methods(three_methods(), "macro_auc", readout="svm", control="b")
    table = pair_table(tests, "macro_auc", "read-out svm")
    assert table.title == "Signed-rank tests over data sets: macro AUC, read-out svm"
    assert table.rows == [
        [
            "b – a", "0 / 7 of 7", "-0.1000", "-0.1000", "-0.1000 to -0.1000", "-1.00",
            "0.0156", "0.0312",
        ],
        [
            "b – c", "7 / 0 of 7", "+0.1000", "+0.1000", "+0.1000 to +0.1000", "+1.00",
            "0.0156", "0.0312",
        ],
    ]  # fmt: skip


def test_few_data_sets_have_no_interval():
    tests = compare_methods(three_methods(n_data=4), "macro_auc", readout="svm")
    assert len(tests) == 3
    table = pair_table(tests, "macro_auc")
    assert {row[4] for row in table.rows} == {"–"}
    assert all(math.isinf(test.shift.low) for test in tests)
    assert table.head[4] == "95% interval"
    assert pair_table([], "macro_auc").rows == []


@pytest.mark.parametrize("readout", ["svm", "self"])
def test_only_what_can_be_compared_is_ranked(readout):
    frame = rank_frame(three_methods(), ["macro_auc"], readouts=[readout])
    names = {"svm": {"a", "b", "c"}, "self": {"own"}}[readout]
    assert set(frame) & {"a", "b", "c", "own", "all"} == names
