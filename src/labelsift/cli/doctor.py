# SPDX-License-Identifier: BSD-3-Clause
"""``labelsift doctor``: is everything here that the work needs?"""

import os
import platform
import re
import time
from importlib.metadata import requires, version
from importlib.util import find_spec

import click
from rich.progress import track
from threadpoolctl import threadpool_info

from labelsift import __version__
from labelsift.cli.show import errors, output, show_table
from labelsift.core.optional import EXTRAS
from labelsift.datasets import list_datasets
from labelsift.kernels import kernel_modules, warm_up


@click.command()
def doctor() -> None:
    """Show versions, threads, kernels and missing extras."""
    show_table("Versions", ["package", "version"], _versions())
    show_table("Threads", ["what", "threads"], _threads())
    show_table("Kernels", ["module", "seconds to compile or load"], _kernels())
    show_table("Extras", ["extra", "state"], _extras())
    found = sum(info.local for info in list_datasets())
    home = os.environ.get("LABELSIFT_DATA", "LABELSIFT_DATA is not set")
    output.print(f"Data: {found} sets found ({home})", markup=False, soft_wrap=True)


def _versions() -> list[tuple[str, str]]:
    needed = [line for line in requires("labelsift") or [] if "extra ==" not in line]
    names = [re.split(r"[^\w.-]", line, maxsplit=1)[0] for line in needed]
    rows = [("python", platform.python_version()), ("labelsift", __version__)]
    return rows + [(name, version(name)) for name in names]


def _threads() -> list[tuple[str, int]]:
    rows = [("cores of the machine", os.cpu_count() or 1)]
    return rows + [
        (f"{pool['user_api']} ({pool['internal_api']})", int(pool["num_threads"]))
        for pool in threadpool_info()
    ]


def _kernels() -> list[tuple[str, float]]:
    rows = []
    for module in track(kernel_modules(), "Warming up", console=errors, transient=True):
        start = time.perf_counter()
        warm_up(module)
        rows.append((module, time.perf_counter() - start))
    return rows


def _extras() -> list[tuple[str, str]]:
    rows = []
    for extra, packages in EXTRAS.items():
        missing = [package for package in packages if find_spec(package) is None]
        state = (
            f"missing {', '.join(missing)}: pip install 'labelsift[{extra}]'"
            if missing
            else "installed"
        )
        rows.append((extra, state))
    return rows
