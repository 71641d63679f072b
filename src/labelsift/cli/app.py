# SPDX-License-Identifier: BSD-3-Clause
"""The command group, and how it fails: one sentence, exit code 2, no traceback."""

import os
import sys
import warnings
from collections.abc import Sequence
from importlib import import_module
from typing import Any

import click

import labelsift
from labelsift.cli.terminal import tell
from labelsift.core.optional import require_extra

# A mistake of the user or of the surroundings; anything else is a fault of ours.
_EXPECTED = (ValueError, OSError, ImportError, MemoryError)


class LazyGroup(click.Group):
    """A group whose commands are imported when they are called or listed."""

    # Name of a command and the module that has it, in the order of the help.
    modules = {  # noqa: RUF012
        "select": "select",
        "compare": "compare",
        "apply": "apply",
        "methods": "select",
        "data": "data",
        "bench": "bench",
        "doctor": "doctor",
    }

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Names in the order of the help."""
        return list(self.modules)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import the module of a command; None for a name that is not known."""
        if cmd_name not in self.modules:
            return None
        if cmd_name in ("compare", "bench"):
            require_extra("report", f"labelsift {cmd_name}")
        module = import_module(f"labelsift.cli.{self.modules[cmd_name]}")
        command: click.Command = getattr(module, cmd_name)
        return command


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(labelsift.__version__, prog_name="labelsift")
def app() -> None:
    """Choose the few features that many labels share."""


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
        tell("Stopped.")
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
    tell(f"{kind}: {text}")


def _show_warning(message: Any, *_: Any, **__: Any) -> None:
    _say("Warning", message)
