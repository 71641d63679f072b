# SPDX-License-Identifier: BSD-3-Clause
"""A preparation from a stranger's file: checked before anything is built of it."""

import sys
from collections.abc import Callable
from typing import Any

from labelsift.prepare.kinds import KINDS, WHY

# Values of all columns together.
MOST_VALUES = 1_000_000


def checked_document(document: Any) -> dict[str, Any]:
    """The fields of a document, or a ValueError that says which one is wrong."""
    if not isinstance(document, dict):
        raise ValueError("The preparation is not an object: save the selection again.")
    missing: Any = document.get("missing")
    columns: Any = document.get("columns")
    if not _are_texts(missing) or not isinstance(columns, list) or not columns:
        raise ValueError(
            "The preparation lacks 'missing' or 'columns': save the selection again."
        )
    if _count(missing, columns) > MOST_VALUES:
        raise ValueError(
            f"The preparation holds more than {MOST_VALUES} values: it is not used."
        )
    names = set()
    for place, column in enumerate(columns):
        if not _is_column(column) or column["name"] in names:
            raise ValueError(
                f"Column {place + 1} of the preparation is damaged or named twice: "
                "save the selection again."
            )
        names.add(column["name"])
    return {"missing": missing, "columns": [dict(column) for column in columns]}


def _count(missing: list[Any], columns: list[Any]) -> int:
    """How many values a document holds."""
    values = [c.get("values") for c in columns if isinstance(c, dict)]
    listed = sum(len(v) for v in values if isinstance(v, list))
    return len(missing) + len(columns) + listed


def _is_column(column: Any) -> bool:
    if not isinstance(column, dict) or not isinstance(column.get("name"), str):
        return False
    kind = column.get("kind")
    fields = _FIELDS.get(kind) if isinstance(kind, str) else None
    if fields is None or not set(column) <= {"name", "kind", *fields, *_GAPS}:
        return False
    right = all(field in column and check(column) for field, check in fields.items())
    return right and _has_gaps_or_none(column)


def _is_number(value: Any) -> bool:
    return type(value) in (int, float) and abs(value) <= sys.float_info.max


def _is_scale(value: Any) -> bool:
    """Positive and of normal size: nothing overflows by dividing by it."""
    return _is_number(value) and value >= sys.float_info.min


def _are_texts(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(text, str) for text in value)


def _has_bounds(column: dict[str, Any]) -> bool:
    """Both bounds in their order, or none."""
    low, high = column.get("low"), column.get("high")
    if low is None or high is None:
        return low is None and high is None
    return _is_number(low) and _is_number(high) and low <= high


def _has_gaps_or_none(column: dict[str, Any]) -> bool:
    present = [field in column for field in _GAPS]
    if not any(present):
        return True
    right = column["kind"] in ("number", "date") and all(present)
    return right and _is_number(column["gap_mean"]) and _is_scale(column["gap_scale"])


def _has_values(column: dict[str, Any]) -> bool:
    """Distinct values, with as many means and scales."""
    fields: list[Any] = [column.get(key) for key in ("values", "mean", "scale")]
    values, mean, scale = fields
    return (
        _are_texts(values)
        and isinstance(mean, list)
        and isinstance(scale, list)
        and len(set(values)) == len(values) == len(mean) == len(scale)
        and all(map(_is_number, mean))
        and all(map(_is_scale, scale))
    )


_GAPS = ("gap_mean", "gap_scale")
_Check = Callable[[dict[str, Any]], bool]
_NUMBER: dict[str, _Check] = {
    "fill": lambda column: _is_number(column["fill"]),
    "low": _has_bounds,
    "high": _has_bounds,
    "mean": lambda column: _is_number(column["mean"]),
    "scale": lambda column: _is_scale(column["scale"]),
}
_FIELDS: dict[str, dict[str, _Check]] = dict(
    zip(
        KINDS,
        (
            _NUMBER,
            dict.fromkeys(("values", "mean", "scale"), _has_values),
            _NUMBER,
            {"why": lambda column: column["why"] in list(WHY)},
        ),
        strict=True,
    )
)
