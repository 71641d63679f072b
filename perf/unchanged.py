# SPDX-License-Identifier: BSD-3-Clause
"""GreedyRLS on plain labels: seconds now over seconds of an earlier revision.

    python perf/unchanged.py [--against REVISION] [--shapes 2000,300,6 ...]
                             [--methods dense mixed gcv] [--rounds 7]

The earlier revision, by default the last one before real-valued targets, is checked out
into a temporary worktree. Each of the two has a process of its own with one thread,
which is asked for one fit at a time, in turn: now, earlier, now, earlier, ... Seconds
are those of the processor, the best of all rounds; other work on the machine falls on
both. Data, shapes and calls are those of ``perf/greedy.py``. A ratio above 1.05 is
measured once more with twice the rounds, and the exit code is 1 where it stays.
"""

import argparse
import os
import subprocess
import sys
import tempfile
import time
from contextlib import ExitStack, contextmanager
from pathlib import Path

from greedy import SHAPES, K, load, runner

ROOT = Path(__file__).resolve().parent.parent
BEFORE_VALUES = "0a166a3"
METHODS = ("dense", "mixed", "gcv")
MOST = 1.05
_THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "NUMBA_NUM_THREADS")


@contextmanager
def worktree(revision):
    """The sources of a revision in a folder that is removed afterwards."""
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder) / "tree"
        git = ["git", "-C", str(ROOT), "worktree"]
        subprocess.run(
            [*git, "add", "--quiet", "--detach", str(place), revision], check=True
        )
        try:
            yield place / "src"
        finally:
            subprocess.run([*git, "remove", "--force", str(place)], check=True)


class Side:
    """A process with one version of the sources, which fits when it is asked to."""

    def __init__(self, source, method, shape):
        path = [str(source), str(Path(__file__).parent)]
        environment = {**os.environ, **dict.fromkeys(_THREADS, "1")}
        self.process = subprocess.Popen(
            [sys.executable, __file__, "--worker", method, shape],
            env={**environment, "PYTHONPATH": os.pathsep.join(path)},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        self.source = self.process.stdout.readline().strip()
        if not Path(self.source).is_relative_to(source):
            raise SystemExit(f"labelsift comes from {self.source}, not from {source}.")

    def seconds(self):
        self.process.stdin.write("fit\n")
        self.process.stdin.flush()
        return float(self.process.stdout.readline())

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.stdin.close()
        self.process.wait()


def work(method, shape):
    """Say where the sources are, then the seconds of a fit for each line that comes."""
    import labelsift

    X, Y, _ = load(shape, 1.0)
    runner(method, X[:60, :20], Y[:60], 5, 1)()  # compiles and imports
    run = runner(method, X, Y, K, 1)
    run()
    print(labelsift.__file__, flush=True)
    for _ in sys.stdin:
        start = time.process_time()
        run()
        print(time.process_time() - start, flush=True)


def best_of(sources, method, shape, rounds):
    """The least seconds of each side, fits taken in turn."""
    with ExitStack() as stack:
        sides = [stack.enter_context(Side(s, method, shape)) for s in sources]
        taken = [[side.seconds() for side in sides] for _ in range(rounds)]
    return [min(seconds) for seconds in zip(*taken, strict=True)]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--against", default=BEFORE_VALUES, metavar="REVISION")
    parser.add_argument("--shapes", nargs="+", default=SHAPES)
    parser.add_argument("--methods", nargs="+", default=METHODS, choices=METHODS)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--worker", nargs=2, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.worker:
        return work(*options.worker)
    slower = []
    with worktree(options.against) as before:
        sources = (ROOT / "src", before)
        print(f"k = {K}, one thread, best of {options.rounds} fits in turn")
        print(f"n, d, t          method        now  {options.against:>9}   ratio")
        for shape in options.shapes:
            load(shape, 1.0)
            for method in options.methods:
                now, then = best_of(sources, method, shape, options.rounds)
                if now > MOST * then:
                    more = best_of(sources, method, shape, 2 * options.rounds)
                    now, then = min(now, more[0]), min(then, more[1])
                if now > MOST * then:
                    slower.append(f"{shape} {method}")
                line = f"{shape:16} {method:8} {now:8.3f} {then:10.3f}"
                print(f"{line} {now / then:7.2f}", flush=True)
    if slower:
        raise SystemExit(f"Slower by more than 5 %: {', '.join(slower)}.")
    print("None is slower by more than 5 %.")
    return None


if __name__ == "__main__":
    main()
