# SPDX-License-Identifier: BSD-3-Clause
"""Selection on a Dask cluster whose workers are smaller than the data.

    python perf/dask_rows.py [--part gcv loo kill] [--folder FOLDER]

Rows are written as npy blocks into FOLDER, where they stay for other parts; without it
into a temporary folder, which is removed. Two workers of one thread and 1 GB each:

gcv     GreedyRLS(criterion="gcv") on dask arrays, against one process that makes Sums
        over the same files: processor time of all workers over that of the process.
loo     Exact leave-one-out, k = 20. On the first rows against solver="dense" in one
        memory, on all rows against solver="mixed". A step is one map: its seconds, and
        what a step costs on next to no rows.
kill    Leave-one-out on the first rows, and a worker is killed half way.

Seconds of processors are those of the workers, after they have loaded the package;
peaks are the largest resident size of a worker since it started, tasks and arrays. On a
busy machine much of the processor time of workers is that of waiting (heartbeats, the
sampling profiler of Dask), which is told too.
"""

import argparse
import os

os.environ.update(dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"), "1"))

import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from functools import partial
from pathlib import Path

import dask
import dask.array as da
import numpy as np
from distributed import Client, LocalCluster

from labelsift.selection import GreedyRLS
from labelsift.selection.greedy_rls.dask_rows import DaskRows
from labelsift.sums import Sums


def write(folder, asked):
    """Blocks of correlated columns, some far from 0, and labels that share 40."""
    blocks = asked.rows // asked.block
    rng = np.random.default_rng(0)
    shared = rng.normal(size=(20, asked.features)) / 5
    offset = rng.choice([0.0, 3.0], size=asked.features)
    weights = np.zeros((asked.features, asked.labels))
    chosen = rng.choice(asked.features, 40, replace=False)
    weights[chosen] = (
        rng.normal(size=(40, asked.labels)) * np.linspace(2, 0.3, 40)[:, None]
    )
    for block in range(blocks):
        if (folder / f"y{block:04}.npy").exists():
            continue
        rng = np.random.default_rng([1, block])
        X = rng.normal(size=(asked.block, asked.features))
        X += rng.normal(size=(asked.block, 20)) @ shared
        noise = rng.normal(size=(asked.block, asked.labels))
        Y = (X @ weights + 4 * noise > 2).astype(np.int8)
        np.save(folder / f"x{block:04}.npy", X + offset)
        np.save(folder / f"y{block:04}.npy", Y)
    return blocks


def load(folder, name, block):
    return np.load(folder / f"{name}{block:04}.npy")


def collections(folder, blocks, asked):
    """X and Y of the first blocks as dask arrays."""

    def array(name, width, dtype):
        read = dask.delayed(load, pure=True)
        parts = [read(folder, name, block) for block in range(blocks)]
        shape = (asked.block, width)
        return da.concatenate([da.from_delayed(part, shape, dtype) for part in parts])

    return array("x", asked.features, float), array("y", asked.labels, np.int8)


def in_memory(folder, blocks, asked):
    """The same in this process."""
    X = np.empty((blocks * asked.block, asked.features))
    Y = np.empty((blocks * asked.block, asked.labels), np.int8)
    for block in range(blocks):
        rows = slice(block * asked.block, (block + 1) * asked.block)
        X[rows], Y[rows] = (load(folder, name, block) for name in "xy")
    return X, Y


def peak():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def warm_up():
    """What a worker loads and compiles before the first task."""
    from labelsift.kernels.greedy import warm_up as compile_kernels
    from labelsift.sums import dask_sums  # noqa: F401

    compile_kernels()


def cluster(asked):
    return LocalCluster(
        n_workers=2, threads_per_worker=1, memory_limit=asked.memory, host="127.0.0.1",
        dashboard_address="127.0.0.1:0",
    )  # fmt: skip


def idle_rate(client, seconds=5.0):
    """Processor time that workers take for every second in which they do nothing."""
    before = client.run(time.process_time)
    time.sleep(seconds)
    after = client.run(time.process_time)
    return sum(after[w] - before[w] for w in after) / seconds


class Watched:
    """A fit on the cluster, with the seconds of every step and of the workers."""

    def __init__(self, selector, X, Y, at_step=None):
        steps, scores = [], DaskRows.scores

        def timed(rows, plan, change):
            if at_step is not None:
                at_step(client, plan.step)
            start = time.perf_counter()
            answers = scores(rows, plan, change)
            steps.append(time.perf_counter() - start)
            self.passed = rows.passed
            return answers

        DaskRows.scores = timed
        try:
            client = Client.current()
            client.run(warm_up)
            rate = idle_rate(client)
            before = client.run(time.process_time)
            start = time.perf_counter()
            self.fitted = selector.fit(X, Y)
            self.wall, self.steps = time.perf_counter() - start, np.array(steps)
            after = client.run(time.process_time)
            self.cpu = sum(after[w] - before.get(w, 0.0) for w in after)
            self.idle = rate * self.wall
            self.peaks = sorted(client.run(peak).values())
        finally:
            DaskRows.scores = scores

    def __str__(self):
        peaks = ", ".join(f"{value:.0f}" for value in self.peaks)
        return (
            f"{self.wall:.0f} s, workers {self.cpu:.0f} CPU s ({self.idle:.0f} of them "
            f"would pass without work), peaks {peaks} MiB"
        )


def same(found, order, errors, tolerance):
    """What is equal to another selection, in words."""
    error = getattr(found, "loo_error_", None)
    error = found.gcv_error_ if error is None else error
    worst = np.max(np.abs(error / errors - 1))
    equal = np.array_equal(found.feature_order_, order)
    fine = "" if worst < tolerance else f" (ABOVE {tolerance:g})"
    return f"order {'the same' if equal else 'DIFFERENT'}, errors to {worst:.0e}{fine}"


def gcv(folder, blocks, asked):
    def pass_over_files():
        for block in range(blocks):
            yield load(folder, "x", block), load(folder, "y", block)

    start = time.process_time()
    sums = Sums.from_batches(pass_over_files, label_products=False)
    alone = GreedyRLS(asked.k, criterion="gcv").fit_sums(sums)
    seconds = time.process_time() - start
    print(f"gcv   one process: {seconds:.0f} CPU s, peak {peak():.0f} MiB", flush=True)
    with cluster(asked) as workers, Client(workers):
        run = Watched(
            GreedyRLS(asked.k, criterion="gcv"), *collections(folder, blocks, asked)
        )
    all_of_it, work = run.cpu / seconds, (run.cpu - run.idle) / seconds
    print(
        f"gcv   two workers: {run}; CPU of workers / one process: {all_of_it:.2f}, "
        f"{work:.2f} for the work alone"
    )
    print("     ", same(run.fitted, alone.feature_order_, alone.gcv_error_, 1e-9))


def reference(folder, blocks, asked, solver):
    """Order and errors of one memory, by a process of its own."""
    out = folder / f"{solver}-{blocks}.npz"
    if not out.exists():
        options = ["--reference", solver, "--blocks", str(blocks), "--folder", folder]
        sizes = [
            f"--{n}={getattr(asked, n)}" for n in ("features", "labels", "block", "k")
        ]
        subprocess.run(
            [sys.executable, __file__, *map(str, options), *sizes], check=True
        )
    with np.load(out) as stored:
        return stored["order"], stored["errors"]


def write_reference(folder, asked):
    X, Y = in_memory(folder, asked.blocks, asked)
    start = time.process_time()
    fitted = GreedyRLS(asked.k, solver=asked.reference).fit(X, Y)
    seconds = time.process_time() - start
    print(
        f"      {asked.reference} in one memory, {len(X)} rows: {seconds:.0f} CPU s, "
        f"peak {peak():.0f} MiB",
        flush=True,
    )
    np.savez(
        folder / f"{asked.reference}-{asked.blocks}.npz",
        order=fitted.feature_order_,
        errors=fitted.loo_error_,
    )


def described(name, rows, run):
    step, cpu = np.median(run.steps), run.cpu / len(run.steps)
    print(f"{name:<6}{rows} rows: {run}")
    print(
        f"      a step: median {step:.2f} s, {cpu:.2f} CPU s of both workers; blocks "
        f"passed by: {min(run.passed)} to {max(run.passed)}; "
        f"passes over the data: {run.fitted.n_passes_}",
        flush=True,
    )


def loo(folder, blocks, asked):
    first = asked.first // asked.block
    for count, solver, tolerance in ((first, "dense", 1e-9), (blocks, "mixed", 1e-4)):
        with cluster(asked) as workers, Client(workers):
            run = Watched(GreedyRLS(asked.k), *collections(folder, count, asked))
        described("loo", count * asked.block, run)
        expected = reference(folder, count, asked, solver)
        print(f"      as {solver}:", same(run.fitted, *expected, tolerance), flush=True)
    X, Y = in_memory(folder, 1, asked)
    X, Y = (da.from_array(part[:2000], (500, -1)) for part in (X, Y))
    with cluster(asked) as workers, Client(workers):
        run = Watched(GreedyRLS(asked.k), X, Y)
    step = 1000 * np.median(run.steps[1:])
    print(f"loo   a step on 2000 rows in 4 blocks, the overhead: {step:.0f} ms")


def kill_one(at, client, step):
    if step == at:
        [pid, *_] = client.run(os.getpid).values()
        os.kill(pid, signal.SIGKILL)


def kill(folder, blocks, asked):
    first = asked.first // asked.block
    with cluster(asked) as workers, Client(workers):
        run = Watched(
            GreedyRLS(asked.k),
            *collections(folder, first, asked),
            partial(kill_one, asked.k // 2),
        )
    described("kill", first * asked.block, run)
    expected = reference(folder, first, asked, "dense")
    print("      as dense:", same(run.fitted, *expected, 1e-9), flush=True)


PARTS = {"gcv": gcv, "loo": loo, "kill": kill}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--part", nargs="+", choices=PARTS, default=list(PARTS))
    parser.add_argument("--folder", type=Path)
    parser.add_argument("--rows", type=int, default=2_000_000)
    parser.add_argument("--features", type=int, default=400)
    parser.add_argument("--labels", type=int, default=20)
    parser.add_argument("--block", type=int, default=20_000)
    parser.add_argument("--first", type=int, default=400_000)
    parser.add_argument("-k", "--k", type=int, default=20)
    parser.add_argument("--memory", default="1GB")
    parser.add_argument("--reference", help=argparse.SUPPRESS)
    parser.add_argument("--blocks", type=int, help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.reference:
        return write_reference(asked.folder, asked)
    folder = asked.folder or Path(tempfile.mkdtemp(prefix="dask_rows"))
    folder.mkdir(exist_ok=True)
    needed = asked.rows * (8 * asked.features + asked.labels)
    if shutil.disk_usage(folder).free < 2 * needed and asked.folder is None:
        raise SystemExit(f"{folder} has no room for twice {needed / 1e9:.1f} GB.")
    try:
        blocks = write(folder, asked)
        print(
            f"{asked.rows} x {asked.features} float64, {asked.labels} labels, "
            f"{needed / 1e9:.1f} GB in {blocks} blocks; k = {asked.k}; "
            f"two workers of one thread and {asked.memory}",
            flush=True,
        )
        for part in asked.part:
            PARTS[part](folder, blocks, asked)
    finally:
        if asked.folder is None:
            shutil.rmtree(folder)


if __name__ == "__main__":
    main()
