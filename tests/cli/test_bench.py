# SPDX-License-Identifier: BSD-3-Clause
"""``labelsift bench``: run, status, report, export."""

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


def fails(task, timeout, threads):
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


def test_diagrams_are_drawn_where_methods_can_be_ranked(command, tmp_path):
    pytest.importorskip("matplotlib")
    results = __file__.partition("tests")[0] + "docs/results"
    page, folder = tmp_path / "page.md", tmp_path / "diagrams"
    arguments = ("--from", results, "--diagrams", folder, "--out", page)
    suites = ("naula-table2", "ji-figure2")
    code, _, err = command("bench", "report", *suites, *arguments)
    assert code == 0
    assert "Diagrams:" in err
    [picture] = folder.iterdir()  # one data set cannot rank methods
    assert picture.name == "naula-table2.png"
    assert picture.read_bytes().startswith(b"\x89PNG")


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


@pytest.mark.parametrize("action", [("export", "--out"), ("report", "--diagrams")])
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
