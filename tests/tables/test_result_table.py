# SPDX-License-Identifier: BSD-3-Clause
"""The table of a paper: cells, marks, ranks, and what it says of itself."""

import csv
import io
import math
from statistics import stdev

import pytest

from labelsift.tables import result_table
from labelsift.tables.result_table import left_out_words, main_readout
from measured_rows import results, row, three_methods


def marks(table, data):
    """{method: mark} of a row."""
    shown = table.table()
    [cells] = [row for row in shown.cells if row[0].text == data]
    return dict(zip(shown.head[1:], [cell.mark for cell in cells[1:]], strict=True))


def test_a_cell_is_mean_and_deviation_over_splits():
    table = result_table(three_methods(), "macro_auc", budget="10")
    splits = [0.9 + 0.01, 0.9 + 0.01 + 0.02]
    assert table.mean.loc["set0", "a"] == pytest.approx(sum(splits) / 2)
    assert table.std.loc["set0", "a"] == pytest.approx(stdev(splits))
    assert table.n_splits.loc["set0", "a"] == 2
    assert table.frame().loc["set0", "a"] == "0.920 ± 0.014"


def test_budgets_are_averaged_within_a_split_before_the_deviation():
    table = result_table(three_methods(), "macro_auc")
    splits = [0.9 + 0.0075, 0.9 + 0.0075 + 0.02]
    assert table.mean.loc["set0", "a"] == pytest.approx(sum(splits) / 2)
    assert table.std.loc["set0", "a"] == pytest.approx(stdev(splits))


def test_draws_are_averaged_within_a_split():
    rows = [row("d", "a", v, draw=k) for k, v in enumerate([0.0, 0.0, 0.9])]
    rows += [
        row("d", "a", 0.5, split=1),
        row("d", "b", 0.1),
        row("d", "b", 0.1, split=1),
    ]
    table = result_table(results(rows), "macro_auc")
    assert table.mean.loc["d", "a"] == pytest.approx(0.4)
    assert table.std.loc["d", "a"] == pytest.approx(stdev([0.3, 0.5]))


def test_one_split_has_no_deviation():
    table = result_table(three_methods(splits=(0,)), "macro_auc")
    assert table.frame().loc["set0", "a"] == "0.907"
    assert table.std.isna().all(axis=None)
    assert table.note.startswith("Means; best in bold")


def test_the_best_and_the_second_are_marked_among_those_that_compare():
    table = result_table(three_methods(), "macro_auc")
    assert marks(table, "set0") == {
        "a": "best", "b": "second", "c": "", "all": "", "own": "",
    }  # fmt: skip
    assert marks(table, "average rank") == marks(table, "set0")
    loss = three_methods()
    loss.values["measure"] = "hamming_loss"
    assert marks(result_table(loss, "hamming_loss"), "set0")["c"] == "best"


def test_equal_values_share_a_mark_and_where_all_are_equal_there_is_none():
    rows = [row("d", name, v) for name, v in {"a": 0.9, "b": 0.9, "c": 0.8}.items()]
    rows += [row("e", name, 0.5) for name in "abc"]
    table = result_table(results(rows), "macro_auc")
    assert list(marks(table, "d").values()) == ["best", "best", "second"]
    assert list(marks(table, "e").values()) == ["", "", ""]


def test_average_ranks_stand_below_and_methods_that_do_not_compare_have_none():
    table = result_table(three_methods(), "macro_auc")
    assert table.frame().loc["average rank"].to_dict() == {
        "a": "1.00", "b": "2.00", "c": "3.00", "all": "–", "own": "–",
    }  # fmt: skip
    assert table.ranks.test.n_blocks == 7
    assert list(table.mean) == ["a", "b", "c", "all", "own"]
    assert table.note.endswith(
        "Shown and not compared: own (its own predictions); all (all features)."
    )


def test_a_method_that_lacks_a_data_set_is_shown_and_not_compared():
    rows = [row(d, m, 0.5 + 0.1 * (m == "a")) for d in "de" for m in "abc"]
    rows += [row("d", "late", 0.99)]
    table = result_table(results(rows), "macro_auc")
    assert table.frame().loc["e", "late"] == "–"
    assert math.isnan(table.mean.loc["e", "late"])
    assert marks(table, "d")["late"] == ""
    assert "late (no values on e)" in table.note


def test_the_title_says_what_the_numbers_are():
    found = three_methods()
    title = result_table(found, "macro_auc").title
    assert title == (
        "macro AUC (higher is better), read-out svm, mean over numbers of features"
    )
    assert result_table(found, "macro_auc", budget="10%").title.endswith(
        "svm, 10% of the features"
    )
    assert result_table(found, "macro_auc", budget=10).title.endswith(
        "svm, 10 features"
    )
    own = result_table(found, "macro_auc", readout="self")
    assert own.title == "macro AUC (higher is better), own predictions"
    one = result_table(three_methods(budgets=(5,)), "macro_auc")
    assert one.title == "macro AUC (higher is better), read-out svm"


def test_every_form_has_the_marks(tmp_path):
    table = result_table(three_methods(n_data=1), "macro_auc", budget=10)
    assert "| set0 | **0.920 ± 0.014** | <u>0.820 ± 0.014</u> | 0.720" in str(table)
    assert table.to_markdown().endswith(f"{table.note}\n")
    latex = table.to_latex()
    assert r"set0 & \textbf{0.920 $\pm$ 0.014} & \underline{0.820 $\pm$" in latex
    assert r"\begin{tabular}{lccccc}" in latex
    assert latex.index(r"\midrule") < latex.rindex(r"\midrule") < latex.index("average")
    html = table.to_html()
    assert "<strong>0.920 ± 0.014</strong>" in html
    assert "<u>0.820 ± 0.014</u>" in html
    assert table._repr_html_() == html
    rows = list(csv.reader(io.StringIO(table.to_csv())))
    assert rows[0] == ["data", "a", "b", "c", "all", "own"]
    assert rows[1][:2] == ["set0", "0.920 ± 0.014"]
    assert rows[2][0] == "average rank"


def test_the_readout_must_be_told_where_there_are_several():
    rows = [row("d", m, 0.5, readout=r) for m in "ab" for r in ("svm", "3nn")]
    with pytest.raises(ValueError, match=r"several read-outs \(svm, 3nn\): choose"):
        result_table(results(rows), "macro_auc")
    assert result_table(results(rows), "macro_auc", readout="3nn").readout == "3nn"


def test_the_readout_of_most_methods_is_taken():
    rows = [row("d", m, 0.5, readout="self") for m in "abc"] + [row("d", "x", 0.5)]
    assert main_readout(results(rows)) == "self"
    even = [row("d", "a", 0.5, readout="self"), row("d", "x", 0.5)]
    assert main_readout(results(even)) == "svm"
    assert main_readout(results([])) == "self"


def test_a_measure_without_values_is_named_with_the_others():
    with pytest.raises(ValueError, match="no values of 'micro_f1': choose from macro_"):
        result_table(three_methods(), "micro_f1")
    with pytest.raises(ValueError, match="none: nothing was run"):
        result_table(results([]), "micro_f1")


def test_names_of_strangers_are_text():
    rows = [row("a|b", m, v) for m, v in {"<b>": 0.5, "x_1": 0.4, "c": 0.3}.items()]
    table = result_table(results(rows), "macro_auc")
    assert r"| a\|b | **0.500** |" in table.to_markdown()
    assert "&lt;b>" in table.to_markdown()
    assert r"x\_1" in table.to_latex()
    assert "<b>" not in table.to_html()


def test_methods_with_one_reason_are_named_together():
    words = left_out_words(
        {"a": "all features", "b": "no values on d", "c": "all features"}
    )
    assert words == "a, c (all features); b (no values on d)"
