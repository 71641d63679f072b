# SPDX-License-Identifier: BSD-3-Clause
"""What the commands of ``labelsift bench`` share: suites, and their options."""

from collections.abc import Callable, Collection, Sequence
from pathlib import Path
from typing import Any

import click

from labelsift.bench.suite import Suite
from labelsift.bench.suite_file import EFFORTS, list_suites, read_suite
from labelsift.cli.terminal import data_home_option


def suite_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """The options common to run, status, report and export."""
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
            help="quick: a reduced run; full: the paper's own protocol.",
        ),
        click.argument("suites", nargs=-1, metavar="[SUITE]..."),
    ):
        command = decorate(command)
    return command


def listed_option(*names: str, **options: Any) -> Callable[..., Any]:
    """An option whose names are given one by one, or with commas between them."""

    def listed(_: Any, __: Any, given: Sequence[str]) -> tuple[str, ...]:
        return tuple(name.strip() for text in given for name in text.split(","))

    options = {"metavar": "A,B"} | options
    return click.option(*names, multiple=True, callback=listed, **options)


def read_suites(names: Sequence[str], effort: str) -> list[Suite]:
    """The suites named; none or 'all': all of the papers'."""
    if not names or tuple(names) == ("all",):
        every = [read_suite(name, effort) for name in list_suites()]
        return [suite for suite in every if suite.paper]
    return [read_suite(name, effort) for name in names]


def check_known(what: str, given: Sequence[str], known: Collection[str]) -> None:
    """Raise for a name that no suite has."""
    for name in given:
        if name not in known:
            raise ValueError(
                f"No suite that was named has a {what} {name!r}: choose from "
                f"{', '.join(sorted(known))}."
            )
