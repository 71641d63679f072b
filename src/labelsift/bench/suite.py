# SPDX-License-Identifier: BSD-3-Clause
"""Suites: a table or figure of a paper as a TOML file."""

import json
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from importlib.resources import files
from pathlib import Path
from typing import Any

from labelsift.bench.inputs import PREPARE, SCALES, SPLITS
from labelsift.bench.methods import CATALOGUE, CONTROLS, READOUTS
from labelsift.bench.spec import MethodSpec, Protocol, Tuning
from labelsift.bench.suite_entries import check_entries
from labelsift.core.budget import expand_budgets
from labelsift.metrics import MEASURES
from labelsift.results import PAPERS

EFFORTS = ("quick", "full")
# A quick run tries at most so many settings of a method.
QUICK_SETTINGS = 12
THRESHOLDS = ("zero", "train", "oof", "regression")
# Features that a control chooses in a suite whose methods choose none.
CONTROL_BUDGETS = ("10%",)
CONTROL_GRIDS: dict[str, dict[str, Any]] = {
    "ridge": {"alpha": [0.01, 0.1, 1.0, 10.0, 100.0]},
    "rfs": {"gamma": [1.0, 10.0]},
}


@dataclass(frozen=True)
class DataPart:
    """A data set of a suite.

    Parameters
    ----------
    name : str
        Registered name.
    prepare : tuple of str
        Steps before the split.
    scale : str
        Scaling learned on the training part.
    budgets : tuple of str
        In place of the suite's.
    params, grids : mapping
        Parameters and grids of methods on this set, in place of their own.
    extra : bool
        Not in the paper.
    """

    name: str
    prepare: tuple[str, ...] = ()
    scale: str = "none"
    budgets: tuple[str, ...] = ()
    params: Mapping[str, Any] = field(default_factory=dict)
    grids: Mapping[str, Any] = field(default_factory=dict)
    extra: bool = False


@dataclass(frozen=True)
class MethodPart:
    """A method of a suite: its spec, and what it has of its own."""

    spec: MethodSpec
    readouts: tuple[str, ...] = ()
    budgets: tuple[str, ...] | None = None
    own_scale: bool = False
    control: bool = False


@dataclass(frozen=True)
class Suite:
    """A suite at one effort.

    Parameters
    ----------
    name, title : str
        What it is called, and what it regenerates.
    paper, table : str
        As in the published cells; table is empty for a figure.
    effort : {"quick", "full"}
        How much of the paper's own protocol.
    splits : int
        How many of the protocol's splits are run.
    protocols : tuple of Protocol
        More than one where the training size varies.
    data, methods : tuple
        The parts.
    budgets, readouts, thresholds, measures : tuple of str
        As in Task.
    tuning : Tuning
        How methods choose from their grids.
    cut : str
        The threshold whose values stand beside the paper's.
    claims : tuple of dict
        What the paper says and how it is tested.
    notes : tuple of str
        How this effort differs from the paper.
    """

    name: str
    title: str
    paper: str
    table: str
    effort: str
    splits: int
    protocols: tuple[Protocol, ...]
    data: tuple[DataPart, ...]
    methods: tuple[MethodPart, ...]
    budgets: tuple[str, ...]
    readouts: tuple[str, ...]
    thresholds: tuple[str, ...]
    measures: tuple[str, ...]
    tuning: Tuning
    cut: str
    claims: tuple[dict[str, Any], ...]
    notes: tuple[str, ...]


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
        Quick runs are small, and say so; full is the paper's own protocol.

    Returns
    -------
    Suite
        Checked: every method, measure and step is known.
    """
    if effort not in EFFORTS:
        raise ValueError(f"effort={effort!r} is not known: use 'quick' or 'full'.")
    table = _table(name)
    suite = table.pop("suite", Path(name).stem)
    check_entries(suite, table)
    if effort == "quick":
        table |= table.get("quick", {})
    return _checked(_suite(suite, effort, table))


def _table(name: str) -> dict[str, Any]:
    """The TOML table of a suite, laid over the one that it extends."""
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


def _suite(name: str, effort: str, table: dict[str, Any]) -> Suite:
    readouts = tuple(table.get("readouts", ["self"]))
    tuning = dict(table.get("tuning", {}))
    tuning["folds"] = table.get("folds", tuning.get("folds", 5))
    tuning["budgets"] = tuple(tuning.get("budgets", ["10%"]))
    splits = table.get("splits", table["protocol"].get("splits", 1))
    scale = table.get("scale", "none")
    return Suite(
        name=name,
        title=table["title"],
        paper=table["paper"],
        table=table.get("table", ""),
        effort=effort,
        splits=splits,
        protocols=tuple(_protocols(table)),
        data=tuple(
            _data(key, part, scale, effort) for key, part in table["data"].items()
        ),
        methods=tuple(_methods(table, readouts, effort)),
        budgets=expand_budgets(table.get("budgets", [])),
        readouts=readouts,
        thresholds=tuple(table.get("thresholds", ["zero"])),
        measures=tuple(table["measures"]),
        tuning=Tuning(**tuning),
        cut=table.get("cut", table.get("thresholds", ["zero"])[0]),
        claims=tuple(table.get("claims", [])),
        notes=tuple(table.get("notes", [])) + tuple(table.get("quick_notes", [])),
    )


def _protocols(table: dict[str, Any]) -> list[Protocol]:
    own = dict(table["protocol"])
    sizes = table.get("train_sizes", own.pop("train_sizes", None))
    protocol = Protocol(**own)
    if sizes is None:
        return [protocol]
    return [replace(protocol, train_size=size) for size in sizes]


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


def _methods(
    table: dict[str, Any], readouts: tuple[str, ...], effort: str
) -> list[MethodPart]:
    """The suite's own methods, then the controls that it does not have itself."""
    parts = [_method(name, part, effort) for name, part in table["methods"].items()]
    known = {part.spec.name for part in parts}
    quiet = table.get("no_controls", [])
    for name in CONTROLS:
        if name in known or name in quiet:
            continue
        own = {"grid": CONTROL_GRIDS.get(name, {})}
        part = _method(name, own, effort)
        selecting = CATALOGUE[name].selects and not table.get("budgets")
        parts.append(
            replace(
                part,
                control=True,
                readouts=("ridge",) if readouts == ("self",) else (),
                budgets=CONTROL_BUDGETS if selecting else None,
            )
        )
    return parts


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
        name=name,
        entry="" if entry == name else entry,
        params=json.dumps(part.get("params", {})),
        grid=json.dumps(grid),
        scale=part.get("scale", "none"),
        sweep=part.get("sweep", False),
        version=CATALOGUE[entry].version,
    )
    budgets = part.get("budgets")
    return MethodPart(
        spec,
        readouts=tuple(part.get("readouts", ())),
        budgets=None if budgets is None else expand_budgets(budgets),
        own_scale="scale" in part,
    )


def _checked(suite: Suite) -> Suite:
    methods = [part.spec.name for part in suite.methods]
    readouts = [name for part in suite.methods for name in part.readouts]
    said = {
        what: [claim[what] for claim in suite.claims if what in claim]
        for what in ("better", "worse", "measure", "readout")
    }
    measures = [*suite.measures, suite.tuning.measure, *said["measure"]]
    known: list[tuple[str, Any, Any]] = [
        ("paper", (suite.paper,) if suite.table else (), PAPERS),
        ("measure", measures, MEASURES),
        ("threshold", (*suite.thresholds, suite.cut), THRESHOLDS),
        (
            "read-out",
            (*suite.readouts, *readouts, *said["readout"]),
            ("self", *READOUTS),
        ),
        ("method", (*said["better"], *said["worse"]), methods),
        ("method", [name for part in suite.data for name in part.params], methods),
        ("method", [name for part in suite.data for name in part.grids], methods),
        ("kind of protocol", [p.kind for p in suite.protocols], SPLITS),
        ("scale", [part.scale for part in suite.data], ("none", *SCALES)),
        ("scale", [part.spec.scale for part in suite.methods], ("none", *SCALES)),
        (
            "preparation",
            [step.partition(":")[0] for part in suite.data for step in part.prepare],
            PREPARE,
        ),
    ]
    for what, given, allowed in known:
        for value in given:
            if value not in allowed:
                raise ValueError(
                    f"Suite {suite.name} has an unknown {what} {value!r}: choose from "
                    f"{', '.join(allowed)}."
                )
    return suite
