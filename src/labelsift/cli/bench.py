# SPDX-License-Identifier: BSD-3-Clause
"""``labelsift bench``: run suites, show their progress, report them."""

import json
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from labelsift.bench.estimate import estimate
from labelsift.bench.export import write_export
from labelsift.bench.export_update import update_export
from labelsift.bench.plan import find_data, plan
from labelsift.bench.runs import failed_tasks, stored_results
from labelsift.bench.suite_file import list_suites, read_suite
from labelsift.bench.suite_schema import suite_schema
from labelsift.cli.report import report
from labelsift.cli.suites import (
    check_known,
    listed_option,
    read_suites,
    suite_options,
)
from labelsift.cli.terminal import (
    log,
    log_failed,
    progress,
    show,
    show_document,
    show_table,
)
from labelsift.experiment.ledger import Ledger, is_written_to
from labelsift.experiment.pool import run_tasks
from labelsift.experiment.task import Planned


@click.group()
def bench() -> None:
    """Run suites of data sets and methods; regenerate the papers' tables."""


bench.add_command(report)


@bench.command("list")
def list_() -> None:
    """List the suites."""
    suites = [read_suite(name) for name in list_suites()]
    rows = [(suite.name, suite.title) for suite in suites]
    show_table("Suites", ["suite", "what it regenerates"], rows)


@bench.command()
@suite_options
@listed_option("--data", "only", help="Only these data sets.")
@listed_option("--methods", help="Only these methods.")
@click.option("--jobs", type=click.IntRange(1), default=1, show_default=True)
@click.option(
    "--backend", type=click.Choice(["loky", "dask"]), default="loky", show_default=True
)
@click.option("--scheduler", metavar="ADDRESS", help="Address of a Dask cluster.")
@click.option("--timeout", type=click.FloatRange(0, min_open=True), metavar="SECONDS")
@click.option("--retry-failed", is_flag=True, help="Run failed tasks again.")
@click.option("--estimate", "only_estimate", is_flag=True, help="Only say how long.")
def run(
    suites: Sequence[str],
    effort: str,
    store: Path,
    data_home: Path | None,
    only: Sequence[str],
    methods: Sequence[str],
    only_estimate: bool,
    **options: Any,
) -> None:
    """Run what is missing of SUITE... (none: all suites of papers)."""
    chosen = read_suites(suites, effort)
    names = [{method.name for method in suite.methods} for suite in chosen]
    check_known("data set", only, {part.name for s in chosen for part in s.data})
    check_known("method", methods, set().union(*names))
    present, absent = find_data(chosen, only, str(data_home or ""))
    planned: dict[str, Planned] = {}  # suites that view one run share its tasks
    for suite, own in zip(chosen, names, strict=True):
        for part in suite.data:
            if part.name in absent:
                log(f"{suite.name}: {part.name} left out. {absent[part.name]}")
        wanted = own & set(methods)
        if wanted or not methods:
            for item in plan(suite, present, wanted):
                planned.setdefault(item.task.key, item)
    with Ledger(store) as ledger:
        expected = estimate(list(planned.values()), ledger)
        (show if only_estimate else log)(expected.sentence())
        if only_estimate:
            return
        with progress("tasks") as on_done:
            done = run_tasks(
                [item.task for item in planned.values()],
                ledger,
                on_done=on_done,
                **options,
            )
        failed = failed_tasks(ledger.results(list(planned.values())))
    show(f"{done} tasks run, {len(planned) - done} reused from the store.")
    log_failed(failed)


@bench.command()
@suite_options
def status(
    suites: Sequence[str], effort: str, store: Path, data_home: Path | None
) -> None:
    """Show the progress of SUITE..., also while it runs."""
    with Ledger(store, readonly=True) as ledger:
        statuses, notes = ledger.statuses(), ledger.notes()
    chosen = read_suites(suites, effort)
    present, absent = find_data(chosen, (), str(data_home or ""))
    rows = []
    for suite in chosen:
        keys = [item.task.key for item in plan(suite, present)]
        count = Counter(statuses.get(key, "missing") for key in keys)
        lacking = [part.name for part in suite.data if part.name in absent]
        failed = count["failed"] + count["timeout"]
        shown = ", ".join(lacking) or "-"
        rows.append((suite.name, count["done"], failed, count["missing"], shown))
    columns = ["suite", "done", "failed", "missing", "data not present"]
    show_table(f"{store}, effort {effort}", columns, rows)
    if not is_written_to(store):
        show("No driver is running.")
    elif {"done", "total", "started"} <= notes.keys():
        show(_progress_sentence(notes["done"], notes["total"], notes["started"]))


def _progress_sentence(done: int, total: int, started: float) -> str:
    elapsed = time.time() - started
    left = f"about {elapsed * (total - done) / done:.0f} s" if done else "unknown time"
    return (
        f"A driver is running: {done} of {total} tasks done in {elapsed:.0f} s, {left} "
        "left."
    )


@bench.command()
@suite_options
@click.option(
    "--out", type=click.Path(file_okay=False, path_type=Path), required=True,
    help="A folder for one CSV file per suite and their provenance.",
)  # fmt: skip
@click.option(
    "--update", is_flag=True,
    help="Replace what the store has in a folder that exists; leave the rest.",
)  # fmt: skip
def export(
    suites: Sequence[str],
    effort: str,
    store: Path,
    data_home: Path | None,
    out: Path,
    update: bool,
) -> None:
    """Write the values of SUITE... as CSV files."""
    results = list(stored_results(read_suites(suites, effort), store, data_home))
    (update_export if update else write_export)(results, out)
    rows = sum(len(result.results.values) for result in results)
    show(f"{rows} rows of {len(results)} suites in {out}.")


@bench.command()
def schema() -> None:
    """Print the JSON schema of a suite's file, for editors."""
    show_document(json.dumps(suite_schema(), indent=1))
