# SPDX-License-Identifier: BSD-3-Clause
"""The command group, and how it fails: one sentence, exit code 2, no traceback."""

import os
import sys
import warnings
from collections.abc import Sequence
from typing import Any

import click

import labelsift
from labelsift.cli.apply import apply
from labelsift.cli.bench import bench
from labelsift.cli.compare import compare
from labelsift.cli.data import data
from labelsift.cli.doctor import doctor
from labelsift.cli.select import methods, select
from labelsift.cli.show import errors, printable

# A mistake of the user or of the surroundings; anything else is a fault of ours.
_EXPECTED = (ValueError, OSError, ImportError, MemoryError)


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(labelsift.__version__, prog_name="labelsift")
def app() -> None:
    """Choose the few features that many labels share."""


for _command in (select, compare, apply, methods, data, bench, doctor):
    app.add_command(_command)


def run(arguments: Sequence[str]) -> int:
    """Run the command line.

    Parameters
    ----------
    arguments : sequence of str
        What follows ``labelsift``.

    Returns
    -------
    int
        0, 2 after an error, 130 after Ctrl-C.
    """
    warnings.showwarning = _show_warning
    try:
        app.main(list(arguments), prog_name="labelsift", standalone_mode=False)
    except click.ClickException as error:
        error.show()
        return 2
    except (click.Abort, KeyboardInterrupt):
        errors.print("Stopped.")
        return 130
    except BrokenPipeError:  # the reader of a pipe (head, less) has gone
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except _EXPECTED as error:
        _say("Error", error)
        return 2
    except Exception as error:
        if os.environ.get("LABELSIFT_DEBUG"):
            raise
        _say(
            "Error",
            f"{type(error).__name__}: {error} This is a fault of labelsift; set "
            "LABELSIFT_DEBUG=1 to see where, and report it.",
        )
        return 2
    return 0


def _say(kind: str, message: Any) -> None:
    """Print to standard error as plain text, on one line, without markup."""
    text = " ".join(str(message).split()) or type(message).__name__
    errors.print(
        f"{kind}: {printable(text)}", markup=False, highlight=False, soft_wrap=True
    )


def _show_warning(message: Any, *_: Any, **__: Any) -> None:
    _say("Warning", message)
