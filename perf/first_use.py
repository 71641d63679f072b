# SPDX-License-Identifier: BSD-3-Clause
"""Compilation on first use: processor seconds, with and without ``doctor --warm``.

    python perf/first_use.py [--before FOLDER] [compare] [methods] [read-only]

"compare": ``labelsift compare traits`` with the methods that are frozen in
perf/compare.py, every line a new process. The cache of compiled code is a new folder,
then one that ``labelsift doctor --warm`` has filled. ``--before`` names the ``src`` of
an older version, which does the same.

"methods": what a fit of each selector compiles where nothing is: processor seconds
more than a second fit, and how many signatures, on dense and on sparse data.

"read-only": a copy of the package that cannot be written to, with a home folder that
can. The last lines count what is stored there, and what the second process compiled.
"""

import argparse
import ctypes
import multiprocessing
import os
import shutil
import subprocess
import sys
import tempfile
import time
import warnings
from pathlib import Path

import scipy.sparse as sp

import labelsift
from compare import SMALL
from labelsift.datasets import load_dataset
from labelsift.experiment.catalogue import CATALOGUE
from labelsift.selection import METHODS

CODE = "from labelsift.cli import main; main()"
WARM_UP = """
from labelsift.kernels import auc
auc.warm_up()
made = [f.stats for f in vars(auc).values() if hasattr(f, "py_func")]
print(sum(len(s.cache_misses) for s in made), sum(len(s.cache_hits) for s in made))
"""


def run(what, environment, *arguments, **options):
    """Run labelsift in a process of its own; print its processor and wall seconds."""
    before, start = os.times(), time.perf_counter()
    command = [sys.executable, "-c", CODE, *arguments]
    done = subprocess.run(
        command, env=os.environ | environment, capture_output=True, text=True, **options
    )
    after = os.times()
    used = sum(after[2:4]) - sum(before[2:4])
    wall = time.perf_counter() - start
    told = "" if done.returncode == 0 else done.stderr.strip().splitlines()[-1]
    print(f"{what:58} {used:7.1f} {wall:7.1f}  {told}", flush=True)


def compared(folder, before):
    """A comparison with and without compiled code, before and now."""
    page = str(folder / "page.html")
    asked = ("compare", "traits", "--methods", ",".join(SMALL), "--out", page)
    print(f"{'':58} {'cpu s':>7} {'wall s':>7}")
    if before is not None:
        old = {"NUMBA_CACHE_DIR": str(folder / "old"), "PYTHONPATH": str(before)}
        run("before: compare traits, nothing compiled", old, *asked)
        run("before: the same again", old, *asked)
    cold = {"NUMBA_CACHE_DIR": str(folder / "cold")}
    run("compare traits, nothing compiled", cold, *asked)
    run("the same again", cold, *asked)
    warm = {"NUMBA_CACHE_DIR": str(folder / "warm")}
    run("doctor --warm", warm, "doctor", "--warm")
    run("compare traits after it", warm, *asked)
    few = ("compare", "traits", "--methods", "fisher", "--out", page)
    run("fisher alone, nothing compiled", {"NUMBA_CACHE_DIR": f"{folder}/few"}, *few)


def methods(folder):
    """What each selector compiles."""
    print(f"\n{'':18} {'dense':>14} {'sparse':>16}")
    print(f"{'method':18} {'signatures  s':>14} {'signatures  s':>16}")
    for name in METHODS:
        if name in ("importance", "random"):
            continue
        cells = []
        for sparse in (False, True):
            cache = folder / f"{name}-{sparse}"
            count, seconds = in_new_process(compiled_by, name, sparse, str(cache))
            cells.append(f"{count:10} {seconds:5.1f}")
        print(f"{name:18} {cells[0]} {cells[1]}", flush=True)


def in_new_process(function, *arguments):
    """The result of a function in a process that begins as this one is."""
    context = multiprocessing.get_context("fork")
    with context.Pool(1) as pool:
        return pool.apply(function, arguments)


def compiled_by(name, sparse, cache):
    """Signatures that a first fit compiled, and the seconds it took for them."""
    os.environ["NUMBA_CACHE_DIR"] = cache
    warnings.simplefilter("ignore")
    data = load_dataset("traits").rows(slice(300))
    X = sp.csr_array(data.X) if sparse else data.X
    selector = CATALOGUE[name].make(data.n_labels)
    selector.set_params(n_features_to_select=5)
    seconds = []
    for _ in range(2):
        start = time.process_time()
        selector.fit(X / 16, data.Y)
        seconds.append(time.process_time() - start)
    loaded = [m for n, m in sys.modules.items() if n.startswith("labelsift.kernels.")]
    kernels = {
        id(function): function
        for module in loaded
        for function in vars(module).values()
        if hasattr(function, "py_func")
    }
    count = sum(len(function.signatures) for function in kernels.values())
    return count, seconds[0] - seconds[1]


def bound_by_permissions():
    """Let permissions bind root too, from the next program on (Linux)."""
    ctypes.CDLL(None).prctl(24, 1, 0, 0, 0)  # drops CAP_DAC_OVERRIDE


def read_only(folder):
    """A package that cannot be written to, with a home folder that can."""
    source = Path(labelsift.__file__).parent
    copy = folder / "site" / "labelsift"
    shutil.copytree(source, copy, ignore=shutil.ignore_patterns("__pycache__"))
    for path in [*copy.rglob("*"), copy, copy.parent]:
        path.chmod(0o555 if path.is_dir() else 0o444)
    home = folder / "home"
    home.mkdir()
    place = {"PYTHONPATH": str(copy.parent), "HOME": str(home)}
    place |= {"XDG_CACHE_HOME": str(home / ".cache"), "NUMBA_CACHE_DIR": ""}
    bound = {"preexec_fn": bound_by_permissions if os.geteuid() == 0 else None}
    print(f"\n{'':58} {'cpu s':>7} {'wall s':>7}")
    few = ("compare", "traits", "--methods", "mdmr", "--budgets", "4", "--out")
    run("read-only package: compare, mdmr", place, *few, str(home / "1.html"), **bound)
    run("the same again", place, *few, str(home / "2.html"), **bound)
    stored = sum(1 for path in home.rglob("*.nbi"))
    print(f"{'compiled functions stored in the home folder':58} {stored:7}")
    for what in ("first", "second"):
        done = subprocess.run(
            [sys.executable, "-c", WARM_UP],
            env=os.environ | place,
            capture_output=True,
            text=True,
            **bound,
        )
        compiled, read = done.stdout.split()
        what = f"kernels of AUC in a {what} process: compiled, read"
        print(f"{what:58} {compiled:>7} {read:>7}")
    for path in [copy.parent, *copy.parent.rglob("*")]:
        path.chmod(0o755)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--before", type=Path)
    parser.add_argument("parts", nargs="*", default=["compare", "methods", "read-only"])
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        if "compare" in asked.parts:
            compared(folder, asked.before)
        if "methods" in asked.parts:
            methods(folder)
        if "read-only" in asked.parts:
            read_only(folder)


if __name__ == "__main__":
    main()
