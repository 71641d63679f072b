# SPDX-License-Identifier: BSD-3-Clause
"""``labelsift doctor``: check that everything needed is installed."""

import os
import time
from importlib.util import find_spec

import click
import joblib
from llvmlite.binding import get_host_cpu_features
from rich.progress import track
from threadpoolctl import threadpool_info

from labelsift.cli.terminal import errors, show, show_table
from labelsift.core.optional import EXTRAS
from labelsift.core.provenance import versions
from labelsift.datasets import list_datasets
from labelsift.kernels import kernel_modules, warm_up

# Processors without AVX-512 whose code OpenBLAS may run on newer ones, and where it is
# told to.
_WITHOUT_AVX512 = {"Haswell", "Zen"}
_CODE_OF_OPENBLAS = "OPENBLAS_CORETYPE"


@click.command()
@click.option(
    "--warm", is_flag=True,
    help="Only compile what is compiled on first use, in one process per core.",
)  # fmt: skip
def doctor(warm: bool) -> None:
    """Show versions, threads, kernels and missing extras."""
    if warm:
        show(_warmed())
        return
    show_table("Versions", ["package", "version"], versions().items())
    show_table("Threads", ["what", "threads"], _threads())
    if hint := _faster_blas():
        show(hint)
    show_table("Kernels", ["module", "seconds to compile or load"], _kernels())
    show_table("Extras", ["extra", "state"], _extras())
    count = sum(info.local for info in list_datasets())
    home = os.environ.get("LABELSIFT_DATA", "LABELSIFT_DATA is not set")
    show(f"Data: {count} sets present ({home})")


def _threads() -> list[tuple[str, int]]:
    rows = [("cores of the machine", os.cpu_count() or 1)]
    for pool in threadpool_info():
        # The processor that linear algebra takes this one for.
        parts = (pool["internal_api"], pool.get("architecture"))
        name = " ".join(part for part in parts if part)
        rows.append((f"{pool['user_api']} ({name})", int(pool["num_threads"])))
    return rows


def _faster_blas() -> str:
    """What to do where OpenBLAS does not use the AVX-512 of the processor."""
    used = {pool.get("architecture") for pool in threadpool_info()} & _WITHOUT_AVX512
    if not used or not get_host_cpu_features().get("avx512f"):
        return ""
    remedy = f"set {_CODE_OF_OPENBLAS}=SkylakeX"
    if os.environ.get(_CODE_OF_OPENBLAS):
        remedy = f"unset {_CODE_OF_OPENBLAS}, which asks for it,"
    return (
        f"OpenBLAS runs its code for {' and '.join(sorted(used))}, but this processor "
        f"has AVX-512: {remedy} for faster linear algebra. Last digits of results may "
        "change."
    )


def _kernels() -> list[tuple[str, float]]:
    rows = []
    for module in track(kernel_modules(), "Warming up", console=errors, transient=True):
        start = time.perf_counter()
        warm_up(module)
        rows.append((module, time.perf_counter() - start))
    return rows


def _warmed() -> str:
    """Compile every kernel module, the slow ones first, and say how long it took."""
    start, modules = time.perf_counter(), kernel_modules()
    pool = joblib.Parallel(n_jobs=os.cpu_count() or 1, return_as="generator_unordered")
    done = pool(joblib.delayed(warm_up)(module) for module in modules)
    count = len(modules)
    for _ in track(done, "Compiling", count, console=errors, transient=True):
        pass
    return f"{count} kernel modules are ready ({time.perf_counter() - start:.0f} s)."


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
