# SPDX-License-Identifier: BSD-3-Clause
"""The tables of the ledger and what a finished task leaves in them."""

import json
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Self

SCHEMA_VERSION = 1
ROW_COLUMNS = ("readout", "threshold", "budget", "params", "measure", "value")
SCHEMA = f"""
BEGIN;
CREATE TABLE tasks (
    key TEXT PRIMARY KEY, content TEXT NOT NULL, status TEXT NOT NULL,
    error TEXT NOT NULL, seconds REAL NOT NULL, memory_mib REAL,
    warnings TEXT NOT NULL, made TEXT NOT NULL
);
CREATE TABLE rows (
    key TEXT NOT NULL, readout TEXT NOT NULL, threshold TEXT NOT NULL,
    budget INTEGER NOT NULL, params TEXT NOT NULL, measure TEXT NOT NULL, value REAL
);
CREATE INDEX rows_of_task ON rows (key);
CREATE TABLE artifacts (key TEXT NOT NULL, name TEXT NOT NULL, value TEXT NOT NULL);
CREATE INDEX artifacts_of_task ON artifacts (key);
CREATE TABLE notes (name TEXT PRIMARY KEY, value TEXT NOT NULL);
PRAGMA user_version = {SCHEMA_VERSION};
COMMIT;
"""


class StoreError(ValueError):
    """A ledger that cannot be used; the sentence says what to do."""


@dataclass(frozen=True)
class Record:
    """A finished task.

    Parameters
    ----------
    key : str
        The sha256 of what was done.
    content : str
        What was done, as JSON.
    status : {"done", "failed", "timeout"}
        How it ended.
    error : str
        One line; empty when done.
    seconds : float
        Wall-clock time.
    memory_mib : float or None
        Peak above what was held before; None where not measured.
    warnings : sequence of str
        What was said on the way.
    made : str
        Versions, machine and time, as JSON.
    rows : sequence of tuple
        Values in the order of ROW_COLUMNS.
    artifacts : dict
        Plain values by name.
    """

    key: str
    content: str
    status: str
    error: str = ""
    seconds: float = 0.0
    memory_mib: float | None = None
    warnings: Sequence[str] = ()
    made: str = "{}"
    rows: Sequence[tuple[Any, ...]] = ()
    artifacts: dict[str, Any] = field(default_factory=dict)

    def head(self) -> tuple[Any, ...]:
        """The line of the table of tasks."""
        return (
            self.key,
            self.content,
            self.status,
            self.error,
            self.seconds,
            self.memory_mib,
            json.dumps(list(self.warnings)),
            self.made,
        )

    @classmethod
    def of_head(cls, head: Sequence[Any]) -> Self:
        """A record from such a line."""
        names = ("key", "content", "status", "error", "seconds", "memory_mib")
        *values, warnings, made = head
        named = dict(zip(names, values, strict=True))
        return cls(**named, warnings=json.loads(warnings), made=made)

    def artifact_items(self) -> Iterator[tuple[str, str]]:
        """Names and JSON texts."""
        for name, value in self.artifacts.items():
            yield name, json.dumps(value, default=_refuse)


def _refuse(value: Any) -> Any:
    raise TypeError(f"An artifact must be plain values, not {type(value).__name__}.")


def defined(value: float) -> float | None:
    """NaN as None, which SQLite can keep."""
    return None if math.isnan(value) else value
