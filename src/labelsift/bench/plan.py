# SPDX-License-Identifier: BSD-3-Clause
"""The tasks of a suite; no data are read and nothing is run."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace
from typing import Any

from labelsift.bench.suite import DataPart, MethodPart, Suite, count_settings
from labelsift.experiment.catalogue import (
    CATALOGUE,
    READOUTS,
    draws_of,
    readout_code,
    with_seed,
)
from labelsift.experiment.inputs import FILE, file_protocol, with_checksum
from labelsift.experiment.own import code_of as code_of_own
from labelsift.experiment.task import DataSpec, MethodSpec, Planned, Protocol, Task

# A quick run tries at most this many settings of a method.
QUICK_SETTINGS = 12


def find_data(
    suites: Iterable[Suite], only: Collection[str] = (), data_home: str = ""
) -> tuple[dict[str, DataSpec], dict[str, str]]:
    """Which data sets of suites are available; each is searched once.

    Parameters
    ----------
    suites : iterable of Suite
        The suites.
    only : collection of str
        Names; empty: all.
    data_home : str
        A folder of data sets that is searched first.

    Returns
    -------
    present : dict of str to DataSpec
        The available sets, with their checksums.
    absent : dict of str to str
        Why a set cannot be used.
    """
    present, absent = {}, {}
    parts = {part.name: part for suite in suites for part in suite.data}
    for name, part in parts.items():
        if only and name not in only:
            continue
        try:
            present[name] = with_checksum(part.spec(data_home))
        except (ValueError, OSError) as error:
            absent[name] = " ".join(str(error).split())
    return present, absent


def plan(
    suite: Suite, data: Mapping[str, DataSpec], methods: Collection[str] = ()
) -> list[Planned]:
    """All tasks of a suite on the data that is present.

    Parameters
    ----------
    suite : Suite
        The suite.
    data : mapping of str to DataSpec
        From ``find_data``; other sets of the suite are left out.
    methods : collection of str
        Names; empty: all.

    Returns
    -------
    list of Planned
        Split by split, so that early results cover all methods.
    """
    known = [method.name for method in suite.methods]
    for name in methods:
        if name not in known:
            raise ValueError(
                f"Suite {suite.name} has no method {name!r}: choose from "
                f"{', '.join(known)}."
            )
    chosen = [m for m in suite.methods if not methods or m.name in methods]
    planned: list[Planned] = []
    for protocol in suite.protocols:
        for part in suite.data:
            if part.name not in data:
                continue
            prepared = replace(data[part.name], prepare=part.prepare)
            way = protocol
            if way.kind == FILE:
                way = file_protocol(part.splits, way, part.digest)
            tasks = {
                method.name: _first_task(suite, way, part, prepared, method)
                for method in chosen
            }
            planned += [
                Planned(_at(task, split, draw), part.name, name, draw)
                for split in range(min(suite.splits, distinct_splits(way)))
                for name, task in tasks.items()
                for draw in draws_of(task.method.name)
            ]
    return planned


def distinct_splits(protocol: Protocol) -> int:
    """How many splits a protocol has; a published one, repeated, is one."""
    repeated = protocol.kind == "published" and not protocol.train_size
    return 1 if repeated else protocol.splits


def _at(task: Task, split: int, draw: int) -> Task:
    """The task on another split; a random ranking has its own seed there."""
    return replace(task, split=split, method=with_seed(task.method, split, draw))


def _first_task(
    suite: Suite,
    protocol: Protocol,
    part: DataPart,
    data: DataSpec,
    method: MethodPart,
) -> Task:
    """The task of the first split."""
    return Task(
        data=data,
        protocol=protocol,
        split=0,
        method=_spec(suite, part, method),
        tuning=suite.tuning,
        budgets=_budgets(suite, part, method),
        readouts=method.readouts or suite.readouts,
        thresholds=suite.thresholds,
        measures=suite.measures,
        codes={name: readout_code(name) for name in _built_in(suite, method)}
        | {name: code_of_own(readout) for name, readout in suite.own_readouts.items()}
        | {name: code_of_own(own.function) for name, own in suite.own_measures.items()},
        own=_carried(suite, method),
        readout_budgets=suite.readout_budgets,
        fit_limit=suite.fit_limit,
        artifacts=suite.artifacts,
    )


def _built_in(suite: Suite, method: MethodPart) -> list[str]:
    readouts = method.readouts or suite.readouts
    return [name for name in readouts if name in READOUTS]


def _carried(suite: Suite, method: MethodPart) -> dict[str, Any]:
    """What the user brings, for the process that runs a task."""
    carried = {f"readout {name}": own for name, own in suite.own_readouts.items()}
    carried |= {f"measure {name}": own for name, own in suite.own_measures.items()}
    if method.estimator is not None:
        carried["method"] = method.estimator
    return carried


def _spec(suite: Suite, part: DataPart, method: MethodPart) -> MethodSpec:
    """The method with the parameters and grid of the data set."""
    grid = suite.grid(part, method)
    settings = count_settings(grid)
    if suite.effort == "quick" and settings > QUICK_SETTINGS and not method.spec.sweep:
        raise ValueError(
            f"Suite {suite.name} tries {settings} settings of {method.name} in a quick "
            f"run: give it a quick_grid of at most {QUICK_SETTINGS}."
        )
    return replace(
        method.spec,
        params={**method.spec.params, **part.params.get(method.name, {})},
        grid=grid,
        scale=method.scale or part.scale,
    )


def _budgets(suite: Suite, part: DataPart, method: MethodPart) -> tuple[str, ...]:
    if method.estimator is None and not CATALOGUE[method.spec.name].selects:
        return ()
    if method.budgets is not None:
        return method.budgets
    return part.budgets or suite.budgets
