# SPDX-License-Identifier: BSD-3-Clause
"""Columns of pandas and polars in one form, by duck typing: neither is imported."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from numbers import Real
from typing import Any

import numpy as np
from numpy.typing import NDArray

# Texts that stand for a missing value, in small letters.
MISSING = frozenset(("", "na", "n/a", "nan", "null", "none", "-", "?", "#n/a"))
# What pandas and polars put where a value is missing.
_MISSING_TYPES = ("NoneType", "NAType", "NaTType")
_CATEGORY_TYPES = ("CategoricalDtype", "Categorical", "Enum")
_TEXT_TYPES = ("StringDtype", "String")


@dataclass(frozen=True, eq=False)
class Cells:
    """The cells of one column: numbers, dates, or text that is coded by its values.

    Parameters
    ----------
    numbers : ndarray or None
        Bool, whole numbers or floats (NaN: missing), or datetime64[us] (NaT: missing);
        None for text.
    codes : ndarray of int or None
        Of each row the position of its text in ``values``, -1 where it is missing.
    values : tuple of str
        The distinct texts as they are written, in the order of their appearance.
    declared : bool
        Whether the library of the frame declares the column a category.
    """

    numbers: NDArray[Any] | None = None
    codes: NDArray[np.int32] | None = None
    values: tuple[str, ...] = ()
    declared: bool = False

    @property
    def is_date(self) -> bool:
        """Whether these are dates."""
        return self.numbers is not None and self.numbers.dtype.kind == "M"

    def parts(self) -> list[bytes | memoryview]:
        """What makes two columns equal, as bytes."""
        if self.numbers is not None:
            content = np.ascontiguousarray(self.numbers).view(np.uint8).data
            return [str(self.numbers.dtype).encode(), content]
        assert self.codes is not None
        text = "\0".join(self.values).encode("utf-8", "surrogatepass")
        return [b"declared" if self.declared else b"text", self.codes.data, text]


def missing_cells(cells: Cells) -> NDArray[np.bool_]:
    """Where cells are missing, also those with a text that says so."""
    if cells.codes is None:
        assert cells.numbers is not None
        numbers = cells.numbers
        return np.isnat(numbers) if cells.is_date else np.isnan(numbers)
    gaps = [value.strip().casefold() in MISSING for value in cells.values]
    return np.array([*gaps, True])[cells.codes]


def is_frame(table: Any) -> bool:
    """Whether this is a DataFrame of pandas or polars."""
    return hasattr(table, "columns") and hasattr(table, "__getitem__")


def is_sparse_frame(table: Any) -> bool:
    """Whether every column is sparse; only the sparse dtype has a fill value."""
    columns = list(getattr(table, "columns", ()))
    return bool(columns) and all(
        hasattr(dtype, "fill_value") for dtype in list(table.dtypes)
    )


def take_rows(frame: Any, rows: Any) -> Any:
    """Some rows of a frame, by position or mask."""
    rows = np.asarray(rows)
    if rows.dtype.kind == "b":
        rows = np.flatnonzero(rows)
    return frame.iloc[rows] if hasattr(frame, "iloc") else frame[rows]


def take_columns(frame: Any, positions: Sequence[int]) -> Any:
    """Some columns of a frame, by position."""
    columns = list(frame.columns)
    return frame[[columns[i] for i in positions]]


def with_names(frame: Any, names: Sequence[str]) -> Any:
    """A frame whose columns are called by other names."""
    if hasattr(frame, "set_axis"):
        return frame.set_axis(list(names), axis=1)
    return frame.rename(dict(zip(frame.columns, names, strict=True)))


def read_cells(series: Any) -> Cells:
    """The cells of a column, whatever library holds it."""
    declared = type(series.dtype).__name__ in _CATEGORY_TYPES
    if declared or type(series.dtype).__name__ in _TEXT_TYPES:
        return _text_cells(series, declared)
    values = _array(series)
    kind = values.dtype.kind
    if kind in "biu" or values.dtype in (np.float32, np.float64):
        return Cells(numbers=values)
    if kind == "f":
        return Cells(numbers=values.astype(np.float64))
    if kind == "M":
        return Cells(numbers=values.astype("datetime64[us]"))
    if kind == "m":
        return Cells(numbers=values / np.timedelta64(1, "s"))
    numbers = _unboxed(values.tolist()) if kind == "O" else None
    return _text_cells(series, False) if numbers is None else Cells(numbers=numbers)


def _text_cells(series: Any, declared: bool) -> Cells:
    """Cells of text, or of dates that a table keeps as objects."""
    codes, distinct = _coded(series)
    missing = [type(v).__name__ in _MISSING_TYPES or v != v for v in distinct]
    kept = [value for value, gone in zip(distinct, missing, strict=True) if not gone]
    dates = None if declared else _as_dates(kept)
    if dates is not None:
        return Cells(numbers=_spread(dates, codes, missing))
    return _as_text(kept, codes, missing, declared)


def _array(series: Any) -> NDArray[Any]:
    """A column as an array; nullable numbers as floats with NaN."""
    dtype = getattr(series, "dtype", None)
    kind = getattr(dtype, "kind", "")
    if kind == "M":  # a time zone makes objects of plain np.asarray
        return np.asarray(series.to_numpy(dtype="datetime64[us]"))
    if isinstance(dtype, np.dtype) or kind not in ("b", "i", "u", "f"):
        values = np.asarray(series)
        return values if values.ndim == 1 else np.array([*map(str, series)], object)
    if series.isna().any():
        return np.asarray(series.to_numpy(dtype=np.float64, na_value=np.nan))
    return np.asarray(series.to_numpy(dtype=getattr(dtype, "numpy_dtype", None)))


def _coded(series: Any) -> tuple[NDArray[np.int32], list[Any]]:
    """Codes and distinct values in the order of their appearance; NaN is a value."""
    try:
        if hasattr(series, "factorize"):  # pandas, by its hash table
            codes, distinct = series.factorize(use_na_sentinel=False)
            return codes.astype(np.int32), list(distinct)
        cells = _listed(series)
        place = {value: i for i, value in enumerate(dict.fromkeys(cells))}
    except TypeError:  # lists and other values that have no hash
        cells = [None if value is None else str(value) for value in _listed(series)]
        place = {value: i for i, value in enumerate(dict.fromkeys(cells))}
    codes = np.fromiter(map(place.__getitem__, cells), np.int32, len(cells))
    return codes, list(place)


def _listed(series: Any) -> list[Any]:
    """Cells as Python's own values."""
    cells = series.to_list() if hasattr(series, "to_list") else series.tolist()
    return list(cells)


def _unboxed(cells: list[Any]) -> NDArray[np.float64] | None:
    """Numbers that a table keeps as objects, since some are missing, as floats."""
    kinds = set(map(type, cells))
    gaps = {kind for kind in kinds if kind.__name__ in _MISSING_TYPES}
    numeric = [issubclass(kind, Real | Decimal) for kind in kinds - gaps]
    if not numeric or not all(numeric):
        return None
    if gaps:
        cells = [np.nan if type(cell) in gaps else cell for cell in cells]
    try:
        return np.array(cells, dtype=np.float64)
    except OverflowError:  # a whole number beyond float64
        return None


def _as_dates(distinct: list[Any]) -> NDArray[Any] | None:
    """Dates that a table keeps as objects."""
    if not distinct or not all(isinstance(value, date) for value in distinct):
        return None
    days = [value.isoformat().partition("+")[0] for value in distinct]
    return np.array(days, dtype="datetime64[us]")


def _spread(
    distinct: NDArray[Any], codes: NDArray[Any], missing: list[bool]
) -> NDArray[Any]:
    """Distinct dates written out for the rows; NaT where they are missing."""
    table = np.full(len(missing), np.datetime64("NaT"), dtype=distinct.dtype)
    table[~np.array(missing)] = distinct
    return table[codes]


def _as_text(
    distinct: list[Any], codes: NDArray[Any], missing: list[bool], declared: bool
) -> Cells:
    """Values as text; those that are written alike become one."""
    texts = [cell_text(value) for value in distinct]
    place = {text: i for i, text in enumerate(dict.fromkeys(texts))}
    table = np.full(len(missing) + 1, -1, dtype=np.int32)
    table[np.flatnonzero(~np.array(missing, dtype=bool))] = [place[t] for t in texts]
    return Cells(codes=table[codes], values=tuple(place), declared=declared)


def cell_text(value: Any) -> str:
    """A cell as text; 1 and 1.0 are written alike."""
    if isinstance(value, bool | np.bool_) or not isinstance(value, Real):
        return str(value)
    try:
        return repr(float(value)).removesuffix(".0")
    except OverflowError:
        return str(value)
