# SPDX-License-Identifier: BSD-3-Clause
"""Untrusted text (names in files), cleaned for printing and for HTML pages."""

import unicodedata
from typing import Any

# Control characters, lone surrogates, line breaks; overrides of the text direction.
_UNSEEN = ("Cc", "Cs", "Zl", "Zp")
_OVERRIDES = "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"


def clean(text: Any) -> str:
    """Text on one line, with characters that cannot be shown written as escapes.

    Names from files can neither control a terminal nor change the text direction.
    """
    whole = str(text)
    if whole.isprintable():
        return whole
    return "".join(
        repr(c)[1:-1] if unicodedata.category(c) in _UNSEEN or c in _OVERRIDES else c
        for c in whole
    )


def short(text: Any, width: int) -> str:
    """Clean text with its middle left out if it is longer than ``width``."""
    whole = clean(text)
    if len(whole) <= width:
        return whole
    head = (width - 1) * 2 // 3
    return f"{whole[:head]}…{whole[len(whole) - (width - 1 - head) :]}"
