# SPDX-License-Identifier: BSD-3-Clause
"""False alarms and hits of the doubts, on real data sets and on planted faults.

    LABELSIFT_DATA=FOLDER python perf/doubts.py [--repeats 20]

First the alarms on each set as it is, with the value that comes nearest to the
threshold of leaks (AUC .98) and of outliers (std / robust scale 10); the sets of the
second part had no part in the choice of the thresholds. Constant columns and rare
labels are facts, not alarms. Then how often a check alarms where nothing can be wrong:
rows in random order, labels that are shuffled (leaks; and labels that two methods or
all features are said to predict in five folds), gaps at random. Then how many noisy
copies of a label are found: label + .3 noise with some labels flipped.
"""

import argparse
import time
from collections import Counter
from dataclasses import replace
from functools import partial

import numpy as np
from threadpoolctl import threadpool_limits

from labelsift.compare import compare
from labelsift.core.data import MultiLabelData
from labelsift.datasets import load_dataset
from labelsift.datasets.columns import keep_features
from labelsift.prepare import doubts
from labelsift.prepare.doubts.columns import sorted_values, spread_ratio
from labelsift.prepare.doubts.evidence import gather
from labelsift.prepare.doubts.labels import telling_gaps
from labelsift.prepare.doubts.leaks import LEAK_ROWS, leaks
from labelsift.prepare.doubts.row_order import row_order

CHOSEN_ON = (
    "emotions", "scene", "yeast", "flags", "CAL500", "enron", "yahoo-arts",
    "yahoo-science", "bibtex",
)  # fmt: skip
NEW = ("tmc2007-500", "rcv1-subset1", "yahoo-education", "yahoo-reference")
DENSE = ("emotions", "scene", "yeast", "flags", "CAL500")
CODES = ("leak", "outliers", "id", "duplicates", "row-order", "constant", "rare-label")


def as_it_is(name):
    """A line on one set: alarms, and what comes nearest to two thresholds."""
    data = load_dataset(name)
    start = time.perf_counter()
    found = {doubt.code: doubt for doubt in doubts(data)}
    seconds = time.perf_counter() - start
    evidence = gather(data, None)
    auc = evidence.auc[:, evidence.rarer >= LEAK_ROWS]
    closest = np.maximum(auc, 1 - auc).max(initial=0.5)
    ratio = max(
        spread_ratio(sorted_values(evidence.X, j)) for j in range(evidence.X.shape[1])
    )
    counts = [_count(found.get(code)) for code in CODES]
    size = f"{data.n_samples} x {data.n_features} x {data.n_labels}"
    shown = " ".join(f"{count:>10}" for count in counts)
    print(f"{name:16} {size:>20} {shown} {closest:8.3f} {ratio:7.1f} {seconds:6.1f}")
    return Counter(code for code in CODES if code in found)


def _count(doubt):
    if doubt is None:
        return "."
    if doubt.code == "duplicates":
        return f"{doubt.number:.0f}"
    return f"{len(doubt.columns) + len(doubt.labels)}"


def alarms(check, data, repeats, change):
    """In how many of some changed versions of the data a check alarms."""
    rng = np.random.default_rng(0)
    hits = 0
    for _ in range(repeats):
        hits += any(check(gather(change(data, rng), None)))
    return hits


def shuffled_rows(data, rng):
    order = rng.permutation(data.n_samples)
    return replace(data, X=data.X[order], Y=data.Y[order])


def shuffled_labels(data, rng):
    return replace(data, Y=data.Y[rng.permutation(data.n_samples)])


def random_gaps(data, rng):
    X = data.X.astype(np.float64)
    X[rng.random(X.shape) < 0.05] = np.nan
    return replace(data, X=X)


def shown_by_chance(data, repeats):
    """Share of shuffled labels that are said to be predicted better than chance."""
    counts = data.Y.sum(axis=0)
    kept = np.flatnonzero((counts >= 2) & (counts <= data.n_samples - 2))
    names = tuple(data.label_names[i] for i in kept)
    data = replace(data, Y=data.Y[:, kept], label_names=names)
    data = keep_features(data, np.arange(min(300, data.n_features)))
    shown = 0
    for seed in range(repeats):
        part = shuffled_labels(data, np.random.default_rng(seed))
        result = compare(part, methods=["greedy-rls", "fisher"], budgets="10")
        unproved = [d.labels for d in result.doubts if d.code == "chance-label"]
        shown += len(names) - len(unproved[0] if unproved else ())
    return shown, repeats * len(names)


def copies_found(flips, repeats):
    """How many noisy copies of a label are called a leak."""
    hits = 0
    for seed in range(repeats):
        rng = np.random.default_rng(seed)
        y = rng.random(2000) < 0.2
        told = y ^ (rng.random(2000) < flips)
        X = rng.normal(size=(2000, 20))
        X[:, 7] = told + 0.3 * rng.normal(size=2000)
        names = tuple(f"x{j}" for j in range(20))
        data = MultiLabelData(X, y[:, np.newaxis], names, ("y",))
        found = [doubt.columns for doubt in leaks(gather(data, None))]
        hits += found == [("x7",)]
    return hits


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--repeats", type=int, default=20)
    repeats = parser.parse_args().repeats
    heads = " ".join(f"{code:>10}" for code in CODES)
    title = f"{'columns and labels':16} {'size':>18} {heads}"
    print(f"{title} {'max AUC':>8} {'ratio':>7} {'s':>6}")
    for names in (CHOSEN_ON, NEW):
        total = sum(map(as_it_is, names), Counter())
        alarmed = ", ".join(f"{code} {total[code]}" for code in CODES[:5])
        print(f"sets that alarm, of {len(names)}: {alarmed}\n")
    print(f"Where nothing can be wrong: alarms in {repeats} versions of each set")
    where = {
        "row order, rows shuffled": (row_order, shuffled_rows),
        "leaks, labels shuffled": (leaks, shuffled_labels),
        "gaps, 5 % at random": (telling_gaps, random_gaps),
    }
    for title, (check, change) in where.items():
        counted = [
            f"{name} {alarms(check, load_dataset(name), repeats, change)}"
            for name in DENSE
        ]
        print(f"{title:26} {', '.join(counted)}")
    for name in ("emotions", "yeast", "CAL500", "enron"):
        shown, count = shown_by_chance(load_dataset(name), max(1, repeats // 4))
        print(
            f"shuffled labels shown to be predicted, {name}: {shown} of {count} "
            f"({shown / count:.1%})"
        )
    found = map(partial(copies_found, repeats=repeats), (0.0, 0.002, 0.01, 0.03))
    print("\nNoisy copies of a label that are found, by share of flipped labels")
    for flips, hits in zip(("0 %", "0.2 %", "1 %", "3 %"), found, strict=True):
        print(f"{flips:6} {hits} of {repeats}")


if __name__ == "__main__":
    with threadpool_limits(2):
        main()
