# SPDX-License-Identifier: BSD-3-Clause
"""Text of strangers (names in files) on its way to a screen, a page or a file name."""

import re
import unicodedata
from typing import Any

# Control characters, lone surrogates, line breaks; overrides of the text direction.
_UNSEEN = ("Cc", "Cs", "Zl", "Zp")
_OVERRIDES = "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"

_PLAIN_NAME = re.compile(r"\w(?:[\w .+-]{0,98}[\w+-])?")
# Names of devices in Windows, whatever suffix follows.
_DEVICES = re.compile(r"(?:con|prn|aux|nul|com\d|lpt\d)(?:\..*)?", re.IGNORECASE)


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


def safe_name(name: Any, what: str) -> str:
    """A stranger's name that is safe as the name of a file or folder in any place.

    No path, no hidden file, no control character, no device: a file of that name stays
    in the folder that it is written to.
    """
    text = str(name)
    if not _PLAIN_NAME.fullmatch(text) or _DEVICES.fullmatch(text):
        raise ValueError(
            f"{what} {short(repr(name), 60)} cannot name a file: use up to 100 "
            "letters, digits, spaces and . _ + -, and no name of a device."
        )
    return text
