# SPDX-License-Identifier: BSD-3-Clause
"""Fuzz the readers of files that strangers write, and count.

    python tools/fuzz_readers.py --inputs 80000      every target, changed at random
    python tools/fuzz_readers.py --engine atheris npz  guided by coverage

Each target runs in a process of its own with a bound on its memory, so that a crash
or a bomb is counted and is not the end. The exit code is 1 where anything escaped.
"""

import argparse
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "tests"))
MEMORY = 4 * 2**30
# A target that is so many times slower than the others gets as many fewer inputs.
SLOWER = {"xlsx": 20}
# Where files are read: what is worth to be guided by.
READING = ("core", "datasets", "model_selection", "bench", "cli")


def main() -> int:
    """Run every target in a process, print a line for each."""
    options = _options()
    from fuzz.targets import TARGETS

    total = escapes = 0
    for name in options.targets or TARGETS:
        command = [sys.executable, __file__, "--child", name]
        count = options.inputs // SLOWER.get(name, 1)
        command += ["--inputs", str(count), "--engine", options.engine]
        command += ["--seed", str(options.seed)]
        done = subprocess.run(command, stdout=subprocess.PIPE, text=True)
        lines = done.stdout.splitlines()
        counted = [line for line in lines if line.startswith(f"{name}: ")]
        if done.returncode or not counted:
            escapes += 1
            print(f"{name}: ended with code {done.returncode}", *lines[-20:], sep="\n")
            continue
        print(counted[-1], flush=True)
        total += int(counted[-1].split()[1])
        for line in lines:
            if line.startswith("ESCAPE"):
                escapes += 1
                print(line)
    print(f"{total} inputs, {escapes} escapes")
    return int(escapes > 0)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("targets", nargs="*")
    parser.add_argument("--inputs", type=int, default=20_000, help="for each target")
    parser.add_argument("--engine", choices=["random", "atheris"], default="random")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--child", help=argparse.SUPPRESS)
    return parser.parse_args()


def child(options: argparse.Namespace) -> None:
    """Fuzz one target in this process."""
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    run = _with_atheris if options.engine == "atheris" else _at_random
    start = time.perf_counter()
    memory = Path("/dev/shm")  # where there is one, no disk waits
    where = memory if memory.is_dir() else None
    with tempfile.TemporaryDirectory(dir=where) as folder:
        count = run(options.child, options.inputs, options.seed, Path(folder))
    _report(options.child, count, start)


def _report(name: str, count: int, start: float) -> None:
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    seconds = time.perf_counter() - start
    print(f"{name}: {count} inputs in {seconds:.0f} s, peak memory {peak} MiB")
    sys.stdout.flush()


def _at_random(name: str, count: int, seed: int, folder: Path) -> int:
    import numpy as np

    from fuzz.corpus import stored
    from fuzz.mutation import mutated, random_arrays
    from fuzz.targets import escape

    rng, contents = np.random.default_rng(seed), stored()[name]
    for _ in range(count):
        if name in ("npz", "meta") and rng.integers(4):
            content = random_arrays(rng)
        else:
            first = contents[rng.integers(len(contents))]
            content = mutated(first, contents, rng)
        problem = escape(name, content, folder)
        if problem:
            print(f"ESCAPE {name}: {problem}: {content[:300]!r}", flush=True)
    return count


def _with_atheris(name: str, count: int, seed: int, folder: Path) -> int:
    import atheris

    # The engine tells what it instruments and how far it is, line by line.
    os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
    with atheris.instrument_imports(include=[f"labelsift.{p}" for p in READING]):
        from fuzz.corpus import FOLDER
        from fuzz.targets import escape
    start, done = time.perf_counter(), 0

    def one(content: bytes) -> None:
        nonlocal done
        done += 1
        problem = escape(name, content, folder)
        if problem:
            print(f"ESCAPE {name}: {problem}: {content[:300]!r}", flush=True)
        if done == count:  # libFuzzer ends the process, not the call
            _report(name, done, start)

    found = folder / "found"
    found.mkdir()
    arguments = [f"-runs={count}", f"-seed={seed + 1}", "-max_len=20000"]
    arguments += ["-rss_limit_mb=4000", "-timeout=60", f"-artifact_prefix={folder}/"]
    atheris.Setup([sys.argv[0], *arguments, str(found), str(FOLDER / name)], one)
    atheris.Fuzz()
    return done


if __name__ == "__main__":
    given = _options()
    sys.exit(child(given) if given.child else main())
