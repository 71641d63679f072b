# SPDX-License-Identifier: BSD-3-Clause
"""The ledger of runs: one SQLite file, many readers, one writer.

Every finished task is one transaction: a driver that is killed loses at most the tasks
that were in flight. The writer holds a lock on a second file beside the ledger, which
the operating system lets go when the process ends, however it ends.
"""

import json
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, Self

from labelsift.results.schema import (
    ROW_COLUMNS,
    SCHEMA,
    SCHEMA_VERSION,
    Record,
    StoreError,
)


class ResultStore:
    """Finished tasks with their rows, errors and artifacts.

    Parameters
    ----------
    path : str or Path
        The SQLite file; made where it does not exist, unless ``readonly``.
    readonly : bool, default=False
        Look only: works while a driver writes.

    Raises
    ------
    StoreError
        Where the file is damaged, is no ledger, or another driver writes to it; the
        file is left as it is.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> from labelsift.results import Record, ResultStore
    >>> folder = tempfile.TemporaryDirectory()
    >>> with ResultStore(pathlib.Path(folder.name) / "runs.sqlite") as store:
    ...     values = [("self", "", 3, "{}", "macro_auc", 1.0)]
    ...     store.add(Record("key", "{}", "done", rows=values))
    ...     [row["value"] for row in store.rows(["key"])]
    [1.0]
    >>> folder.cleanup()
    """

    def __init__(self, path: str | Path, *, readonly: bool = False) -> None:
        self.path, self.readonly = Path(path), readonly
        self._lock: sqlite3.Connection | None = None
        if readonly and not self.path.is_file():
            raise StoreError(f"There is no ledger {self.path}: run something first.")
        if not readonly:
            if not self.path.parent.is_dir():
                raise StoreError(
                    f"The folder {self.path.parent} of the ledger does not exist: make "
                    "it first."
                )
            self._lock = self._locked()
        try:
            self._connection = self._opened()
        except BaseException:
            self._unlock()
            raise

    def _locked(self) -> sqlite3.Connection:
        lock = sqlite3.connect(f"{self.path}.lock", timeout=0, isolation_level=None)
        try:
            lock.execute("BEGIN EXCLUSIVE")
        except sqlite3.OperationalError as error:
            lock.close()
            if "locked" not in str(error):
                raise StoreError(
                    f"{self.path}.lock cannot be used: {error}."
                ) from error
            raise StoreError(
                f"Another driver is writing to {self.path}: wait for it, or choose "
                "another file with --store."
            ) from error
        return lock

    def _opened(self) -> sqlite3.Connection:
        mode = "ro" if self.readonly else "rwc"
        connection = sqlite3.connect(
            f"{self.path.absolute().as_uri()}?mode={mode}",
            uri=True,
            timeout=30,
            isolation_level=None,
        )
        try:
            self._check(connection)
        except sqlite3.DatabaseError as error:
            connection.close()
            raise StoreError(
                f"{self.path} is damaged or is no ledger ({error}): it was left as it "
                "is; restore a copy, or choose another file with --store."
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
        if tables and version != SCHEMA_VERSION:
            raise StoreError(
                f"{self.path} is not a ledger of version {SCHEMA_VERSION} (it has "
                f"version {version}): choose another file with --store."
            )
        if not tables:
            if self.readonly:
                raise StoreError(f"{self.path} is empty: run something first.")
            connection.executescript(SCHEMA)
        if not self.readonly:
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute("PRAGMA synchronous = NORMAL")

    def add(self, record: Record) -> None:
        """Write a finished task in one transaction; an older one gives way.

        Parameters
        ----------
        record : Record
            The task.
        """
        with self._transaction() as connection:
            for table in ("rows", "artifacts", "tasks"):
                connection.execute(f"DELETE FROM {table} WHERE key = ?", (record.key,))
            connection.execute(
                "INSERT INTO tasks VALUES (?, ?, ?, ?, ?, ?, ?, ?)", record.head()
            )
            marks = ", ".join("?" * (1 + len(ROW_COLUMNS)))
            connection.executemany(
                f"INSERT INTO rows VALUES ({marks})",
                [(record.key, *row) for row in record.rows],
            )
            connection.executemany(
                "INSERT INTO artifacts VALUES (?, ?, ?)",
                [(record.key, *item) for item in record.artifact_items()],
            )

    @contextmanager
    def _transaction(self) -> Iterator[sqlite3.Connection]:
        if self.readonly:
            raise StoreError(f"{self.path} was opened to be read only.")
        try:
            self._connection.execute("BEGIN IMMEDIATE")
            yield self._connection
            self._connection.execute("COMMIT")
        except sqlite3.OperationalError as error:
            if self._connection.in_transaction:
                self._connection.execute("ROLLBACK")
            raise StoreError(
                f"{self.path} cannot be written ({error}): what was kept before stays; "
                "make room or choose another file with --store."
            ) from error
        except BaseException:
            if self._connection.in_transaction:
                self._connection.execute("ROLLBACK")
            raise

    def statuses(self) -> dict[str, str]:
        """Status of every finished task by its key."""
        return dict(self._connection.execute("SELECT key, status FROM tasks"))

    def records(self, keys: Iterable[str]) -> Iterator[Record]:
        """Finished tasks without their rows, in the order of the keys that are there.

        Parameters
        ----------
        keys : iterable of str
            Of tasks.

        Yields
        ------
        Record
            What became of the task.
        """
        for key in keys:
            query = "SELECT * FROM tasks WHERE key = ?"
            for head in self._connection.execute(query, (key,)):
                yield Record.of_head(head)

    def rows(self, keys: Iterable[str]) -> Iterator[dict[str, Any]]:
        """Values of tasks as tidy rows.

        Parameters
        ----------
        keys : iterable of str
            Of tasks.

        Yields
        ------
        dict
            ``key`` and the columns of ROW_COLUMNS; a value that is not defined is NaN.
        """
        names = ("key", *ROW_COLUMNS)
        for key in keys:
            query = "SELECT * FROM rows WHERE key = ?"
            for row in self._connection.execute(query, (key,)):
                given = dict(zip(names, row, strict=True))
                if given["value"] is None:
                    given["value"] = float("nan")
                yield given

    def artifacts(self, key: str) -> dict[str, Any]:
        """What a task kept beside its values.

        Parameters
        ----------
        key : str
            Of the task.

        Returns
        -------
        dict
            Plain values by name.
        """
        query = "SELECT name, value FROM artifacts WHERE key = ?"
        found = self._connection.execute(query, (key,))
        return {name: json.loads(value) for name, value in found}

    def note(self, **values: Any) -> None:
        """Keep values about the run, such as its progress; others can look at them."""
        with self._transaction() as connection:
            connection.executemany(
                "INSERT OR REPLACE INTO notes VALUES (?, ?)",
                [(name, json.dumps(value)) for name, value in values.items()],
            )

    def notes(self) -> dict[str, Any]:
        """The values that ``note`` kept."""
        found = self._connection.execute("SELECT name, value FROM notes")
        return {name: json.loads(value) for name, value in found}

    def forget(self, keys: Sequence[str]) -> None:
        """Remove tasks, so that they are run again.

        Parameters
        ----------
        keys : sequence of str
            Of tasks.
        """
        with self._transaction() as connection:
            for table in ("rows", "artifacts", "tasks"):
                connection.executemany(
                    f"DELETE FROM {table} WHERE key = ?", [(key,) for key in keys]
                )

    def close(self) -> None:
        """Close the file and let the next driver in."""
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
    """Whether a driver is writing to a ledger now.

    Parameters
    ----------
    path : str or Path
        The ledger.

    Returns
    -------
    bool
        True while a driver holds its lock.
    """
    lock = Path(f"{path}.lock")
    if not lock.exists():
        return False
    with closing(sqlite3.connect(lock, timeout=0, isolation_level=None)) as probe:
        try:
            probe.execute("BEGIN EXCLUSIVE")
        except sqlite3.OperationalError:
            return True
    return False
