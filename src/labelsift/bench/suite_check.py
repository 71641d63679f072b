# SPDX-License-Identifier: BSD-3-Clause
"""The check of a suite's file: each mistake with file, table and remedy."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NoReturn

from labelsift.bench.published import PAPERS
from labelsift.bench.suite_schema import REQUIRED, SUITE, Schema
from labelsift.core.budget import expand_budgets
from labelsift.core.text import short
from labelsift.experiment.catalogue import CONTROLS, READOUTS
from labelsift.experiment.inputs import FILE
from labelsift.metrics.catalogue import BUILT_IN

_TYPES: dict[str, tuple[type, ...]] = {
    "string": (str,),
    "integer": (int,),
    "boolean": (bool,),
    "array": (list, tuple),
    "object": (dict,),
}
_REMEDIES = {
    "string": "text in quotes",
    "integer": "a whole number",
    "boolean": "true or false",
    "array": "a list in [ ]",
    "object": "a table",
}


def check_file(file: str, table: Mapping[str, Any]) -> None:
    """Raise for what may not stand in one file, whatever it extends.

    Parameters
    ----------
    file : str
        What the file is called in messages.
    table : mapping
        Its content.
    """
    _check(table, SUITE, _Place(file))


def check_suite(file: str, table: Mapping[str, Any]) -> None:
    """Raise for what a suite lacks, and for names that it does not have.

    Parameters
    ----------
    file : str
        What the file is called in messages.
    table : mapping
        The suite, merged with the one that it extends.
    """
    _check_complete(file, table)
    for where, entry, name, known in _references(table):
        if name not in known:
            place = _Place(file, where, entry)
            place.refuse(f"{entry} has {_shown(name)}: choose from {', '.join(known)}")


def _check_complete(file: str, table: Mapping[str, Any]) -> None:
    """Raise for what a suite lacks."""
    for name in REQUIRED:
        if name not in table:
            raise ValueError(f"{file} has no entry {name!r}: add it.")
    for name in ("data", "methods"):
        if not table[name]:
            raise ValueError(f"{file} has no [{name}.NAME]: add at least one.")
    if "kind" not in table["protocol"]:
        _Place(file, "protocol").refuse("the entry 'kind' is missing: add it")
    for kind in ("readout_classes", "measure_classes"):
        for name, part in table.get(kind, {}).items():
            if "class" not in part:
                place = _Place(file, f"{kind}.{name}")
                place.refuse("the entry 'class' is missing: add it")
    _check_split_files(file, table)
    if table.get("table") and table.get("paper") not in PAPERS:
        raise ValueError(
            f"{file}: table is {table['table']!r}, but paper is "
            f"{table.get('paper', '')!r}: name one of {', '.join(PAPERS)}, or leave "
            "table out."
        )


def _check_split_files(file: str, table: Mapping[str, Any]) -> None:
    """Every data set has a file of splits, or none has."""
    kind = table["protocol"]["kind"]
    if kind == FILE and "splits" not in table["protocol"]:
        place = _Place(file, "protocol")
        place.refuse("the entry 'splits' is missing: say how many the files have")
    for name, part in table["data"].items():
        place = _Place(file, f"data.{name}")
        if kind == FILE and "splits" not in part:
            place.refuse("the entry 'splits' is missing: name the file of its splits")
        if kind != FILE and "splits" in part:
            place.refuse(
                f"splits has no effect, as the kind of the protocol is {_shown(kind)}: "
                f"write kind = {FILE!r} there, or take splits out"
            )


def _references(table: Mapping[str, Any]) -> Iterator[tuple[str, str, str, list[str]]]:
    """Table, entry and value of each name that must be elsewhere in the suite."""
    left_out = table.get("no_controls", [])
    controls = [name for name in CONTROLS if name not in left_out]
    methods = list(dict.fromkeys([*table["methods"], *controls]))
    readouts = ["self", *READOUTS, *table.get("readout_classes", {})]
    measures = [*BUILT_IN, *table.get("measure_classes", {})]
    for where, entry, name in _measures(table):
        yield where, entry, name, measures
    for name, part in table["data"].items():
        for entry in ("params", "grids", "quick_grids"):
            for method in part.get(entry, {}):
                yield f"data.{name}", entry, method, methods
    for where, part in _with_readouts(table):
        for readout in part.get("readouts", []):
            yield where, "readouts", readout, readouts
    for claim in table.get("claims", []):
        for entry in ("better", "worse"):
            yield "claims", entry, claim[entry], methods
        if "readout" in claim:
            yield "claims", "readout", claim["readout"], readouts


def _measures(table: Mapping[str, Any]) -> Iterator[tuple[str, str, str]]:
    """Table, entry and name of each measure."""
    for name in table["measures"]:
        yield "", "measures", name
    if "measure" in table.get("tuning", {}):
        yield "tuning", "measure", table["tuning"]["measure"]
    for claim in table.get("claims", []):
        yield "claims", "measure", claim["measure"]


def _with_readouts(table: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    yield "", table
    yield "quick", table.get("quick", {})
    for name, part in table["methods"].items():
        yield f"methods.{name}", part


@dataclass(frozen=True)
class _Place:
    """Where a value stands: file, table and entry."""

    file: str
    table: str = ""
    entry: str = ""

    def at(self, entry: str) -> "_Place":
        """An entry of this table, or of the table that this entry is."""
        below = ".".join(filter(None, (self.table, self.entry)))
        return _Place(self.file, below, entry)

    def refuse(self, problem: str) -> NoReturn:
        where = f"{self.file}, [{self.table}]" if self.table else self.file
        raise ValueError(f"{where}: {problem.removesuffix('.')}.")


def _check(value: Any, schema: Schema, place: _Place) -> None:
    """Check a value, and what it consists of, by its schema."""
    if "anyOf" in schema:  # a known name, or other text
        known, others = schema["anyOf"]
        known = value in known["enum"]
        schema = {"type": "string"} if known else schema | others
    _check_type(value, schema, place)
    if isinstance(value, dict):
        _check_table(value, schema, place)
    elif isinstance(value, list | tuple):
        if len(value) < schema.get("minItems", 0):
            place.refuse(f"{place.entry} is empty: name at least one")
        for item in value:
            _check(item, schema.get("items", {}), place)
    else:
        _check_value(value, schema, place)


def _check_type(value: Any, schema: Schema, place: _Place) -> None:
    names = schema.get("type", [])
    names = [names] if isinstance(names, str) else names
    if not names or any(_is_a(value, name) for name in names):
        return
    wanted = " or ".join(_REMEDIES[name] for name in names)
    place.refuse(f"{place.entry} is {_shown(value)}: write {wanted}")


def _is_a(value: Any, name: str) -> bool:
    if isinstance(value, bool):
        return name == "boolean"
    return isinstance(value, _TYPES[name])


def _shown(value: Any) -> str:
    return short(repr(value), 60)


def _check_table(value: dict[str, Any], schema: Schema, place: _Place) -> None:
    known = schema.get("properties", {})
    others = schema.get("additionalProperties", {})
    for name in schema.get("required", []):
        if name not in value:
            place.at("").refuse(f"the entry {name!r} is missing: add it")
    for name, part in value.items():
        if name not in known and others is False:
            names = ", ".join(known)
            problem = f"there is no entry {_shown(name)}: choose from {names}"
            place.at("").refuse(problem)
        _check(part, known.get(name, others), place.at(short(name, 60)))


def _check_range(value: Any, schema: Schema, place: _Place) -> None:
    has = f"{place.entry} has {_shown(value)}"
    if value < schema.get("minimum", value):
        place.refuse(f"{has}: write a number of at least {schema['minimum']}")
    if value > schema.get("maximum", value):
        place.refuse(f"{has}: write a number of at most {schema['maximum']}")


def _check_value(value: Any, schema: Schema, place: _Place) -> None:
    has = f"{place.entry} has {_shown(value)}"
    if value not in schema.get("enum", [value]):
        place.refuse(f"{has}: choose from {', '.join(map(str, schema['enum']))}")
    _check_range(value, schema, place)
    if "pattern" in schema and not re.search(schema["pattern"], value):
        place.refuse(f"{has}: write {schema['description']}")
    if schema.get("format") == "budget":
        try:
            expand_budgets([value])
        except ValueError as error:
            place.refuse(f"{place.entry}: {error}")
