# SPDX-License-Identifier: BSD-3-Clause
"""What the benchmark's runner adds to the work itself, and what a large plan costs.

    python perf/harness.py [--tasks 100] [--seconds 0.1]

Tasks that do nothing but spin for 0.1 s of processor time are run one after the other
in this process, and through planner, pool and ledger with one worker; the difference is
the overhead. Then a plan of 100 000 tasks is created: seconds, and memory per task.
"""

import argparse
import tempfile
import time
import tracemalloc
from pathlib import Path
from unittest import mock

from labelsift.bench.run import Outcome, Row
from labelsift.bench.spec import DataSpec, MethodSpec, Protocol, Task, canonical
from labelsift.results import ResultStore

from labelsift.bench import schedule

ROWS = 40  # values of a typical task


def spin(task, timeout=None, threads=1, seconds=0.1):
    """A task of a known length, with as many rows as a real one."""
    end = time.process_time() + seconds
    while time.process_time() < end:
        pass
    rows = [Row("ridge", "", k, "{}", "macro_auc", 0.5) for k in range(ROWS)]
    return Outcome(task.key, task.content, "done", rows=rows)


def plan(count):
    """This many tasks that differ in one parameter or in their split."""
    data, protocol = DataSpec("traits", "0" * 64), Protocol("stratified", 10)
    for k in range(count // 10):
        method = MethodSpec("rfs", params=canonical({"gamma": k}))
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
                mock.patch.object(schedule, "run_task", spin),
                ResultStore(place) as store,
            ):
                schedule.run_tasks(tasks[:jobs], store, jobs=jobs)  # start the workers
                start = time.perf_counter()
                schedule.run_tasks(tasks[jobs:], store, jobs=jobs)
                took = (time.perf_counter() - start) * count / (count - jobs)
            print(
                f"{count} tasks of {seconds} s, {jobs} jobs: bare {bare / jobs:.2f} s, "
                f"through the runner {took:.2f} s, overhead "
                f"{100 * (took * jobs / bare - 1):.1f} %"
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
        f"{held / len(tasks):.0f} bytes for each that is held"
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
