# SPDX-License-Identifier: BSD-3-Clause
"""Average ranks of a suite: over data sets, in the right direction."""

from dataclasses import replace

import pytest

from labelsift.bench.ranks import draw_ranks, rank_methods, rank_sentence
from labelsift.bench.suite import read_suite

METHODS = ("greedy-rls", "mt-lasso", "mlknn")


def rows(measure, values):
    """One value per method and data set, on two splits."""
    return [
        {
            "method": method,
            "data": data,
            "measure": measure,
            "threshold": "",
            "split": split,
            "value": value + 0.01 * split,
        }
        for method, of in values.items()
        for data, value in of.items()
        for split in range(2)
    ]


def table(best, middle, worst):
    return {
        method: {f"set{k}": value + 0.1 * k for k in range(4)}
        for method, value in zip(METHODS, (best, middle, worst), strict=True)
    }


@pytest.fixture
def suite():
    return replace(read_suite("naula-table2"), measures=("macro_auc",))


def test_larger_is_better_for_auc_and_worse_for_a_loss(suite):
    test = rank_methods(suite, rows("macro_auc", table(0.5, 0.4, 0.3)))
    assert test.ranks == {"greedy-rls": 1.0, "mt-lasso": 2.0, "mlknn": 3.0}
    assert test.n_blocks == 4
    losses = replace(suite, measures=("hamming_loss",))
    test = rank_methods(losses, rows("hamming_loss", table(0.5, 0.4, 0.3)))
    assert test.ranks["mlknn"] == 1.0


def test_the_sentence_says_what_the_test_says(suite):
    test = rank_methods(suite, rows("macro_auc", table(0.5, 0.4, 0.3)))
    assert "ranks further apart than" in rank_sentence(suite, test)
    mixed = table(0.5, 0.4, 0.3)
    mixed["mlknn"]["set0"], mixed["mlknn"]["set1"] = 0.9, 0.95
    unsure = rank_methods(suite, rows("macro_auc", mixed))
    assert "no difference is shown" in rank_sentence(suite, unsure)


def test_a_method_without_a_data_set_is_left_out(suite):
    values = table(0.5, 0.4, 0.3)
    values["ridge"] = {"set0": 0.9}
    assert "ridge" not in rank_methods(suite, rows("macro_auc", values)).ranks


def test_where_nothing_can_be_ranked_there_is_no_test(suite, tmp_path):
    two = {name: {"set0": 0.5, "set1": 0.4} for name in METHODS[:2]}
    assert rank_methods(suite, rows("macro_auc", two)) is None
    one = {name: {"set0": 0.5} for name in METHODS}
    assert rank_methods(suite, rows("macro_auc", one)) is None
    same = {name: {"set0": 0.5, "set1": 0.4} for name in METHODS}
    assert rank_methods(suite, rows("macro_auc", same)) is None
    assert rank_methods(read_suite("ji-figure2"), []) is None
    assert draw_ranks(suite, [], tmp_path) is None


def test_the_diagram_is_drawn(suite, tmp_path):
    pytest.importorskip("matplotlib")
    made = draw_ranks(suite, rows("macro_auc", table(0.5, 0.4, 0.3)), tmp_path / "new")
    assert made.read_bytes().startswith(b"\x89PNG")
