# SPDX-License-Identifier: BSD-3-Clause
"""Suites as TOML files: their allowed entries, and reading them."""

import tomllib
from collections.abc import Collection, Iterator, Mapping
from dataclasses import fields, replace
from importlib.resources import files
from pathlib import Path
from typing import Any

from labelsift.bench.suite import DataPart, MethodPart, Suite
from labelsift.core.budget import expand_budgets
from labelsift.core.text import safe_name
from labelsift.experiment.catalogue import CATALOGUE, CONTROLS, code_of
from labelsift.experiment.task import MethodSpec, Protocol, Tuning

EFFORTS = ("quick", "full")
# Features that a control chooses in a suite whose methods choose none.
CONTROL_BUDGETS = ("10%",)
CONTROL_GRIDS: dict[str, dict[str, Any]] = {
    "ridge": {"alpha": [0.01, 0.1, 1.0, 10.0, 100.0]},
    "rfs": {"gamma": [1.0, 10.0]},
}
REQUIRED = ("title", "paper", "protocol", "data", "methods", "measures")
# What an effort may replace.
VARIED = (
    "budgets", "folds", "notes", "quick_notes", "readouts", "splits", "thresholds",
    "train_sizes",
)  # fmt: skip
SUITE = (
    *REQUIRED, *VARIED, "claims", "cut", "no_controls", "quick", "scale", "suite",
    "table", "tuning",
)  # fmt: skip
DATA = ("budgets", "extra", "grids", "params", "prepare", "quick_grids", "scale")
METHOD = (
    "budgets", "entry", "grid", "params", "quick_grid", "readouts", "scale", "sweep",
)  # fmt: skip
CLAIM = ("better", "budget", "measure", "readout", "says", "worse")


def list_suites() -> list[str]:
    """Names of the suites that come with labelsift."""
    folder = files("labelsift.bench") / "suites"
    return sorted(
        item.name.removesuffix(".toml")
        for item in folder.iterdir()
        if item.name.endswith(".toml")
    )


def read_suite(name: str, effort: str = "quick") -> Suite:
    """Read a suite.

    Parameters
    ----------
    name : str
        A name in ``list_suites()``, or a path that ends in ``.toml``.
    effort : {"quick", "full"}, default="quick"
        Quick runs are reduced; full is the paper's own protocol.

    Returns
    -------
    Suite
        Checked: every method, measure and step is known.
    """
    if effort not in EFFORTS:
        raise ValueError(f"effort={effort!r} is not known: use 'quick' or 'full'.")
    table = _table(name)
    suite = safe_name(table.pop("suite", Path(name).stem), "The suite")
    check_entries(suite, table)
    if effort == "quick":
        table |= table.get("quick", {})
    return _suite(suite, effort, table)


def _table(name: str) -> dict[str, Any]:
    """The TOML table of a suite, merged into the one that it extends."""
    if name.endswith(".toml"):
        path = Path(name)
        if not path.is_file():
            raise ValueError(f"There is no suite file {name}.")
        text = path.read_text(encoding="utf-8")
    elif name in list_suites():
        text = (files("labelsift.bench") / "suites" / f"{name}.toml").read_text("utf-8")
    else:
        raise ValueError(
            f"There is no suite {name!r}: choose from {', '.join(list_suites())}."
        )
    table = tomllib.loads(text)
    base = table.pop("extends", None)
    return table if base is None else _table(base) | table


def check_entries(suite: str, table: Mapping[str, Any]) -> None:
    """Raise for entries of a TOML table that are missing or not known."""
    where = f"Suite {suite}"
    for name in REQUIRED:
        if name not in table:
            raise ValueError(f"{where} has no entry {name!r}: add it.")
    _known(where, table, SUITE)
    _known(f"{where}, quick", table.get("quick", {}), VARIED)
    protocol = [*_fields(Protocol), "train_sizes"]
    _known(f"{where}, protocol", table["protocol"], protocol)
    _known(f"{where}, tuning", table.get("tuning", {}), _fields(Tuning))
    for name, part in table["data"].items():
        _known(f"{where}, data {name}", part, DATA)
    for name, part in table["methods"].items():
        _known(f"{where}, method {name}", part, METHOD)
    for claim in table.get("claims", []):
        _known(f"{where}, claims", claim, CLAIM)


def _fields(part: Any) -> list[str]:
    return [field.name for field in fields(part)]


def _known(where: str, given: Mapping[str, Any], allowed: Collection[str]) -> None:
    for name in given:
        if name not in allowed:
            raise ValueError(
                f"{where} has an unknown entry {name!r}: choose from "
                f"{', '.join(allowed)}."
            )


def _suite(name: str, effort: str, table: dict[str, Any]) -> Suite:
    readouts = tuple(table.get("readouts", ["self"]))
    thresholds = tuple(table.get("thresholds", ["zero"]))
    scale = table.get("scale", "none")
    return Suite(
        name=name,
        title=table["title"],
        paper=table["paper"],
        table=table.get("table", ""),
        effort=effort,
        splits=table.get("splits", table["protocol"].get("splits", 1)),
        protocols=tuple(_protocols(table)),
        data=tuple(
            _data(key, part, scale, effort) for key, part in table["data"].items()
        ),
        methods=(*_methods(table, effort), *_controls(table, readouts, effort)),
        budgets=expand_budgets(table.get("budgets", [])),
        readouts=readouts,
        thresholds=thresholds,
        measures=tuple(table["measures"]),
        tuning=_tuning(table),
        cut=table.get("cut", thresholds[0]),
        claims=tuple(table.get("claims", [])),
        notes=(*table.get("notes", []), *table.get("quick_notes", [])),
    )


def _protocols(table: dict[str, Any]) -> list[Protocol]:
    own = dict(table["protocol"])
    sizes = table.get("train_sizes", own.pop("train_sizes", None))
    protocol = Protocol(**own)
    if sizes is None:
        return [protocol]
    return [replace(protocol, train_size=size) for size in sizes]


def _tuning(table: dict[str, Any]) -> Tuning:
    own = dict(table.get("tuning", {}))
    if "folds" in table:
        own["folds"] = table["folds"]
    if "budgets" in own:
        own["budgets"] = tuple(own["budgets"])
    return Tuning(**own)


def _data(name: str, part: dict[str, Any], scale: str, effort: str) -> DataPart:
    grids = part.get("grids", {})
    if effort == "quick":
        grids = part.get("quick_grids", grids)
    return DataPart(
        name=name,
        prepare=tuple(part.get("prepare", ())),
        scale=part.get("scale", scale),
        budgets=expand_budgets(part.get("budgets", [])),
        params=part.get("params", {}),
        grids=grids,
        extra=part.get("extra", False),
    )


def _methods(table: dict[str, Any], effort: str) -> Iterator[MethodPart]:
    for name, part in table["methods"].items():
        yield _method(name, part, effort)


def _controls(
    table: dict[str, Any], readouts: tuple[str, ...], effort: str
) -> Iterator[MethodPart]:
    """The controls that are missing among the methods of a suite."""
    for name in CONTROLS:
        if name in table["methods"] or name in table.get("no_controls", []):
            continue
        control = _method(name, {"grid": CONTROL_GRIDS.get(name, {})}, effort)
        selects = CATALOGUE[name].selects and not table.get("budgets")
        yield replace(
            control,
            readouts=("ridge",) if readouts == ("self",) else (),
            budgets=CONTROL_BUDGETS if selects else None,
        )


def _method(name: str, part: dict[str, Any], effort: str) -> MethodPart:
    entry = part.get("entry", name)
    if entry not in CATALOGUE:
        raise ValueError(
            f"There is no method {entry!r}: choose from {', '.join(CATALOGUE)}."
        )
    grid = part.get("grid", {})
    if effort == "quick":
        grid = part.get("quick_grid", grid)
    spec = MethodSpec(
        name=entry,
        params=part.get("params", {}),
        grid=grid,
        sweep=part.get("sweep", False),
        code=code_of(entry),
    )
    budgets = part.get("budgets")
    return MethodPart(
        name,
        spec,
        scale=part.get("scale", ""),
        readouts=tuple(part.get("readouts", ())),
        budgets=None if budgets is None else expand_budgets(budgets),
    )
