# SPDX-License-Identifier: BSD-3-Clause
"""What was measured again, put into an export; the rest of it stays bit by bit."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pandas as pd

from labelsift.bench.export import (
    TASKS_FILE,
    origin_now,
    read_provenance,
    values_file,
    write_provenance,
)
from labelsift.bench.suite_result import SuiteResult
from labelsift.experiment.results import TASKS, VALUES, Results, read_csv, write_csv


def update_export(results: Sequence[SuiteResult], folder: Path) -> None:
    """Replace what was measured again in a folder that ``write_export`` wrote.

    The rows of a suite's (data set, method) that the results have are replaced; all
    others stay as they are, bit by bit.

    Parameters
    ----------
    results : sequence of SuiteResult
        What was measured again; suites without tasks change nothing.
    folder : Path
        The folder.
    """
    origin = read_provenance(folder)
    tasks = read_csv(folder / TASKS_FILE, TASKS)
    replaced: dict[str, dict[str, list[str]]] = {}
    for result in results:
        name, fresh = result.suite.name, result.results
        file = values_file(folder, name, _entry(origin, name, folder))
        source = file.removesuffix(".csv")
        _found(origin["suites"][name], set(fresh.tasks["data"]))
        if fresh.tasks.empty or source in replaced:
            continue  # or a second view of values that are replaced already
        old = Results(read_csv(folder / file, VALUES), tasks)
        values = _replaced(old.values, fresh.values, fresh.tasks, source)
        Results(values).write(folder / file)
        tasks = _replaced(old.tasks, fresh.tasks, fresh.tasks, source)
        replaced[source] = _methods(fresh.tasks)
    write_csv(tasks, folder / TASKS_FILE)
    update = origin_now() | {"suites": replaced}
    origin["updates"] = [*origin.get("updates", []), update]
    write_provenance(origin, folder)


def _entry(origin: dict[str, Any], name: str, folder: Path) -> dict[str, Any]:
    if name not in origin["suites"]:
        raise ValueError(
            f"{folder} has no suite {name!r} to update: export it on its own, into "
            "another folder."
        )
    entry: dict[str, Any] = origin["suites"][name]
    return entry


def _found(entry: dict[str, Any], data: set[str]) -> None:
    """Data sets that have been run are no longer absent."""
    absent = entry["absent"].items()
    entry["absent"] = {name: why for name, why in absent if name not in data}


def _replaced(
    old: pd.DataFrame, new: pd.DataFrame, tasks: pd.DataFrame, source: str
) -> pd.DataFrame:
    """Old rows whose suite, data set and method were not run again, then the new."""
    place = ["suite", "data", "method"]
    again = pd.MultiIndex.from_frame(tasks.assign(suite=source)[place])
    left = old[~pd.MultiIndex.from_frame(old[place]).isin(again)]
    return pd.concat([left, new.assign(suite=source)])


def _methods(tasks: pd.DataFrame) -> dict[str, list[str]]:
    """Methods by data set."""
    return {
        str(data): list(part["method"].unique())
        for data, part in tasks.groupby("data", sort=False)
    }
