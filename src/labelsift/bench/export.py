# SPDX-License-Identifier: BSD-3-Clause
"""Results of suites as a folder of CSV files with their provenance.

SUITE.csv holds the values of a suite, tasks.csv how every task ended, provenance.json
the date, versions, machine and the list of suites.
"""

import json
from collections import Counter
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pandas as pd

from labelsift.bench.document import Section
from labelsift.bench.suite_file import read_suite
from labelsift.bench.suite_result import SuiteResult
from labelsift.core.files import read_document
from labelsift.core.provenance import provenance
from labelsift.core.schema import named, table, text, whole
from labelsift.core.text import safe_name
from labelsift.datasets.atomic import write_text
from labelsift.datasets.textfile import one_line
from labelsift.experiment.results import TASKS, VALUES, Results, read_csv, write_csv

PROVENANCE = "provenance.json"
TASKS_FILE = "tasks.csv"
# The file that labelsift 0.1 wrote instead of PROVENANCE.
_OLD = "machine.json"
_MACHINE = {"cores": whole(1, 10**9), "system": text, "processor": text}
_SUITE = {"effort": text, "values": text, "absent": named(text)}
# What the file of PROVENANCE must hold.
_CONTENT = table(
    {
        "date": text,
        "versions": named(text),
        "machine": table(_MACHINE, {}, others=True),
        "suites": named(table(_SUITE, {}, others=True), least=1),
    },
    {},
    others=True,
)


def write_export(results: Sequence[SuiteResult], folder: Path) -> None:
    """Write the results of suites into a folder.

    A suite that has the same values as another one (a second view of one run) is
    written once; its provenance names the file that it shares.

    Parameters
    ----------
    results : sequence of SuiteResult
        The results to write.
    folder : Path
        Created if missing.
    """
    if not results:
        raise ValueError("There is nothing to export: name at least one suite.")
    _check_names([result.suite.name for result in results])
    origin: dict[str, Any] = {"date": datetime.now(UTC).date().isoformat()}
    origin |= provenance() | {"suites": {}}
    written: dict[str, str] = {}
    tasks = []
    for result in results:
        name, own = result.suite.name, result.results
        content = own.values.drop(columns="suite").to_csv(index=False)
        source = written.setdefault(content, name)
        if source == name:
            own.write(folder / f"{name}.csv")
            tasks.append(own.tasks)
        origin["suites"][name] = {
            "effort": result.suite.effort,
            "values": f"{source}.csv",
            "absent": dict.fromkeys(result.absent, "not present"),
        }
    write_csv(pd.concat(tasks), folder / TASKS_FILE)
    write_text(json.dumps(origin, indent=1) + "\n", folder / PROVENANCE)


def _check_names(names: list[str]) -> None:
    """Raise for names that cannot be files of one folder."""
    for name in names:
        safe_name(name, "The suite")
    files = [PROVENANCE, TASKS_FILE, *(f"{name}.csv" for name in names)]
    for name, count in Counter(file.lower() for file in files).items():
        if count > 1:
            raise ValueError(
                f"The export would write {name} twice: give suites other names."
            )


def read_provenance(folder: Path) -> dict[str, Any]:
    """Date, versions, machine and suites of an export; a ValueError without them."""
    path = folder / PROVENANCE
    if path.is_file():
        try:
            content: dict[str, Any] = json.loads(read_document(path))
        except (ValueError, RecursionError) as error:
            raise ValueError(
                f"{path} is not JSON ({one_line(error)}): export the run again."
            ) from error
        _CONTENT(content, str(path))
        return content
    if (folder / _OLD).is_file():
        raise ValueError(
            f"{folder} was exported by labelsift 0.1, whose files have other columns: "
            "run the suites again and export them into another folder."
        )
    raise ValueError(f"{folder} has no {PROVENANCE}: export a run into it first.")


def read_export(folder: Path, suites: Sequence[str] = ()) -> list[SuiteResult]:
    """Read what ``write_export`` wrote.

    Parameters
    ----------
    folder : Path
        The folder.
    suites : sequence of str
        Names, or TOML files of suites that do not come with labelsift; empty: all.

    Returns
    -------
    list of SuiteResult
        As they were exported.
    """
    exported = read_provenance(folder)["suites"]
    tasks = read_csv(folder / TASKS_FILE, TASKS)
    results = []
    for name in exported:
        safe_name(name, f"{folder / PROVENANCE}: the suite")
    for source in suites or exported:
        name = Path(source).stem
        if name not in exported:
            raise ValueError(
                f"{folder} has no suite {name!r}: choose from {', '.join(exported)}."
            )
        entry = exported[name]
        file = safe_name(entry["values"], f"{folder / PROVENANCE}: values of {name!r}:")
        values = read_csv(folder / file, VALUES)
        own = tasks[tasks["suite"] == file.removesuffix(".csv")]
        results.append(
            SuiteResult(
                read_suite(source, entry["effort"]),
                Results(values.assign(suite=name), own.assign(suite=name)),
                entry["absent"],
            )
        )
    return results


def provenance_section(folder: Path) -> Section:
    """Date, machine and versions of an export in words."""
    origin = read_provenance(folder)
    versions = ", ".join(f"{name} {v}" for name, v in origin["versions"].items())
    machine = origin["machine"]
    return Section(
        "Provenance",
        [
            f"Run until {origin['date']} on {machine['cores']} cores "
            f"({machine['system']}, {machine['processor']}) with {versions}.",
            "The values behind every number are stored as CSV files, from which "
            "`labelsift bench report --from FOLDER --out FILE` writes this page.",
        ],
    )
