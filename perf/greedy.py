# SPDX-License-Identifier: BSD-3-Clause
"""GreedyRLS and its peers: seconds, memory, recall, bytes moved; scaling curves.

    pip install abess fastcan
    python perf/greedy.py table [--shapes 2000,300,6 ...] [--methods dense gcv ...]
                                [--threads 1]
    python perf/greedy.py curves [--methods dense gcv numpy]
    python perf/greedy.py sparse

Every figure is measured in a process of its own with one thread or all: the best of
five runs, fewer where five would take over two minutes. With one thread seconds are
those of the processor, so that other work on the machine counts little. Figures are
stored in a file and measured once: run again to resume, --again to renew. Memory is the
peak of the process less what it held with the data loaded and the code compiled.

The peers: numpy, the paper's Algorithm 2 with its scan written as one matrix product;
abess, MultiTaskRegression with the same support size (no cross-validation at all);
fastcan; sfs, scikit-learn's SequentialFeatureSelector around Ridge with five folds,
estimated from the time per candidate of its first two steps. Labels are planted on 50
features and 50 are asked for. A step of GreedyRLS reads and writes two n x d arrays.
"""

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
import scipy.sparse as sp

K = 50
SHAPES = ("2000,300,6", "2000,1000,20", "4000,500,200", "16105,500,983")
METHODS = ("dense", "mixed", "gcv", "numpy", "abess", "fastcan", "sfs")
SPARSE_SHAPE = "28596,49060,22"
LONGEST = 120.0


def algorithm_2(X, Y, k, alpha=1.0, bias=1.0):
    """The paper's Algorithm 2 in plain numpy, constant column first."""
    A, g, C = Y / alpha, np.full(len(X), 1 / alpha), X / alpha
    constant = np.full(len(X), bias)
    c = constant / alpha
    u = c / (1 + constant @ c)
    A, g, C = A - np.outer(u, constant @ A), g - u * c, C - np.outer(u, constant @ C)
    chosen = []
    for _ in range(k):
        U = C / (1 + np.einsum("ji,ji->i", X, C))
        P = X.T @ A
        cross = A @ P.T  # the scan over all features and labels
        squares = (A**2).sum(axis=1)[:, None] - U * (2 * cross - U * (P**2).sum(axis=1))
        errors = (squares / (g[:, None] - U * C) ** 2).sum(axis=0)
        errors[chosen] = np.inf
        b = int(np.argmin(errors))
        u, c = U[:, b].copy(), C[:, b].copy()
        A -= np.outer(u, P[b])
        g -= u * c
        C -= np.outer(u, X[:, b] @ C)
        chosen.append(b)
    return chosen


def greedy(X, Y, k, **options):
    from labelsift.selection import GreedyRLS

    # As in the paper, so that all methods solve one problem.
    plain = {"alpha": 1.0, "label_weight": None}
    return GreedyRLS(k, **plain, **options).fit(X, Y).feature_order_


def by_abess(X, codes, k, threads):
    from abess import MultiTaskRegression

    model = MultiTaskRegression(support_size=k, thread=threads).fit(X, codes)
    return np.flatnonzero(np.abs(model.coef_).sum(axis=1))


def by_fastcan(X, codes, k):
    from fastcan import FastCan

    return FastCan(k, verbose=0).fit(X, codes).indices_


def first_steps_of_sfs(X, codes):
    """Two steps over ten candidates; returns how many candidates were tried."""
    from sklearn.feature_selection import SequentialFeatureSelector
    from sklearn.linear_model import Ridge

    search = SequentialFeatureSelector(Ridge(), n_features_to_select=2, cv=5)
    search.fit(X[:, :10], codes)
    return 10 + 9


def load(shape, density):
    """X, Y and the planted features; generated once, by another process, and stored."""
    path = Path(tempfile.gettempdir()) / f"planted,{shape},{density}.npz"
    if not path.exists():
        call = [sys.executable, __file__, "data", f"{shape} {density} {path}"]
        subprocess.run(call, check=True)
    with np.load(path) as file:
        arrays = dict(file)
    X = arrays["X"] if "X" in arrays else _csr(arrays)
    return X, arrays["Y"], arrays["relevant"]


def _csr(arrays):
    parts = arrays["data"], arrays["indices"], arrays["indptr"]
    return sp.csr_array(parts, shape=arrays["shape"])


def make_data(shape, density, path):
    from labelsift.datasets import make_planted

    n, d, t = map(int, shape.split(","))
    density = float(density)
    noise = 2.0 if density == 1 else 0.5  # hard enough that recall is below 1
    options = {"n_relevant": min(K, d // 2), "noise": noise, "density": density}
    planted = make_planted(n, d, t, random_state=0, **options)
    X = planted.X
    parts = {"X": X}
    if sp.issparse(X):
        parts = {"data": X.data, "indices": X.indices, "indptr": X.indptr}
        parts["shape"] = X.shape
    np.savez(path, Y=planted.Y, relevant=planted.relevant, **parts)


def runner(method, X, Y, k, threads):
    """A call without arguments that selects k features."""
    codes = 2.0 * Y - 1
    jobs = None if threads == 1 else threads
    if method in ("dense", "mixed", "sparse"):
        return lambda: greedy(X, Y, k, solver=method, n_jobs=jobs)
    return {
        "gcv": lambda: greedy(X, Y, k, criterion="gcv"),
        "numpy": lambda: algorithm_2(X, codes, k),
        "abess": lambda: by_abess(X, codes, k, threads),
        "fastcan": lambda: by_fastcan(X, codes, k),
        "sfs": lambda: first_steps_of_sfs(X, codes),
    }[method]


def held():
    """Bytes that the process holds now."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * resource.getpagesize()


def peak():
    """Peak memory of the process in bytes."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def measure(method, shape, k, threads, density):
    """Seconds (best of five), bytes added to the process, recall."""
    X, Y, relevant = load(shape, density)
    runner(method, X[:60, :20], Y[:60], 5, threads)()  # compiles and imports
    run = runner(method, X, Y, k, threads)
    before = held()
    clock = time.process_time if threads == 1 else time.perf_counter
    seconds = []
    while len(seconds) < 5 and sum(seconds) < LONGEST:
        start = clock()
        chosen = run()
        seconds.append(clock() - start)
    result = {"seconds": min(seconds), "runs": len(seconds)}
    if method == "sfs":
        d = X.shape[1]
        candidates = sum(d - step for step in range(k))
        return {"seconds": min(seconds) * candidates / chosen, "runs": len(seconds)}
    result["memory"] = peak() - before
    result["recall"] = float(np.isin(relevant, chosen).mean())
    return result


def best(call, repeats):
    """Least seconds of many calls."""
    seconds = []
    for _ in range(repeats):
        start = time.perf_counter()
        call()
        seconds.append(time.perf_counter() - start)
    return min(seconds)


def measure_step(method, shape):
    """Bytes a second of one pass over C and Q, and of changing as much by numpy."""
    from labelsift.selection.greedy_rls.dense import DenseModel, label_product
    from labelsift.selection.greedy_rls.problem import Problem

    X, Y, _ = load(shape, 1.0)
    problem = Problem.from_rows(X, 2.0 * Y - 1, 1.0)
    dtype = {"dense": np.float64, "mixed": np.float32}[method]
    Q = label_product(problem, problem.rho(1.0), dtype)
    model, candidates = DenseModel(problem, 1.0, Q, steps=K), np.ones(X.shape[1], bool)
    array = np.zeros(2 * X.size, dtype)
    moved = 2 * array.nbytes
    one = np.ones((), dtype)
    return {
        "moved": moved,
        "pass": moved / best(lambda: model.errors(candidates, None), 30),
        "numpy": moved / best(lambda: np.add(array, one, out=array), 30),
    }


class Ledger:
    """Figures measured so far, one JSON line each."""

    def __init__(self, path, again):
        self.path, self.rows = Path(path), {}
        if self.path.exists() and not again:
            lines = self.path.read_text().splitlines()
            self.rows = {row.pop("key"): row for row in map(json.loads, lines)}

    def get(self, *job):
        """A stored figure, or a new one measured in a new process."""
        key = " ".join(map(str, job))
        if key not in self.rows:
            print(f"  measuring {key}", file=sys.stderr, flush=True)
            threads = str(job[3])
            names = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "NUMBA_NUM_THREADS")
            done = subprocess.run(
                [sys.executable, __file__, "worker", key],
                capture_output=True,
                text=True,
                env={**os.environ, **dict.fromkeys(names, threads)},
                check=False,
            )
            if done.returncode:
                print(f"  {key} failed: {done.stderr[-300:]}", file=sys.stderr)
                return None
            self.rows[key] = json.loads(done.stdout.splitlines()[-1])
            with self.path.open("a") as file:
                file.write(json.dumps({"key": key, **self.rows[key]}) + "\n")
        return self.rows[key]


def worker(key):
    """Measure one figure and print it as JSON."""
    method, shape, k, threads, density = key.split()
    if k == "step":
        print(json.dumps(measure_step(method, shape)))
    else:
        print(json.dumps(measure(method, shape, int(k), int(threads), float(density))))


def table(ledger, shapes, methods, all_threads):
    """One table: peers by shapes, for one thread and for all."""
    print(f"k = {K}, alpha = 1; bandwidth: numpy adding 1 to as many bytes, one thread")
    head = "n, d, t          threads method    seconds  runs  numpy/x      MiB  recall"
    print(f"{head}  MB/step   GB/s  of bandwidth")
    for shape in shapes:
        for threads in all_threads:
            rows = {m: ledger.get(m, shape, K, threads, 1.0) for m in methods}
            base = (rows.get("numpy") or {}).get("seconds", np.nan)
            for method, row in rows.items():
                if row is None:
                    continue
                line = (
                    f"{shape:16} {threads:7} {method:8} {row['seconds']:8.3f} "
                    f"{row['runs']:5} {base / row['seconds']:8.1f}"
                )
                if "memory" in row:
                    line += f" {row['memory'] / 2**20:8.0f} {row['recall']:7.2f}"
                if method in ("dense", "mixed") and threads == 1:
                    step = ledger.get(method, shape, "step", 1, 1.0)
                    share = 100 * step["pass"] / step["numpy"]
                    line += f" {step['moved'] / 1e6:8.1f} {step['pass'] / 1e9:6.1f}"
                    line += f" {share:10.0f} %"
                print(line, flush=True)


CURVES = {
    "n": [f"{n},300,10" for n in (1000, 2000, 4000, 8000, 16000)],
    "d": [f"2000,{d},10" for d in (250, 500, 1000, 2000, 4000)],
    "t": [f"2000,300,{t}" for t in (1, 10, 100, 1000)],
    "k": [f"2000,600,10 {k}" for k in (10, 20, 40, 80, 160)],
}


def curves(ledger, methods):
    """Seconds as one size grows, and the exponent between the last two."""
    for axis, points in CURVES.items():
        print(f"\nseconds against {axis}: {' '.join(points)}")
        for method in methods:
            seconds = []
            for point in points:
                shape, _, k = point.partition(" ")
                row = ledger.get(method, shape, k or 20, 1, 1.0)
                seconds.append(row["seconds"] if row else np.nan)
            sizes = [_size(point, axis) for point in points[-2:]]
            power = np.log(seconds[-1] / seconds[-2]) / np.log(sizes[1] / sizes[0])
            shown = " ".join(f"{second:9.4f}" for second in seconds)
            print(f"{method:8} {shown}   exponent {power:.2f}", flush=True)


def _size(point, axis):
    shape, _, k = point.partition(" ")
    return dict(zip("ndtk", [*map(int, shape.split(",")), int(k or 0)], strict=True))[
        axis
    ]


def sparse(ledger):
    """The shape of tmc2007: a dense array of residuals would take 11 GB."""
    row = ledger.get("sparse", SPARSE_SHAPE, K, 1, 0.0026)
    print(
        f"sparse {SPARSE_SHAPE}, density 0.26 %, k = {K}: {row['seconds']:.1f} s, "
        f"{row['memory'] / 2**20:.0f} MiB beyond the data, recall {row['recall']:.2f}"
    )


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("what", choices=("table", "curves", "sparse", "data", "worker"))
    parser.add_argument("key", nargs="?", help="of a process of its own")
    parser.add_argument("--shapes", nargs="+", default=SHAPES)
    parser.add_argument("--methods", nargs="+", default=None)
    both = sorted({1, os.cpu_count()})
    parser.add_argument("--threads", nargs="+", type=int, default=both)
    ledger = Path(tempfile.gettempdir()) / "greedy_perf.jsonl"
    parser.add_argument("--ledger", default=ledger)
    parser.add_argument("--again", action="store_true", help="forget the ledger")
    options = parser.parse_args()
    if options.what == "worker":
        return worker(options.key)
    if options.what == "data":
        return make_data(*options.key.split())
    ledger = Ledger(options.ledger, options.again)
    if options.what == "table":
        table(ledger, options.shapes, options.methods or METHODS, options.threads)
    elif options.what == "curves":
        curves(ledger, options.methods or ("dense", "gcv", "numpy"))
    else:
        sparse(ledger)


if __name__ == "__main__":
    main()
