# SPDX-License-Identifier: BSD-3-Clause
"""Parsing the rows of an ARFF file, dense or sparse.

A fast parser splits each row at the commas and looks each cell up. A row that has
quotes, a missing value or an error is parsed again cell by cell, so
that the error can name the line, the attribute and the value.
"""

import math
import re
from array import array
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from labelsift.datasets.arff_header import QUOTED, split_cells, unquoted
from labelsift.datasets.textfile import LineReader, shown

Role = Literal["feature", "label", "dropped"]

# What a cell of a dense row and a pair of a sparse one take at the most.
_CELL_BYTES, _PAIR_BYTES = 24, 72

_BITS = {"0": 0.0, "1": 1.0}
_PAIR = re.compile(rf"\s*(\d++)\s+(?:({QUOTED})\s*|([^,]*))(,|\Z)")


class SparseRows(NamedTuple):
    """Entries of sparse rows: row i has those from start[i] to start[i + 1]."""

    start: NDArray[np.int64]
    column: NDArray[np.int64]
    value: NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Column:
    """How the cells of an attribute become numbers."""

    name: str  # for errors
    role: Role  # a label is 0 or 1, a dropped column may hold anything and gives 0
    values: dict[str, float] | None  # of each category; None where cells are numbers

    @property
    def quick(self) -> Callable[[str], float]:
        """Parses a plain cell; raises ValueError or KeyError for any other."""
        if self.role == "dropped":
            return _nothing
        if self.values is not None:
            return self.values.__getitem__
        return _BITS.__getitem__ if self.role == "label" else float

    def careful(self, cell: str) -> float:
        """Parse any cell, or raise ValueError with the end of the message."""
        if self.role == "dropped":
            return 0.0
        value = finite(cell) if self.values is None else self.values.get(cell)
        if self.role == "label" and value not in (0, 1):
            raise ValueError(
                f"label {shown(self.name)} is {shown(cell)}: a label must be 0 or 1"
            )
        if value is None and cell == "?":
            return math.nan
        if value is None:
            raise ValueError(
                f"attribute {shown(self.name)} is {shown(cell)}, which is not "
                f"{self._expected()}: fix the value or write ? where it is missing"
            )
        return value

    def _expected(self) -> str:
        if self.values is None:
            return "a finite number"
        shown = ", ".join(list(self.values)[:5])[:60]
        return f"among its {len(self.values)} categories {shown}"

    @property
    def default(self) -> float:
        """Value of an attribute omitted in a sparse row: its first category."""
        if self.role == "dropped" or not self.values:
            return 0.0
        return next(iter(self.values.values()))


def _nothing(cell: str) -> float:
    return 0.0


def finite(cell: str) -> float | None:
    """The number in a cell, or None."""
    try:
        value = float(cell)
    except ValueError:
        return None
    return value if math.isfinite(value) and "_" not in cell else None


def _ordinary(text: str) -> bool:
    """Whether a text has neither quotes nor underscores (Python's 1_000)."""
    return not ("'" in text or '"' in text or "_" in text)


class RowParser:
    """Turns the data lines of one file into numbers."""

    def __init__(self, lines: LineReader, columns: Sequence[Column]) -> None:
        self._lines = lines
        self._columns = columns
        self._quick = [column.quick for column in columns]

    def dense(self, rows: Iterable[str]) -> NDArray[np.float64]:
        """All rows as a matrix with one column per attribute."""
        cells = array("d")
        for line in rows:
            if line[0] == "{":
                raise self._lines.error("a sparse row follows dense rows: use one form")
            cells.extend(self._quick_row(line) or self._careful_row(line))
            self._lines.check_memory(_CELL_BYTES * len(cells))
        return np.asarray(cells).reshape(-1, len(self._columns))

    def _quick_row(self, line: str) -> list[float] | None:
        if line.count(",") != len(self._columns) - 1 or not _ordinary(line):
            return None
        cells = line.split(",")
        try:
            row = [read(cell) for read, cell in zip(self._quick, cells, strict=True)]
        except (ValueError, KeyError):
            return None
        return row if math.isfinite(sum(row)) else None

    def _careful_row(self, line: str) -> list[float]:
        cells = split_cells(line)
        row = [
            self._read(column, cell)
            for column, cell in zip(self._columns, cells, strict=False)
        ]
        count = len(row) + sum(1 for _ in cells)
        if count != len(self._columns):
            raise self._lines.error(
                f"the row has {count} values for {len(self._columns)} attributes"
            )
        return row

    def _read(self, column: Column, cell: str) -> float:
        try:
            return column.careful(cell)
        except ValueError as error:
            raise self._lines.error(str(error)) from None

    def sparse(self, rows: Iterable[str]) -> SparseRows:
        """All rows of the form ``{index value, ...}`` as entries."""
        start, columns, values = array("q", [0]), array("q"), array("d")
        for line in rows:
            if line[0] != "{" or line[-1] != "}":
                raise self._lines.error(
                    "a sparse row must begin with { and end with }: the row is "
                    "truncated or dense"
                )
            body = line[1:-1]
            where, what = self._quick_pairs(body) or self._careful_pairs(body)
            if len(set(where)) < len(where):
                raise self._lines.error("the row has an attribute twice")
            columns.extend(where)
            values.extend(what)
            start.append(len(columns))
            self._lines.check_memory(_PAIR_BYTES * len(columns))
        return SparseRows(np.asarray(start), np.asarray(columns), np.asarray(values))

    def _quick_pairs(self, body: str) -> tuple[list[int], list[float]] | None:
        if body.count(",") >= len(self._columns) or not _ordinary(body):
            return None
        where, what = [], []
        try:
            for pair in body.split(","):
                index, cell = pair.split()
                where.append(int(index))
                what.append(self._quick[where[-1]](cell))
        except (ValueError, KeyError, IndexError):
            return None
        return (where, what) if min(where) >= 0 and math.isfinite(sum(what)) else None

    def _careful_pairs(self, body: str) -> tuple[list[int], list[float]]:
        where: list[int] = []
        what: list[float] = []
        start = 0
        more = bool(body.strip())
        while more:
            pair = _PAIR.match(body, start)
            if not pair:
                raise self._lines.error(
                    f"{shown(body[start:])} is not an attribute's number and its value"
                )
            where.append(self._position(pair[1]))
            cell = pair[3].strip() if pair[2] is None else unquoted(pair[2])
            what.append(self._read(self._columns[where[-1]], cell))
            if len(where) > len(self._columns):
                raise self._lines.error("the row has an attribute twice")
            start, more = pair.end(), pair[4] == ","
        return where, what

    def _position(self, digits: str) -> int:
        position = int(digits[:20])
        if position >= len(self._columns):
            raise self._lines.error(
                f"there is no attribute {digits[:20]}: they are numbered from 0 to "
                f"{len(self._columns) - 1}"
            )
        return position
