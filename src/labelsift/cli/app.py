# SPDX-License-Identifier: BSD-3-Clause
"""The command group, and how it fails: one sentence, exit code 2, no traceback."""

import os
import sys
import warnings
from collections.abc import Sequence
from importlib import import_module
from io import StringIO
from typing import Any

import click

import labelsift
from labelsift.core.optional import require_extra

# Errors of the user or the environment; anything else is a bug of labelsift.
_EXPECTED = (ValueError, OSError, ImportError, MemoryError)


class LazyGroup(click.Group):
    """A group whose commands are imported when they are called, not when listed."""

    # Command, in the order of the help: its module, and its line in the help.
    lines = {  # noqa: RUF012
        "look": ("look", "Show every column of DATA and what is doubtful about it."),
        "select": ("select", "Choose features of DATA: a registered name or a file."),
        "compare": (
            "compare",
            "Compare methods on DATA; write a page with the answer.",
        ),
        "apply": ("apply", "Keep the features of DATA that a saved selection names."),
        "methods": ("select", "List the methods of 'labelsift select'."),
        "data": ("data", "List data sets, describe one, convert between formats."),
        "bench": (
            "bench",
            "Run suites of data sets and methods; regenerate the papers' tables.",
        ),
        "doctor": ("doctor", "Show versions, threads, kernels and missing extras."),
    }

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Names in the order of the help."""
        return list(self.lines)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import the module of a command; None for an unknown name."""
        if cmd_name not in self.lines:
            return None
        if cmd_name in ("compare", "bench"):
            require_extra("report", f"labelsift {cmd_name}")
        module = import_module(f"labelsift.cli.{self.lines[cmd_name][0]}")
        command: click.Command = getattr(module, cmd_name)
        return command

    def format_commands(
        self, ctx: click.Context, formatter: click.HelpFormatter
    ) -> None:
        """Write the lines of the help, which works without any extra."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, line) for name, (_, line) in self.lines.items()])


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(labelsift.__version__, prog_name="labelsift")
def app() -> None:
    """Choose the few features that many labels share."""


def run(arguments: Sequence[str]) -> int:
    """Run the command line.

    Parameters
    ----------
    arguments : sequence of str
        The arguments after ``labelsift``.

    Returns
    -------
    int
        0; 1 where a part of the work failed and the rest is shown; 2 after an error;
        130 after Ctrl-C.
    """
    warnings.showwarning = _show_warning
    try:
        code = app.main(list(arguments), prog_name="labelsift", standalone_mode=False)
    except click.ClickException as error:
        _print_usage(error)
        return 2
    except (click.Abort, KeyboardInterrupt):
        _log("Stopped.")
        return 130
    except BrokenPipeError:  # the reader of a pipe (head, less) has exited
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except _EXPECTED as error:
        _print_message("Error", error)
        return 2
    except Exception as error:
        if os.environ.get("LABELSIFT_DEBUG"):
            raise
        _print_message(
            "Error",
            f"{type(error).__name__}: {error} This is a bug of labelsift; set "
            "LABELSIFT_DEBUG=1 to see where, and report it.",
        )
        return 2
    return int(code or 0)  # what a command gave to ``exit_with``


def _print_usage(error: click.ClickException) -> None:
    """Print what click says of wrong arguments, which may hold any character."""
    said = StringIO()
    error.show(said)
    for line in said.getvalue().splitlines():
        _log(line)


def _print_message(kind: str, message: Any) -> None:
    """Print to standard error as plain text, on one line, without markup."""
    text = " ".join(str(message).split()) or type(message).__name__
    _log(f"{kind}: {text}")


def _log(text: str) -> None:
    """Print to standard error; the help needs none of what that imports."""
    from labelsift.cli.terminal import log

    log(text)


def _show_warning(message: Any, *_: Any, **__: Any) -> None:
    _print_message("Warning", message)
