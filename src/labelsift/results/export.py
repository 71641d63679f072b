# SPDX-License-Identifier: BSD-3-Clause
"""Tidy rows to files and back: CSV without any extra, Parquet with pandas."""

import csv
import math
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from labelsift.core.optional import import_extra

# Columns of tidy rows that hold numbers.
NUMBERS: dict[str, type] = {
    "budget": int,
    "share": float,
    "n_train": int,
    "split": int,
    "value": float,
}


def write_rows(
    rows: Iterable[Mapping[str, Any]], columns: Sequence[str], path: str | Path
) -> None:
    """Write tidy rows.

    Parameters
    ----------
    rows : iterable of mapping
        The rows.
    columns : sequence of str
        Their names, in order.
    path : str or Path
        Ends in ``.csv`` or ``.parquet``.
    """
    path = Path(path)
    if path.suffix == ".parquet":
        pandas = import_extra("pandas", "Writing Parquet")
        pandas.DataFrame(list(rows), columns=list(columns)).to_parquet(path)
        return
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, columns, lineterminator="\n")
        writer.writeheader()
        for row in rows:
            writer.writerow({name: _text(row[name]) for name in columns})


def _text(value: Any) -> Any:
    """All digits, so that what is made from the file is what was made before."""
    return "" if isinstance(value, float) and math.isnan(value) else value


def read_rows(path: str | Path) -> list[dict[str, Any]]:
    """Read tidy rows that ``write_rows`` wrote as CSV.

    Parameters
    ----------
    path : str or Path
        The file.

    Returns
    -------
    list of dict
        With numbers as numbers; an empty value is NaN.
    """
    with Path(path).open(newline="", encoding="utf-8") as file:
        return [
            {name: _number(name, text) for name, text in row.items()}
            for row in csv.DictReader(file)
        ]


def _number(name: str, text: str) -> Any:
    kind = NUMBERS.get(name)
    if kind is None:
        return text
    return kind(text) if text else math.nan
