# SPDX-License-Identifier: BSD-3-Clause
"""The command line interface."""

import sys


def main() -> None:
    """Run the ``labelsift`` command and exit with its code."""
    try:
        import click  # noqa: F401
        import rich  # noqa: F401
    except ModuleNotFoundError as error:
        sys.exit(
            f"Error: the command line needs the package {error.name!r}: "
            "install it with pip install 'labelsift[cli]'."
        )
    from labelsift.cli.app import run

    sys.exit(run(sys.argv[1:]))
