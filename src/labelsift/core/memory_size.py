# SPDX-License-Identifier: BSD-3-Clause
"""Sizes of memory as people write them."""

import re

# What a reader may take where nobody says otherwise.
DEFAULT = 2 * 2**30

_UNITS = {"": 1, "k": 2**10, "m": 2**20, "g": 2**30, "t": 2**40}
_SIZE = re.compile(r"(\d{1,15}(?:\.\d{1,9})?) ?([kmgt]?)(?:i?b)?", re.IGNORECASE)

Size = int | str | None


def read_size(memory: Size) -> int:
    """Bytes of a size as 4000000000, "500M" or "8 GB"; None: the default."""
    if memory is None:
        return DEFAULT
    parts = _SIZE.fullmatch(str(memory).strip())
    size = int(float(parts[1]) * _UNITS[parts[2].lower()]) if parts else 0
    if size < 1:
        raise ValueError(f"memory={memory!r} is no size: write 500M or 8G.")
    return size


def size_text(count: float) -> str:
    """A number of bytes for people, rounded up: 3.9G."""
    unit = next((unit for unit in "tgmk" if count >= _UNITS[unit]), "")
    tenths = -(-10 * count // _UNITS[unit])
    return f"{tenths / 10:g}{unit.upper()}"
