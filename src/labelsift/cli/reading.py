# SPDX-License-Identifier: BSD-3-Clause
"""The argument DATA and its options, the same for every command that has them."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import click

from labelsift.cli.show import errors
from labelsift.core.data import MultiLabelData
from labelsift.datasets import open_data


def data_home_option(command: Callable[..., Any]) -> Callable[..., Any]:
    """The option that names a folder of data sets."""
    return click.option(
        "--data-home",
        type=click.Path(path_type=Path),
        help="A folder of data sets; searched before LABELSIFT_DATA and the cache.",
    )(command)


def reading(command: Callable[..., Any]) -> Callable[..., Any]:
    """The argument and options of a command that opens DATA."""
    for decorate in (
        data_home_option,
        click.option(
            "--drop",
            multiple=True,
            metavar="PATTERN",
            help="Columns to leave out; may be given again.",
        ),
        click.option(
            "--labels",
            multiple=True,
            metavar="PATTERN",
            help="Label columns, as 'tag_*', or an XML file; may be given again.",
        ),
        click.argument("source", metavar="DATA"),
    ):
        command = decorate(command)
    return command


def open_source(
    source: str, labels: Sequence[str], drop: Sequence[str], data_home: Path | None
) -> MultiLabelData:
    """Open DATA, with a word on the screen while it is read."""
    with errors.status("Reading ..."):
        return open_data(source, labels=labels, drop=drop, data_home=data_home)
