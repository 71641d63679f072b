# SPDX-License-Identifier: BSD-3-Clause
"""Processor time of a comparison: from the call to the answer, on one core.

    LABELSIFT_DATA=FOLDER python perf/compare.py [text emotions traits yahoo-arts-full]
    LABELSIFT_DATA=FOLDER python perf/compare.py jobs [text ...]
    LABELSIFT_DATA=FOLDER python perf/compare.py floor [yahoo-arts-full ...]
    LABELSIFT_DATA=FOLDER python perf/compare.py methods [yahoo-arts-full ...]
    LABELSIFT_DATA=FOLDER python perf/compare.py as-set frozen [yahoo-arts-full ...]

Each data set is compared twice, with everything compiled: with the methods that were
"fast" on it in 0.1.0 (the list is frozen here), and with those that are now. Columns
are processor seconds of the process; processor seconds from the start of the command
``labelsift compare`` to its first answer in the terminal (on an idle machine seconds of
the clock); and the answer. "text" is bibtex cut to 489 rows, 1449 words and 14 labels.

"jobs" compares the present methods in one process and in two: seconds of the clock once
the workers run, so that it needs two idle cores.

"floor" is what the frozen list would take if every fit were free: the model of all
features, the random rankings, whose choice costs nothing, and for each method the
models, thresholds and measures of one such ranking. Seconds of the clock: it needs an
idle core. "methods" are the seconds of the clock that each method takes in all folds.

OpenBLAS chooses its code by the processor, as it does for most users: the variable
OPENBLAS_CORETYPE is ignored, unless the first word is "as-set". The first line says
which code it is. "frozen" is the first row of each data set alone.
"""

import os
import subprocess
import sys
import tempfile
import time
import warnings
from dataclasses import replace
from pathlib import Path

import numpy as np
import scipy.sparse as sp
from threadpoolctl import threadpool_info

from labelsift.compare import compare
from labelsift.datasets import load_dataset, write_npz

SMALL = (
    "cmlfs", "csfs", "fisher", "greedy-rls", "lrfs", "mdmr", "mifs", "mlfs", "mrmr",
    "mt-lasso", "ppt", "ralm", "rfs", "rlefs", "sfus",
)  # fmt: skip
WIDE = (
    "cmlfs", "csfs", "fisher", "lrfs", "mdmr", "mifs", "mlfs", "mrmr", "mt-lasso",
    "ppt", "rlefs", "greedy-rls-gcv",
)  # fmt: skip
WARM = ("fisher", "greedy-rls", "mdmr", "ppt", "mlfs")
# Methods, processor seconds of 0.1.0, and wanted ones.
CASES = {
    "text": (SMALL, "115", 20),
    "emotions": (SMALL, "14", 5),
    "yahoo-arts-full": (WIDE, "480", 60),
    "traits": (SMALL, "12", 6),
}


def text_like():
    """A cut of bibtex of the shape that people have."""
    data = load_dataset("bibtex")
    rows = np.random.default_rng(0).permutation(data.n_samples)[:489]
    X, Y = sp.csr_array(data.X)[np.sort(rows)], data.Y[np.sort(rows)]
    used = np.diff(sp.csc_array(X).indptr)
    words = np.sort(np.argsort(-used, kind="stable")[:1449])
    labels = np.sort(np.argsort(-Y.sum(axis=0), kind="stable")[:14])
    return replace(
        data,
        X=X[:, words],
        Y=Y[:, labels],
        feature_names=tuple(data.feature_names[i] for i in words),
        label_names=tuple(data.label_names[i] for i in labels),
        train_idx=None,
        test_idx=None,
        name="text",
    )


def data_of(name):
    """The data of a case, its kernels compiled."""
    data = text_like() if name == "text" else load_dataset(name)
    compare(data.rows(slice(150)), methods=CASES[name][0], budgets="5", cv=2)
    return data


def measured(data, methods):
    """Processor seconds and the answer."""
    before = time.process_time()
    answer = compare(data, methods=methods).recommend()
    return time.process_time() - before, answer


def first_answer(data, methods):
    """Processor seconds of the command to the first answer it prints."""
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder, "data.npz")
        write_npz(data, source)
        names = methods if isinstance(methods, str) else ",".join(methods)
        call = "from labelsift.cli import main; main()"
        command = [sys.executable, "-u", "-c", call, "compare", source]
        command += ["--methods", names, "--out", Path(folder, "page.html")]
        command += ["--store", Path(folder, "runs.sqlite")]
        with subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
        ) as process:
            lines = (
                line.startswith(("So far", "Recommend")) for line in process.stdout
            )
            told = any(lines)
            process.kill()
            _, process.returncode, used = os.wait4(process.pid, 0)
    return used.ru_utime + used.ru_stime if told else float("nan")


def frozen(names):
    """Processor seconds with the frozen methods."""
    warnings.simplefilter("ignore")
    for name in names or CASES:
        seconds, answer = measured(data_of(name), CASES[name][0])
        print(f"{name:16} {seconds:7.1f}  {answer.method}, {answer.value:.4f}")


def main(names):
    warnings.simplefilter("ignore")
    head = ("data", "methods", "0.1.0", "wanted", "now", "first answer", "answer")
    print("{:16} {:>8} {:>6} {:>6} {:>7} {:>12}  {}".format(*head))
    for name in names or CASES:
        data = data_of(name)
        frozen, before, wanted = CASES[name]
        for methods in (frozen, "fast"):
            seconds, answer = measured(data, methods)
            told = (before, wanted) if methods is frozen else ("", "")
            kind = "frozen" if methods is frozen else "present"
            print(
                f"{name:16} {kind:>8} {told[0]:>6} {told[1]:>6} {seconds:7.1f} "
                f"{first_answer(data, methods):12.1f}  {answer.method}, "
                f"{answer.budget} features, {answer.value:.4f}",
                flush=True,
            )


def jobs(names):
    """Seconds of the clock with one process and with two, where one takes over 20."""
    warnings.simplefilter("ignore")
    print(f"{'data':16} {'1 job':>7} {'2 jobs':>7} {'faster':>7}  (wanted: 1.7)")
    for name in names or ["text"]:
        data, seconds = data_of(name), []
        for count in (1, 2):
            # Starts the workers, and loads most of what they need.
            compare(data.rows(slice(150)), methods=WARM, cv=2, jobs=count)
            start = time.perf_counter()
            compare(data, jobs=count)
            seconds.append(time.perf_counter() - start)
        one, two = seconds
        print(f"{name:16} {one:7.1f} {two:7.1f} {one / two:7.2f}", flush=True)


def floor(names):
    """Seconds of a comparison of the frozen methods in which fits take none."""
    warnings.simplefilter("ignore")
    head = ("data", "all features", "a ranking", "random", "methods", "floor", "wanted")
    print("{:16} {:>12} {:>9} {:>7} {:>8} {:>7} {:>7}".format(*head))
    for name in names or CASES:
        data = data_of(name)
        methods, _, wanted = CASES[name]
        tasks = compare(data, methods=["fisher"]).results.tasks
        seconds = tasks.groupby("method")["seconds"].sum()
        random, whole = seconds["random"], seconds["all-features"]
        one = random / (1 + tasks["draw"].max())
        rest = one * len(methods)
        print(
            f"{name:16} {whole:12.1f} {one:9.2f} {random:7.1f} {rest:8.1f} "
            f"{whole + random + rest:7.1f} {wanted:7}",
            flush=True,
        )


def by_method(names):
    """Seconds of the tasks of each method of the frozen list, all folds together."""
    warnings.simplefilter("ignore")
    for name in names or CASES:
        tasks = compare(data_of(name), methods=CASES[name][0]).results.tasks
        seconds = tasks.groupby("method")["seconds"].sum().sort_values()
        for method, spent in seconds.items():
            print(f"{name:16} {method:16} {spent:7.1f}", flush=True)


def with_own_choice():
    """Start again without OPENBLAS_CORETYPE, which is read when numpy is loaded."""
    if os.environ.pop("OPENBLAS_CORETYPE", None):
        os.execv(sys.executable, [sys.executable, *sys.argv])


PARTS = {"jobs": jobs, "floor": floor, "methods": by_method, "frozen": frozen}

if __name__ == "__main__":
    words = sys.argv[1:]
    if words[:1] == ["as-set"]:
        words = words[1:]
    else:
        with_own_choice()
    code = sorted({str(it.get("architecture")) for it in threadpool_info()} - {"None"})
    print(f"OpenBLAS's code: {', '.join(code)}", flush=True)
    part = PARTS.get(words[0]) if words else None
    (part or main)(words[1:] if part else words)
