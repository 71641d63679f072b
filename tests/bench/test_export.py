# SPDX-License-Identifier: BSD-3-Clause
import json
import math
import re
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
from labelsift.bench.export_update import update_export
from labelsift.bench.figures import write_figures
from labelsift.bench.sections import report_sections
from labelsift.bench.suite_file import read_suite
from labelsift.bench.suite_result import SuiteResult
from labelsift.experiment.results import TASKS, Results
from labelsift.tables.document import RENDER


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
        return RENDER[form]("T", report_sections(given))

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


def test_a_suite_of_your_own_travels_with_its_values(tmp_path):
    path = tmp_path / "small.toml"
    path.write_text(SMALL)
    given = result(str(path))
    write_export([given], tmp_path / "new")
    path.unlink()
    [read] = read_export(tmp_path / "new")
    assert read.suite == given.suite
    assert read_export(tmp_path / "new", [str(path)])[0].suite == given.suite
    assert len(read.results.values)


def test_a_suite_of_labelsift_does_not_travel_unless_it_was_changed(tmp_path):
    write_export([result("ji-table3")], tmp_path)
    assert not list(tmp_path.glob("*.toml"))
    own = tmp_path / "ji-table3.toml"
    own.write_text('extends = "ji-table3"\ntitle = "Changed"')
    write_export([result(str(own))], tmp_path / "new")
    [read] = read_export(tmp_path / "new", ["ji-table3"])
    assert read.suite.title == "Changed"


def test_a_class_in_an_export_is_not_imported(tmp_path):
    path = tmp_path / "small.toml"
    path.write_text(SMALL)
    write_export([result(str(path))], tmp_path / "new")
    inside = tmp_path / "new" / "small.toml"
    text = inside.read_text().replace(
        "[methods.fisher]", '[methods.fisher]\nclass = "no.such.module:Class"'
    )
    inside.write_text(text)
    [read] = read_export(tmp_path / "new")
    assert read.suite.methods[0].name == "fisher"


def again(results, **where):
    """A part of results, measured again with other values."""
    part = results.results.where(**where)
    values = part.values.assign(value=part.values["value"] + 1, draw=3)
    tasks = values[list(TASKS)[:7]].drop_duplicates()
    tasks = tasks.assign(
        status="done", error="", seconds=1.0, memory_mib=1.0, warnings=""
    )
    return SuiteResult(results.suite, Results(values, tasks), {})


def lines(path, keep):
    return [line for line in path.read_text().splitlines() if keep(line)]


def test_what_was_measured_again_is_replaced_and_the_rest_stays(tmp_path, results):
    write_export(results, tmp_path)
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    fresh = again(results[0], method=["svm", "random"], data="yahoo-arts-full")
    update_export([fresh], tmp_path)

    def is_again(line):
        return ",yahoo-arts-full,svm," in line or ",yahoo-arts-full,random," in line

    file = tmp_path / "ji-table3.csv"
    old = before[file.name].decode().splitlines()
    assert lines(file, lambda line: not is_again(line)) == [
        line for line in old if not is_again(line)
    ]
    values = Results.read(file).values
    replaced = values["method"].isin(["svm", "random"]) & (
        values["data"] == "yahoo-arts-full"
    )
    pd.testing.assert_frame_equal(
        values[replaced].reset_index(drop=True),
        fresh.results.values.reset_index(drop=True),
    )
    for name, content in before.items():
        if name not in ("ji-table3.csv", TASKS_FILE, PROVENANCE):
            assert (tmp_path / name).read_bytes() == content
    tasks = lines(tmp_path / TASKS_FILE, is_again)
    assert len(tasks) == len(fresh.results.tasks) > 0
    text = " ".join(provenance_section(tmp_path).text)
    assert re.search(r"Measured again on .*: svm, random in 1 of the files, on", text)


def test_an_update_of_a_second_view_is_that_of_the_values_they_share(tmp_path):
    one = result("rlefs-table2")
    other = SuiteResult(
        read_suite("rlefs-table5"),
        Results(one.results.values.assign(suite="rlefs-table5"), one.results.tasks),
        {"flags": "It was absent."},
    )
    write_export([one, other], tmp_path)
    fresh = again(one, method="random")
    update_export([replace(fresh, suite=other.suite), fresh], tmp_path)
    for read in read_export(tmp_path):
        random = read.results.where(method="random").values
        assert set(random["suite"]) == {read.suite.name}
        assert len(random) == len(fresh.results.values)
        assert not read.absent  # it has been run


def test_nothing_measured_changes_no_values(tmp_path, results):
    write_export(results[:1], tmp_path)
    before = (tmp_path / "ji-table3.csv").read_bytes()
    empty = SuiteResult(results[0].suite, Results(results[0].results.values[:0]), {})
    update_export([empty], tmp_path)
    assert (tmp_path / "ji-table3.csv").read_bytes() == before
    assert read_export(tmp_path)[0].absent  # what was absent is so still


def test_a_suite_that_was_never_exported_cannot_be_updated(tmp_path, results):
    write_export(results[:1], tmp_path)
    with pytest.raises(
        ValueError, match="no suite 'rlefs-table2' to update: export it"
    ):
        update_export(results[1:2], tmp_path)
    with pytest.raises(ValueError, match=r"has no provenance\.json"):
        update_export(results, tmp_path / "nowhere")


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
        write_figures(hostile, inner)
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
