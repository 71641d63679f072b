# SPDX-License-Identifier: BSD-3-Clause
"""Suites as TOML files: reading and merging them."""

import copy
import os
import tomllib
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from importlib.resources import files
from pathlib import Path
from typing import Any

from labelsift.bench.suite import DataPart, MethodPart, Suite
from labelsift.bench.suite_check import check_file, check_suite
from labelsift.bench.suite_schema import MERGED
from labelsift.core.budget import expand_budgets
from labelsift.core.files import read_document
from labelsift.core.text import safe_name
from labelsift.datasets.columns import as_patterns
from labelsift.experiment.catalogue import CATALOGUE, CONTROLS, RANDOM, code_of
from labelsift.experiment.inputs import FILE, SPLITS
from labelsift.experiment.own import (
    as_readout,
    as_selector,
    described_measure,
    find_measure,
    find_method,
    load,
    own_spec,
    tuned_readout,
)
from labelsift.experiment.task import MethodSpec, Protocol, Tuning
from labelsift.metrics import Measure
from labelsift.model_selection.protocol import count_splits

EFFORTS = ("quick", "full")
# Features that a control chooses in a suite whose methods choose none.
CONTROL_BUDGETS = ("10%",)
CONTROL_GRIDS: dict[str, dict[str, Any]] = {
    "ridge": {"alpha": [0.01, 0.1, 1.0, 10.0, 100.0]},
    "rfs": {"gamma": [1.0, 10.0]},
}


def quick_is_full(name: str) -> bool:
    """Whether a suite leaves out nothing in quick effort: the two runs are one."""
    quick, full = read_suite(name), read_suite(name, "full")
    return replace(full, effort=quick.effort, notes=quick.notes) == quick


def list_suites() -> list[str]:
    """Names of the suites that come with labelsift."""
    folder = files("labelsift.bench") / "suites"
    return sorted(
        item.name.removesuffix(".toml")
        for item in folder.iterdir()
        if item.name.endswith(".toml")
    )


def read_suite(
    name: str, effort: str = "quick", *, import_classes: bool = True
) -> Suite:
    """Read a suite.

    Parameters
    ----------
    name : str
        A name in ``list_suites()``, or a path that ends in ``.toml``.
    effort : {"quick", "full"}, default="quick"
        Quick runs are reduced; full is the paper's own protocol.
    import_classes : bool, default=True
        Whether classes that the file names are imported, which runs their code. False:
        the suite can be looked at but not run, as one inside an export.

    Returns
    -------
    Suite
        Checked: every method, measure and step is known.
    """
    if effort not in EFFORTS:
        raise ValueError(f"effort={effort!r} is not known: use 'quick' or 'full'.")
    content = _merged(name)
    check_suite(_shown(name), content)
    if import_classes:
        _describe_measures(content, _shown(name))
    suite = safe_name(content.pop("suite", Path(name).stem), "The suite")
    table = copy.deepcopy(content)
    if not import_classes:
        _without_classes(table)
    if effort == "quick":
        table |= table.get("quick", {})
    return replace(_suite(suite, effort, table, _shown(name)), content=content)


def _shown(name: str) -> str:
    return name if name.endswith(".toml") else f"{name}.toml"


def _merged(name: str, above: tuple[str, ...] = ()) -> dict[str, Any]:
    """The content of a suite's file, laid over that of the one that it extends."""
    if name in above:
        raise ValueError(
            f"{_shown(name)} extends itself ({' -> '.join((*above, name))}): take one "
            "of the extends out."
        )
    table = _loaded(name)
    check_file(_shown(name), table)
    _make_paths(table, name)
    base, replaced = table.pop("extends", None), table.pop("replaces", [])
    if base is None:
        return table
    if base.endswith(".toml") and name.endswith(".toml"):
        base = os.path.normpath(Path(name).parent / base)
    return _laid_over(_merged(base, (*above, name)), table, replaced)


def _loaded(name: str) -> dict[str, Any]:
    """The content of one file, or of a suite that comes with labelsift."""
    if name.endswith(".toml"):
        try:
            content = read_document(Path(name))
        except OSError as error:
            raise ValueError(
                f"There is no suite file {name} (No such file or directory): check the "
                "path."
            ) from error
    elif name in list_suites():
        file = files("labelsift.bench") / "suites" / f"{name}.toml"
        content = file.read_bytes()
    else:
        raise ValueError(
            f"There is no suite {name!r}: choose from {', '.join(list_suites())}, or "
            "name a file that ends in .toml."
        )
    try:
        return tomllib.loads(content.decode())
    except (ValueError, RecursionError) as error:
        raise ValueError(f"{name} is not TOML: {error}; correct it there.") from error


def _make_paths(table: dict[str, Any], name: str) -> None:
    """Files of data are named from the folder of the file that names them."""
    folder = Path(name).parent
    if not name.endswith(".toml"):  # it comes with labelsift
        folder = Path(str(files("labelsift.bench") / "suites"))
    for part in table.get("data", {}).values():
        for entry in ("path", "test", "splits"):
            if entry in part:
                part[entry] = str(folder / part[entry])


def _laid_over(
    base: dict[str, Any], own: dict[str, Any], replaced: Collection[str]
) -> dict[str, Any]:
    """Tables are merged entry by entry, data sets and methods one by one.

    An entry that the suite has replaces that of the base, a grid as a whole too; so
    does a table that it names as replaced.
    """
    merged = base | own
    for name in MERGED:
        if name in base and name in own and name not in replaced:
            merged[name] = base[name] | {
                key: base[name][key] | part
                if isinstance(part, dict) and key in base[name]
                else part
                for key, part in own[name].items()
            }
    return merged


def _without_classes(table: dict[str, Any]) -> None:
    """Put harmless built-in names where a table names classes to be imported."""
    for part in table.get("methods", {}).values():
        if part.pop("class", None) is not None:
            part["entry"] = RANDOM
            part.pop("params", None)
    for part in table.get("readout_classes", {}).values():
        part["class"] = "sklearn.linear_model:LogisticRegression"
        part.pop("params", None)
    for part in table.get("measure_classes", {}).values():
        part.pop("class", None)


def _suite(name: str, effort: str, table: dict[str, Any], file: str) -> Suite:
    readouts = tuple(table.get("readouts", ["self"]))
    thresholds = tuple(table.get("thresholds", ["zero"]))
    scale = table.get("scale", "none")
    return Suite(
        name=name,
        title=table["title"],
        paper=table.get("paper", ""),
        table=table.get("table", ""),
        effort=effort,
        splits=table.get("splits", _splits(table["protocol"])),
        protocols=tuple(_protocols(table)),
        data=tuple(
            _data(key, part, scale, effort) for key, part in table["data"].items()
        ),
        methods=(*_methods(table, effort, file), *_controls(table, readouts, effort)),
        budgets=expand_budgets(table.get("budgets", [])),
        readouts=readouts,
        thresholds=thresholds,
        measures=tuple(table["measures"]),
        tuning=_tuning(table),
        cut=table.get("cut", thresholds[0]),
        claims=tuple(table.get("claims", [])),
        notes=(*table.get("notes", []), *table.get("quick_notes", [])),
        readout_budgets={
            readout: expand_budgets(budgets)
            for readout, budgets in table.get("readout_budgets", {}).items()
        },
        fit_limit=table.get("fit_limit", 0),
        artifacts=tuple(table.get("artifacts", ())),
        own_readouts=dict(_own_readouts(table, file)),
        own_measures=dict(_own_measures(table, file)),
    )


def _splits(protocol: Mapping[str, Any]) -> int:
    """How many splits a protocol has: as it says, or by its kind."""
    if protocol["kind"] in (*SPLITS, FILE):
        return int(protocol.get("splits", 1))
    return count_splits(protocol["kind"])


def _protocols(table: dict[str, Any]) -> list[Protocol]:
    own = dict(table["protocol"])
    sizes = table.get("train_sizes", own.pop("train_sizes", None))
    protocol = Protocol(**own | {"splits": _splits(own)})
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
        path=part.get("path", ""),
        test=part.get("test", ""),
        splits=part.get("splits", ""),
        digest=part.get("digest", ""),
        labels=as_patterns(part.get("labels", ())),
        drop=as_patterns(part.get("drop", ())),
    )


def _methods(table: dict[str, Any], effort: str, file: str) -> Iterator[MethodPart]:
    for name, part in table["methods"].items():
        with _told_at(file, f"methods.{name}"):
            yield _method(name, part, effort)


def _own_readouts(table: dict[str, Any], file: str) -> Iterator[tuple[str, Any]]:
    for name, part in table.get("readout_classes", {}).items():
        with _told_at(file, f"readout_classes.{name}"):
            readout = as_readout(_instance(part))
            yield name, tuned_readout(readout, part.get("grid", {}))


def _describe_measures(content: dict[str, Any], file: str) -> None:
    """Import measures of the user's; the suite says what tables need of them."""
    for name, part in content.get("measure_classes", {}).items():
        with _told_at(file, f"measure_classes.{name}"):
            measure = find_measure(part["class"])
            if measure.name != name:
                raise ValueError(
                    f"{part['class']} is the measure {measure.name!r}: name the table "
                    "so."
                )
            told = ("title", "greater_is_better", "digits", "bounded")
            part |= {entry: getattr(measure, entry) for entry in told}


def _own_measures(table: dict[str, Any], file: str) -> Iterator[tuple[str, Measure]]:
    for name, part in table.get("measure_classes", {}).items():
        with _told_at(file, f"measure_classes.{name}"):
            known = find_measure(part["class"]) if "class" in part else None
            yield name, known or described_measure(name, part)


@contextmanager
def _told_at(file: str, table: str) -> Iterator[None]:
    """Errors name the file and the table."""
    try:
        yield
    except ValueError as error:
        raise ValueError(f"{file}, [{table}]: {error}") from error


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


def _instance(part: Mapping[str, Any]) -> Any:
    """The estimator that an entry with ``class`` and ``params`` names."""
    thing = load(part["class"])
    estimator = thing() if isinstance(thing, type) else thing
    params = part.get("params", {})
    return estimator.set_params(**params) if params else estimator


def _method_spec(name: str, part: dict[str, Any]) -> tuple[MethodSpec, Any]:
    """The one place where the entry of a method becomes a spec, and an estimator."""
    if "class" in part:
        estimator = _instance(part)
        return own_spec(estimator), as_selector(estimator)
    entry = part.get("entry", name)
    if entry not in CATALOGUE:  # of an installed package
        estimator = find_method(entry)
        return own_spec(estimator), as_selector(estimator)
    params = part.get("params", {})
    return MethodSpec(entry, params=params, code=code_of(entry)), None


def _method(name: str, part: dict[str, Any], effort: str) -> MethodPart:
    spec, estimator = _method_spec(name, part)
    grid = part.get("grid", {})
    if effort == "quick":
        grid = part.get("quick_grid", grid)
    budgets = part.get("budgets")
    return MethodPart(
        name,
        replace(
            spec,
            grid=grid,
            sweep=part.get("sweep", False),
            fit_scale=part.get("fit_scale", ""),
        ),
        scale=part.get("scale", ""),
        readouts=tuple(part.get("readouts", ())),
        budgets=None if budgets is None else expand_budgets(budgets),
        estimator=estimator,
    )
