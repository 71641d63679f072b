# SPDX-License-Identifier: BSD-3-Clause
"""The ledger of runs: one SQLite file, many readers, one writer.

Every finished task is one transaction: a driver that is killed loses at most the tasks
that were in flight. The writer holds a lock on a second file next to the ledger, which
the operating system releases when the process ends, however it ends.
"""

import json
import os
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Self

import pandas as pd

from labelsift.core.provenance import provenance
from labelsift.experiment.results import (
    ARTIFACTS,
    MEASURED,
    NAMES,
    SIZES,
    STATUS,
    Outcome,
    Results,
)
from labelsift.experiment.task import Planned

VERSION = 2
_KINDS = {str: "TEXT", int: "INTEGER", float: "REAL", object: "TEXT"}


def _columns(columns: dict[str, type]) -> str:
    return ", ".join(f"{name} {_KINDS[kind]}" for name, kind in columns.items())


_SCHEMA = f"""
BEGIN;
CREATE TABLE tasks (key TEXT PRIMARY KEY, content TEXT, provenance TEXT,
    {_columns(SIZES | STATUS)});
CREATE TABLE measured (key TEXT NOT NULL, {_columns(MEASURED)});
CREATE INDEX measured_by_task ON measured (key);
CREATE TABLE artifacts (key TEXT NOT NULL, {_columns(ARTIFACTS)});
CREATE INDEX artifacts_by_task ON artifacts (key);
CREATE TABLE notes (name TEXT PRIMARY KEY, value TEXT NOT NULL);
PRAGMA user_version = {VERSION};
COMMIT;
"""


class LedgerError(ValueError):
    """A ledger that cannot be used; the sentence says what to do."""


class Ledger:
    """Finished tasks with their values, errors and artifacts.

    Parameters
    ----------
    path : str or Path
        The SQLite file; created where it does not exist, unless ``readonly``.
    readonly : bool, default=False
        Only read: works while a driver writes.

    Raises
    ------
    LedgerError
        Where the file is damaged, is not a ledger, or another driver writes to it; the
        file is unchanged.
    """

    def __init__(self, path: str | Path, *, readonly: bool = False) -> None:
        self.path, self.readonly = Path(path), readonly
        self._lock: sqlite3.Connection | None = None
        if readonly and not self.path.is_file():
            raise LedgerError(f"There is no ledger {self.path}: run something first.")
        if not readonly:
            if not self.path.parent.is_dir():
                raise LedgerError(
                    f"The folder {self.path.parent} of the ledger does not exist: "
                    "create it first."
                )
            self._lock = self._locked()
        try:
            self._connection = self._opened()
        except BaseException:
            self._unlock()
            raise

    def _locked(self) -> sqlite3.Connection:
        path = _lock_file(self.path)
        try:
            lock = _connected(path, "rwc")
        except sqlite3.Error as error:
            raise _unusable(path, error) from error
        try:
            lock.execute("BEGIN EXCLUSIVE")
        except sqlite3.Error as error:
            lock.close()
            if "locked" not in str(error):
                raise _unusable(path, error) from error
            raise LedgerError(
                f"Another driver is writing to {self.path}: wait for it, or choose "
                "another file with --store."
            ) from error
        return lock

    def _opened(self) -> sqlite3.Connection:
        if not self.readonly:
            return self._try("rwc")
        try:
            return self._try("ro")
        except LedgerError:
            # SQLite writes a small file even to read, which a disk that is full or
            # read-only does not allow. Where no writer left anything pending, the
            # ledger itself is all there is, and can be read as it stands.
            if _pending(self.path):
                raise
            return self._try("ro&immutable=1")

    def _try(self, mode: str) -> sqlite3.Connection:
        """A checked connection, or a LedgerError."""
        try:
            connection = _connected(self.path, mode, timeout=30)
        except sqlite3.Error as error:
            raise _unusable(self.path, error) from error
        try:
            self._check(connection)
        except sqlite3.OperationalError as error:  # the disk, not the file
            connection.close()
            raise _unusable(self.path, error) from error
        except sqlite3.DatabaseError as error:
            connection.close()
            raise LedgerError(
                f"{self.path} is damaged or is not a ledger ({error}): it was not "
                "changed; restore a copy, or choose another file with --store."
            ) from error
        except BaseException:
            connection.close()
            raise
        return connection

    def _check(self, connection: sqlite3.Connection) -> None:
        [[state]] = connection.execute("PRAGMA quick_check(1)").fetchall()
        if state != "ok":
            raise sqlite3.DatabaseError(state)
        [[version]] = connection.execute("PRAGMA user_version").fetchall()
        [[tables]] = connection.execute("SELECT count(*) FROM sqlite_master").fetchall()
        if tables and version != VERSION:
            raise LedgerError(
                f"{self.path} is not a ledger of version {VERSION} (it has version "
                f"{version}; labelsift 0.1 wrote version 1, whose tasks "
                "differ): choose another file with --store."
            )
        if not tables:
            if self.readonly:
                raise LedgerError(f"{self.path} is empty: run something first.")
            connection.executescript(_SCHEMA)
        _check_tables(connection)
        if not self.readonly:
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute("PRAGMA synchronous = NORMAL")
            # Fail now where the file cannot be written, and not after the first task.
            connection.executescript("BEGIN IMMEDIATE; ROLLBACK")

    def add(self, outcome: Outcome) -> None:
        """Write a finished task in one transaction, replacing an older one."""
        origin = {"at": datetime.now(UTC).isoformat(timespec="seconds")} | provenance()
        task = {
            "key": outcome.key,
            "content": outcome.content,
            "provenance": json.dumps(origin),
            **{name: getattr(outcome, name) for name in SIZES | STATUS},
            "warnings": "\n".join(outcome.warnings),
        }
        with self._transaction() as connection:
            for table in ("measured", "artifacts", "tasks"):
                connection.execute(f"DELETE FROM {table} WHERE key = ?", (outcome.key,))
            self._insert("tasks", [tuple(task.values())])
            self._insert("measured", [(outcome.key, *row) for row in outcome.measured])
            stored = ((*row, json.dumps(value)) for *row, value in outcome.stored)
            self._insert("artifacts", [(outcome.key, *row) for row in stored])
        if outcome.status == "done" and self.tried.is_dir():
            (self.tried / outcome.key).unlink(missing_ok=True)
            with suppress(OSError):  # other tasks are not done
                self.tried.rmdir()

    @property
    def tried(self) -> Path:
        """A folder for values of grids whose tasks are not done (``tried.py``)."""
        return self.path.absolute().with_name(f"{self.path.name}.tried")

    def _insert(self, table: str, rows: Sequence[tuple[Any, ...]]) -> None:
        if rows:
            marks = ", ".join("?" * len(rows[0]))
            self._connection.executemany(f"INSERT INTO {table} VALUES ({marks})", rows)

    @contextmanager
    def _transaction(self) -> Iterator[sqlite3.Connection]:
        if self.readonly:
            raise LedgerError(f"{self.path} was opened read-only.")
        try:
            self._connection.execute("BEGIN IMMEDIATE")
            yield self._connection
            self._connection.execute("COMMIT")
        except sqlite3.OperationalError as error:
            if self._connection.in_transaction:
                self._connection.execute("ROLLBACK")
            raise LedgerError(
                f"{self.path} cannot be written ({error}): what was stored before "
                "is safe; free some space or choose another file with --store."
            ) from error
        except BaseException:
            if self._connection.in_transaction:
                self._connection.execute("ROLLBACK")
            raise

    @contextmanager
    def _reading(self) -> Iterator[None]:
        """Read one snapshot, also while another process adds to the ledger."""
        try:
            self._connection.execute("BEGIN")
            yield
        except sqlite3.Error as error:
            raise _unusable(self.path, error) from error
        finally:
            if self._connection.in_transaction:
                self._connection.execute("COMMIT")

    def statuses(self) -> dict[str, str]:
        """Status of every finished task by its key."""
        with self._reading():
            return dict(self._connection.execute("SELECT key, status FROM tasks"))

    def results(self, planned: Sequence[Planned], suite: str = "") -> Results:
        """The values and tasks of a plan, as far as they are finished.

        Parameters
        ----------
        planned : sequence of Planned
            The tasks and their names in the results.
        suite : str, default=""
            Value of the first column.

        Returns
        -------
        Results
            In the order of the plan.
        """
        with self._reading():
            tasks = self._select("tasks", list(SIZES | STATUS), planned, suite)
            values = self._select("measured", list(MEASURED), planned, suite)
        sizes = tasks[["key", *SIZES]].drop_duplicates("key")
        return Results(values.merge(sizes, on="key", how="left"), tasks)

    def artifacts(self, planned: Sequence[Planned]) -> pd.DataFrame:
        """Artifacts of the tasks of a plan.

        Parameters
        ----------
        planned : sequence of Planned
            The tasks and their names in the results.

        Returns
        -------
        DataFrame
            data, method, draw, split, readout, budget, name and value (a plain object).
        """
        table = self._select("artifacts", list(ARTIFACTS), planned, "")
        table["value"] = table["value"].map(json.loads).astype(object)
        return table.drop(columns=["key", "suite"])

    def _select(
        self, table: str, columns: list[str], planned: Sequence[Planned], suite: str
    ) -> pd.DataFrame:
        """Rows of the planned tasks in the order of the plan, with their names."""
        names = pd.DataFrame(
            [
                (item.task.key, suite, item.data, item.method, item.draw, split)
                for item in planned
                for split in [item.task.split]
            ],
            columns=["key", *NAMES],
        )
        stored = pd.read_sql_query(
            f"SELECT key, {', '.join(columns)} FROM {table} "
            "WHERE key IN (SELECT value FROM json_each(?)) ORDER BY rowid",
            self._connection,
            params=(json.dumps(names["key"].tolist()),),
        )
        return names.merge(stored, on="key", how="inner")

    def note(self, **values: Any) -> None:
        """Store values about the run, such as its progress, for other processes."""
        with self._transaction():
            self._connection.executemany(
                "INSERT OR REPLACE INTO notes VALUES (?, ?)",
                [(name, json.dumps(value)) for name, value in values.items()],
            )

    def notes(self) -> dict[str, Any]:
        """The values that ``note`` stored."""
        with self._reading():
            rows = self._connection.execute("SELECT name, value FROM notes").fetchall()
        return {name: json.loads(value) for name, value in rows}

    def close(self) -> None:
        """Close the file and release the lock."""
        self._connection.close()
        self._unlock()

    def _unlock(self) -> None:
        if self._lock is not None:
            self._lock.close()
            self._lock = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def is_written_to(path: str | Path) -> bool:
    """Whether a driver is writing to a ledger now: it holds the lock."""
    try:
        with closing(_connected(_lock_file(Path(path)), "ro")) as probe:
            probe.execute("SELECT count(*) FROM sqlite_master")
    except sqlite3.Error as error:
        return "locked" in str(error)
    return False


def _connected(path: Path, mode: str, timeout: float = 0) -> sqlite3.Connection:
    return sqlite3.connect(
        f"{path.absolute().as_uri()}?mode={mode}",
        uri=True,
        timeout=timeout,
        isolation_level=None,
    )


def _lock_file(path: Path) -> Path:
    """One lock for one ledger, whatever links lead to it."""
    return Path(f"{os.path.realpath(path)}.lock")


def _pending(path: Path) -> bool:
    """Whether a writer left changes beside the ledger that are not in it yet."""
    log = Path(f"{os.path.realpath(path)}-wal")
    return log.exists() and log.stat().st_size > 0


def _unusable(path: Path, error: sqlite3.Error) -> LedgerError:
    return LedgerError(
        f"{path} cannot be used ({error}): it was left as it is; check that the disk "
        "has room and that you may write there, or choose another file with --store."
    )


def _check_tables(connection: sqlite3.Connection) -> None:
    """Raise for a file that says it is a ledger and has other tables."""
    expected = {
        "tasks": {"key", "content", "provenance", *SIZES, *STATUS},
        "measured": {"key", *MEASURED},
        "artifacts": {"key", *ARTIFACTS},
        "notes": {"name", "value"},
    }
    for table, columns in expected.items():
        rows = connection.execute("SELECT name FROM pragma_table_info(?)", (table,))
        missing = sorted(columns - {name for (name,) in rows})
        if missing:
            raise sqlite3.DatabaseError(f"table {table} lacks {missing[0]}")
