# SPDX-License-Identifier: BSD-3-Clause
"""Columns of a table that hold the values to predict."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from labelsift.core.cells import MISSING, Cells
from labelsift.datasets.problems import TableError
from labelsift.datasets.textfile import shown


def check_target(target: str | None) -> None:
    """Refuse what is neither labels nor values."""
    if target not in (None, "labels", "values"):
        raise ValueError(f"target={target!r} is not known: use labels or values.")


def read_values(
    columns: Sequence[tuple[str, Cells, str]], when_missing: str | None, where: str
) -> tuple[tuple[str, ...], NDArray[np.float64], NDArray[np.bool_], list[str]]:
    """All columns of values: names, Y, rows to leave out, and nothing to announce.

    Every column that cannot be read is told, not the first one only.
    """
    read, problems = [], []
    for name, cells, form in columns:
        try:
            read.append(_numbers(name, cells, form))
        except ValueError as error:
            problems.append(f"{where}: {error}")
    if problems:
        raise TableError(problems)
    Y = np.column_stack(read)
    gaps = np.isnan(Y)
    if gaps.any() and when_missing not in ("drop", "unknown"):
        row, column = np.argwhere(gaps)[0]
        raise ValueError(
            f"{where}: target {shown(columns[column][0])} is blank in row {row + 1}: "
            "say --label-missing drop (leave such rows out) or unknown (learn from the "
            "others)."
        )
    gone = np.asarray(gaps.any(axis=1) & (when_missing == "drop"))
    return tuple(name for name, *_ in columns), Y, gone, []


def _numbers(name: str, cells: Cells, form: str) -> NDArray[np.float64]:
    """The numbers of one column; NaN where it is blank."""
    if form:
        raise ValueError(f"target {shown(name)} holds values: leave :{form} out.")
    if cells.is_date:
        raise ValueError(f"target {shown(name)} holds dates: these are no values.")
    if cells.codes is None:
        assert cells.numbers is not None
        values = np.asarray(cells.numbers, dtype=np.float64)
    else:
        distinct = [_number(name, text) for text in cells.values]
        values = np.array([*distinct, np.nan])[cells.codes]  # the code of a gap is -1
    if np.isinf(values).any():
        row = int(np.flatnonzero(np.isinf(values))[0])
        raise ValueError(f"target {shown(name)} is infinite in row {row + 1}.")
    return values


def _number(name: str, text: str) -> float:
    if text.strip().casefold() in MISSING:
        return np.nan
    try:
        return float(text)
    except ValueError:
        raise ValueError(
            f"target {shown(name)} holds {shown(text)}, which is no number: name it as "
            "a label (--labels), or leave it out."
        ) from None
