# SPDX-License-Identifier: BSD-3-Clause
"""A run that was saved goes on elsewhere: tasks that are done are not run again."""

import sqlite3
import sys
from contextlib import closing
from pathlib import Path

import pytest

from experiment.tasks import quick_tasks
from labelsift.experiment.ledger import Ledger
from labelsift.experiment.pool import run_tasks

sys.path.append(str(Path(__file__).parents[2] / "tools"))
import unfinished


@pytest.fixture
def store(tmp_path):
    path = tmp_path / "full.sqlite"
    with Ledger(path) as ledger:
        run_tasks(quick_tasks(splits=2)[:3], ledger)
        ledger.tried.mkdir()
        (ledger.tried / "key").write_text("\n[0, 1, 0.5]")
    return path


def test_a_run_goes_on_where_it_was_saved(store, tmp_path):
    archive = unfinished.save(store, tmp_path / "saved")
    other = tmp_path / "elsewhere" / "full.sqlite"
    other.parent.mkdir()
    unfinished.restore(other, archive.parent)
    tasks = quick_tasks(splits=2)
    with Ledger(other) as ledger:
        assert (ledger.tried / "key").read_text() == "\n[0, 1, 0.5]"
        assert run_tasks(tasks, ledger) == 3
        assert set(ledger.statuses()) == {task.key for task in tasks}


def test_it_is_saved_while_a_driver_writes_and_to_the_same_bytes(store, tmp_path):
    with Ledger(store):
        first = unfinished.save(store, tmp_path / "first").read_bytes()
        second = unfinished.save(store, tmp_path / "second").read_bytes()
    assert first == second


def test_a_ledger_is_never_replaced(store, tmp_path):
    archive = unfinished.save(store, tmp_path / "saved")
    before = store.read_bytes()
    with pytest.raises(SystemExit, match="exists: choose another folder"):
        unfinished.restore(store, archive.parent)
    assert store.read_bytes() == before


def test_a_ledger_that_was_never_saved(tmp_path):
    with pytest.raises(SystemExit, match=r"no .*other.tar.gz: save a ledger"):
        unfinished.restore(tmp_path / "other.sqlite", tmp_path)


def test_no_folder_of_the_machine_is_saved(store, tmp_path):
    told = '{"data":{"splits":"/home/someone/splits.npz"},"name":"a/b"}'
    with closing(sqlite3.connect(store)) as connection:
        connection.execute("UPDATE tasks SET content = ?", (told,))
        connection.commit()
    archive = unfinished.save(store, tmp_path / "saved")
    other = tmp_path / "elsewhere" / "full.sqlite"
    other.parent.mkdir()
    unfinished.restore(other, archive.parent)
    assert b"someone" not in other.read_bytes()
    with closing(sqlite3.connect(other)) as connection:
        [(content,)] = set(connection.execute("SELECT content FROM tasks"))
    assert content == '{"data":{"splits":"splits.npz"},"name":"a/b"}'
