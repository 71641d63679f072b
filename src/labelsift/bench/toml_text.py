# SPDX-License-Identifier: BSD-3-Clause
"""A table as TOML text that ``tomllib`` reads as the same table."""

import json
import math
import re
from collections.abc import Mapping
from typing import Any

_BARE = re.compile(r"[A-Za-z0-9_-]+")


def toml_text(table: Mapping[str, Any]) -> str:
    """A table of plain values: text, numbers, truth values, lists and tables.

    Parameters
    ----------
    table : mapping
        Names to values; tables of tables become sections.

    Returns
    -------
    str
        TOML; ``tomllib.loads`` gives the table back.
    """
    return "\n".join(_lines(table, ())) + "\n"


def _lines(table: Mapping[str, Any], path: tuple[str, ...]) -> list[str]:
    """Values first, then the sections below this one."""
    sections = {k: v for k, v in table.items() if _is_section(v, path)}
    lines = [f"{_key(k)} = {_value(v)}" for k, v in table.items() if k not in sections]
    for name, part in sections.items():
        place = (*path, name)
        lines += [f"[{'.'.join(map(_key, place))}]", *_lines(part, place)]
    return lines


def _is_section(value: Any, path: tuple[str, ...]) -> bool:
    """Tables down to [data.NAME]; deeper ones are written in a line."""
    return isinstance(value, Mapping) and len(path) < 2


def _key(name: str) -> str:
    return name if _BARE.fullmatch(name) else _text(name)


def _text(text: str) -> str:
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def _value(value: Any) -> str:
    if isinstance(value, str):
        return _text(value)
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float) and not math.isfinite(value):
        return repr(value)  # inf, -inf and nan are the words of TOML too
    if isinstance(value, int | float):
        return repr(value)
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(_value, value))}]"
    if isinstance(value, Mapping):
        pairs = ", ".join(f"{_key(k)} = {_value(v)}" for k, v in value.items())
        return f"{{ {pairs} }}" if pairs else "{}"
    raise TypeError(f"{value!r} is of type {type(value).__name__}: TOML has no such.")
