# SPDX-License-Identifier: BSD-3-Clause
"""What a column is: a number, a category, a date, or nothing to learn from."""

import re
from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from labelsift.core.cells import MISSING, Cells

KINDS = ("number", "category", "date", "drop")
# Why a column is left out, by the word that is stored.
WHY = {
    "missing": "more than 90 % is missing",
    "constant": "one value only",
    "text": "text with many different values: an id or free text",
    "id": "whole numbers that count the rows",
    "date": "a date or time",
    "rare": "no value has enough rows",
    "told": "left out on request",
}
# Gaps are marked where so many rows, and so large a share of them, are missing.
GAP_ROWS, GAP_SHARE = 10, 0.01
# A column with more than this share missing is left out.
_MOST_MISSING = 0.9
# Rows below which whole numbers in order are no sign of an id.
_ID_ROWS = 20
_DATE_SAMPLE = 200

_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?", re.ASCII)
_CLOCK = r"([ T]\d{1,2}:\d{2}(:\d{2}(\.\d+)?)?( ?[AaPp][Mm]|Z|[+-]\d{2}:?\d{2})?)?"
_DATES = re.compile(
    rf"(\d{{4}}([-/.])\d{{1,2}}\2\d{{1,2}}|\d{{1,2}}([-/.])\d{{1,2}}\3\d{{4}}){_CLOCK}",
    re.ASCII,
)


def is_number(text: str) -> bool:
    """Whether a text is a number as programs write it, with a decimal point."""
    return _NUMBER.fullmatch(text) is not None


def missing_texts(more: Iterable[object] = ()) -> frozenset[str]:
    """Every text that stands for a missing value, in small letters."""
    return MISSING.union(str(text).strip().casefold() for text in more)


def settled(cells: Cells, missing: frozenset[str], *, as_text: bool = False) -> Cells:
    """Cells with values stripped, gaps found, and texts of numbers as numbers.

    ``as_text`` leaves texts as they are: a few rows of a category may all be numbers.
    """
    if cells.numbers is not None:
        return Cells(numbers=_without(cells.numbers, missing))
    assert cells.codes is not None
    texts = [value.strip() for value in cells.values]
    kept = dict.fromkeys(t for t in texts if t.casefold() not in missing)
    place = {text: i for i, text in enumerate(kept)}
    table = np.array([*(place.get(text, -1) for text in texts), -1], dtype=np.int32)
    codes = table[cells.codes]
    numeric = not (as_text or cells.declared) and all(map(is_number, place))
    if place and numeric:
        numbers = np.array([*map(float, place), np.nan])
        return Cells(numbers=_without(numbers[codes], missing))
    return Cells(codes=codes, values=tuple(place), declared=cells.declared)


def _without(numbers: NDArray[Any], missing: frozenset[str]) -> NDArray[Any]:
    """Numbers with NaN where they are one of those that stand for a gap."""
    if numbers.dtype.kind == "M":
        return numbers
    gaps = [float(text) for text in missing if is_number(text)]
    hit = np.isin(numbers, gaps) if gaps else np.zeros(len(numbers), dtype=bool)
    if numbers.dtype.kind == "f":
        hit |= np.isinf(numbers)
    return np.where(hit, np.nan, numbers) if hit.any() else numbers


def gaps(cells: Cells) -> NDArray[np.bool_]:
    """Where settled cells are missing."""
    if cells.codes is not None:
        return cells.codes < 0
    assert cells.numbers is not None
    return np.isnat(cells.numbers) if cells.is_date else np.isnan(cells.numbers)


def gaps_matter(n_gaps: int, n_rows: int) -> bool:
    """Whether gaps are marked by a column of their own."""
    return n_gaps >= max(GAP_ROWS, GAP_SHARE * n_rows)


def decide(cells: Cells, min_frequency: int) -> tuple[str, str]:
    """The kind of settled cells, and why where nothing is made of them."""
    gone = gaps(cells)
    n_gaps, n_rows = int(gone.sum()), len(gone)
    if n_gaps > _MOST_MISSING * n_rows:
        return "drop", "missing"
    if cells.codes is not None:
        return _kind_of_text(cells, n_gaps, min_frequency)
    assert cells.numbers is not None
    filled = cells.numbers[~gone]
    if (filled == filled[0]).all() and not gaps_matter(n_gaps, n_rows):
        return "drop", "constant"
    if cells.is_date:
        return "date", "date"
    return ("drop", "id") if counts_rows(filled) else ("number", "")


def _kind_of_text(cells: Cells, n_gaps: int, min_frequency: int) -> tuple[str, str]:
    assert cells.codes is not None
    n_rows, n_values = len(cells.codes), len(cells.values)
    if n_values == 1 and not gaps_matter(n_gaps, n_rows):
        return "drop", "constant"
    if not cells.declared and are_dates(cells.values):
        return "date", "date"
    if n_values > (n_rows - n_gaps) / 2:
        return "drop", "text"
    counts = np.bincount(cells.codes[cells.codes >= 0], minlength=n_values)
    return ("category", "") if counts.max() >= min_frequency else ("drop", "rare")


def are_dates(values: tuple[str, ...]) -> bool:
    """Whether a sample of texts are dates in any of the usual forms."""
    return all(_DATES.fullmatch(text) for text in values[:_DATE_SAMPLE])


def counts_rows(filled: NDArray[Any]) -> bool:
    """Whether whole numbers are an id.

    99 % of them are distinct, and they rise or fall throughout or fill their range.
    """
    if len(filled) < _ID_ROWS or filled.dtype.kind == "b":
        return False
    if filled.dtype.kind == "f" and not (filled == np.floor(filled)).all():
        return False
    ordered = np.sort(filled)
    distinct = 1 + np.count_nonzero(ordered[1:] != ordered[:-1])
    if distinct < 0.99 * len(filled):
        return False
    steps = filled[1:] >= filled[:-1], filled[1:] <= filled[:-1]
    span = float(ordered[-1]) - float(ordered[0]) + 1
    return bool(steps[0].all() or steps[1].all() or span <= 1.5 * distinct)
