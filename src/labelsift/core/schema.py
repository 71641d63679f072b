# SPDX-License-Identifier: BSD-3-Clause
"""Checks of tables from strangers' files (TOML, JSON), composed of small parts.

A check is a function of a value and of the place where it stands; it raises ValueError
in one sentence that names the place.
"""

from collections.abc import Callable, Mapping
from typing import Any

from labelsift.core.text import short

Check = Callable[[Any, str], None]

_LARGEST_FLOAT = 1.7976931348623157e308


def wrong(where: str, wanted: str, value: Any) -> ValueError:
    """The error for a value that is not what is wanted."""
    return ValueError(f"{where} must be {wanted}, got {short(repr(value), 60)}.")


def text(value: Any, where: str) -> None:
    """Text."""
    if not isinstance(value, str):
        raise wrong(where, "text", value)


def flag(value: Any, where: str) -> None:
    """True or false."""
    if not isinstance(value, bool):
        raise wrong(where, "true or false", value)


def number(value: Any, where: str) -> None:
    """A finite number that fits in 64 bits."""
    if not is_number(value):
        raise wrong(where, "a finite number", value)


def is_number(value: Any) -> bool:
    """Whether a value is a number that a float can hold; no bool, no NaN."""
    return (
        isinstance(value, int | float)
        and not isinstance(value, bool)
        and -_LARGEST_FLOAT <= value <= _LARGEST_FLOAT
    )


def scalar(value: Any, where: str) -> None:
    """Text, a finite number, true or false."""
    if not isinstance(value, str | bool) and not is_number(value):
        raise wrong(where, "text, a finite number, true or false", value)


def whole(low: int, high: int) -> Check:
    """A whole number between two others."""

    def check(value: Any, where: str) -> None:
        if type(value) is not int or not low <= value <= high:
            raise wrong(where, f"a whole number from {low} to {high}", value)

    return check


def listed(item: Check, least: int = 0) -> Check:
    """A list of so many items or more."""

    def check(value: Any, where: str) -> None:
        if not isinstance(value, list) or len(value) < least:
            wanted = "a list" if not least else f"a list of at least {least}"
            raise wrong(where, wanted, value)
        for position, part in enumerate(value, start=1):
            item(part, f"{where}, item {position}")

    return check


def named(item: Check, least: int = 0) -> Check:
    """A table of items under any names, so many or more."""

    def check(value: Any, where: str) -> None:
        if not isinstance(value, Mapping) or len(value) < least:
            wanted = "a table" if not least else f"a table of at least {least}"
            raise wrong(where, wanted, value)
        for name, part in value.items():
            item(part, f"{where} {short(name, 40)}")

    return check


def table(
    required: Mapping[str, Check], optional: Mapping[str, Check], others: bool = False
) -> Check:
    """A table with these entries and, unless allowed, no others."""

    def check(value: Any, where: str) -> None:
        if not isinstance(value, Mapping):
            raise wrong(where, "a table", value)
        for name in required:
            if name not in value:
                raise ValueError(f"{where} has no entry {name!r}: add it.")
        known = {**required, **optional}
        for name, part in value.items():
            if name not in known and not others:
                raise ValueError(
                    f"{where} has an unknown entry {short(repr(name), 60)}: choose "
                    f"from {', '.join(known)}."
                )
            if name in known:
                known[name](part, f"{where}, {name}")

    return check
