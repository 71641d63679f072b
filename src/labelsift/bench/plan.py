# SPDX-License-Identifier: BSD-3-Clause
"""From a suite to its tasks: pure, nothing is read or run."""

import json
import math
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace

from labelsift.bench.inputs import read
from labelsift.bench.methods import CATALOGUE
from labelsift.bench.spec import DataSpec, MethodSpec, Task
from labelsift.bench.suite import QUICK_SETTINGS, DataPart, MethodPart, Suite


@dataclass(frozen=True)
class Planned:
    """A task and where its values stand in the suite's table.

    Parameters
    ----------
    task : Task
        What to run.
    data, method : str
        Names in the suite.
    control : bool
        Whether the method is a control that the suite added.
    """

    task: Task
    data: str
    method: str
    control: bool = False


def find_data(
    suite: Suite, only: Collection[str] = (), data_home: str = ""
) -> tuple[dict[str, DataSpec], dict[str, str]]:
    """Which data sets of a suite are at hand.

    Parameters
    ----------
    suite : Suite
        The suite.
    only : collection of str
        Names; empty: all.
    data_home : str
        A folder of data sets that is searched first.

    Returns
    -------
    present : dict of str to DataSpec
        With the checksum of what is there.
    absent : dict of str to str
        Why a set cannot be used.
    """
    present, absent = {}, {}
    for part in suite.data:
        if only and part.name not in only:
            continue
        spec = DataSpec(part.name, prepare=part.prepare, data_home=data_home)
        try:
            present[part.name] = replace(spec, checksum=read(spec).checksum)
        except (ValueError, OSError) as error:
            absent[part.name] = " ".join(str(error).split())
    return present, absent


def plan(
    suite: Suite, data: Mapping[str, DataSpec], methods: Collection[str] = ()
) -> Iterator[Planned]:
    """All tasks of a suite on the data that is there.

    Parameters
    ----------
    suite : Suite
        The suite.
    data : mapping of str to DataSpec
        From ``find_data``.
    methods : collection of str
        Names; empty: all.

    Yields
    ------
    Planned
        Split by split, so that early results cover all methods.
    """
    unknown = set(methods) - {part.spec.name for part in suite.methods}
    if unknown:
        names = ", ".join(part.spec.name for part in suite.methods)
        raise ValueError(
            f"Suite {suite.name} has no method {sorted(unknown)[0]!r}: choose from "
            f"{names}."
        )
    parts = [part for part in suite.data if part.name in data]
    for protocol in suite.protocols:
        for part in parts:
            for split in range(min(suite.splits, protocol.splits)):
                for method in suite.methods:
                    if methods and method.spec.name not in methods:
                        continue
                    yield Planned(
                        Task(
                            data=data[part.name],
                            protocol=protocol,
                            split=split,
                            method=_spec(suite, part, method),
                            tuning=suite.tuning,
                            budgets=_budgets(suite, part, method),
                            readouts=_readouts(suite, method),
                            thresholds=suite.thresholds,
                            measures=suite.measures,
                        ),
                        part.name,
                        method.spec.name,
                        method.control,
                    )


def _spec(suite: Suite, part: DataPart, method: MethodPart) -> MethodSpec:
    """The method with what the data set says of it."""
    spec = method.spec
    if spec.name in part.params:
        params = json.loads(spec.params) | part.params[spec.name]
        spec = replace(spec, params=json.dumps(params))
    if spec.name in part.grids:
        grid = json.loads(spec.grid) | part.grids[spec.name]
        spec = replace(spec, grid=json.dumps(grid))
    settings = math.prod(len(values) for values in json.loads(spec.grid).values())
    if suite.effort == "quick" and settings > QUICK_SETTINGS and not spec.sweep:
        raise ValueError(
            f"Suite {suite.name} tries {settings} settings of {spec.name} in a quick "
            f"run: give it a quick_grid of at most {QUICK_SETTINGS}."
        )
    return spec if method.own_scale else replace(spec, scale=part.scale)


def _budgets(suite: Suite, part: DataPart, method: MethodPart) -> tuple[str, ...]:
    if not CATALOGUE[method.spec.catalogue_name].selects:
        return ()
    if method.budgets is not None:
        return method.budgets
    return part.budgets or suite.budgets


def _readouts(suite: Suite, method: MethodPart) -> tuple[str, ...]:
    return method.readouts or suite.readouts
