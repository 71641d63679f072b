# SPDX-License-Identifier: BSD-3-Clause
"""The ledger: whole tasks or nothing, one writer, damage said in words."""

import math
import re
import sqlite3
import subprocess
import sys

import numpy as np
import pandas as pd
import pytest

from experiment.tasks import data_spec, task
from labelsift.experiment import ledger as ledger_module
from labelsift.experiment.ledger import VERSION, Ledger, LedgerError, is_written_to
from labelsift.experiment.results import ARTIFACTS, MEASURED, TASKS, VALUES, Outcome
from labelsift.experiment.run import run_task
from labelsift.experiment.task import DataSpec, Planned
from restricted import run_on_full_disk, run_read_only

NOWHERE = DataSpec("nowhere", checksum="0")


def planned(name="rfs", split=0, **names):
    given = {"data": "nowhere", "method": name} | names
    return Planned(task(NOWHERE, name, split=split), **given)


def outcome(item, value=0.5, status="done", artifacts=(), **more):
    """What a task gave: one value, or none where it is not done."""
    rows = [("{}", "ridge", "", 3, "macro_auc", value)] if status == "done" else []
    return Outcome(
        item.task.key,
        item.task.content,
        status,
        measured=rows,
        stored=artifacts,
        **{"n_train": 60, "n_features": 12, **more},
    )


@pytest.fixture
def path(tmp_path):
    return tmp_path / "runs.sqlite"


@pytest.fixture
def ledger(path):
    with Ledger(path) as opened:
        yield opened


def test_what_is_stored_comes_back(path):
    item = planned()
    stored = outcome(
        item,
        1 / 3,
        warnings=("scale X", "and Y"),
        memory_mib=2.5,
        seconds=0.1,
        artifacts=[("ridge", 3, "order", [3, 1]), ("ridge", 3, "of", {"a": None})],
    )
    with Ledger(path) as ledger:
        ledger.add(stored)
    with Ledger(path) as ledger:
        assert ledger.statuses() == {item.task.key: "done"}
        results = ledger.results([item], "small")
        artifacts = ledger.artifacts([item])
    [value] = results.values.to_dict("records")
    assert value == {
        "suite": "small",
        "data": "nowhere",
        "method": "rfs",
        "draw": 0,
        "split": 0,
        "n_train": 60,
        "n_features": 12,
        "params": "{}",
        "readout": "ridge",
        "threshold": "",
        "budget": 3,
        "measure": "macro_auc",
        "value": 1 / 3,
    }
    [row] = results.tasks.to_dict("records")
    assert (row["status"], row["error"], row["seconds"]) == ("done", "", 0.1)
    assert (row["memory_mib"], row["warnings"]) == (2.5, "scale X\nand Y")
    assert artifacts["value"].tolist() == [[3, 1], {"a": None}]
    assert artifacts["name"].tolist() == ["order", "of"]
    assert (artifacts["method"] == "rfs").all()


def test_values_of_a_run_are_those_of_its_outcome(ledger, tmp_path):
    given = task(data_spec(tmp_path), readouts=("ridge", "3nn"), artifacts=("order",))
    ran = run_task(given)
    ledger.add(ran)
    item = Planned(given, "planted", "fisher", draw=2)
    results = ledger.results([item], "small")
    measured = results.values[list(MEASURED)]
    pd.testing.assert_frame_equal(measured, ran.values, check_exact=True)
    assert list(results.values) == list(VALUES)
    assert list(results.tasks) == list(TASKS)
    sizes = results.values[["n_train", "n_features", "draw"]].drop_duplicates()
    assert sizes.to_numpy().tolist() == [[60, 12, 2]]
    stored = ledger.artifacts([item])[list(ARTIFACTS)]
    pd.testing.assert_frame_equal(stored, ran.artifacts, check_dtype=False)


def test_the_order_is_that_of_the_plan_and_missing_tasks_have_no_rows(ledger):
    items = [planned(split=split) for split in (2, 0, 1)]
    for item in reversed(items[1:]):
        ledger.add(outcome(item, item.task.split / 10))
    values = ledger.results(items).values
    assert list(zip(values["split"], values["value"], strict=True)) == [
        (0, 0.0),
        (1, 0.1),
    ]
    nothing = ledger.results([planned("csfs")])
    assert nothing.values.empty
    assert nothing.tasks.empty
    assert ledger.results([]).values.empty


def test_one_task_can_stand_under_several_names(ledger):
    items = [planned(method=name, draw=draw) for draw, name in enumerate("ab")]
    ledger.add(outcome(items[0]))
    results = ledger.results(items)
    assert results.values["method"].tolist() == ["a", "b"]
    assert results.tasks["draw"].tolist() == [0, 1]


def test_a_plan_of_thousands_is_read_at_once(ledger):
    items = [planned(split=split) for split in range(3000)]
    for item in items[::1000]:
        ledger.add(outcome(item))
    assert ledger.results(items).values["split"].tolist() == [0, 1000, 2000]


def test_failures_are_tasks_without_values(ledger):
    names = ("rfs", "csfs", "mifs", "sfus")
    done, failed, late, missing = (planned(name) for name in names)
    ledger.add(outcome(done))
    ledger.add(outcome(failed, status="failed", error="ValueError: no.", n_train=0))
    ledger.add(outcome(late, status="timeout", error="Given up after 3 s."))
    results = ledger.results([done, failed, late, missing])
    assert results.values["method"].tolist() == ["rfs"]
    tasks = results.tasks.set_index("method")
    assert tasks["status"].to_dict() == {
        "rfs": "done",
        "csfs": "failed",
        "mifs": "timeout",
    }
    assert tasks.loc["csfs", "error"] == "ValueError: no."
    assert tasks["n_train"].to_dict() == {"rfs": 60, "csfs": 0, "mifs": 60}


def test_a_task_that_is_written_again_replaces_the_old_one(ledger):
    item = planned()
    ledger.add(outcome(item, 0.1, artifacts=[("ridge", 3, "order", [1])]))
    ledger.add(outcome(item, 0.2))
    assert ledger.results([item]).values["value"].tolist() == [0.2]
    assert ledger.artifacts([item]).empty


def test_values_that_are_not_defined_and_memory_that_is_not_known_are_nan(ledger):
    item = planned()
    ledger.add(outcome(item, math.nan))
    results = ledger.results([item])
    assert results.values["value"].isna().tolist() == [True]
    assert results.tasks["memory_mib"].isna().tolist() == [True]
    assert results.values["value"].dtype == np.float64


def test_an_artifact_that_is_not_plain_leaves_nothing_behind(ledger):
    item = planned()
    with pytest.raises(TypeError, match="not JSON serializable"):
        ledger.add(outcome(item, artifacts=[("ridge", 3, "order", {1, 2})]))
    assert ledger.statuses() == {}
    assert ledger.results([item]).values.empty
    other = planned("csfs")
    ledger.add(outcome(other))
    assert ledger.statuses() == {other.task.key: "done"}


def test_every_task_has_its_provenance(ledger, path):
    ledger.add(outcome(planned()))
    with sqlite3.connect(path) as database:
        [[text]] = database.execute("SELECT provenance FROM tasks")
        [[content]] = database.execute("SELECT content FROM tasks")
    for word in ("labelsift", "numpy", "cores", '"at"'):
        assert word in text
    assert content == planned().task.content


def test_a_second_driver_is_refused_and_a_reader_is_not(path):
    item = planned()
    with Ledger(path) as ledger:
        ledger.add(outcome(item))
        with pytest.raises(LedgerError, match="Another driver"):
            Ledger(path)
        with Ledger(path, readonly=True) as reader:
            assert reader.statuses() == {item.task.key: "done"}
            assert len(reader.results([item]).values) == 1
            with pytest.raises(LedgerError, match="read-only"):
                reader.add(outcome(item))
        assert is_written_to(path)
    assert not is_written_to(path)
    Ledger(path).close()


def test_a_driver_that_was_killed_holds_no_lock(path):
    """kill -9 cannot run any clean-up: the lock must go with the process."""
    code = (
        "import os, signal, sys\n"
        "from labelsift.experiment.ledger import Ledger\n"
        "from labelsift.experiment.results import Outcome\n"
        "ledger = Ledger(sys.argv[1])\n"
        "ledger.add(Outcome('a', '{}', 'done'))\n"
        "os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    ended = subprocess.run([sys.executable, "-c", code, str(path)], check=False)
    assert ended.returncode == -9
    with Ledger(path) as ledger:
        assert ledger.statuses() == {"a": "done"}


def damage_in_the_middle(path):
    with Ledger(path) as ledger:
        for split in range(300):
            ledger.add(outcome(planned(split=split)))
    content = bytearray(path.read_bytes())
    content[4096 : len(content) - 4096] = b"\xff" * (len(content) - 8192)
    path.write_bytes(content)


@pytest.mark.parametrize(
    "spoil",
    [lambda path: path.write_bytes(b"no database at all" * 100), damage_in_the_middle],
    ids=["not a database", "damaged pages"],
)
@pytest.mark.parametrize("readonly", [False, True])
def test_a_damaged_ledger_is_named_and_left_as_it_is(path, spoil, readonly):
    spoil(path)
    before = path.read_bytes()
    with pytest.raises(LedgerError, match="damaged or is not a ledger"):
        Ledger(path, readonly=readonly)
    assert path.read_bytes() == before
    assert not is_written_to(path)


def test_a_database_of_something_else_is_refused(path):
    with sqlite3.connect(path) as other:
        other.execute("CREATE TABLE recipes (name TEXT)")
    with pytest.raises(LedgerError, match=f"not a ledger of version {VERSION}"):
        Ledger(path)


def test_a_ledger_of_the_first_version_is_refused_with_what_to_do(path):
    with sqlite3.connect(path) as old:
        old.execute("CREATE TABLE tasks (key TEXT PRIMARY KEY, made TEXT)")
        old.execute("PRAGMA user_version = 1")
    before = path.read_bytes()
    with pytest.raises(LedgerError, match="choose another file with --store") as error:
        Ledger(path)
    assert "it has version 1" in str(error.value)
    assert "\n" not in str(error.value)
    assert path.read_bytes() == before


def test_a_missing_or_empty_ledger_cannot_be_read(path):
    with pytest.raises(LedgerError, match="run something first"):
        Ledger(path, readonly=True)
    path.touch()
    with pytest.raises(LedgerError, match="is empty: run something first"):
        Ledger(path, readonly=True)


def test_a_missing_folder_is_named(tmp_path):
    with pytest.raises(LedgerError, match="create it first"):
        Ledger(tmp_path / "nowhere" / "runs.sqlite")


def test_notes_can_be_read_while_the_driver_writes(path):
    with Ledger(path) as ledger:
        ledger.note(done=3, total=9)
        ledger.note(done=4)
        with Ledger(path, readonly=True) as reader:
            assert reader.notes() == {"done": 4, "total": 9}


FILL = """
from labelsift.experiment.ledger import Ledger
from labelsift.experiment.results import Outcome
with Ledger({path!r}) as ledger:
    ledger.add(Outcome("a", "", "done"))
"""
LOOK = """
from labelsift.experiment.ledger import Ledger, is_written_to
print(Ledger({path!r}, readonly=True).statuses(), is_written_to({path!r}))
try:
    Ledger({path!r})
except ValueError as error:
    print(error)
"""


def assert_looked_at(done, why):
    assert done.returncode == 0, done.stderr
    seen, refused = done.stdout.splitlines()
    assert seen == "{'a': 'done'} False"
    assert re.search(
        rf"cannot be used \({why}.*\): it was left as it is; check", refused
    )


def test_results_are_of_one_moment_while_the_driver_adds_tasks(path, monkeypatch):
    first, second = planned(split=0), planned(split=1)
    with Ledger(path) as driver, Ledger(path, readonly=True) as reader:
        driver.add(outcome(first))
        select = reader._select

        def select_and_be_late(*given):
            found = select(*given)
            if second.task.key not in driver.statuses():
                driver.add(outcome(second))
            return found

        monkeypatch.setattr(reader, "_select", select_and_be_late)
        before, after = (reader.results([first, second]) for _ in range(2))
    for results, splits in ((before, [0]), (after, [0, 1])):
        assert results.tasks["split"].tolist() == splits
        assert results.values["split"].tolist() == splits


def test_a_ledger_in_a_read_only_place_can_be_read(path):
    with Ledger(path) as ledger:
        ledger.add(Outcome("a", "", "done"))
    for file in path.parent.iterdir():
        file.chmod(0o444)
    path.parent.chmod(0o555)
    try:
        done = run_read_only(LOOK.format(path=str(path)), path.parent)
    finally:
        path.parent.chmod(0o755)
    assert_looked_at(done, "attempt to write a readonly")


def test_a_ledger_on_a_full_disk_can_be_read(path):
    given = {"path": str(path)}
    done = run_on_full_disk(FILL.format(**given), LOOK.format(**given), path.parent)
    assert_looked_at(done, "database or disk is full")


def failing_in(mode, monkeypatch):
    """Let SQLite fail in one mode, as it does where it cannot write."""
    real = ledger_module._connected

    def connected(path, given, timeout=0):
        if given == mode:
            raise sqlite3.OperationalError("disk I/O error")
        return real(path, given, timeout)

    monkeypatch.setattr(ledger_module, "_connected", connected)


def test_changes_that_are_pending_are_not_left_out(path, monkeypatch):
    with Ledger(path) as ledger:
        ledger.add(Outcome("a", "", "done"))
    failing_in("ro", monkeypatch)
    with Ledger(path, readonly=True) as ledger:
        assert ledger.statuses() == {"a": "done"}
    path.with_name("runs.sqlite-wal").write_bytes(b"something")
    with pytest.raises(LedgerError, match=r"cannot be used \(disk I/O error\)"):
        Ledger(path, readonly=True)


def test_a_link_that_leads_nowhere(path):
    path.symlink_to(path.parent / "nowhere" / "runs.sqlite")
    with pytest.raises(LedgerError, match="cannot be used"):
        Ledger(path)
    with pytest.raises(LedgerError, match="There is no ledger"):
        Ledger(path, readonly=True)
    assert not is_written_to(path)


def test_two_links_to_one_ledger_share_its_lock(path):
    link = path.with_name("link.sqlite")
    link.symlink_to(path)
    with Ledger(path), pytest.raises(LedgerError, match="Another driver"):
        Ledger(link)


def test_a_lock_that_cannot_be_used(path):
    lock = path.with_name("runs.sqlite.lock")
    lock.mkdir()
    with pytest.raises(LedgerError, match=r"runs\.sqlite\.lock cannot be used"):
        Ledger(path)
    assert not is_written_to(path)
    lock.rmdir()
    lock.write_bytes(b"no database at all" * 100)
    with pytest.raises(LedgerError, match=r"lock cannot be used \(file is not a data"):
        Ledger(path)
    assert not path.exists()


@pytest.mark.parametrize("readonly", [False, True])
def test_a_file_that_only_says_it_is_a_ledger(path, readonly):
    with sqlite3.connect(path) as other:
        other.execute("CREATE TABLE tasks (key TEXT)")
        other.execute(f"PRAGMA user_version = {VERSION}")
    with pytest.raises(LedgerError, match=r"ledger \(table tasks lacks content"):
        Ledger(path, readonly=readonly)


def test_a_disk_that_fails_while_a_ledger_is_read(path):
    with Ledger(path) as ledger:
        ledger._connection.execute("DROP TABLE tasks")
        ledger._connection.execute("DROP TABLE notes")
        for read in (ledger.statuses, ledger.notes):
            with pytest.raises(LedgerError, match=r"cannot be used \(no such table"):
                read()
