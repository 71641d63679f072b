# SPDX-License-Identifier: BSD-3-Clause
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from bench.printed_results import failures, printed_results
from labelsift.bench.published import PAPERS
from labelsift.bench.sections import paper_section, suite_section
from labelsift.bench.suite_file import list_suites, read_suite
from labelsift.bench.suite_result import SuiteResult
from labelsift.experiment.results import VALUES, Results, frame


def result(name, shift=0.0, absent=None, failed=(), left_out=None):
    suite = read_suite(name)
    if not suite.paper:  # of large suites two data sets show the same
        suite = replace(suite, data=suite.data[:2])

    def value(cell, split):
        return (cell["mean"] + shift * np.nan_to_num(cell["std"])) / cell["scale"]

    values = printed_results(suite, value).values
    if left_out is not None:
        values = values[~left_out(values)]
    return SuiteResult(suite, Results(values, failures(suite, *failed)), absent or {})


def cells_of(table):
    """Cells of the table of printed values, by data, measure, setting and method."""
    return {
        (*row[:3], method): text
        for row in table.rows
        for method, text in zip(table.head[3:], row[3:], strict=True)
        if text
    }


@pytest.mark.parametrize("name", list_suites())
def test_every_suite_has_a_section_with_and_without_values(name):
    section = suite_section(result(name))
    assert section.title == name
    assert section.tables
    for table in section.tables:
        assert {len(row) for row in table.rows} == {len(table.head)}
    nothing = Results(frame([], VALUES))
    suite = read_suite(name)
    empty = suite_section(SuiteResult(suite, nothing, {}))
    assert empty.text[0] == section.text[0]
    whole = max(protocol.splits for protocol in suite.protocols)
    assert f"effort quick: {suite.splits} of {whole} splits" in section.text[0]
    assert set(suite.notes) <= set(section.text)


def test_a_cell_is_ours_the_papers_and_the_difference():
    for shift, mark in ((0, "+0.0 ="), (2, "+2.0 +"), (-2, "-2.0 -")):
        cells = cells_of(suite_section(result("naula-table2", shift)).tables[0])
        assert cells["scene", "macro_auc", "", "mlknn"].endswith(f"/ 0.933 ({mark})")
    loss = cells_of(suite_section(result("naula-table2", 2)).tables[0])
    ours = "0.658 / 0.600 (+2.0 -)"
    assert loss["scene", "zero_one_loss", "10%", "greedy-rls"] == ours
    shown = cells_of(suite_section(result("jian-table3")).tables[0])
    assert "(" not in shown["scene", "seconds", "", "mifs"]
    percent = cells_of(suite_section(result("gu-table2")).tables[0])
    assert percent["scene", "macro_auc", "", "svm"] == "91.60 / 91.60 (+0.0 =)"


def test_a_cell_without_a_value_is_shown_with_its_reason():
    given = result(
        "naula-table2",
        absent={"mediamill": "It is absent."},
        failed=[("yeast", "mlknn", "ValueError: no.")] * 2,
        left_out=lambda values: (
            values["data"].isin(["mediamill", "CAL500"])
            | (values["data"].eq("yeast") & values["method"].eq("mlknn"))
        ),
    )
    section = suite_section(given)
    cells = cells_of(section.tables[0])
    assert cells["mediamill", "macro_auc", "", "mlknn"].startswith("data not present /")
    assert cells["yeast", "macro_auc", "", "mlknn"].startswith("failed /")
    assert cells["CAL500", "macro_auc", "", "mlknn"].startswith("not run /")
    assert "Data not present: mediamill." in section.text
    assert section.text.count("Failed: mlknn on yeast: ValueError: no.") == 1
    [summary] = [line for line in section.text if "printed cells regenerated" in line]
    done = 245 - 7 - 2 * 49
    assert summary.startswith(f"{done} of 245 printed cells regenerated ({done} within")
    assert "49 data not present" in summary
    assert "49 not run" in summary
    assert "7 failed" in summary


def test_methods_that_the_paper_does_not_have_are_in_its_table():
    cells = cells_of(suite_section(result("naula-table2")).tables[0])
    assert cells["scene", "macro_auc", "10%", "random"] == "0.500"
    assert cells["scene", "macro_auc", "", "all-features"] == "0.500"
    rlefs = cells_of(suite_section(result("rlefs-table2")).tables[0])
    for name in ("random", "rfs", "all-features", "ridge"):
        assert rlefs["scene", "macro_f1", "svm", name] == "0.500"
    percent = cells_of(suite_section(result("gu-table2")).tables[0])
    assert percent["scene", "macro_auc", "", "ridge"] == "50.000"


def test_data_that_the_paper_does_not_have_has_no_second_number():
    cells = cells_of(suite_section(result("naula-table3")).tables[0])
    extra = {text for place, text in cells.items() if place[0] == "tmc2007-500"}
    assert extra == {"0.500"}
    assert ("tmc2007-500", "macro_auc", "50", "greedy-rls") in cells


def test_a_figure_is_a_table_of_our_values():
    section = suite_section(result("gu-figure2"))
    table, *_, claims = section.tables
    assert table.head[:4] == ["data", "training rows", "measure", "features"]
    assert {"fisher", "mlfs", "cmlfs", "all-features"} <= set(table.head)
    scene = [row for row in table.rows if row[0] == "scene"]
    assert [int(row[3]) for row in scene] == [10, 20, 40, 80, 140, 200]
    assert claims.head == ["claim", "verdict here", "why"]
    timing = suite_section(result("ji-figure1")).tables[0]
    assert {row[2] for row in timing.rows} == {"macro_auc", "fit_seconds"}


def test_a_sweep_shows_its_parameters():
    suite = read_suite("ji-figure2")
    values = printed_results(suite).where(method="mlls").values
    points = [values.assign(params=f'{{"alpha":{k}}}') for k in range(3)]
    results = Results(pd.concat(points))
    table = suite_section(SuiteResult(suite, results, {})).tables[0]
    place = table.head.index("parameters")
    assert {row[place] for row in table.rows} == {f'{{"alpha":{k}}}' for k in range(3)}


def test_a_line_for_each_paper_that_was_asked_for():
    naula = result("naula-table2", 2)
    section = paper_section([naula, result("jian-table3")])
    [counted, _] = section.tables
    lines = {row[0]: row[1:] for row in counted.rows}
    assert list(lines) == [PAPERS["jian"], PAPERS["naula"]]
    verdicts = naula.cells["verdict"].value_counts()
    within, better, worse = (
        f"{verdicts.get(verdict, 0)} of 245"
        for verdict in ("within", "better", "worse")
    )
    assert counted.head[1:5] == [
        "cells regenerated", "within one std", "better by more", "worse by more",
    ]  # fmt: skip
    assert lines[PAPERS["naula"]][:4] == ["245 of 245", within, better, worse]
    assert lines[PAPERS["jian"]] == ["20 of 20", *["0 of 0"] * 4]
    counts = [int(verdicts.get(v, 0)) for v in ("within", "better", "worse")]
    assert sum(counts) == 245
    assert min(counts[1:]) > 0


def test_claims_are_summed_up_with_the_test_behind_the_word():
    one, other = result("ji-table3"), result("ji-table4")
    view = replace(one, suite=replace(one.suite, name="a second view"))
    summary, claims = paper_section([one, other, view]).tables
    assert claims.head == ["suite", "claim", "verdict here", "why"]
    assert [row[0] for row in claims.rows] == ["ji-table3"] * 3 + ["ji-table4"] * 3
    assert {row[2] for row in claims.rows} <= {"holds", "not shown"}
    assert all(" data sets" in row[3] for row in claims.rows)
    held = sum(row[2] == "holds" for row in claims.rows)
    lines = {row[0]: row[-1] for row in summary.rows}
    assert lines[PAPERS["ji"]] == f"{held} of 6"


def test_largest_gaps_of_certified_fits_are_told():
    one = result("gu-table2")
    first = one.results.values.iloc[[0, 0, 1]].assign(
        method=["mlfs", "mlfs", "cmlfs"], measure="dual_gap", value=[2e-3, 1e-3, 4e-2]
    )
    values = pd.concat([one.results.values, first])
    text = suite_section(replace(one, results=Results(values))).text
    [gaps] = [line for line in text if "duality gap" in line]
    assert "final fits: mlfs 2e-03, cmlfs 4e-02 (relative" in gaps
    assert not any("duality gap" in line for line in suite_section(one).text)


def test_a_curve_leaves_undefined_values_out():
    one = result("gu-figure2")
    values = one.results.values
    scene = values["data"].eq("scene") & values["method"].eq("fisher")
    half = values["value"].mask(scene & values["split"].eq(1))
    none = values["value"].mask(scene)
    column = suite_section(one).tables[0].head.index("fisher")
    for given, shown in ((half, {"0.500"}), (none, {""})):
        results = Results(values.assign(value=given))
        table = suite_section(replace(one, results=results)).tables[0]
        cells = {row[column] for row in table.rows if row[0] == "scene"}
        assert cells == shown
