# SPDX-License-Identifier: BSD-3-Clause
"""What the commands share: printing, and the argument DATA with its options."""

import json
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import wraps
from pathlib import Path
from typing import Any

import click
from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)
from rich.table import Table
from rich.text import Text

from labelsift.core.data import MultiLabelData
from labelsift.core.text import clean, short
from labelsift.datasets import open_data
from labelsift.datasets.problems import TableError
from labelsift.prepare import Doubt, TablePreparation
from labelsift.prepare.doubts.doubt import listed
from labelsift.prepare.kinds import KINDS

# Output to a pipe or a file is not wrapped at 80 columns.
_LITERAL: dict[str, Any] = {"highlight": False, "markup": False, "emoji": False}
output = Console(**_LITERAL, width=None if sys.stdout.isatty() else 200)
errors = Console(**_LITERAL, stderr=True)
# Characters of a cell of a table, and of a message: names may be of any length.
_LONGEST_CELL = 1000
_LONGEST_MESSAGE = 2000
# Seconds before what is known so far is shown.
_FIRST_NEWS = 2.0


def show(text: str) -> None:
    """Print a result as plain text, without interpreting markup or escapes."""
    output.print(clean(text), soft_wrap=True)


def show_document(text: str) -> None:
    """The same for a text of several lines."""
    for line in text.split("\n"):
        show(line)


def show_json(document: Any) -> None:
    """Print a result as JSON; what is not ASCII is escaped, as control codes may be."""
    output.print_json(json.dumps(document), ensure_ascii=True)


def log(text: str) -> None:
    """Print progress to standard error, as plain text."""
    errors.print(short(text, _LONGEST_MESSAGE), soft_wrap=True)


def show_table(
    title: str, columns: Iterable[str], rows: Iterable[Iterable[Any]]
) -> None:
    """Print a table; numbers are aligned to the right, text is printed literally."""
    cells = [list(row) for row in rows]
    table = Table(box=None, pad_edge=False)
    for position, column in enumerate(columns):
        numeric = all(isinstance(row[position], int | float) for row in cells)
        table.add_column(
            column, justify="right" if numeric else "left", overflow="fold"
        )
    for row in cells:
        table.add_row(*(Text(_cell(value)) for value in row))
    output.print(Text(_cell(title), style="bold"), soft_wrap=True)
    output.print(table)


def _cell(value: Any) -> str:
    return f"{value:.4g}" if isinstance(value, float) else short(value, _LONGEST_CELL)


@contextmanager
def progress(
    what: str, so_far: Callable[[], str] | None = None
) -> Iterator[Callable[[int, int, Any], None]]:
    """A bar with the time left, on standard error; with what is known so far above it.

    That is asked for and printed after two seconds, then ever more rarely.
    """
    columns = (
        TextColumn(what),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TextColumn("left"),
        TimeRemainingColumn(elapsed_when_finished=False),
    )
    with Progress(*columns, console=errors) as bar:
        task = bar.add_task("", total=None)
        start, wait, told = time.monotonic(), _FIRST_NEWS, ""

        def on_done(done: int, total: int, outcome: Any) -> None:
            nonlocal wait, told
            bar.update(task, completed=done, total=total)
            if so_far is None or done == total or time.monotonic() - start < wait:
                return
            news = so_far()
            if news not in ("", told):
                log(news)
                wait, told = 2 * (time.monotonic() - start), news

        yield on_done


def exit_with(code: int) -> None:
    """End the command with an exit code, after all is shown."""
    click.get_current_context().exit(code)


def log_failed(tasks: Any) -> None:
    """Name the tasks that failed or ran out of time; some: the exit code is 1."""
    for task in tasks.itertuples():
        log(f"Failed: {task.method} on {task.data}, split {task.split}: {task.error}")
    if len(tasks):
        exit_with(1)


def data_home_option(command: Callable[..., Any]) -> Callable[..., Any]:
    """The option that names a folder of data sets."""
    return click.option(
        "--data-home",
        type=click.Path(path_type=Path),
        help="A folder of data sets; searched before LABELSIFT_DATA and the cache.",
    )(command)


@dataclass(frozen=True)
class TableOptions:
    """How a table is read and prepared.

    Parameters
    ----------
    reading : mapping
        Options of ``open_data`` that were given.
    kinds : mapping
        Kinds of columns that are told.
    missing : tuple of str
        More texts that stand for a missing value.
    prepare : str
        "auto" or "none".
    """

    reading: Mapping[str, Any] = field(default_factory=dict)
    kinds: Mapping[str, str] = field(default_factory=dict)
    missing: tuple[str, ...] = ()
    prepare: str = "auto"

    @property
    def preparation(self) -> TablePreparation | None:
        """What makes numbers of a table; None: they are numbers already."""
        if self.prepare == "none":
            return None
        return TablePreparation(kinds=self.kinds or None, missing=self.missing)


def _kinds(ctx: Any, param: Any, settings: tuple[str, ...]) -> dict[str, str]:
    """Read ``NAME=KIND``; a name may hold the sign itself."""
    kinds = {}
    for setting in settings:
        name, equals, kind = setting.rpartition("=")
        if not equals or kind not in KINDS:
            raise click.BadParameter(
                f"{setting!r} is not of the form NAME=KIND, KIND one of "
                f"{', '.join(KINDS)}."
            )
        kinds[name] = kind
    return kinds


_FILE = click.Path(dir_okay=False, path_type=Path)
# How a table is read; every command that opens DATA has these.
_READING = (
    click.option("--sep", metavar="SIGN", help="Between cells: , ; tab or |."),
    click.option("--decimal", type=click.Choice([".", ","]), help="Within numbers."),
    click.option("--encoding", metavar="NAME", help="Of a text file."),
    click.option("--skip", type=click.IntRange(0), default=0, metavar="N",
                 help="Lines before the header."),
    click.option("--sheet", metavar="NAME", help="Of an Excel file."),
    click.option("--label-missing", type=click.Choice(["no", "drop", "unknown"]),
                 help="A blank label means no, drops the row, or is unknown."),
    click.option("--memory", metavar="SIZE",
                 help="What reading may take at the most.  [default: 2G]"),
)  # fmt: skip
_READING_NAMES = (
    "sep", "decimal", "encoding", "skip", "sheet", "label_missing", "memory",
)  # fmt: skip
_PREPARING = (
    click.option("--missing", multiple=True, metavar="TEXT",
                 help="Stands for a missing value too; may be repeated."),
    click.option("--kind", "kinds", multiple=True, metavar="NAME=KIND", callback=_kinds,
                 help=f"What a column is ({', '.join(KINDS)}); may be repeated."),
    click.option("--prepare", type=click.Choice(["auto", "none"]), default="auto",
                 show_default=True, help="none: the columns are numbers already."),
)  # fmt: skip


def reading(command: Callable[..., Any]) -> Callable[..., Any]:
    """The argument and options of a command that opens DATA.

    Those of tables reach the command as ``table``.
    """

    @wraps(command)
    def called(**options: Any) -> Any:
        parts = {name: options.pop(name) for name in ("kinds", "missing", "prepare")}
        given = {name: options.pop(name) for name in _READING_NAMES}
        used = {name: value for name, value in given.items() if value}
        if weights := options.pop("weights", None):
            used["weights"] = weights
        if targets := options.pop("targets"):
            if options["labels"]:
                raise ValueError(
                    "--labels and --targets exclude each other: choose one."
                )
            options["labels"], used["target"] = targets, "values"
        return command(**options, table=TableOptions(used, **parts))

    decorated: Callable[..., Any] = called
    options: list[Callable[..., Any]] = [
        *reversed((*_READING, *_PREPARING)),
        data_home_option,
        click.option(
            "--drop",
            multiple=True,
            metavar="PATTERN",
            help="Columns to leave out, with commas between; may be repeated.",
        ),
        click.option(
            "--targets",
            multiple=True,
            metavar="PATTERN",
            help="Columns of values to predict, as 'y_*', in place of --labels; may be "
            "repeated.",
        ),
        click.option(
            "--labels",
            multiple=True,
            metavar="PATTERN",
            help="Label columns, as 'tag_*', 'tags:|' (lists) or 'kind:class', or an "
            "XML file; may be repeated.",
        ),
        click.argument("source", metavar="DATA"),
    ]
    for decorate in options:
        decorated = decorate(decorated)
    return decorated


# Of the commands that learn or describe; its value reaches them in ``table``.
weighing = click.option(
    "--weights",
    metavar="COLUMN",
    help="How often each row counts, such as copies or survey weights; no feature.",
)


def buying(command: Callable[..., Any]) -> Callable[..., Any]:
    """The options about costs and groups of features."""
    for decorate in (
        click.option("--max-cost", type=click.FloatRange(0, min_open=True),
                     metavar="TOTAL", help="What the features may cost together."),
        click.option("--groups", "feature_groups", type=_FILE,
                     help="CSV file with the columns feature and group: features that "
                     "are taken together."),
        click.option("--costs", type=_FILE,
                     help="CSV file with the columns feature and cost; a group may "
                     "have one cost under its own name."),
    ):  # fmt: skip
        command = decorate(command)
    return command


def open_source(
    source: str,
    labels: Sequence[str],
    drop: Sequence[str],
    data_home: Path | None,
    table: TableOptions,
    *,
    unknown: bool = False,
) -> MultiLabelData:
    """Open DATA, with a status message while it is read; say how it was read.

    ``unknown`` says whether labels may be.
    """
    if not unknown and table.reading.get("label_missing") == "unknown":
        raise ValueError(
            "--label-missing unknown is for compare, select and look: use no or drop "
            "here."
        )
    with errors.status("Reading ..."):
        data = open_data(
            source, labels=labels, drop=drop, data_home=data_home, **table.reading
        )
    announce(data)
    return data


@contextmanager
def every_problem() -> Iterator[None]:
    """List everything that is wrong with a table, not the first of it only."""
    try:
        yield
    except TableError as error:
        for problem in error.problems[:-1]:
            log(f"Error: {problem}")
        raise ValueError(error.problems[-1]) from error


def announce(data: MultiLabelData) -> None:
    """Say how a file was read, where that had to be found out."""
    for note in data.notes:
        log(note)


def announce_left_out(columns: Sequence[tuple[str, str]]) -> None:
    """Name the columns of a table that nothing is made of, by why."""
    by_why: dict[str, list[str]] = {}
    for name, why in columns:
        by_why.setdefault(why, []).append(name)
    for why, names in by_why.items():
        log(f"Columns left out ({why}): {listed(names)}.")


def show_doubts(
    doubts: Sequence[Doubt], say: Callable[[str], None] | None = None
) -> None:
    """Print doubts and options against them."""
    say = say or show
    for doubt in doubts:
        say(f"Doubt: {doubt.sentence}")
        if doubt.remedy and doubt.remedy not in doubt.sentence:
            say(f"       Option: {doubt.remedy}")
