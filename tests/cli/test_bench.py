# SPDX-License-Identifier: BSD-3-Clause
"""``labelsift bench``: run, status, report, export."""

import json
import sqlite3

import pytest

from bench.small_suite import SMALL
from labelsift.bench.suite_file import list_suites
from labelsift.experiment import pool
from labelsift.experiment.ledger import Ledger
from labelsift.experiment.results import Outcome, Results

METHODS = ("fisher", "random", "all-features", "ridge", "rfs")


@pytest.fixture
def suite(tmp_path):
    path = tmp_path / "small.toml"
    path.write_text(SMALL)
    return path


@pytest.fixture
def store(tmp_path):
    return tmp_path / "runs.sqlite"


@pytest.fixture
def ran(command, suite, store):
    """A store in which the whole suite has run."""
    assert command("bench", "run", suite, "--store", store)[0] == 0
    return store


def keys(store):
    with Ledger(store, readonly=True) as ledger:
        return ledger.statuses()


def fails(task, *limits):
    return Outcome(task.key, task.content, "failed", error="No luck.")


def row_of(out, name):
    """Cells of the line of a table that begins with a name."""
    [line] = [line for line in out.splitlines() if line.split()[:1] == [name]]
    return line.split()[1:]


def test_what_is_missing_is_run_and_the_rest_is_reused(command, suite, store):
    code, out, err = command("bench", "run", suite, "--store", store)
    assert code == 0
    assert "24 tasks run, 0 reused from the store." in out
    assert "small: absent-set left out. There is no data set 'absent-set'" in err
    stored = keys(store)
    assert list(stored.values()) == ["done"] * 24
    code, out, _ = command("bench", "run", suite, "--store", store)
    assert code == 0
    assert "0 tasks run, 24 reused from the store." in out
    assert keys(store) == stored


def test_a_part_of_a_suite_is_run_and_reused_by_the_whole(command, suite, store):
    part = ("--methods", "fisher", "--data", "traits")
    out = command("bench", "run", suite, "--store", store, *part)[1]
    assert "2 tasks run, 0 reused from the store." in out
    assert len(keys(store)) == 2
    out = command("bench", "run", suite, "--store", store)[1]
    assert "22 tasks run, 2 reused from the store." in out


def test_a_second_view_of_one_run_runs_nothing_and_reuses_nothing(
    command, suite, store, tmp_path, monkeypatch
):
    monkeypatch.setattr(pool, "run_task", fails)
    view = tmp_path / "view.toml"
    view.write_text(f'extends = "{suite}"\ntitle = "A second view"')
    code, out, err = command("bench", "run", suite, view, "--store", store)
    assert code == 1
    assert "24 tasks run, 0 reused from the store." in out
    assert err.count("Failed: fisher on traits, split 1") == 1


def test_a_task_that_fails_is_told_and_run_again_when_asked(
    command, suite, store, monkeypatch
):
    run = ("bench", "run", suite, "--store", store, "--methods", "fisher")
    with monkeypatch.context() as patch:
        patch.setattr(pool, "run_task", fails)
        code, out, err = command(*run)
    assert code == 1
    assert "2 tasks run, 0 reused from the store." in out
    assert "Failed: fisher on traits, split 1: No luck." in err
    out = command("bench", "status", suite, "--store", store)[1]
    assert row_of(out, "small") == ["0", "2", "22", "absent-set"]
    assert "0 tasks run, 2 reused from the store." in command(*run)[1]
    assert command(*run)[0] == 1  # still failed
    code, out, err = command(*run, "--retry-failed")
    assert code == 0
    assert "2 tasks run, 0 reused from the store." in out
    assert "Failed" not in err


def test_status_counts_tasks_and_knows_the_driver(command, suite, store, monkeypatch):
    part = ("--methods", "fisher")
    command("bench", "run", suite, "--store", store, *part)
    code, out, _ = command("bench", "status", suite, "--store", store)
    assert code == 0
    assert row_of(out, "small") == ["2", "0", "22", "absent-set"]
    assert "No driver is running." in out
    with Ledger(store) as ledger:
        ledger.note(done=2, total=6, started=0.0)
        monkeypatch.setattr("time.time", lambda: 10.0)
        out = command("bench", "status", suite, "--store", store)[1]
        assert "A driver is running: 2 of 6 tasks done in 10 s, about 20 s left." in out
        ledger.note(done=0)
        out = command("bench", "status", suite, "--store", store)[1]
        assert "0 of 6 tasks done in 10 s, unknown time left." in out


def test_status_runs_nothing(command, suite, ran, monkeypatch):
    def forbidden(*_):
        raise AssertionError("status runs nothing")

    monkeypatch.setattr(pool, "run_task", forbidden)
    before = keys(ran)
    out = command("bench", "status", suite, "--store", ran)[1]
    assert row_of(out, "small") == ["24", "0", "0", "absent-set"]
    assert keys(ran) == before


@pytest.mark.parametrize(
    ("form", "start"),
    [
        ("md", "# The papers' tables"),
        ("latex", "% The papers' tables"),
        ("csv", "section,table,"),
        ("html", "<!doctype html>"),
    ],
)
def test_a_report_has_every_method_in_every_form(command, suite, ran, form, start):
    code, out, _ = command("bench", "report", suite, "--store", ran, "--format", form)
    assert code == 0
    assert out.startswith(start)
    for name in METHODS:
        assert name in out


def test_a_report_goes_to_a_file(command, suite, ran, tmp_path):
    page = tmp_path / "page.md"
    code, out, err = command("bench", "report", suite, "--store", ran, "--out", page)
    assert (code, out) == (0, "")
    assert f"Report: {page}" in " ".join(err.split())
    text = page.read_text("utf-8")
    assert "Data not present: absent-set." in text
    assert "| Fisher's score is better than chance. | not shown |" in text


def test_an_export_is_reported_as_the_store_is(command, suite, ran, tmp_path):
    folder = tmp_path / "new"
    code, out, _ = command("bench", "export", suite, "--store", ran, "--out", folder)
    assert code == 0
    values = Results.read(folder / "small.csv").values
    assert f"{len(values)} rows of 1 suites in" in out
    assert set(values["method"]) == set(METHODS)
    stored = command("bench", "report", suite, "--store", ran)[1]
    exported = command("bench", "report", suite, "--from", folder)[1]
    summary = "## Summary"
    assert exported.partition(summary)[2] == stored.partition(summary)[2] != ""
    assert "## Provenance" in exported
    assert "## Provenance" not in stored


RESULTS = __file__.partition("tests")[0] + "docs/results"


def test_figures_are_drawn_in_the_formats_asked_for(command, tmp_path):
    pytest.importorskip("matplotlib")
    page, folder = tmp_path / "page.md", tmp_path / "figures"
    arguments = ("--from", RESULTS, "--figures", folder, "--out", page)
    only = ("--metric", "macro_f1", "--readout", "svm", "--figure-format", "svg,pdf")
    code, _, err = command("bench", "report", "rlefs-table2", *arguments, *only)
    assert code == 0
    assert "Figures:" in err
    assert {path.name for path in folder.iterdir()} == {
        f"rlefs-table2-macro_f1-svm-{kind}.{form}"
        for kind in ("ranks", "curves")
        for form in ("svg", "pdf")
    }
    wrong = ("bench", "report", "rlefs-table2", *arguments, "--figure-format", "gif")
    code, _, err = command(*wrong)
    assert code == 2
    assert "'gif'" in err


def test_a_report_on_a_part_with_tests(command):
    arguments = ("--from", RESULTS, "--methods", "rlefs,mifs,random", "--metric")
    wanted = ("macro_f1", "--readout", "svm", "--budgets", "10%", "--control", "random")
    code, out, _ = command(
        "bench", "report", "rlefs-figure2", *arguments, *wanted, "--tables"
    )
    assert code == 0
    assert "**macro F1 (higher is better), read-out svm, 10% of the features**" in out
    assert "| random – mifs |" in out
    assert "lrfs" not in out
    assert "naula" not in out


def test_a_report_leaves_out_suites_without_the_part(command):
    arguments = ("--from", RESULTS, "--methods", "mt-lasso")
    code, out, _ = command("bench", "report", *arguments)
    assert code == 0
    heads = [line[3:] for line in out.splitlines() if line.startswith("## ")]
    assert heads == [
        "Provenance",
        "Summary",
        "naula-table2",
        "naula-table3",
        "Statistics",
    ]
    code, _, err = command("bench", "report", "--from", RESULTS, "--data", "moon")
    assert code == 2
    assert "has a data 'moon': choose from" in err


def test_an_own_suite_has_tables_and_nothing_about_papers(command, tmp_path, store):
    path = tmp_path / "own.toml"
    path.write_text(SMALL.replace('paper = "naula"\n', ""))
    assert command("bench", "run", path, "--store", store)[0] == 0
    for form, cell in (
        ("md", "| traits | **"),
        ("latex", r"traits & \textbf{"),
        ("html", "<td>traits</td><td><strong>"),
        ("csv", 'own,"macro AUC (higher is better), read-out ridge'),
    ):
        code, out, _ = command(
            "bench", "report", path, "--store", store, "--format", form
        )
        assert code == 0
        assert cell in out
        assert "apers" not in out
        assert "A small suite on the embedded data" in out or form == "csv"
    folder = tmp_path / "export"
    assert command("bench", "export", path, "--store", store, "--out", folder)[0] == 0
    path.unlink()
    code, out, _ = command("bench", "report", "--from", folder)
    assert code == 0
    assert "| traits | **" in out


def test_an_export_is_updated_with_what_was_run_again(command, suite, ran, tmp_path):
    folder, again = tmp_path / "export", tmp_path / "again.sqlite"
    assert command("bench", "export", suite, "--store", ran, "--out", folder)[0] == 0
    before = (folder / "small.csv").read_text().splitlines()
    run = ("bench", "run", suite, "--store", again, "--methods", "random")
    assert command(*run)[0] == 0
    export = ("bench", "export", suite, "--store", again, "--out", folder, "--update")
    assert command(*export)[0] == 0
    after = (folder / "small.csv").read_text().splitlines()
    assert len(after) == len(before)
    assert [line for line in after if ",random," not in line] == [
        line for line in before if ",random," not in line
    ]
    assert after != before  # other seconds
    out = command("bench", "report", "--from", folder)[1]
    assert ": random in 1 of the files, on" in out


def test_the_schema_is_printed_for_editors(command):
    code, out, _ = command("bench", "schema")
    assert code == 0
    assert json.loads(out)["title"] == "A suite of labelsift"


def test_suites_are_listed(command):
    code, out, _ = command("bench", "list")
    assert code == 0
    for name in list_suites():
        assert name in out


def test_mistakes_in_arguments_are_one_sentence(command, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    old = tmp_path / "old"
    old.mkdir()
    (old / "machine.json").write_text("{}")
    for arguments, sentence in (
        (("run", "no-such-suite"), "There is no suite 'no-such-suite'"),
        (("run", "naula-table2", "--methods", "magic"), "has a method 'magic'"),
        (("run", "naula-table2", "--data", "moon"), "has a data set 'moon'"),
        (("status",), "run something first"),
        (("report", "--from", "nowhere"), "nowhere has no provenance.json"),
        (("report", "--from", "old"), "run the suites again and export them"),
    ):
        code, out, err = command("bench", *arguments)
        assert (code, out) == (2, ""), arguments
        assert sentence in " ".join(err.split())
        assert "Traceback" not in err
    assert sorted(path.name for path in tmp_path.iterdir()) == ["old"]


def test_a_damaged_ledger_is_left_as_it_is(command, suite, store):
    store.write_bytes(b"nonsense" * 1000)
    code, _, err = command("bench", "run", suite, "--store", store)
    assert code == 2
    assert "it was not changed" in " ".join(err.split())
    assert store.read_bytes() == b"nonsense" * 1000


def test_a_ledger_of_the_first_version_is_refused(command, suite, store):
    with sqlite3.connect(store) as old:
        old.execute("CREATE TABLE tasks (key TEXT PRIMARY KEY)")
        old.execute("PRAGMA user_version = 1")
    for word in ("run", "status", "report"):
        code, _, err = command("bench", word, suite, "--store", store)
        assert code == 2
        assert "choose another file with --store" in " ".join(err.split())


def test_a_second_driver_is_refused(command, suite, store):
    with Ledger(store):
        code, _, err = command("bench", "run", suite, "--store", store)
    assert code == 2
    assert "Another driver is writing" in " ".join(err.split())


@pytest.mark.parametrize("action", [("export", "--out"), ("report", "--figures")])
def test_the_name_of_a_suite_is_no_path(command, tmp_path, ran, action):
    hostile = tmp_path / "hostile.toml"
    hostile.write_text('suite = "../../X"\n' + SMALL)
    before = sorted(tmp_path.rglob("*"))
    name, option = action
    out = tmp_path / "a" / "b" / "c"
    code, _, err = command("bench", name, hostile, "--store", ran, option, out)
    assert code == 2
    assert "The suite '../../X' cannot name a file" in err
    assert sorted(tmp_path.rglob("*")) == before
