# SPDX-License-Identifier: BSD-3-Clause
"""``labelsift bench``: run suites, look at them while they run, report them."""

import time
from collections import Counter
from collections.abc import Callable, Collection, Sequence
from pathlib import Path
from typing import Any

import click

from labelsift.bench.average_ranks import draw_ranks
from labelsift.bench.export import provenance_section, read_export, write_export
from labelsift.bench.plan import find_data, plan
from labelsift.bench.suite import Suite
from labelsift.bench.suite_file import EFFORTS, list_suites, read_suite
from labelsift.bench.suite_result import failed_tasks, stored_results
from labelsift.bench.tables import paper_section, suite_section
from labelsift.cli.terminal import data_home_option, progress, say, show_table, tell
from labelsift.datasets.atomic import write_text
from labelsift.experiment.ledger import Ledger, is_written_to
from labelsift.experiment.pool import run_tasks
from labelsift.experiment.task import Planned
from labelsift.report.document import RENDER, Section

TITLE = "The papers' tables, regenerated"


@click.group()
def bench() -> None:
    """Regenerate the tables of the papers."""


def _suite_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """What run, status, report and export have in common."""
    for decorate in (
        data_home_option,
        click.option(
            "--store",
            type=click.Path(dir_okay=False, path_type=Path),
            default=Path("runs.sqlite"),
            show_default=True,
            help="The ledger: a SQLite file.",
        ),
        click.option(
            "--effort",
            type=click.Choice(EFFORTS),
            default="quick",
            show_default=True,
            help="quick: small, and says so; full: the paper's own protocol.",
        ),
        click.argument("suites", nargs=-1, metavar="[SUITE]..."),
    ):
        command = decorate(command)
    return command


def _read(names: Sequence[str], effort: str) -> list[Suite]:
    """The suites named; none or 'all': all of them."""
    if not names or tuple(names) == ("all",):
        names = list_suites()
    return [read_suite(name, effort) for name in names]


@bench.command("list")
def list_() -> None:
    """List the suites."""
    suites = [read_suite(name) for name in list_suites()]
    rows = [(suite.name, suite.title) for suite in suites]
    show_table("Suites", ["suite", "what it regenerates"], rows)


@bench.command()
@_suite_options
@click.option("--data", "only", multiple=True, help="Only this data set; repeatable.")
@click.option("--methods", multiple=True, help="Only this method; repeatable.")
@click.option("--jobs", type=click.IntRange(1), default=1, show_default=True)
@click.option(
    "--backend", type=click.Choice(["loky", "dask"]), default="loky", show_default=True
)
@click.option("--scheduler", metavar="ADDRESS", help="Of a Dask cluster.")
@click.option("--timeout", type=click.FloatRange(0, min_open=True), metavar="SECONDS")
@click.option("--retry-failed", is_flag=True, help="Run failed tasks again.")
def run(
    suites: Sequence[str],
    effort: str,
    store: Path,
    data_home: Path | None,
    only: Sequence[str],
    methods: Sequence[str],
    **options: Any,
) -> None:
    """Run what is missing of SUITE... (none: all suites)."""
    chosen = _read(suites, effort)
    names = [{method.name for method in suite.methods} for suite in chosen]
    _check_known("data set", only, {part.name for s in chosen for part in s.data})
    _check_known("method", methods, set().union(*names))
    present, absent = find_data(chosen, only, str(data_home or ""))
    planned: dict[str, Planned] = {}  # suites that view one run share its tasks
    for suite, own in zip(chosen, names, strict=True):
        for part in suite.data:
            if part.name in absent:
                tell(f"{suite.name}: {part.name} left out. {absent[part.name]}")
        wanted = own & set(methods)
        if wanted or not methods:
            for item in plan(suite, present, wanted):
                planned.setdefault(item.task.key, item)
    with Ledger(store) as ledger, progress("tasks") as on_done:
        done = run_tasks(
            [item.task for item in planned.values()], ledger, on_done=on_done, **options
        )
        failed = failed_tasks(ledger.results(list(planned.values())))
    say(f"{done} tasks run, {len(planned) - done} reused from the store.")
    for task in failed.itertuples():
        tell(f"Failed: {task.method} on {task.data}, split {task.split}: {task.error}")


def _check_known(what: str, given: Sequence[str], known: Collection[str]) -> None:
    for name in given:
        if name not in known:
            raise ValueError(
                f"No suite that was named has a {what} {name!r}: choose from "
                f"{', '.join(sorted(known))}."
            )


@bench.command()
@_suite_options
def status(
    suites: Sequence[str], effort: str, store: Path, data_home: Path | None
) -> None:
    """Say how far SUITE... is, also while it runs."""
    with Ledger(store, readonly=True) as ledger:
        statuses, notes = ledger.statuses(), ledger.notes()
    chosen = _read(suites, effort)
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
        say("No driver is running.")
    elif notes:
        say(_progress_sentence(notes["done"], notes["total"], notes["started"]))


def _progress_sentence(done: int, total: int, started: float) -> str:
    elapsed = time.time() - started
    left = f"about {elapsed * (total - done) / done:.0f} s" if done else "unknown time"
    return (
        f"A driver is running: {done} of {total} tasks done in {elapsed:.0f} s, {left} "
        "left."
    )


@bench.command()
@_suite_options
@click.option(
    "--format", "form", type=click.Choice(list(RENDER)), default="md", show_default=True
)
@click.option(
    "--from", "folder", type=click.Path(file_okay=False, path_type=Path),
    help="A folder that 'bench export' wrote, in place of a ledger.",
)  # fmt: skip
@click.option(
    "--diagrams", type=click.Path(file_okay=False, path_type=Path),
    help="A folder for a critical-difference diagram of each suite, as PNG.",
)  # fmt: skip
@click.option("--out", type=click.Path(dir_okay=False, path_type=Path))
def report(
    suites: Sequence[str],
    effort: str,
    store: Path,
    data_home: Path | None,
    form: str,
    folder: Path | None,
    diagrams: Path | None,
    out: Path | None,
) -> None:
    """Show SUITE... with the papers' numbers."""
    sections: list[Section] = []
    if folder is None:
        results = list(stored_results(_read(suites, effort), store, data_home))
    else:
        results = read_export(folder, suites)
        sections.append(provenance_section(folder))
    sections += [paper_section(results), *map(suite_section, results)]
    text = RENDER[form](TITLE, sections)
    if diagrams is not None:
        for result in results:
            draw_ranks(result.suite, result.results, diagrams)
        tell(f"Diagrams: {diagrams}")
    if out is None:
        click.echo(text)
    else:
        write_text(text, out)
        tell(f"Report: {out}")


@bench.command()
@_suite_options
@click.option(
    "--out", type=click.Path(file_okay=False, path_type=Path), required=True,
    help="A folder for one CSV file per suite and their provenance.",
)  # fmt: skip
def export(
    suites: Sequence[str], effort: str, store: Path, data_home: Path | None, out: Path
) -> None:
    """Write the values of SUITE... as CSV files."""
    results = list(stored_results(_read(suites, effort), store, data_home))
    write_export(results, out)
    rows = sum(len(result.results.values) for result in results)
    say(f"{rows} rows of {len(results)} suites in {out}.")
