# SPDX-License-Identifier: BSD-3-Clause
"""How a CSV file is written: encoding, separator, decimal mark.

Each is taken only where one reading is possible; otherwise a sentence asks.
"""

import codecs
import csv
import io
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from labelsift.datasets.memory import Forecast, MemoryBound
from labelsift.datasets.problems import TableError
from labelsift.datasets.textfile import LINE_BYTES, open_unpacked, shown

SEPARATORS = {",": "commas", ";": "semicolons", "\t": "tabs", "|": "bars"}
# Records that must have the same number of cells, and how much text is looked at.
_RECORDS, _LINES, _LETTERS = 200, 2000, 2**23
_CHUNK = 2**20
# Lines with the wrong number of cells that a sentence names.
_NAMED = 5
# What a cell and a letter take at the most, in the table and the matrix.
_CELL_BYTES, _LETTER_BYTES = 24, 3


@dataclass(frozen=True)
class Dialect:
    """How a file is written.

    Parameters
    ----------
    encoding : str
        A name that Python knows.
    separator, decimal : str
        Between cells, and within numbers.
    """

    encoding: str
    separator: str
    decimal: str = "."

    @property
    def words(self) -> str:
        """For the line that announces how a file was read."""
        named = SEPARATORS.get(self.separator, repr(self.separator))
        commas = " and decimal commas" if self.decimal == "," else ""
        return (
            f"with {named}{commas}, {_ENCODING_WORDS.get(self.encoding, self.encoding)}"
        )


_ENCODING_WORDS = {
    "utf-8-sig": "UTF-8",
    "utf-16": "UTF-16",
    "cp1252": "Windows-1252 (it is not UTF-8)",
}


def find_dialect(
    path: Path,
    separator: str | None = None,
    decimal: str | None = None,
    encoding: str | None = None,
    skip: int = 0,
) -> Dialect:
    """Find out what is not told."""
    encoding = _encoding(path, encoding)
    if separator is None:
        separator = _separator(path, encoding, skip)
    if decimal is None:
        decimal = "." if separator == "," else _decimal(path, encoding, separator, skip)
    return Dialect(encoding, separator, decimal)


def open_text(path: Path, encoding: str, skip: int = 0) -> IO[str]:
    """A file as text behind so many lines, every line end as one sign.

    pandas loses an empty first cell behind a lone carriage return.
    """
    file = io.TextIOWrapper(open_unpacked(path), encoding=encoding)
    for _ in range(skip):
        while (part := file.readline(_CHUNK)) and part[-1] not in "\r\n":
            pass
    return file


def _encoding(path: Path, told: str | None) -> str:
    """What is told, else UTF-8 or UTF-16 where the bytes say so, else Windows-1252."""
    if told is not None:
        try:
            codecs.lookup(told)
        except LookupError:
            raise ValueError(
                f"encoding={told!r} is not known to Python: use utf-8, cp1252, latin-1 "
                "or another name of a codec."
            ) from None
        tries = [told]
    else:
        with open_unpacked(path) as file:
            start = file.read(2)
        marked = start in (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
        tries = ["utf-16"] if marked else ["utf-8-sig", "cp1252"]
    for name in tries:
        if _decodes(path, name):
            return name
    raise ValueError(
        f"{path} is no text in {' or '.join(_plain(name) for name in tries)}: say "
        "--encoding with the name of its own."
    )


def _plain(encoding: str) -> str:
    return _ENCODING_WORDS.get(encoding, encoding).partition(" (")[0]


def _decodes(path: Path, encoding: str) -> bool:
    """Whether all bytes are text without a NUL, which no table holds."""
    decoder = codecs.getincrementaldecoder(encoding)("strict")
    with open_unpacked(path) as file:
        try:
            while chunk := file.read(_CHUNK):
                if "\0" in decoder.decode(chunk):
                    return False
            decoder.decode(b"", final=True)
        except UnicodeError:
            return False
    return True


def _separator(path: Path, encoding: str, skip: int) -> str:
    """The only one that splits the first records into the same number of cells."""
    with open_text(path, encoding, skip) as file:
        lines, complete = _sample(file)
    if not any(line.strip() for line in lines):
        raise ValueError(f"{path} cannot be read as CSV: it is empty.")
    counts = {sep: _cell_counts(lines, sep, complete) for sep in SEPARATORS}
    even = {s: c[0][1] for s, c in counts.items() if c and len({n for _, n in c}) == 1}
    good = {sep: count for sep, count in even.items() if count > 1}
    if len(good) == 1:
        return next(iter(good))
    if good:
        readings = " or ".join(
            f"{SEPARATORS[sep]} ({count} columns)" for sep, count in good.items()
        )
        raise ValueError(
            f"{path} can be read with {readings}: say which, as --sep "
            f"{_option(next(iter(good)))}."
        )
    raise ValueError(f"{path}{_uneven(counts)}")


def _option(separator: str) -> str:
    return "tab" if separator == "\t" else f"'{separator}'"


def _uneven(counts: dict[str, list[tuple[int, int]]]) -> str:
    """What is wrong where no separator fits; the one that comes closest is shown."""

    def agreement(sep: str) -> float:
        cells = [count for _, count in counts[sep]]
        common = max(set(cells), key=cells.count, default=1)
        return cells.count(common) / len(cells) if common > 1 else 0.0

    best = max(counts, key=agreement)
    if agreement(best) == 0:
        return (
            " has one cell in every line with commas, semicolons, tabs and bars: say "
            "--sep, or --skip N where N lines stand before the header."
        )
    cells = [count for _, count in counts[best]]
    common = max(set(cells), key=cells.count)
    line, count = next((at, n) for at, n in counts[best] if n != common)
    return (
        f" cannot be read as CSV: with {SEPARATORS[best]}, line {line} has {count} "
        f"cell{'s' if count != 1 else ''} and most have {common}: fix it, or say "
        "--sep, or --skip N where N lines stand before the header."
    )


def _sample(file: IO[str]) -> tuple[list[str], bool]:
    """The first lines, and whether these are all."""
    lines: list[str] = []
    letters = 0
    while len(lines) < _LINES and letters <= _LETTERS:
        line = file.readline(_LETTERS)
        if not line:
            break
        lines.append(line)
        letters += len(line)
    return lines, not file.readline(1)


def _cell_counts(
    lines: list[str], separator: str, complete: bool
) -> list[tuple[int, int]]:
    """(line, cells) of the first records; empty where they cannot be read."""
    reader = csv.reader(lines, delimiter=separator, skipinitialspace=True)
    counts = []
    try:
        for record in reader:
            if record:
                counts.append((reader.line_num, len(record)))
            if len(counts) == _RECORDS:
                return counts
    except csv.Error:
        return []
    # The last record may go on behind the sample.
    return counts if complete or len(counts) < 2 else counts[:-1]


def _decimal(path: Path, encoding: str, separator: str, skip: int) -> str:
    """From all cells of the form 12,5 and 12.5; a comma before three digits is none."""
    edge = rf'[{re.escape(separator)}"\r\n]'
    form = rf"(?:^|{edge})[ ]*[+-]?(\d+{{}})[ ]*(?=$|{edge})"
    patterns = {
        "comma": re.compile(form.format(r",(?:\d{1,2}|\d{4,})")),
        "thousands": re.compile(form.format(r",\d{3}")),
        "point": re.compile(form.format(r"\.\d+")),
    }
    found: dict[str, str] = {}
    for text in _blocks(path, encoding, skip):
        for name in patterns.keys() - found.keys():
            hit = patterns[name].search(text)
            if hit:
                found[name] = hit[1]
    commas = found.get("comma") or found.get("thousands")
    if commas is None:
        return "."
    if "point" in found:
        raise ValueError(
            f"{path} holds numbers with a comma ({commas}) and with a point "
            f"({found['point']}): say which is the decimal mark, as --decimal ','."
        )
    if "comma" not in found:
        raise ValueError(
            f"{path} holds numbers as {commas}, which may be a decimal comma or mark "
            "thousands: say --decimal ',' or --decimal '.'."
        )
    return ","


def _blocks(path: Path, encoding: str, skip: int) -> Iterator[str]:
    """The text behind the header's line, in blocks that end at the end of a line.

    A line longer than a block is cut: no number is as long.
    """
    with open_text(path, encoding, skip + 1) as file:
        while block := file.read(_CHUNK):
            yield block + file.readline(_CHUNK)


def read_header(
    path: Path, dialect: Dialect, skip: int, bound: MemoryBound, whole: bool = True
) -> tuple[list[str], list[str]]:
    """Names of the columns, and what is wrong with the lines below, in sentences.

    All records are counted, so that a table too large is refused before it is made;
    unless it is not read as a whole, where each row must be within the bound.
    """
    wrong: list[tuple[int, int]] = []
    n_wrong = n_cells = 0
    forecast = Forecast(bound)
    with open_text(path, dialect.encoding, skip) as file:
        text = _Records(file, bound)
        reader = csv.reader(text, delimiter=dialect.separator, skipinitialspace=True)
        try:
            header = next((record for record in reader if record), [])
            names = [name.strip() for name in header]
            for record in reader:
                n_cells += len(record)
                text.next_record()
                if whole:
                    forecast.check(text.letters, _held(n_cells, text.letters))
                if record and len(record) != len(names):
                    n_wrong += 1
                    wrong += [(reader.line_num, len(record))] * (n_wrong <= _NAMED)
        except csv.Error as error:
            raise ValueError(
                f"{path} cannot be read as CSV (line {reader.line_num}: {error}): fix "
                "it."
            ) from None
    bound.check(whole * _held(n_cells, text.letters), "its cells")
    if not any(names):
        raise ValueError(f"{path} cannot be read as CSV: it has no header.")
    return names, _ragged(path, wrong, n_wrong, len(names))


def _held(n_cells: int, n_letters: int) -> int:
    return _CELL_BYTES * n_cells + _LETTER_BYTES * n_letters


class _Records:
    """The lines of a file; a record of many or of a very long one is refused."""

    def __init__(self, file: IO[str], bound: MemoryBound) -> None:
        self.letters = 0
        self._file = file
        self._bound = bound
        self._start = 0

    def __iter__(self) -> Iterator[str]:
        longest = self._bound.size // LINE_BYTES
        while line := self._file.readline(longest + 1):
            self.letters += len(line)
            pending = self.letters - self._start
            if pending > longest:
                self._bound.check(LINE_BYTES * pending, "one of its rows")
            yield line

    def next_record(self) -> None:
        """What was read so far is done with."""
        self._start = self.letters


def _ragged(
    path: Path, wrong: list[tuple[int, int]], n_wrong: int, expected: int
) -> list[str]:
    """A sentence about the lines with another number of cells; some are named."""
    if not wrong:
        return []
    listed = ", ".join(f"line {line} has {count}" for line, count in wrong)
    more = f" and {n_wrong - len(wrong)} more lines" if n_wrong > len(wrong) else ""
    return [
        f"{path} cannot be read as CSV: the header has {expected} cells, but {listed}"
        f"{more}; fix them, put quotes around text that holds the separator, or say "
        "--sep."
    ]


def check_names(names: list[str], path: Path) -> tuple[list[str], list[str]]:
    """Names with one for a nameless column at either end, and what was done.

    A table that was saved with its row numbers has no name above them. Several
    nameless columns are a title line or a mistake.
    """
    nameless = [i for i, name in enumerate(names) if not name]
    problems = []
    notes = []
    if len(nameless) == 1 and nameless[0] in (0, len(names) - 1):
        made = f"column {nameless[0] + 1}"
        names = [name or made for name in names]
        notes.append(f"the column without a name is called {shown(made)}")
    elif nameless:
        problems.append(
            f"{path}: column {nameless[0] + 1} has no name"
            f"{_others(len(nameless) - 1)}: name every column, or say --skip N where N "
            "lines stand before the header."
        )
    seen: set[str] = set()
    for name in names:
        if name and name in seen:
            problems.append(
                f"{path} has two columns called {shown(name)}: rename or remove one."
            )
        seen.add(name)
    if problems:
        raise TableError(problems)
    return names, notes


def _others(count: int) -> str:
    return f", and {count} others have none" if count else ""
