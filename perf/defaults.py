# SPDX-License-Identifier: BSD-3-Clause
"""Seconds of one fit of every selector, and what ``compare`` estimates.

    LABELSIFT_DATA=... python perf/defaults.py [--data emotions scene] [--limit 60]

``labelsift compare --methods fast`` leaves out methods by the estimates of
``labelsift.experiment.catalogue``; they should be within a factor of a few. Every fit
is in a process of its own, given up after the limit.
"""

import argparse
import multiprocessing
import time
import warnings

import scipy.sparse as sp
from threadpoolctl import threadpool_limits

from labelsift.compare.setup import scale_of
from labelsift.datasets import load_dataset
from labelsift.experiment.catalogue import CATALOGUE, Size
from labelsift.experiment.inputs import scaled
from labelsift.selection import METHODS

DATA = ("emotions", "scene", "enron", "yahoo-arts-full", "rcv1-subset1")


def fit(name, method, budget, pipe):
    warnings.simplefilter("ignore")
    data = load_dataset(name)
    X, _ = scaled(data.X, data.X[:0], scale_of(method, data))
    selector = CATALOGUE[method].make(data.n_labels)
    selector.set_params(n_features_to_select=budget)
    if "refit" in selector.get_params():
        selector.set_params(refit=False)
    with threadpool_limits(1):
        selector.fit(X[:200], data.Y[:200])  # compile
        start = time.process_time()
        selector.fit(X, data.Y)
        pipe.send(time.process_time() - start)


def measured(name, method, budget, limit):
    """CPU seconds, or None after the limit."""
    ours, theirs = multiprocessing.Pipe(duplex=False)
    context = multiprocessing.get_context("spawn")
    process = context.Process(target=fit, args=(name, method, budget, theirs))
    process.start()
    seconds = ours.recv() if ours.poll(limit + 10) else None
    process.kill()
    process.join()
    return seconds


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", nargs="+", default=DATA)
    parser.add_argument("--methods", nargs="+", default=list(METHODS))
    parser.add_argument("--limit", type=float, default=60.0)
    options = parser.parse_args()
    for name in options.data:
        data = load_dataset(name)
        n, d, t = data.n_samples, data.n_features, data.n_labels
        nnz = data.X.nnz if sp.issparse(data.X) else n * d
        budget = max(1, d // 5)
        print(f"\n{name}: {n} x {d}, {t} labels, {nnz} values, {budget} features")
        for method in options.methods:
            guess = CATALOGUE[method].seconds(Size(n, d, t, nnz, budget))
            took = measured(name, method, budget, options.limit)
            text = f"over {options.limit:.0f}" if took is None else f"{took:.2f}"
            print(f"{method:12} {text:>9} s   estimated {guess:9.2f} s", flush=True)


if __name__ == "__main__":
    main()
