# SPDX-License-Identifier: BSD-3-Clause
"""The header of an ARFF file: relation, attributes, quoting."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from labelsift.datasets.textfile import LineReader, shown

# Possessive (*+): a quoted text is scanned once, however it ends.
QUOTED = r"""'(?:[^'\\]++|\\.)*+'|"(?:[^"\\]++|\\.)*+\""""
_NAME = re.compile(rf"({QUOTED}|[^\s{{}},'\"%][^\s{{}},]*+)\s*")
_CELL = re.compile(rf"\s*(?:({QUOTED})\s*|([^,]*))(,|\Z)")
_ESCAPE = re.compile(r"\\(u[0-9a-fA-F]{4}|.)", re.DOTALL)
_CONTROL = {"n": "\n", "r": "\r", "t": "\t"}

# What an attribute and a category take at the most, until the rows are read.
_ATTRIBUTE_BYTES, _CATEGORY_BYTES = 1024, 256

Kind = Literal["number", "nominal", "string", "date"]
_KINDS: dict[str, Kind] = {
    "numeric": "number",
    "real": "number",
    "integer": "number",
    "string": "string",
    "date": "date",
}


@dataclass(frozen=True, slots=True)
class Attribute:
    """A declared column."""

    name: str  # unquoted
    kind: Kind
    categories: tuple[str, ...]  # of a nominal attribute, as declared
    line: int  # where it is declared


@dataclass(frozen=True)
class Header:
    """The part before ``@data``."""

    relation: str
    attributes: list[Attribute]


def unquoted(text: str) -> str:
    """Text without its quotes and escapes; text without quotes is unchanged."""
    if len(text) < 2 or text[0] not in "'\"" or text[-1] != text[0]:
        return text
    return _ESCAPE.sub(_escaped, text[1:-1])


def _escaped(match: re.Match[str]) -> str:
    code = match[1]
    return chr(int(code[1:], 16)) if len(code) == 5 else _CONTROL.get(code, code)


def quoted(text: str) -> str:
    """Text in quotes, so that ``unquoted`` restores it."""
    text = text.replace("\\", "\\\\").replace("'", "\\'")
    for letter, character in _CONTROL.items():
        text = text.replace(character, f"\\{letter}")
    return f"'{text}'"


def split_cells(text: str) -> Iterator[str]:
    """The cells of a comma-separated text, stripped and unquoted."""
    start = 0
    while match := _CELL.match(text, start):
        yield match[2].strip() if match[1] is None else unquoted(match[1])
        if not match[3]:
            return
        start = match.end()


def read_header(lines: LineReader, rows: Iterator[str]) -> Header:
    """Read up to and including ``@data``; later rows are left to the caller."""
    relation = ""
    declared = _Declared(lines)
    for line in rows:
        if not line or line.startswith("%"):
            continue
        keyword, *rest = line.split(None, 1)
        text = rest[0] if rest else ""
        match keyword.lower():
            case "@relation":
                relation = unquoted(text)
            case "@attribute":
                declared.add(text)
            case "@data":
                return _checked(lines, Header(relation, declared.attributes))
            case _:
                raise lines.error(
                    f"{shown(line)} is not @relation, @attribute, @data or a % comment"
                )
    raise ValueError(
        f"{lines.path} ends at line {lines.number} without @data: it is not an ARFF "
        "file or is truncated."
    )


class _Declared:
    """The attributes so far."""

    def __init__(self, lines: LineReader) -> None:
        self.attributes: list[Attribute] = []
        self._lines = lines
        self._names: set[str] = set()
        # Files declare thousands of attributes of one nominal type: share these.
        self._types: dict[str, tuple[str, ...]] = {}
        self._held = 0

    def add(self, text: str) -> None:
        """Read the rest of an ``@attribute`` line."""
        n_types = len(self._types)
        attribute = _attribute(self._lines, text, self._types)
        if attribute.name in self._names:
            raise self._lines.error(
                f"there are two attributes called {shown(attribute.name)}: rename one"
            )
        self._names.add(attribute.name)
        self.attributes.append(attribute)
        self._held += _ATTRIBUTE_BYTES
        if len(self._types) > n_types:
            self._held += _CATEGORY_BYTES * len(attribute.categories)
        self._lines.check_memory(self._held, "its attributes")


def _checked(lines: LineReader, header: Header) -> Header:
    if not header.attributes:
        raise lines.error("@data comes before any @attribute")
    return header


def _attribute(
    lines: LineReader, text: str, types: dict[str, tuple[str, ...]]
) -> Attribute:
    match = _NAME.match(text)
    if not match:
        raise lines.error("@attribute has no name, or its quotes do not close")
    name, kind = unquoted(match[1]), text[match.end() :]
    if kind.startswith("{"):
        if kind not in types:
            types[kind] = _categories(lines, name, kind)
        return Attribute(name, "nominal", types[kind], lines.number)
    word = re.split(r"[\s\[]", kind.lower(), maxsplit=1)[0]
    if word not in _KINDS:
        raise lines.error(
            f"attribute {shown(name)} has the type {shown(kind)}: only numeric, real, "
            "integer, string, date and {nominal} attributes are read"
        )
    return Attribute(name, _KINDS[word], (), lines.number)


def _categories(lines: LineReader, name: str, text: str) -> tuple[str, ...]:
    if not text.endswith("}"):
        raise lines.error(
            f"the categories of attribute {shown(name)} have no closing brace"
        )
    categories = tuple(split_cells(text[1:-1]))
    if categories == ("",):
        raise lines.error(f"attribute {shown(name)} has no categories")
    if len(set(categories)) < len(categories):
        raise lines.error(f"attribute {shown(name)} names a category twice")
    return categories
