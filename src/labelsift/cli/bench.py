# SPDX-License-Identifier: BSD-3-Clause
"""``labelsift bench``: run suites, look at them while they run, report them."""

import time
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)

from labelsift.bench.collect import counts, failures
from labelsift.bench.driver import collect
from labelsift.bench.kept import read_export, write_export
from labelsift.bench.plan import Planned, find_data, plan
from labelsift.bench.ranks import draw_ranks
from labelsift.bench.schedule import run_tasks, time_left
from labelsift.bench.suite import EFFORTS, Suite, list_suites, read_suite
from labelsift.bench.tables import SuiteResult, paper_section, suite_section
from labelsift.cli.reading import data_home_option
from labelsift.cli.show import errors, output, show_table
from labelsift.datasets.atomic import replacing
from labelsift.report.document import RENDER, Section
from labelsift.results.store import ResultStore, is_written_to

TITLE = "The papers' tables, regenerated"


@click.group()
def bench() -> None:
    """Regenerate the tables of the papers."""


def _suite_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """What run, status and report have in common."""
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
    _check_known("data set", only, {part.name for s in chosen for part in s.data})
    named = {part.spec.name for s in chosen for part in s.methods}
    _check_known("method", methods, named)
    planned = []
    for suite in chosen:
        present, absent = find_data(suite, only, str(data_home or ""))
        for name, why in absent.items():
            errors.print(f"{suite.name}: {name} left out. {why}", soft_wrap=True)
        own = {part.spec.name for part in suite.methods} & set(methods)
        if own or not methods:
            planned += list(plan(suite, present, own))
    with ResultStore(store) as ledger, progress("tasks") as on_done:
        done = run_tasks(
            [item.task for item in planned], ledger, on_done=on_done, **options
        )
        failed = failures(planned, ledger)
    output.print(f"{done} tasks run, {len(planned) - done} were there before.")
    for failure in failed:
        errors.print(
            f"Failed: {failure.method} on {failure.data}, split {failure.split}: "
            f"{failure.error}",
            markup=False,
            soft_wrap=True,
        )


def _check_known(what: str, given: Sequence[str], known: Collection[str]) -> None:
    for name in given:
        if name not in known:
            raise ValueError(
                f"No suite that was named has a {what} {name!r}: choose from "
                f"{', '.join(sorted(known))}."
            )


@contextmanager
def progress(what: str) -> Iterator[Callable[[int, int, Any], None]]:
    """A bar with the time left, on standard error."""
    columns = (
        TextColumn(what),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TextColumn("left"),
        TimeRemainingColumn(elapsed_when_finished=False),
        TextColumn("{task.description}"),
    )
    with Progress(*columns, console=errors) as bar:
        task = bar.add_task("", total=None)

        def on_done(done: int, total: int, outcome: Any) -> None:
            bar.update(task, completed=done, total=total)

        yield on_done


@bench.command()
@_suite_options
def status(
    suites: Sequence[str], effort: str, store: Path, data_home: Path | None
) -> None:
    """Say how far SUITE... is, also while it runs."""
    rows = []
    with ResultStore(store, readonly=True) as ledger:
        for suite in _read(suites, effort):
            present, absent = find_data(suite, (), str(data_home or ""))
            found = counts(plan(suite, present), ledger)
            rows.append(
                (
                    suite.name,
                    found["done"],
                    found["failed"] + found["timeout"],
                    found["missing"],
                    ", ".join(absent) or "-",
                )
            )
        notes = ledger.notes()
    columns = ["suite", "done", "failed", "missing", "data not present"]
    show_table(f"{store}, effort {effort}", columns, rows)
    if not is_written_to(store):
        output.print("No driver is running.")
    elif notes:
        elapsed = time.time() - notes["started"]
        left = time_left(notes["done"], notes["total"], elapsed)
        output.print(
            f"A driver is running: {notes['done']} of {notes['total']} tasks done in "
            f"{elapsed:.0f} s, about {left:.0f} s left."
        )


def planned_of(
    suite: Suite, data_home: Path | None
) -> tuple[list[Planned], dict[str, str]]:
    """Tasks of a suite on the data that is there, and why other data is not."""
    present, absent = find_data(suite, (), str(data_home or ""))
    return list(plan(suite, present)), absent


def _collected(
    suites: Sequence[Suite], store: Path, data_home: Path | None
) -> Iterator[SuiteResult]:
    """Suites with their values from a ledger."""
    with ResultStore(store, readonly=True) as ledger:
        for suite in suites:
            planned, absent = planned_of(suite, data_home)
            yield collect(suite, planned, absent, ledger)


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
    """Show SUITE... beside the papers' numbers."""
    if folder is None:
        results = list(_collected(_read(suites, effort), store, data_home))
        about: list[Section] = []
    else:
        results, about = read_export(folder, suites)
    sections = [*about, paper_section(results), *map(suite_section, results)]
    text = RENDER[form](TITLE, sections)
    if diagrams is not None:
        for result in results:
            draw_ranks(result.suite, result.rows, diagrams)
        errors.print(f"Diagrams: {diagrams}", soft_wrap=True)
    if out is None:
        click.echo(text)
    else:
        with replacing(out) as part:
            part.write_text(text, encoding="utf-8")
        errors.print(f"Report: {out}", soft_wrap=True)


@bench.command()
@_suite_options
@click.option(
    "--out", type=click.Path(file_okay=False, path_type=Path), required=True,
    help="A folder for one CSV file per suite and a note on the machine.",
)  # fmt: skip
def export(
    suites: Sequence[str], effort: str, store: Path, data_home: Path | None, out: Path
) -> None:
    """Write the values of SUITE... as CSV files, to be kept."""
    results = list(_collected(_read(suites, effort), store, data_home))
    write_export(results, out)
    rows = sum(len(result.rows) for result in results)
    output.print(f"{rows} rows of {len(results)} suites in {out}.")
