# SPDX-License-Identifier: BSD-3-Clause
import math
import sqlite3
from contextlib import closing

import numpy as np
import pytest

from labelsift.results.schema import (
    ROW_COLUMNS,
    SCHEMA,
    SCHEMA_VERSION,
    Record,
    StoreError,
    defined,
)

RECORD = Record(
    "key",
    '{"a":1}',
    "failed",
    error="ValueError: no.",
    seconds=1.5,
    memory_mib=None,
    warnings=("one", "two"),
    made='{"at":"today"}',
)


def test_the_tables_are_made_with_their_version():
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as database:
        database.executescript(SCHEMA)
        [[version]] = database.execute("PRAGMA user_version")
        assert version == SCHEMA_VERSION
        columns = [row[1] for row in database.execute("PRAGMA table_info(rows)")]
        assert columns == ["key", *ROW_COLUMNS]
        database.execute("INSERT INTO tasks VALUES (?,?,?,?,?,?,?,?)", RECORD.head())
        [head] = database.execute("SELECT * FROM tasks")
    read = Record.of_head(head)
    assert read.head() == RECORD.head()
    assert list(read.warnings) == ["one", "two"]


def test_a_task_is_in_the_ledger_once():
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as database:
        database.executescript(SCHEMA)
        insert = "INSERT INTO tasks VALUES (?,?,?,?,?,?,?,?)"
        database.execute(insert, RECORD.head())
        with pytest.raises(sqlite3.IntegrityError):
            database.execute(insert, RECORD.head())


def test_artifacts_are_plain_values():
    kept = Record("key", "{}", "done", artifacts={"order": [2, 1], "of": {"a": None}})
    assert dict(kept.artifact_items()) == {"order": "[2, 1]", "of": '{"a": null}'}
    odd = Record("key", "{}", "done", artifacts={"order": np.arange(2)})
    with pytest.raises(TypeError, match="must be plain values, not ndarray"):
        list(odd.artifact_items())


def test_nan_is_kept_as_nothing():
    assert defined(math.nan) is None
    assert defined(np.float64("nan")) is None
    assert defined(0.5) == 0.5
    assert defined(math.inf) == math.inf


def test_an_unusable_ledger_is_a_wrong_value():
    assert issubclass(StoreError, ValueError)
