# SPDX-License-Identifier: BSD-3-Clause
"""Results kept as small CSV files, with machine, versions and date."""

import json
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from labelsift.bench.collect import COLUMNS
from labelsift.bench.schedule import made
from labelsift.bench.suite import read_suite
from labelsift.bench.tables import SuiteResult
from labelsift.report.document import Section
from labelsift.results.export import read_rows, write_rows

NOTE = "machine.json"


def write_export(results: Sequence[SuiteResult], folder: Path) -> None:
    """Write one CSV file per suite, and what is to be known about the run.

    A suite that has the same tasks as another one (a second view of one run) is written
    once; the note says which file it shares.

    Parameters
    ----------
    results : sequence of SuiteResult
        What to keep.
    folder : Path
        Made where it does not exist.
    """
    folder.mkdir(parents=True, exist_ok=True)
    note: dict[str, Any] = {"date": datetime.now(UTC).date().isoformat(), **made()}
    note["suites"] = {}
    written: dict[str, str] = {}
    for result in results:
        name = result.suite.name
        content = json.dumps([{**row, "suite": ""} for row in result.rows], default=str)
        source = written.setdefault(content, name)
        if source == name:
            write_rows(result.rows, COLUMNS, folder / f"{name}.csv")
        note["suites"][name] = {
            "effort": result.suite.effort,
            "rows": f"{source}.csv",
            "absent": dict.fromkeys(result.absent, "not present"),
            "failed": list(result.failed),
        }
    (folder / NOTE).write_text(json.dumps(note, indent=1) + "\n", encoding="utf-8")


def read_export(
    folder: Path, suites: Sequence[str] = ()
) -> tuple[list[SuiteResult], list[Section]]:
    """Read what ``write_export`` wrote.

    Parameters
    ----------
    folder : Path
        The folder.
    suites : sequence of str
        Names; empty: all.

    Returns
    -------
    results : list of SuiteResult
        As they were.
    about : list of Section
        Machine, versions and date in words.
    """
    path = folder / NOTE
    if not path.is_file():
        raise ValueError(f"{folder} has no {NOTE}: export a run into it first.")
    note = json.loads(path.read_text(encoding="utf-8"))
    for name in suites:
        if name not in note["suites"]:
            raise ValueError(
                f"{folder} has no suite {name!r}: choose from "
                f"{', '.join(note['suites'])}."
            )
    results = []
    for name, kept in note["suites"].items():
        if suites and name not in suites:
            continue
        suite = read_suite(name, kept["effort"])
        rows = [{**row, "suite": name} for row in read_rows(folder / kept["rows"])]
        failed = [(str(d), str(m), str(e)) for d, m, e in kept["failed"]]
        results.append(SuiteResult(suite, rows, kept["absent"], failed))
    return results, [_about(note)]


def _about(note: dict[str, Any]) -> Section:
    versions = ", ".join(f"{name} {v}" for name, v in note["versions"].items())
    machine = note["machine"]
    return Section(
        "How these results were made",
        [
            f"Run until {note['date']} on {machine['cores']} cores "
            f"({machine['system']}, {machine['processor']}) with {versions}.",
            "The values behind every number are kept as CSV files; this page is made "
            "from them by `labelsift bench report --from FOLDER --out FILE`.",
        ],
    )
