# SPDX-License-Identifier: BSD-3-Clause
"""What a promised time costs: the raced recommendation, judged by the full run.

    LABELSIFT_DATA=FOLDER python perf/racing.py --store FOLDER [emotions ...]

Every data set is compared in full with the default methods and 5 folds, then again
within a quarter of the seconds that its tasks took. "value" is the mean macro AUC of
the raced recommendation in the full run, "full" that of the full run's own; the last
column says whether they lie within the margin (.01). Full runs are stored as ledgers
in FOLDER and resumed, so that a second call repeats the raced ones only. Compiled code
is loaded before: a quarter of a full run is a second on the smallest set, and the
loading takes as long.
"""

import argparse
import time
import warnings
from pathlib import Path

from labelsift.compare import compare
from labelsift.datasets import load_dataset

# With fewer than 2,000 features; those that take longest come last.
NAMES = (
    "flags", "emotions", "traits", "yeast", "scene", "enron", "CAL500", "yahoo-arts",
    "yahoo-science", "yahoo-education", "yahoo-reference", "tmc2007-500", "bibtex",
)  # fmt: skip
SHARE, MARGIN = 0.25, 0.01


def value_in(full, method, budget):
    """Mean of a method at a budget over all splits of a comparison."""
    table = full.results.by_split("macro_auc")
    return float(table.loc[(method, budget)].mean())


def row(name, store):
    data = load_dataset(name)
    full = compare(data, store=store / f"{name}.sqlite")
    seconds = float(full.results.tasks["seconds"].sum())
    start = time.perf_counter()
    raced = compare(data, within=SHARE * seconds)
    took = time.perf_counter() - start
    best, answer = full.recommend(), raced.recommend()
    value = value_in(full, answer.method, answer.budget)
    shape = f"{data.n_samples} x {data.n_features} x {data.n_labels}"
    done = (raced.results.tasks["status"] == "done").mean()
    return (
        f"{name:16} {shape:>18} {seconds:7.1f} {SHARE * seconds:7.1f} {took:7.1f} "
        f"{100 * done:4.0f}% {best.method + ', ' + str(best.budget):>20} "
        f"{best.value:.4f} {answer.method + ', ' + str(answer.budget):>20} {value:.4f} "
        f"{'yes' if value >= best.value - MARGIN else 'NO'}"
    )


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("names", nargs="*", default=NAMES)
    parser.add_argument("--store", type=Path, required=True)
    asked = parser.parse_args()
    warnings.simplefilter("ignore")
    asked.store.mkdir(exist_ok=True)
    compare(load_dataset("traits").rows(slice(150)), budgets="5", cv=2)
    heads = ("full s", "within", "took", "done", "full: method, size", "full")
    widths = (7, 7, 7, 5, 20, 6)
    told = " ".join(f"{h:>{w}}" for h, w in zip(heads, widths, strict=True))
    raced = f"{'raced: method, size':>20} {'value':>6} within .01"
    print(f"{'data':16} {'shape':>18} {told} {raced}", flush=True)
    for name in asked.names:
        print(row(name, asked.store), flush=True)


if __name__ == "__main__":
    main()
