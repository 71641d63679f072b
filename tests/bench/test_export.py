# SPDX-License-Identifier: BSD-3-Clause
import json
import math

import pytest

from bench.made_up import made_up_rows
from labelsift.bench.kept import NOTE, read_export, write_export
from labelsift.bench.suite import read_suite
from labelsift.bench.tables import SuiteResult, paper_section, suite_section
from labelsift.report.document import RENDER


def result(name, effort="quick", **parts):
    suite = read_suite(name, effort)
    rows = list(made_up_rows(suite, lambda cell, split: (cell.mean + split / 3) / 7))
    return SuiteResult(suite, rows, **({"absent": {}} | parts))


@pytest.fixture
def results():
    broken = result(
        "ji-table3",
        absent={"yahoo-health-full": "A long reason."},
        failed=[("yahoo-arts-full", "aso", "ValueError: no.")],
    )
    broken.rows[5]["value"] = math.nan
    views = [result(f"rlefs-table{k}") for k in (2, 3)]
    return [broken, *views, result("gu-figure2", "full")]


@pytest.mark.parametrize("form", RENDER)
def test_the_report_from_the_files_is_the_report_from_the_rows(tmp_path, results, form):
    write_export(results, tmp_path / "kept")
    read, _ = read_export(tmp_path / "kept")

    def text(given):
        return RENDER[form]("T", [paper_section(given), *map(suite_section, given)])

    assert text(read) == text(results)


def test_rows_come_back_as_they_were(tmp_path, results):
    write_export(results, tmp_path)
    read, _ = read_export(tmp_path)
    for before, after in zip(results, read, strict=True):
        assert after.suite == before.suite
        assert repr(after.rows) == repr(before.rows)  # NaN is not equal to itself
        assert list(after.failed) == list(before.failed)
        assert list(after.absent) == list(before.absent)


def test_a_second_view_of_one_run_is_not_written_again(tmp_path):
    one = result("rlefs-table2")
    other = SuiteResult(
        read_suite("rlefs-table5"),
        [row | {"suite": "rlefs-table5"} for row in one.rows],
        {},
    )
    write_export([one, other], tmp_path)
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        NOTE,
        "rlefs-table2.csv",
    ]
    read, _ = read_export(tmp_path, ["rlefs-table5"])
    assert [given.suite.name for given in read] == ["rlefs-table5"]
    assert read[0].rows == other.rows


def test_machine_versions_and_date_are_kept(tmp_path, results):
    write_export(results[:1], tmp_path)
    note = json.loads((tmp_path / NOTE).read_text())
    assert {"python", "labelsift", "numpy", "scikit-learn"} <= set(note["versions"])
    assert {"system", "processor", "cores"} <= set(note["machine"])
    _, [about] = read_export(tmp_path)
    for told in (note["date"], note["versions"]["numpy"], note["machine"]["system"]):
        assert told in about.text[0]


def test_a_folder_without_results_is_an_error(tmp_path):
    with pytest.raises(ValueError, match=r"has no machine\.json: export a run into it"):
        read_export(tmp_path)


def test_a_suite_that_was_not_kept_is_an_error(tmp_path, results):
    write_export(results[:1], tmp_path)
    with pytest.raises(ValueError, match="has no suite 'gu-table2': choose from ji-"):
        read_export(tmp_path, ["gu-table2"])
