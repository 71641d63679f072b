# SPDX-License-Identifier: BSD-3-Clause
"""Text of strangers on its way to a page: names that are shown and never obeyed."""

import html
import json
import math
import unicodedata
from typing import Any

# Control characters, lone surrogates; overrides of the direction of writing.
_UNSEEN = ("Cc", "Cs")
_OVERRIDES = "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"


def clean(text: Any) -> str:
    """Text with characters that cannot be shown written out as escapes.

    Parameters
    ----------
    text : object
        A name; anything else is turned into a string.

    Returns
    -------
    str
        Encodes as UTF-8, on one line.
    """
    whole = str(text)
    if whole.isprintable():
        return whole
    return "".join(
        repr(c)[1:-1] if unicodedata.category(c) in _UNSEEN or c in _OVERRIDES else c
        for c in whole
    )


def short(text: Any, width: int) -> str:
    """Clean text with its middle left out where it is longer than ``width``."""
    whole = clean(text)
    if len(whole) <= width:
        return whole
    head = (width - 1) * 2 // 3
    return f"{whole[:head]}…{whole[len(whole) - (width - 1 - head) :]}"


def figure_text(text: Any, width: int = 24) -> str:
    """Short text for a figure: plotly obeys some tags and TeX, so they are escaped."""
    return html.escape(short(text, width), quote=False).replace("$", "&#36;")


def embedded(value: Any) -> str:
    """JSON of clean text that may stand inside a script element; NaN becomes null."""
    text = json.dumps(
        _finite(value), allow_nan=False, ensure_ascii=False, separators=(",", ":")
    )
    for character in "<>&":
        text = text.replace(character, f"\\u{ord(character):04x}")
    return text


def _finite(value: Any) -> Any:
    if isinstance(value, dict):
        return {str(key): _finite(part) for key, part in value.items()}
    if isinstance(value, list | tuple):
        return [_finite(part) for part in value]
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value


def number(value: float | None, digits: int = 3) -> str:
    """A number for a table; a dash where there is none."""
    if value is None or not math.isfinite(value):
        return "–"
    return f"{value:.{digits}f}"


def brief(value: float | None) -> str:
    """A number of any size in three digits."""
    if value is None or not math.isfinite(value):
        return "–"
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.3g}"
