# SPDX-License-Identifier: BSD-3-Clause
"""Where and how the command line prints."""

import sys
from collections.abc import Iterable
from typing import Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

# In a pipe or a file nobody's window is narrow: lines are not folded at 80 columns.
output = Console(highlight=False, width=None if sys.stdout.isatty() else 200)
errors = Console(stderr=True, highlight=False)


def show_table(
    title: str, columns: Iterable[str], rows: Iterable[Iterable[Any]]
) -> None:
    """Print a table; numbers are aligned to the right, all text is taken literally."""
    cells = [list(row) for row in rows]
    table = Table(box=None, pad_edge=False)
    for position, column in enumerate(columns):
        numeric = all(isinstance(row[position], int | float) for row in cells)
        table.add_column(
            column, justify="right" if numeric else "left", overflow="fold"
        )
    for row in cells:
        table.add_row(*(Text(_cell(value)) for value in row))
    output.print(Text(printable(title), style="bold"), soft_wrap=True)
    output.print(table)


def _cell(value: Any) -> str:
    return f"{value:.4g}" if isinstance(value, float) else printable(str(value))


def printable(text: str) -> str:
    """Text with control characters written out, so that names cannot drive a screen."""
    return "".join(c if c.isprintable() else repr(c)[1:-1] for c in text)
