# SPDX-License-Identifier: BSD-3-Clause
"""What the benchmark's runner adds to the work itself, and what a large plan costs.

    python perf/harness.py [--tasks 100] [--seconds 0.1]

Tasks that do nothing but spin for 0.1 s of processor time are run one after the other
in this process, and through pool and ledger with one and two workers; the difference
is the overhead. Then 100 000 tasks are planned: seconds, and memory per task; and the
results of the ledger are read.
"""

import argparse
import tempfile
import time
import tracemalloc
from pathlib import Path
from unittest import mock

from labelsift.experiment import pool
from labelsift.experiment.ledger import Ledger
from labelsift.experiment.results import Outcome
from labelsift.experiment.task import DataSpec, MethodSpec, Planned, Protocol, Task

VALUES = 40  # of a typical task


def spin(task, *limits, seconds=0.1):
    """A task of a known length, with as many values as a real one."""
    end = time.process_time() + seconds
    while time.process_time() < end:
        pass
    rows = [("{}", "ridge", "", k, "macro_auc", 0.5) for k in range(VALUES)]
    return Outcome(task.key, task.content, "done", measured=rows)


def plan(count):
    """This many tasks that differ in one parameter or in their split."""
    data, protocol = DataSpec("traits", "0" * 64), Protocol("stratified", 10)
    for k in range(count // 10):
        method = MethodSpec("rfs", params={"gamma": k})
        for split in range(10):
            yield Task(data, protocol, split, method, budgets=("1%", "5%", "20%"))


def overhead(count, seconds):
    tasks = list(plan(count))
    start = time.perf_counter()
    for task in tasks:
        spin(task, seconds=seconds)
    bare = time.perf_counter() - start
    with tempfile.TemporaryDirectory() as folder:
        for jobs in (1, 2):
            place = Path(folder) / f"runs{jobs}.sqlite"
            with (
                mock.patch.object(pool, "run_task", spin),
                Ledger(place) as ledger,
            ):
                pool.run_tasks(tasks[:jobs], ledger, jobs=jobs)  # start the workers
                start = time.perf_counter()
                pool.run_tasks(tasks[jobs:], ledger, jobs=jobs)
                took = (time.perf_counter() - start) * count / (count - jobs)
                start = time.perf_counter()
                planned = [Planned(task, "traits", "rfs") for task in tasks]
                read = len(ledger.results(planned).values)
                reading = time.perf_counter() - start
            print(
                f"{count} tasks of {seconds} s, {jobs} jobs: bare {bare / jobs:.2f} s, "
                f"through the runner {took:.2f} s, overhead "
                f"{100 * (took * jobs / bare - 1):.1f} %; {read} values read in "
                f"{1000 * reading:.0f} ms"
            )


def large_plan(count):
    start = time.perf_counter()
    keys = {task.key for task in plan(count)}
    seconds = time.perf_counter() - start
    tracemalloc.start()
    tasks = list(plan(count // 10))
    held, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    print(
        f"{len(keys)} tasks planned with their keys in {seconds:.1f} s; "
        f"{held / len(tasks):.0f} bytes for each in memory"
    )


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tasks", type=int, default=100)
    parser.add_argument("--seconds", type=float, default=0.1)
    options = parser.parse_args()
    large_plan(100_000)
    overhead(options.tasks, options.seconds)


if __name__ == "__main__":
    main()
