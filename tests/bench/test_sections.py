# SPDX-License-Identifier: BSD-3-Clause
"""The sections of a report: what is shown, and what is not."""

from dataclasses import replace

import pytest

from bench.printed_results import printed_results
from labelsift.bench.sections import Wanted, report_sections, suite_section
from labelsift.bench.suite_file import read_suite
from labelsift.bench.suite_result import SuiteResult
from labelsift.experiment.results import VALUES, Results, frame

NAULA = read_suite("naula-table2")
NOTHING = Results(frame([], VALUES))


def result(source, **parts):
    """A suite whose values differ by method and data set."""
    suite = replace(read_suite(source), **parts)
    results = printed_results(suite)
    order = {method.name: k for k, method in enumerate(suite.methods)}
    shift = results.values["method"].map(order) / 100
    shift += results.values["data"].str.len() / 1000
    return SuiteResult(suite, Results(results.values.assign(value=shift)), {})


def own(**parts):
    """A suite without a paper."""
    return result("rlefs-table2", paper="", table="", claims=(), name="mine", **parts)


def titles(section):
    return [table.title for table in section.tables]


def test_a_suite_without_a_paper_has_no_section_about_papers():
    sections = report_sections([own()])
    assert [section.title for section in sections] == ["mine", "Statistics"]
    text = " ".join(line for section in sections for line in section.text)
    assert "paper's" not in text.replace("the paper tunes it", "")
    assert titles(sections[0]) == [
        "micro F1 (higher is better), read-out svm, mean over numbers of features",
        "micro F1 (higher is better), read-out 3nn, mean over numbers of features",
        "macro F1 (higher is better), read-out svm, mean over numbers of features",
        "macro F1 (higher is better), read-out 3nn, mean over numbers of features",
        "Average ranks over data sets",
    ]


def test_a_report_on_a_paper_has_a_summary_and_its_cells():
    sections = report_sections([result("rlefs-table3")])
    assert [section.title for section in sections] == [
        "Summary", "rlefs-table3", "Statistics",
    ]  # fmt: skip
    assert titles(sections[1]) == [
        "Our values and the paper's",
        "Average ranks over data sets",
        "The paper's claims",
    ]
    more = suite_section(result("rlefs-table3"), Wanted(tables=True))
    assert len(more.tables) == 3 + 4


def test_there_is_a_table_for_each_budget_that_is_asked_for():
    given = own(measures=("macro_f1",), readouts=("svm",))
    section = suite_section(given, Wanted(budgets=("5%", "20%")))
    assert titles(section)[:2] == [
        "macro F1 (higher is better), read-out svm, 5% of the features",
        "macro F1 (higher is better), read-out svm, 20% of the features",
    ]


def test_ranks_are_those_of_every_measure_readout_and_budget():
    table = suite_section(own()).tables[-1]
    places = [tuple(row[:3]) for row in table.rows]
    budgets = ["mean", "1%", "5%", "10%", "15%", "20%"]
    assert places == [
        (measure, readout, budget)
        for measure in ("micro F1", "macro F1")
        for readout in ("svm", "3nn")
        for budget in budgets
    ]
    assert "ridge" not in table.head  # it predicts by itself


def test_a_printed_table_ranks_what_it_prints():
    table = suite_section(result("rlefs-table4")).tables[1]
    assert {tuple(row[:2]) for row in table.rows} == {("macro F1", "3nn")}


def test_who_is_not_ranked_is_told_with_the_reason():
    text = suite_section(result("rlefs-table2")).text
    [line] = [line for line in text if line.startswith("Not ranked")]
    assert line == (
        "Not ranked (read-out svm): ridge (its own predictions); all-features (all "
        "features)."
    )
    section = suite_section(result("naula-table2"))
    [line] = [line for line in section.text if line.startswith("Not ranked")]
    assert "random, all-features, rfs (no predictions of its own)" in line
    assert "mlknn, ridge (all features)" in line
    [ranks] = [t for t in section.tables if t.title.startswith("Average")]
    assert ranks.head[6:] == ["greedy-rls", "mt-lasso"]


def test_one_data_set_ranks_nobody():
    one = result("naula-table2").only(data=["scene"])
    section = suite_section(one)
    assert "Average ranks over data sets" not in titles(section)
    assert not any(line.startswith("Not ranked") for line in section.text)


def test_a_study_of_settings_ranks_nobody():
    assert "Average ranks over data sets" not in titles(
        suite_section(result("ji-figure2"))
    )


def test_tests_against_a_control_and_of_all_pairs():
    given = own(measures=("macro_f1",), readouts=("svm",))
    [tests] = [
        table
        for table in suite_section(given, Wanted(control="rlefs")).tables
        if table.title.startswith("Signed-rank tests")
    ]
    assert tests.title == "Signed-rank tests over data sets: macro F1, read-out svm"
    assert len(tests.rows) == 8  # of ten methods two cannot be compared
    assert all(row[0].startswith("rlefs – ") for row in tests.rows)
    both = suite_section(given, Wanted(("5%",), control="rlefs", pairs=True))
    rows = [len(t.rows) for t in both.tables if t.title.startswith("Signed-rank")]
    assert rows == [8, 9 * 8 / 2]
    with pytest.raises(ValueError, match="control 'magic' has no values of macro_f1"):
        suite_section(given, Wanted(control="magic"))


def test_the_protocol_is_told_in_words():
    given = replace(result("naula-table2"), absent={"mediamill": "It is absent."})
    words = suite_section(given).text[1]
    assert words.startswith("7 methods (greedy-rls, mt-lasso, mlknn, random, all-fea")
    assert "were compared on 4 data sets (scene, yeast, emotions and CAL500)." in words
    assert "by 10 folds, rows shuffled with seed 0." in words
    assert "at 10%, 45% and 80% of the features." in words
    assert "The random ranking is the mean of 8 draws on every split." in words
    assert (
        "Parameters of ridge and rfs were chosen from at most 5 settings by macro "
        in (words)
    )
    assert "by 3-fold cross-validation within the training part." in words


def test_without_values_there_are_no_tables():
    section = suite_section(replace(own(), results=NOTHING))
    assert section.tables == []
