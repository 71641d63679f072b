# SPDX-License-Identifier: BSD-3-Clause
"""What a promised time costs: the raced recommendation, judged by the full run.

    LABELSIFT_DATA=FOLDER python perf/racing.py --store FOLDER [--races 3] [NAMES]

Every data set is compared in full with the default methods and 5 folds, then again
within a quarter (--share) of the seconds that its tasks took. "value" is the mean macro
AUC of the raced recommendation in the full run, "full" that of the full run's own; the
last column says whether they lie within the margin (.01). Full runs are stored as
ledgers in FOLDER and resumed, so that a second call repeats the raced ones only.
Compiled code is loaded before: a quarter of a full run is a second on the smallest set,
and the loading takes as long. A race depends on the moment: --races repeats it, and
``perf/race_replay.py`` replays many from the stored runs.

    LABELSIFT_DATA=FOLDER python perf/racing.py --store FOLDER --draws 100 [NAMES]

draws races instead, from the full runs that are stored: 8 methods and 2, 3 or 4 of the
5 splits at random, without a clock. How often the answer is within the margin, by the
one-standard-error rule with the error of a mean over the 5 splits ("plain"), and where
smaller sizes have to come within it even after what the splits that were not drawn may
change, by a bound of 95 % ("sure", the rule of compare).
"""

import argparse
import math
import time
import warnings
from pathlib import Path

import numpy as np
from scipy.stats import t as student

from labelsift.compare import compare
from labelsift.datasets import load_dataset
from labelsift.experiment.catalogue import ALL_FEATURES, RANDOM

# With fewer than 2,000 features; those that take longest come last.
NAMES = (
    "flags", "emotions", "traits", "yeast", "scene", "enron", "CAL500", "yahoo-arts",
    "yahoo-science", "yahoo-education", "yahoo-reference", "tmc2007-500", "bibtex",
)  # fmt: skip
MARGIN = 0.01


def full_run(name, store):
    """The comparison of a data set with everything, stored and resumed."""
    return compare(load_dataset(name), store=store / f"{name}.sqlite")


def arguments(n_races):
    """What both scripts ask for: data sets, the folder of full runs, races of each."""
    parser = argparse.ArgumentParser()
    parser.add_argument("names", nargs="*", default=NAMES)
    parser.add_argument("--store", type=Path, required=True)
    parser.add_argument("--races", type=int, default=n_races)
    return parser


def value_in(full, method, budget):
    """Mean of a method at a budget over all splits of a comparison."""
    table = full.results.by_split("macro_auc")
    return float(table.loc[(method, budget)].mean())


def row(name, store, share):
    """One race of a data set, and the full run."""
    data, full = load_dataset(name), full_run(name, store)
    seconds = float(full.results.tasks["seconds"].sum())
    start = time.perf_counter()
    raced = compare(data, within=share * seconds)
    took = time.perf_counter() - start
    best, answer = full.recommend(), raced.recommend()
    value = value_in(full, answer.method, answer.budget)
    shape = f"{data.n_samples} x {data.n_features} x {data.n_labels}"
    done = (raced.results.tasks["status"] == "done").mean()
    return (
        f"{name:16} {shape:>18} {seconds:7.1f} {share * seconds:7.1f} {took:7.1f} "
        f"{100 * done:4.0f}% {best.method + ', ' + str(best.budget):>20} "
        f"{best.value:.4f} {answer.method + ', ' + str(answer.budget):>20} {value:.4f} "
        f"{'yes' if value >= best.value - MARGIN else 'NO'}"
    )


def chosen(table, n_planned, sure):
    """The one-standard-error rule, plain or sure of what missing splits may change."""
    means, best = table.mean(axis=1), table.loc[table.mean(axis=1).idxmax()]
    error = best.std(ddof=1) / math.sqrt(n_planned)
    n_splits = table.shape[1]
    reach = student.ppf(0.95, n_splits - 1) * math.sqrt(1 / n_splits - 1 / n_planned)
    unsettled = sure * reach * (table - best).std(axis=1, ddof=1)
    near = means[(means - unsettled >= means.max() - error) | (means == means.max())]
    budget = near.index.get_level_values("budget").min()
    return means.xs(budget, level="budget").idxmax(), budget


def drawn(name, store, n_draws):
    """How often drawn races end within the margin: splits drawn, and by which rule."""
    full = full_run(name, store)
    table = full.results.by_split("macro_auc").drop([RANDOM, ALL_FEATURES])
    table = table.dropna()
    best, values = full.recommend().value, table.mean(axis=1)
    methods, rng = table.index.unique("method").to_numpy(), np.random.default_rng(0)
    cells = []
    for n_splits in (2, 3, 4):
        hits = np.zeros(2, dtype=int)
        for _ in range(n_draws):
            splits = rng.choice(table.shape[1], n_splits, replace=False)
            some = list(rng.choice(methods, 8, replace=False))
            part = table.loc[some].iloc[:, splits]
            answers = [chosen(part, table.shape[1], sure) for sure in (False, True)]
            hits += [values[answer] >= best - MARGIN for answer in answers]
        cells += [f"{share:14.0%}" for share in hits / n_draws]
    return f"{name:16} {''.join(cells)}"


def main():
    parser = arguments(n_races=1)
    parser.add_argument("--share", type=float, default=0.25)
    parser.add_argument("--draws", type=int, default=0)
    asked = parser.parse_args()
    warnings.simplefilter("ignore")
    asked.store.mkdir(exist_ok=True)
    if asked.draws:
        heads = [f"{n}, {of}" for n in (2, 3, 4) for of in ("plain", "sure")]
        print(f"{'data':16} {''.join(f'{head:>14}' for head in heads)}")
        for name in asked.names:
            print(drawn(name, asked.store, asked.draws), flush=True)
        return
    compare(load_dataset("traits").rows(slice(150)), budgets="5", cv=2)
    heads = ("full s", "within", "took", "done", "full: method, size", "full")
    widths = (7, 7, 7, 5, 20, 6)
    told = " ".join(f"{h:>{w}}" for h, w in zip(heads, widths, strict=True))
    raced = f"{'raced: method, size':>20} {'value':>6} within .01"
    print(f"{'data':16} {'shape':>18} {told} {raced}", flush=True)
    for name in [name for name in asked.names for _ in range(asked.races)]:
        print(row(name, asked.store, asked.share), flush=True)


if __name__ == "__main__":
    main()
