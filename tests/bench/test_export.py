# SPDX-License-Identifier: BSD-3-Clause
import json
import math
from dataclasses import replace

import pandas as pd
import pytest

from bench.printed_results import failures, printed_results
from bench.small_suite import SMALL
from labelsift.bench.export import (
    PROVENANCE,
    TASKS_FILE,
    provenance_section,
    read_export,
    write_export,
)
from labelsift.bench.suite_file import read_suite
from labelsift.bench.suite_result import SuiteResult
from labelsift.experiment.results import Results
from labelsift.report.document import RENDER


def result(name, effort="quick", absent=None, failed=()):
    suite = read_suite(name, effort)
    results = printed_results(suite, lambda cell, split: (cell["mean"] + split / 3) / 7)
    tasks = failures(suite, *failed)
    return SuiteResult(suite, Results(results.values, tasks), absent or {})


@pytest.fixture
def results():
    broken = result(
        "ji-table3",
        absent={"yahoo-health-full": "A long reason."},
        failed=[("yahoo-arts-full", "aso", "ValueError: no.")],
    )
    broken.results.values.loc[5, "value"] = math.nan
    views = [result(f"rlefs-table{k}") for k in (2, 3)]
    return [broken, *views, result("gu-figure2", "full")]


@pytest.mark.parametrize("form", RENDER)
def test_the_report_from_the_files_is_the_report_from_the_run(tmp_path, results, form):
    write_export(results, tmp_path / "new")
    read = read_export(tmp_path / "new")

    def text(given):
        return RENDER[form]("T", [paper_section(given), *map(suite_section, given)])

    assert text(read) == text(results)


def test_results_come_back_as_they_were(tmp_path, results):
    write_export(results, tmp_path)
    for before, after in zip(results, read_export(tmp_path), strict=True):
        assert after.suite == before.suite
        for name in ("values", "tasks"):
            one = getattr(before.results, name).reset_index(drop=True)
            two = getattr(after.results, name).reset_index(drop=True)
            pd.testing.assert_frame_equal(one, two, check_exact=True)
        assert list(after.absent) == list(before.absent)


def test_a_second_view_of_one_run_is_not_written_again(tmp_path):
    one = result("rlefs-table2", failed=[("scene", "mdmr", "ValueError: no.")])
    other = SuiteResult(
        read_suite("rlefs-table5"),
        Results(
            one.results.values.assign(suite="rlefs-table5"),
            one.results.tasks.assign(suite="rlefs-table5"),
        ),
        {},
    )
    write_export([one, other], tmp_path)
    names = sorted(path.name for path in tmp_path.iterdir())
    assert names == [PROVENANCE, "rlefs-table2.csv", TASKS_FILE]
    [read] = read_export(tmp_path, ["rlefs-table5"])
    assert read.suite.name == "rlefs-table5"
    assert read.results.values.equals(other.results.values)
    assert read.results.tasks.equals(other.results.tasks)


def test_machine_versions_and_date_are_stored(tmp_path, results):
    write_export(results[:1], tmp_path)
    origin = json.loads((tmp_path / PROVENANCE).read_text())
    assert {"python", "labelsift", "numpy", "scikit-learn"} <= set(origin["versions"])
    assert {"system", "processor", "cores"} <= set(origin["machine"])
    text = provenance_section(tmp_path).text[0]
    machine, numpy = origin["machine"]["system"], origin["versions"]["numpy"]
    for told in (origin["date"], numpy, machine):
        assert told in text


def test_a_suite_of_your_own_is_read_by_its_file(tmp_path):
    path = tmp_path / "small.toml"
    path.write_text(SMALL)
    write_export([result(str(path))], tmp_path / "new")
    [read] = read_export(tmp_path / "new", [str(path)])
    assert read.suite == read_suite(str(path))
    assert len(read.results.values)


def test_a_folder_without_results_is_an_error(tmp_path):
    with pytest.raises(ValueError, match=r"no provenance\.json: export a run into it"):
        read_export(tmp_path)


def test_an_export_of_the_first_version_is_refused_with_what_to_do(tmp_path):
    (tmp_path / "machine.json").write_text("{}")
    with pytest.raises(ValueError, match="run the suites again and export") as error:
        read_export(tmp_path)
    assert "labelsift 0.1" in str(error.value)
    assert "\n" not in str(error.value)


def test_a_suite_that_was_not_exported_is_an_error(tmp_path, results):
    write_export(results[:1], tmp_path)
    with pytest.raises(ValueError, match="has no suite 'gu-table2': choose from ji-"):
        read_export(tmp_path, ["gu-table2"])


def test_an_export_without_any_suite_is_an_error(tmp_path):
    with pytest.raises(ValueError, match="nothing to export: name"):
        write_export([], tmp_path)


OUTSIDE = ["../../X", "/tmp/X", "a/b", "..", "nul", "a\nb"]


@pytest.mark.parametrize("name", OUTSIDE)
def test_a_suite_cannot_write_outside_the_folder(tmp_path, name):
    inner = tmp_path / "a" / "b" / "out"
    suite = replace(read_suite("ji-table3"), name=name)
    hostile = SuiteResult(suite, result("ji-table3").results, {})
    with pytest.raises(ValueError, match=r"^The suite .* cannot name a file: use"):
        write_export([hostile], inner)
    with pytest.raises(ValueError, match=r"^The suite .* cannot name a file: use"):
        draw_ranks(suite, hostile.results, inner)
    assert not list(tmp_path.rglob("*.*"))


@pytest.mark.parametrize("name", [*OUTSIDE, "secret.csv/../../x.csv"])
def test_values_are_read_from_the_folder_alone(tmp_path, results, name):
    write_export(results[:1], tmp_path)
    origin = json.loads((tmp_path / PROVENANCE).read_text())
    origin["suites"]["ji-table3"]["values"] = name
    (tmp_path / PROVENANCE).write_text(json.dumps(origin))
    with pytest.raises(ValueError, match=r"values of 'ji-table3': .* cannot name a"):
        read_export(tmp_path)


def test_two_suites_cannot_share_a_file(tmp_path):
    one = result("ji-table3")
    for name in ("Ji-Table3", "tasks"):
        other = SuiteResult(replace(one.suite, name=name), one.results, {})
        with pytest.raises(ValueError, match=f"would write {name.lower()}.csv twice"):
            write_export([one, other], tmp_path)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"{}", "has no entry 'date': add it"),
        (b"[]", "must be a table, got"),
        (b"", "is not JSON"),
        (b"\xff", "is not JSON"),
        (b"[" * 10**5, "is not JSON"),
        (b'{"date": 1}', "has no entry 'versions'"),
    ],
    ids=repr,
)
def test_a_provenance_that_is_something_else(tmp_path, content, sentence):
    (tmp_path / PROVENANCE).write_bytes(content)
    for read in (read_export, provenance_section):
        with pytest.raises(ValueError, match=rf"provenance\.json.* {sentence}"):
            read(tmp_path)


@pytest.mark.parametrize("name", ["/etc/x.toml", "../x", "a\x1b"])
def test_names_of_suites_in_an_export_are_no_paths(tmp_path, results, name):
    write_export(results[:1], tmp_path)
    origin = json.loads((tmp_path / PROVENANCE).read_text())
    origin["suites"][name] = origin["suites"]["ji-table3"]
    (tmp_path / PROVENANCE).write_text(json.dumps(origin))
    with pytest.raises(ValueError, match=r"the suite .* cannot name a file"):
        read_export(tmp_path)


def test_tables_that_are_something_else(tmp_path, results):
    write_export(results[:1], tmp_path)
    path = tmp_path / "ji-table3.csv"
    lines = path.read_text().splitlines()
    for content, sentence in [
        ("", "No columns"),
        ("a,b", "has no column 'suite'"),
        (
            "\n".join([lines[0], lines[1].replace(",0,", f",{10**30},", 1)]),
            "wrong type",
        ),
    ]:
        path.write_text(content)
        with pytest.raises(ValueError, match=sentence):
            read_export(tmp_path)
