# SPDX-License-Identifier: BSD-3-Clause
"""Label columns as people write them: pairs, marks, lists, classes.

A form is found by itself where all cells are of one pair (0/1, yes/no, ...) or one mark
with blanks; everything else is told (``name:|``, ``name:class``) or asked for.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from labelsift.core.cells import MISSING, Cells, cell_text
from labelsift.datasets.label_patterns import CLASS, LISTS
from labelsift.datasets.problems import TableError
from labelsift.datasets.textfile import shown

# (absent, present), in small letters.
PAIRS = (
    ("0", "1"), ("-1", "1"), ("false", "true"), ("no", "yes"), ("n", "y"),
    ("nein", "ja"), ("non", "oui"),
)  # fmt: skip
# What may become of a blank, other than no.
_KEPT = ("drop", "unknown")
# Members or classes of one column.
MOST_LABELS = 1000
_WORDS = frozenset(word for pair in PAIRS for word in pair)
_NUMBER = re.compile(r"[+-]?[\d.]")
_WHOLE = re.compile(r"([+-]?)([01])(\.0*)?")


@dataclass(frozen=True)
class LabelColumn:
    """What became of a label column.

    Parameters
    ----------
    names : tuple of str
        Of its labels.
    Y : ndarray of shape (n_rows, n_labels)
        0/1.
    missing : ndarray of bool
        Rows whose labels are not known.
    note : str
        What is worth announcing; empty for 0/1 and other pairs without blanks.
    """

    names: tuple[str, ...]
    Y: NDArray[np.int8]
    missing: NDArray[np.bool_]
    note: str = ""


def read_label(
    name: str, cells: Cells, form: str = "", when_missing: str | None = None
) -> LabelColumn:
    """Read one label column, or ask in one sentence.

    Parameters
    ----------
    name : str
        Of the column.
    cells : Cells
        What it holds.
    form : str, default=""
        "class", what separates a list, or "" to find a pair or a mark.
    when_missing : {"no", "drop", "unknown"} or None, default=None
        What a blank means where that is not clear: the label is absent, the row is left
        out, or nobody knows; None: ask.

    Returns
    -------
    LabelColumn
        Its labels.
    """
    column = _Column(name, cells)
    if form == "":
        return _pair_or_mark(column, when_missing)
    values = [column.texts[i] for i in range(len(column.texts)) if column.known[i]]
    if form == CLASS:
        members = {value: [value] for value in values}
    else:
        members = {v: [m for m in map(str.strip, v.split(form)) if m] for v in values}
    every = sorted({member for listed in members.values() for member in listed})
    if not every or len(every) > MOST_LABELS:
        what = "nothing" if not every else f"{len(every):,} different members"
        raise ValueError(
            f"Label column {shown(name)} holds {what}: between 1 and {MOST_LABELS} "
            "labels can be read from one column."
        )
    # A blank list has no member; a blank class is not known.
    missing = column.unknown | (column.blank if form == CLASS else False)
    _ask_about_gaps(column, missing, when_missing)
    table = np.zeros((len(column.texts) + 1, len(every)), dtype=np.int8)
    place = {member: i for i, member in enumerate(every)}
    for row, text in enumerate(column.texts):
        table[row, [place[member] for member in members.get(text, ())]] = 1
    kind = "classes" if form == CLASS else f"lists split at {form!r}"
    return LabelColumn(
        tuple(f"{name}={member}" for member in every),
        table[column.codes],
        missing if when_missing in _KEPT else np.zeros(len(missing), dtype=bool),
        f"{len(every)} labels from the {kind} in {shown(name)}",
    )


class _Column:
    """The cells of a label column as stripped text."""

    def __init__(self, name: str, cells: Cells) -> None:
        self.name = name
        if cells.codes is None:
            assert cells.numbers is not None
            codes: NDArray[Any]
            distinct, codes = np.unique(cells.numbers, return_inverse=True)
            write = str if cells.is_date else cell_text
            texts = ["" if v != v else write(v) for v in distinct]
        else:
            codes, texts = cells.codes, list(cells.values)
        # The text of a cell that is missing stands last: its code is -1.
        self.texts = [text.strip() for text in texts] + [""]
        self.codes = np.where(codes < 0, len(texts), codes)
        small = [text.casefold() for text in self.texts]
        self.known = [text not in MISSING for text in small]
        self.words = [_word(text) for text in small]
        self.blank = np.array([text == "" for text in small])[self.codes]
        self.unknown = np.array(
            [text != "" and text in MISSING for text in small]
        )[self.codes]  # fmt: skip

    def counted(self) -> dict[str, int]:
        """How many rows hold each word."""
        counts: dict[str, int] = {}
        rows = np.bincount(self.codes, minlength=len(self.texts))
        for word, known, count in zip(self.words, self.known, rows, strict=True):
            if known and count:
                counts[word] = counts.get(word, 0) + int(count)
        return counts

    def first(self, words: set[str]) -> tuple[int, str]:
        """The first row that holds one of some words, from 1, and its text."""
        hit = np.array([w in words for w in self.words])[self.codes]
        row = int(np.flatnonzero(hit)[0])
        return row + 1, self.texts[self.codes[row]]

    def positive(self, word: str) -> NDArray[np.int8]:
        """Where the column holds a word."""
        hits = np.array([w == word for w in self.words], dtype=np.int8)
        return hits[self.codes][:, np.newaxis]


def _word(text: str) -> str:
    """A small text; 1.0 and +1 are 1."""
    whole = _WHOLE.fullmatch(text)
    if whole is None:
        return text
    sign = "-" if whole[1] == "-" and whole[2] == "1" else ""
    return sign + whole[2]


def _pair_or_mark(column: _Column, when_missing: str | None) -> LabelColumn:
    counts = column.counted()
    words = set(counts)
    pair = next((pair for pair in PAIRS if words and words <= set(pair)), None)
    if pair is not None:
        missing = column.blank | column.unknown
        _ask_about_gaps(column, missing, when_missing)
        gone = missing if when_missing in _KEPT else np.zeros_like(missing)
        filled = int((missing & ~gone).sum())
        note = f"{filled:,} blank in {shown(column.name)} read as no" if filled else ""
        return LabelColumn((column.name,), column.positive(pair[1]), gone, note)
    if len(words) == 1 and column.blank.any() and not _NUMBER.match(min(words)):
        _ask_about_gaps(column, column.unknown, when_missing)
        [mark] = words
        text = shown(column.first(words)[1])
        return LabelColumn(
            (column.name,),
            column.positive(mark),
            column.unknown if when_missing in _KEPT else np.zeros_like(column.unknown),
            f"{text} in {shown(column.name)} means yes, a blank no",
        )
    raise ValueError(f"Label column {shown(column.name)} {_question(column, counts)}")


def _ask_about_gaps(
    column: _Column, missing: NDArray[np.bool_], when_missing: str | None
) -> None:
    if when_missing is not None or not missing.any():
        return
    rows = np.flatnonzero(missing)
    text = column.texts[column.codes[rows[0]]]
    what = f"holds {shown(text)}" if text else "is blank"
    raise ValueError(
        f"Label column {shown(column.name)} {what} in row {rows[0] + 1}"
        f"{f' and {len(rows) - 1:,} more' if len(rows) > 1 else ''}: say "
        "--label-missing no (the label is absent there), --label-missing drop (leave "
        "these rows out) or, in compare, --label-missing unknown."
    )


def _question(column: _Column, counts: dict[str, int]) -> str:
    """What a column that is no label seems to be, and what to say then."""
    words = set(counts)
    if not words:
        return "is blank throughout: it is no label."
    total = sum(counts.values())
    for pair in PAIRS:
        inside = sum(counts.get(word, 0) for word in pair)
        if inside >= 0.9 * total or (inside and len(words - set(pair)) == 1):
            row, text = column.first(words - set(pair))
            told = " and ".join(word for word in pair if word in words)
            return (
                f"holds {shown(text)} in row {row} beside {told}: write one pair, or "
                f"say --labels {_quoted(column.name, CLASS)}."
            )
    texts = sorted({t for t, k in zip(column.texts, column.known, strict=True) if k})
    separator = _list_separator(texts)
    if separator is not None:
        return (
            f"holds lists separated by {separator!r}: say --labels "
            f"{_quoted(column.name, separator)}."
        )
    listed = ", ".join(texts[:2] if len(texts) > 3 else texts)
    more = ", ..." if len(texts) > 3 else ""
    if len(texts) > MOST_LABELS:
        return (
            f"holds {len(texts):,} different values ({listed}{more}): these are no "
            "labels."
        )
    values = ""
    if len(texts) > 2 and all(map(_NUMBER.match, texts)):
        values = ", or --targets in place of --labels if these are values to predict"
    return (
        f"holds {len(texts)} class{'es' if len(texts) > 1 else ''} ({listed}{more}): "
        f"say --labels {_quoted(column.name, CLASS)}{values}."
    )


def _list_separator(texts: Sequence[str]) -> str | None:
    """What splits texts into members that come again."""
    for separator in LISTS:
        parts = [[m.strip() for m in t.split(separator) if m.strip()] for t in texts]
        lists = [part for part in parts if len(part) > 1]
        members = {member for part in parts for member in part}
        if lists and (len(members) < len(texts) or members & set(texts)):
            return separator
    return None


def _quoted(name: str, form: str) -> str:
    text = f"{name}:{form}".replace("'", "'\\''")
    return f"'{text}'"


def read_labels(
    columns: Sequence[tuple[str, Cells, str]], when_missing: str | None, where: str
) -> tuple[tuple[str, ...], NDArray[Any], NDArray[np.bool_], list[str]]:
    """All label columns: names, Y, rows to leave out, and what to announce.

    Every column that cannot be read is told, not the first one only.
    """
    found: list[LabelColumn] = []
    problems = []
    for name, cells, form in columns:
        try:
            found.append(read_label(name, cells, form, when_missing))
        except ValueError as error:
            problems.append(f"{where}: {str(error)[0].lower()}{str(error)[1:]}")
    names = [name for column in found for name in column.names]
    for name in sorted({name for name in names if names.count(name) > 1}):
        problems.append(f"{where} has two labels called {shown(name)}: rename one.")
    if problems:
        raise TableError(problems)
    Y = np.hstack([column.Y for column in found])
    missing = np.logical_or.reduce([column.missing for column in found])
    if when_missing == "unknown" and missing.any():
        gaps = [np.tile(c.missing[:, np.newaxis], len(c.names)) for c in found]
        Y = np.where(np.hstack(gaps), np.nan, Y)
        told = f"{int(np.isnan(Y).sum()):,} labels unknown"
        return tuple(names), Y, np.zeros_like(missing), [*_notes(found), told]
    return tuple(names), Y, missing, _notes(found)


def _notes(found: Sequence[LabelColumn]) -> list[str]:
    """What to announce; marks in many columns are told once."""
    notes = [column.note for column in found if column.note]
    if len(notes) > 3:
        return [*notes[:2], f"{len(notes) - 2} more label columns read alike"]
    return notes
