# SPDX-License-Identifier: BSD-3-Clause
"""The ledger: whole tasks or nothing, one writer, damage said in words."""

import math
import sqlite3
import subprocess
import sys

import pytest

from labelsift.results import Record, ResultStore, StoreError
from labelsift.results.store import is_written_to


def record(key, value=0.5, **more):
    rows = [("ridge", "", 3, "{}", "macro_auc", value)]
    return Record(key, "{}", "done", rows=rows, **more)


@pytest.fixture
def path(tmp_path):
    return tmp_path / "runs.sqlite"


def test_what_is_kept_comes_back(path):
    kept = record(
        "a", warnings=["scale X"], memory_mib=2.5, artifacts={"order": [3, 1]}
    )
    with ResultStore(path) as store:
        store.add(kept)
    with ResultStore(path) as store:
        assert store.statuses() == {"a": "done"}
        assert store.artifacts("a") == {"order": [3, 1]}
        [row] = store.rows(["a"])
        assert (row["budget"], row["measure"], row["value"]) == (3, "macro_auc", 0.5)
        [head] = store.records(["a", "not there"])
        assert (head.warnings, head.memory_mib) == (["scale X"], 2.5)


def test_a_task_that_is_written_again_replaces_the_old_one(path):
    with ResultStore(path) as store:
        store.add(record("a", 0.1))
        store.add(record("a", 0.2))
        assert [row["value"] for row in store.rows(["a"])] == [0.2]


def test_undefined_values_are_nan(path):
    with ResultStore(path) as store:
        store.add(record("a", None))
        [row] = store.rows(["a"])
    assert math.isnan(row["value"])


def test_forgotten_tasks_are_gone(path):
    with ResultStore(path) as store:
        store.add(record("a"))
        store.add(record("b"))
        store.forget(["a"])
        assert store.statuses() == {"b": "done"}
        assert not list(store.rows(["a"]))


def test_an_artifact_that_is_not_plain_leaves_nothing_behind(path):
    with ResultStore(path) as store:
        with pytest.raises(TypeError, match="plain values"):
            store.add(record("a", artifacts={"order": {1, 2}}))
        assert store.statuses() == {}
        assert not list(store.rows(["a"]))
        store.add(record("b"))
        assert store.statuses() == {"b": "done"}


def test_a_second_driver_is_refused_and_a_reader_is_not(path):
    with ResultStore(path) as store:
        store.add(record("a"))
        with pytest.raises(StoreError, match="Another driver"):
            ResultStore(path)
        with ResultStore(path, readonly=True) as reader:
            assert reader.statuses() == {"a": "done"}
            with pytest.raises(StoreError, match="read only"):
                reader.add(record("b"))
        assert is_written_to(path)
    assert not is_written_to(path)
    ResultStore(path).close()


def test_a_driver_that_was_killed_holds_no_lock(path):
    """kill -9 cannot run any clean-up: the lock must go with the process."""
    code = (
        "import os, signal, sys\n"
        "from labelsift.results import Record, ResultStore\n"
        "store = ResultStore(sys.argv[1])\n"
        "store.add(Record('a', '{}', 'done'))\n"
        "os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    ended = subprocess.run([sys.executable, "-c", code, str(path)], check=False)
    assert ended.returncode == -9
    with ResultStore(path) as store:
        assert store.statuses() == {"a": "done"}


def damage_in_the_middle(path):
    with ResultStore(path) as store:
        for i in range(300):
            store.add(record(f"{i:064d}"))
    content = bytearray(path.read_bytes())
    content[4096 : len(content) - 4096] = b"\xff" * (len(content) - 8192)
    path.write_bytes(content)


@pytest.mark.parametrize(
    "spoil",
    [lambda path: path.write_bytes(b"no database at all" * 100), damage_in_the_middle],
    ids=["not a database", "damaged pages"],
)
def test_a_damaged_ledger_is_named_and_left_as_it_is(path, spoil):
    spoil(path)
    before = path.read_bytes()
    with pytest.raises(StoreError, match="damaged or is no ledger"):
        ResultStore(path)
    assert path.read_bytes() == before
    assert not is_written_to(path)


def test_a_database_of_something_else_is_refused(path):
    with sqlite3.connect(path) as other:
        other.execute("CREATE TABLE recipes (name TEXT)")
    with pytest.raises(StoreError, match="not a ledger of version 1"):
        ResultStore(path)


def test_a_missing_ledger_cannot_be_read(path):
    with pytest.raises(StoreError, match="run something first"):
        ResultStore(path, readonly=True)


def test_a_missing_folder_is_named(tmp_path):
    with pytest.raises(StoreError, match="make it first"):
        ResultStore(tmp_path / "nowhere" / "runs.sqlite")


def test_notes_can_be_read_while_the_driver_writes(path):
    with ResultStore(path) as store:
        store.note(done=3, total=9)
        with ResultStore(path, readonly=True) as reader:
            assert reader.notes() == {"done": 3, "total": 9}
