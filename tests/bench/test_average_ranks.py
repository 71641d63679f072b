# SPDX-License-Identifier: BSD-3-Clause
"""Average ranks of a suite: over data sets, in the right direction."""

import math
from dataclasses import replace

import pandas as pd
import pytest

from labelsift.bench.average_ranks import draw_ranks, rank_methods, rank_sentence
from labelsift.bench.suite_file import read_suite
from labelsift.experiment.results import VALUES, Results, frame

METHODS = ("greedy-rls", "mt-lasso", "mlknn")
NOTHING = Results(frame([], VALUES))


def results(measure, values):
    """One value per method and data set, on two splits."""
    rows = [
        ("s", data, method, 0, split, 9, 9, "{}", "self", "", 9, measure, value)
        for method, of in values.items()
        for data, first in of.items()
        for split, value in enumerate((first, first + 0.01))
    ]
    return Results(frame(rows, VALUES))


def table(best, middle, worst):
    return {
        method: {f"set{k}": value + 0.1 * k for k in range(4)}
        for method, value in zip(METHODS, (best, middle, worst), strict=True)
    }


@pytest.fixture
def suite():
    return replace(read_suite("naula-table2"), measures=("macro_auc",))


def test_larger_is_better_for_auc_and_worse_for_a_loss(suite):
    test = rank_methods(suite, results("macro_auc", table(0.5, 0.4, 0.3)))
    assert test.ranks == {"greedy-rls": 1.0, "mt-lasso": 2.0, "mlknn": 3.0}
    assert test.n_blocks == 4
    losses = replace(suite, measures=("hamming_loss",))
    test = rank_methods(losses, results("hamming_loss", table(0.5, 0.4, 0.3)))
    assert test.ranks["mlknn"] == 1.0


def test_the_sentence_says_what_the_test_says(suite):
    test = rank_methods(suite, results("macro_auc", table(0.5, 0.4, 0.3)))
    assert "ranks further apart than" in rank_sentence(suite, test)
    mixed = table(0.5, 0.4, 0.3)
    mixed["mlknn"]["set0"], mixed["mlknn"]["set1"] = 0.9, 0.95
    unsure = rank_methods(suite, results("macro_auc", mixed))
    assert "no difference is shown" in rank_sentence(suite, unsure)


def test_a_method_without_a_data_set_is_left_out(suite):
    values = table(0.5, 0.4, 0.3)
    values["ridge"] = {"set0": 0.9}
    assert "ridge" not in rank_methods(suite, results("macro_auc", values)).ranks


def test_a_method_with_undefined_values_on_a_data_set_is_left_out(suite):
    values = table(0.5, 0.4, 0.3)
    values["ridge"] = dict.fromkeys(values["mlknn"], 0.9)
    values["ridge"]["set1"] = math.nan
    test = rank_methods(suite, results("macro_auc", values))
    assert set(test.ranks) == set(METHODS)


def test_values_at_another_threshold_do_not_count(suite):
    values = table(0.5, 0.4, 0.3)
    same = results("macro_auc", values)
    other = same.values.assign(threshold="oof", value=-same.values["value"])
    both = Results(pd.concat([same.values, other]))
    assert rank_methods(suite, both) == rank_methods(suite, same)


def test_methods_of_one_rank_are_named_in_the_order_of_the_suite(suite):
    values = table(0.5, 0.4, 0.4)
    sentence = rank_sentence(suite, rank_methods(suite, results("macro_auc", values)))
    assert "greedy-rls 1.0, mt-lasso 2.5, mlknn 2.5." in sentence


def test_without_enough_to_rank_the_result_is_none(suite, tmp_path):
    two = {name: {"set0": 0.5, "set1": 0.4} for name in METHODS[:2]}
    assert rank_methods(suite, results("macro_auc", two)) is None
    one = {name: {"set0": 0.5} for name in METHODS}
    assert rank_methods(suite, results("macro_auc", one)) is None
    same = {name: {"set0": 0.5, "set1": 0.4} for name in METHODS}
    assert rank_methods(suite, results("macro_auc", same)) is None
    assert rank_methods(read_suite("ji-figure2"), NOTHING) is None
    assert draw_ranks(suite, NOTHING, tmp_path) is None


def test_the_diagram_is_drawn(suite, tmp_path):
    pytest.importorskip("matplotlib")
    drawn = draw_ranks(
        suite, results("macro_auc", table(0.5, 0.4, 0.3)), tmp_path / "new"
    )
    assert drawn.read_bytes().startswith(b"\x89PNG")
