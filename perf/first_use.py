# SPDX-License-Identifier: BSD-3-Clause
"""Compilation on first use: processor seconds, with and without ``doctor --warm``.

    python perf/first_use.py

Every line is a new process. The cache of compiled code is a new folder, then one that
``labelsift doctor --warm`` has filled, then the same again. The last lines are about a
copy of the package that cannot be written to.
"""

import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import labelsift

COMPARE = ("compare", "traits", "--out", os.devnull)
CODE = "from labelsift.cli import main; main()"


def run(what, environment, *arguments):
    """Run labelsift in a process of its own; print its processor and wall seconds."""
    before, start = os.times(), time.perf_counter()
    command = [sys.executable, "-c", CODE, *arguments]
    done = subprocess.run(
        command, env=os.environ | environment, capture_output=True, text=True
    )
    after = os.times()
    used = sum(after[2:4]) - sum(before[2:4])
    wall = time.perf_counter() - start
    told = "" if done.returncode == 0 else done.stderr.strip().splitlines()[-1]
    print(f"{what:58} {used:7.1f} {wall:7.1f}  {told}", flush=True)


def main():
    print(f"{'':58} {'cpu s':>7} {'wall s':>7}")
    with tempfile.TemporaryDirectory() as folder:
        cold, warm = Path(folder, "cold"), Path(folder, "warm")
        run(
            "compare traits, nothing compiled", {"NUMBA_CACHE_DIR": str(cold)}, *COMPARE
        )
        run("the same again", {"NUMBA_CACHE_DIR": str(cold)}, *COMPARE)
        run("doctor --warm", {"NUMBA_CACHE_DIR": str(warm)}, "doctor", "--warm")
        run("compare traits after it", {"NUMBA_CACHE_DIR": str(warm)}, *COMPARE)
        few = ("compare", "traits", "--methods", "fisher", "--out", os.devnull)
        run("one method, nothing compiled", {"NUMBA_CACHE_DIR": f"{folder}/few"}, *few)
        read_only(Path(folder))


def read_only(folder):
    """A package that cannot be written to, with a home folder that can."""
    if os.geteuid() == 0:
        print("A read-only package was not tried: root may write to it.")
        return
    source = Path(labelsift.__file__).parent
    copy = folder / "site" / "labelsift"
    shutil.copytree(source, copy, ignore=shutil.ignore_patterns("__pycache__"))
    for path in [*copy.rglob("*"), copy, copy.parent]:
        path.chmod(0o555 if path.is_dir() else 0o444)
    home = folder / "home"
    home.mkdir()
    place = {"PYTHONPATH": str(copy.parent), "HOME": str(home)}
    place |= {"XDG_CACHE_HOME": str(home / ".cache"), "NUMBA_CACHE_DIR": ""}
    run("read-only package, first", place, "doctor", "--warm")
    run("read-only package, again", place, "doctor", "--warm")
    stored = sum(1 for path in home.rglob("*.nbi"))
    print(f"{'compiled functions stored in the home folder':58} {stored:7}")
    for path in [copy.parent, *copy.parent.rglob("*")]:
        path.chmod(0o755)


if __name__ == "__main__":
    main()
