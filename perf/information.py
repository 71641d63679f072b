# SPDX-License-Identifier: BSD-3-Clause
"""Speed of PPT, MRMR, LRFS and MDMR: against one histogram per pair, and growth.

    LABELSIFT_DATA=... OMP_NUM_THREADS=1 NUMBA_NUM_THREADS=1 python perf/information.py
        [--parts sizes growth real] [--repeats 3]

Gaussian features in bins of equal width, labels with 2.7 present on average that depend
on some of them, 200 features selected (all 100 at the first size). Seconds are those of
the processor (on a quiet machine the wall shows the same), the least of the repeats, on
one thread, binning included.

Per-pair references count one histogram for every pair or triple of variables, with
numpy's histogramdd or, leaner, bincount; and scikit-learn's mutual_info_score, which
has no conditional form. Each is timed on a sample of calls in the same run and
multiplied by the number of calls that the method needs; at the first size bincount is
run in full and must give the same order. Memory: peak of numpy during fit.
"""

import argparse
import os
import time
import tracemalloc
import warnings
from functools import partial

import numpy as np
from sklearn.metrics import mutual_info_score

from labelsift.datasets import load_dataset
from labelsift.kernels.counts import warm_up
from labelsift.selection import LRFS, MDMR, MRMR, PPT
from labelsift.solvers.information.discretize import discretize

SIZES = ((1000, 100, 10), (2000, 500, 26), (5000, 1047, 39))
BINS = (2, 3, 5)
SELECTED = 200
SAMPLE = 50
METHODS = {
    "PPT+MI": PPT(SELECTED),
    "PPT+CHI": PPT(SELECTED, criterion="chi2"),
    "MRMR": MRMR(SELECTED),
    "LRFS": LRFS(SELECTED),
    "MDMR": MDMR(SELECTED),
}


def steps(d, k):
    """Pairs of a feature taken and one not yet taken, along a path."""
    return sum(d - taken for taken in range(1, k))


# How many informations, and how many conditional ones, a method needs.
CALLS = {
    "MRMR": lambda d, t, k: (d * t + steps(d, k), 0),
    "LRFS": lambda d, t, k: (steps(d, k), d * t * (t - 1)),
    "MDMR": lambda d, t, k: (d * t + steps(d, k), t * steps(d, k)),
}


def make(n, d, t, cardinality=2.7, seed=0):
    """Features and labels, the first features informative about the labels."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d))
    latent = X[:, : d // 5] @ rng.normal(size=(d // 5, t)) / np.sqrt(d / 5)
    latent += rng.normal(size=(n, t))
    return X, (latent > np.quantile(latent, 1 - cardinality / t)).astype(np.uint8)


def timed(repeats, call, *arguments):
    """Least seconds of a call."""
    seconds = []
    for _ in range(repeats):
        start = time.process_time()
        call(*arguments)
        seconds.append(time.process_time() - start)
    return min(seconds)


def by_bincount(*variables):
    """Joint entropy of integer variables, from one bincount."""
    codes = variables[0]
    for variable in variables[1:]:
        codes = codes * (int(variable.max()) + 1) + variable
    return entropy_of(np.bincount(codes))


def by_histogram(*variables):
    """Joint entropy of integer variables, from one histogram."""
    bins = [int(variable.max()) + 1 for variable in variables]
    return entropy_of(np.histogramdd(variables, bins)[0])


def entropy_of(counts):
    """Entropy of a table of counts."""
    share = counts[counts > 0] / counts.sum()
    return -np.sum(share * np.log(share))


def information(a, b, entropy=by_bincount):
    """I(a; b)."""
    return entropy(a) + entropy(b) - entropy(a, b)


def given(a, b, c, entropy=by_bincount):
    """I(a; b | c)."""
    return entropy(a, c) + entropy(b, c) - entropy(a, b, c) - entropy(c)


def in_full(method, codes, Y, n_steps):
    """The method pair by pair; what the newest feature changes is all that is added."""
    features, labels = codes.T.copy(), Y.T.astype(np.int64)
    if method == "LRFS":
        pairs = [(y, z) for y in labels for z in labels if y is not z]
        relevance = np.array([sum(given(f, *p) for p in pairs) for f in features])
    else:
        relevance = np.array([sum(information(f, y) for y in labels) for f in features])
    order, total = [], np.zeros(len(features))
    while len(order) < n_steps:
        score = np.round(relevance - total / max(1, len(order)), 10)
        score[order] = -np.inf
        order.append(int(np.argmax(score)))
        s = features[order[-1]]
        for f in np.setdiff1d(np.arange(len(features)), order):
            total[f] += information(features[f], s)
            if method == "MDMR":
                total[f] -= sum(given(features[f], y, s) for y in labels)
    return order


def per_call(codes, Y, repeats):
    """Seconds of (one information, one conditional one) by each reference."""
    rng = np.random.default_rng(1)
    features, labels = codes.T.copy(), Y.T.astype(np.int64)
    f, s = features[rng.integers(len(features), size=(2, SAMPLE))]
    y = labels[rng.integers(len(labels), size=SAMPLE)]

    def seconds(call, *variables):
        rows = list(zip(*variables, strict=True))
        return timed(repeats, lambda: [call(*row) for row in rows]) / SAMPLE

    return {
        "histogram": (
            seconds(partial(information, entropy=by_histogram), f, s),
            seconds(partial(given, entropy=by_histogram), f, y, s),
        ),
        "bincount": (seconds(information, f, s), seconds(given, f, y, s)),
        "scikit-learn": (seconds(mutual_info_score, f, s), None),
    }


def sizes(repeats):
    """Every size and number of bins, with the per-pair references."""
    print("seconds, and how many times ours the references need")
    print(
        "n, d, t, bins         method       ours   histogram        bincount   ", end=""
    )
    print("     scikit-learn")
    for n, d, t in SIZES:
        X, Y = make(n, d, t)
        k = min(SELECTED, d)
        for bins in BINS:
            codes = discretize(X, "width", bins).astype(np.int64)
            costs = per_call(codes, Y, repeats)
            for method, selector in METHODS.items():
                selector.set_params(n_bins=bins, n_features_to_select=k)
                ours = timed(repeats, selector.fit, X, Y)
                print(f"{(n, d, t, bins)!s:21} {method:8} {ours:8.3f}", end="")
                if method in CALLS:
                    pairs, triples = CALLS[method](d, t, k)
                    for pair, triple in costs.values():
                        if triples and triple is None:
                            continue
                        slow = pairs * pair + triples * (triple or 0)
                        print(f" {slow:8.1f} {slow / ours:6.0f}x", end="")
                print(flush=True)
    same_order()


def same_order():
    """The smallest size in full with bincount: seconds as measured, and the order."""
    X, Y = make(*SIZES[0])
    codes = discretize(X, "width", 3).astype(np.int64)
    for method in ("MRMR", "LRFS", "MDMR"):
        start = time.process_time()
        order = in_full(method, codes, Y, X.shape[1])
        slow = time.process_time() - start
        selector = METHODS[method].set_params(n_bins=3, n_features_to_select=X.shape[1])
        seconds = timed(3, selector.fit, X, Y)
        same = order == selector.feature_order_.tolist()
        print(f"{method} in full at {SIZES[0]}, 3 bins: {slow:.1f} s, ", end="")
        print(f"{slow / seconds:.0f}x ours, identical order: {same}")


def growth(repeats):
    """One size changed at a time, from (2000, 500, 26), 3 bins, 200 features."""
    changes = {
        "n": [(n, 500, 26, 2.7, 3, 200) for n in (1000, 2000, 4000, 8000, 16000)],
        "d": [(2000, d, 26, 2.7, 3, 200) for d in (250, 500, 1000, 2000, 4000)],
        "t": [(2000, 500, t, 2.7, 3, 200) for t in (7, 13, 26, 52, 104)],
        "labels a row": [(2000, 500, 26, c, 3, 200) for c in (1.3, 2.7, 5.4, 10.8)],
        "bins": [(2000, 500, 26, 2.7, b, 200) for b in (2, 3, 5, 9, 17)],
        "k": [(2000, 500, 26, 2.7, 3, k) for k in (25, 50, 100, 200, 400)],
    }
    print("\nGrowth            value   PPT+MI    MRMR    LRFS    MDMR  MDMR MB  X MB")
    places = {"n": 0, "d": 1, "t": 2, "labels a row": 3, "bins": 4, "k": 5}
    for what, rows in changes.items():
        for row in rows:
            n, d, t, cardinality, bins, k = row
            X, Y = make(n, d, t, cardinality)
            seconds = []
            for method in ("PPT+MI", "MRMR", "LRFS", "MDMR"):
                selector = METHODS[method]
                selector.set_params(n_bins=bins, n_features_to_select=k)
                if method == "PPT+MI":
                    selector.set_params(min_count=1)
                seconds.append(timed(repeats, selector.fit, X, Y))
            line = " ".join(f"{s:7.3f}" for s in seconds)
            print(f"{what:14} {row[places[what]]:8}  {line}  ", end="")
            print(
                f"{peak(METHODS['MDMR'], X, Y):7.0f} {X.nbytes / 1e6:5.0f}", flush=True
            )


def peak(selector, X, Y):
    """Megabytes that numpy allocates during fit, at most."""
    tracemalloc.start()
    selector.fit(X, Y)
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return most / 1e6


def real(repeats):
    """The two large sets of the benchmark, all rows, 200 features."""
    print("\nset                       method    seconds   peak MB   X MB")
    for name in ("bibtex", "tmc2007-500"):
        data = load_dataset(name)
        stored = (data.X.data.nbytes + data.X.indices.nbytes) / 1e6
        for method, selector in METHODS.items():
            selector.set_params(n_bins=3, n_features_to_select=SELECTED)
            seconds = timed(repeats, selector.fit, data.X, data.Y)
            most = peak(selector, data.X, data.Y)
            size = f"{data.n_samples} x {data.n_features}, {data.n_labels}"
            print(f"{name:12} {size:18} {method:8} {seconds:8.2f}  ", end="")
            print(f"{most:8.0f} {stored:6.0f}", flush=True)


def main():
    parts = {"sizes": sizes, "growth": growth, "real": real}
    parser = argparse.ArgumentParser()
    parser.add_argument("--parts", nargs="+", choices=parts, default=list(parts))
    parser.add_argument("--repeats", type=int, default=3)
    arguments = parser.parse_args()
    warm_up()
    warnings.simplefilter("ignore")  # PPT keeps few rows, a label is constant
    print(f"load of the machine: {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")
    for part in arguments.parts:
        parts[part](arguments.repeats)


if __name__ == "__main__":
    main()
