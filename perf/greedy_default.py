# SPDX-License-Identifier: BSD-3-Clause
"""Which penalty and label weights GreedyRLS should have by default, on real data.

    LABELSIFT_DATA=FOLDER python perf/greedy_default.py run [--readouts ridge knn]
    LABELSIFT_DATA=FOLDER python perf/greedy_default.py run --readouts forest
    LABELSIFT_DATA=FOLDER python perf/greedy_default.py units
    python perf/greedy_default.py table

``run`` and ``units`` measure what the store lacks and can be stopped and started at
will; ``table`` prints what the store holds. Twelve data sets (rows beyond 2,500 are
left out by a fixed draw), five stratified folds, columns standardised by the training
part, 2, 5, 10 and 20 % of the features; for forests, which take longest, 2, 10 and
20 % and seven of the candidates. Candidates are
penalties (n: training rows; "loo": chosen from 2^-15, 2^-12, ..., 2^15 for every
budget) with weights of the labels, and the fair objective. Read-outs on the chosen
columns: BinaryRidge(1), MLkNN() and a random forest of 100 trees, each on 40 % of the
rows, with five in a leaf. Macro AUC decides; micro F1 and the AUC of the lowest tenth
of the labels are a second look.

A value of a data set is the mean over folds and budgets. Data sets are the blocks of
the ranks; the ranks of the read-outs are averaged. "Left out" makes the choice, the
best average rank, again without each data set, and judges it there. Only folds that
all data sets and candidates have are shown, and read-outs that were run.

``units`` asks what stands for n where columns are not standardised: the mean, the
median, the geometric or the harmonic mean of the squared norms of the centred columns.
Dense sets as they are, sparse sets divided by the largest value of each column, as
``labelsift compare`` does; three folds, the ridge on standardised columns.
"""

import argparse
import sqlite3
import tempfile
import warnings
from functools import cache
from pathlib import Path

import numpy as np
import pandas as pd
import scipy.sparse as sp
from sklearn.ensemble import RandomForestClassifier

from labelsift.classification import BinaryRidge, MLkNN
from labelsift.datasets import load_dataset
from labelsift.metrics import evaluate
from labelsift.model_selection import IterativeStratifiedKFold
from labelsift.prepare.array_scaling import scaled
from labelsift.selection import GreedyRLS
from labelsift.stats import friedman_nemenyi

DENSE = ("flags", "emotions", "CAL500", "yeast", "scene")
SPARSE = (
    "enron", "yahoo-arts", "yahoo-education", "tmc2007-500", "yahoo-science",
    "yahoo-reference", "bibtex",
)  # fmt: skip
MAX_ROWS = 2500
SHARES = (0.02, 0.05, 0.10, 0.20)
FOREST_SHARES = (0.02, 0.10, 0.20)
MEASURES = ("macro_auc", "micro_f1", "lowest_tenth_auc")
WEIGHTS = ("none", "sqrt", "balanced")
PENALTIES = ("1", ".01 n", ".05 n", ".1 n", ".2 n", "loo")
CANDIDATES = (
    *((weight, penalty) for weight in WEIGHTS for penalty in PENALTIES),
    *(("fair", penalty) for penalty in ("1", ".05 n", ".2 n")),
)
FOREST_CANDIDATES = (
    *((weight, penalty) for weight in WEIGHTS for penalty in ("1", ".05 n")),
    ("fair", ".05 n"),
)
# What stands for n in a penalty.
UNITS = {
    "mean": np.mean,
    "median": np.median,
    "geometric": lambda norms: np.exp(np.log(norms).mean()),
    "harmonic": lambda norms: 1 / np.mean(1 / norms),
}
UNIT_CANDIDATES = (
    ("none", "1"),
    ("sqrt", "1"),
    *(("sqrt", f".05 {unit}") for unit in UNITS),
)
# What the class did before the choice.
BEFORE = "none, 1"


def selector(candidate, budget, X):
    """GreedyRLS as the candidate wants it for X."""
    weight, penalty = candidate
    options = {"alpha": penalty, "label_weight": weight}
    number, _, unit = penalty.partition(" ")
    if penalty == "loo":
        options["alphas"] = 2.0 ** np.arange(-15, 16, 3)
    elif unit in UNITS:
        norms = len(X) * X.var(axis=0)
        options["alpha"] = float(number) * UNITS[unit](norms[norms > 0])
        options["bias"] = np.sqrt(options["alpha"])
    else:
        options["alpha"] = float(number) * (len(X) if unit else 1)
    if weight == "fair":
        options |= {"objective": "fair", "criterion": "gcv", "label_weight": "auto"}
    return GreedyRLS(budget, **options)


class Forest:
    """Probabilities of a forest, less a half."""

    def fit(self, X, Y):
        self.constant = Y[0] - 0.5
        self.live = np.flatnonzero(Y.min(axis=0) != Y.max(axis=0))
        self.model = RandomForestClassifier(
            100, min_samples_leaf=5, max_samples=0.4, random_state=0
        )
        self.model.fit(X, Y[:, self.live])
        return self

    def decision_function(self, X):
        scores = np.tile(self.constant, (len(X), 1))
        given = self.model.predict_proba(X)
        given = given if len(self.live) > 1 else [given]
        scores[:, self.live] = np.column_stack([p[:, 1] for p in given]) - 0.5
        return scores


READOUTS = {"ridge": lambda: BinaryRidge(1.0), "knn": MLkNN, "forest": Forest}


@cache
def rows_of(name):
    """X (dense), Y and the folds."""
    data = load_dataset(name)
    rows = np.arange(data.n_samples)
    if len(rows) > MAX_ROWS:
        rows = np.sort(np.random.default_rng(0).permutation(rows)[:MAX_ROWS])
    X = data.X.toarray() if sp.issparse(data.X) else data.X
    X, Y = X[rows].astype(np.float64), data.Y[rows].astype(int)
    return X, Y, list(IterativeStratifiedKFold(5, random_state=0).split(X, Y))


def measure(name, split, candidates, readout, scale):
    """Yield (candidate, share, measure, value); equal choices are judged once."""
    X, Y, folds = rows_of(name)
    train, test = folds[split]
    given = scaled(sp.csr_array(X[train]), X[:0], scale)[0].toarray()
    if scale != "minmax":
        given = scaled(X[train], X[:0], scale)[0]
    seen, held_out = scaled(X[train], X[test], "standardize")
    shares = FOREST_SHARES if readout == "forest" else SHARES
    known = {}
    for candidate in candidates:
        chosen = choose(name, split, scale, candidate, given, Y[train])
        for share in shares:
            columns = chosen[share]
            if columns not in known:
                model = READOUTS[readout]().fit(seen[:, columns], Y[train])
                scores = model.decision_function(held_out[:, columns])
                values = evaluate(Y[test], scores)
                known[columns] = [(m, values[m]) for m in MEASURES]
            for name_of_measure, value in known[columns]:
                yield candidate, share, name_of_measure, value


CHOSEN = {}  # one selection serves all read-outs of a run


def choose(name, split, scale, candidate, X, Y):
    """The columns for each share, in order."""
    key = name, split, scale, candidate
    if key not in CHOSEN:
        counts = {share: max(1, int(share * X.shape[1])) for share in SHARES}
        fitted = selector(candidate, max(counts.values()), X).fit(X, Y)
        CHOSEN[key] = {
            share: tuple(fitted.with_budget(k).get_support(indices=True).tolist())
            for share, k in counts.items()
        }
    return CHOSEN[key]


class Store:
    """Values measured so far, in SQLite."""

    def __init__(self, path):
        self.file = sqlite3.connect(path)
        self.file.execute(
            "create table if not exists value (scale, readout, split integer, data, "
            "candidate, share real, measure, value real, primary key "
            "(scale, readout, split, data, candidate, share, measure))"
        )

    def missing(self, scale, readout, split, data):
        """Candidates without values."""
        known = self.file.execute(
            "select distinct candidate from value where scale = ? and readout = ? "
            "and split = ? and data = ?",
            (scale, readout, split, data),
        )
        known = {row[0] for row in known}
        wanted = FOREST_CANDIDATES if readout == "forest" else CANDIDATES
        wanted = wanted if scale == "standardize" else UNIT_CANDIDATES
        return [c for c in wanted if ", ".join(c) not in known]

    def add(self, scale, readout, split, data, rows):
        values = [
            (scale, readout, split, data, ", ".join(candidate), share, name, value)
            for candidate, share, name, value in rows
        ]
        with self.file:
            insert = "insert or replace into value values (?,?,?,?,?,?,?,?)"
            self.file.executemany(insert, values)

    def table(self):
        return pd.read_sql_query("select * from value", self.file)


def run(store, scale, data, readouts, splits):
    """Measure what is missing: folds outermost, so that a part is balanced."""
    warnings.simplefilter("ignore")
    for split in range(splits):
        for name in data:
            for readout in readouts:
                missing = store.missing(scale, readout, split, name)
                if missing:
                    print(scale, split, name, readout, len(missing), flush=True)
                    values = list(measure(name, split, missing, readout, scale))
                    store.add(scale, readout, split, name, values)


def means(values, measure):
    """A row per data set, a column per candidate: means over folds and budgets."""
    values = values[values["measure"] == measure]
    return values.pivot_table(index="data", columns="candidate", values="value")


def complete(values):
    """Only folds that every candidate and data set of a read-out has."""
    wanted = values["candidate"].nunique() * values["data"].nunique()
    sizes = values.groupby("split")[["candidate", "data"]]
    full = [split for split, part in sizes if len(part.drop_duplicates()) == wanted]
    return values[values["split"].isin(full)]


def ranks(table):
    return pd.Series(friedman_nemenyi(table).ranks)


def show_areas(title, values):
    """Macro AUC of every candidate and data set."""
    print(f"\n{title}: macro AUC, {values['split'].nunique()} folds")
    table = means(values, "macro_auc").T
    table["mean"] = table.mean(axis=1)
    print(table.to_string(float_format=lambda value: f"{value:.3f}".lstrip("0")))


def show(values):
    """The tables of standardised columns, and of the units."""
    for scale, title in (("none", "columns as they are"), ("minmax", "sparse columns")):
        part = values[values["scale"] == scale]
        if len(part):
            show_areas(f"what stands for n, {title}", complete(part))
    values = values[values["scale"] == "standardize"]
    parts = {
        readout: complete(part)
        for readout, part in values.groupby("readout", sort=False)
    }
    for readout, part in parts.items():
        show_areas(readout, part)
    for measure in MEASURES:
        tables = {readout: means(part, measure) for readout, part in parts.items()}
        forest = tables.pop("forest", None)
        summary(measure, tables)
        if measure == "macro_auc":
            left_out(tables)
        if forest is not None:
            few = {readout: table[forest.columns] for readout, table in tables.items()}
            summary(f"{measure}, seven candidates", {**few, "forest": forest})
            if measure == "macro_auc":
                left_out({**few, "forest": forest})


def summary(measure, tables):
    """Average ranks by read-out, and over all."""
    columns = {readout: ranks(table) for readout, table in tables.items()}
    overall = pd.DataFrame(columns)
    overall.insert(0, "rank", overall.mean(axis=1))
    gain = sum(table - table[[BEFORE]].to_numpy() for table in tables.values())
    overall["gain"] = (gain / len(tables)).mean()
    overall["worst"] = (gain / len(tables)).min()
    test = friedman_nemenyi(sum(tables.values()))
    print(
        f"\n{measure}: average ranks over {test.n_blocks} data sets by read-out; gain "
        f"over '{BEFORE}', mean and worst data set; Friedman's p of the mean over "
        f"read-outs {test.p_value:.1e}, critical difference "
        f"{test.critical_difference:.1f}"
    )
    print(overall.sort_values("rank").to_string(float_format=lambda v: f"{v:.3f}"))


def left_out(tables):
    """The choice made again without each data set, and what it is worth there."""
    names = next(iter(tables.values())).index
    print(f"\nleft out: choice without it, its gain over '{BEFORE}' on it")
    for name in names:
        others = [ranks(table.drop(index=name)) for table in tables.values()]
        mean = sum(others) / len(others)
        choice = mean.idxmin()
        gains = [t.loc[name, choice] - t.loc[name, BEFORE] for t in tables.values()]
        print(f"{name:16} {choice:16} {np.mean(gains):+.3f}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("what", choices=("run", "units", "table"))
    parser.add_argument("--data", nargs="+", default=(*DENSE, *SPARSE))
    parser.add_argument("--readouts", nargs="+", default=("ridge", "knn"))
    parser.add_argument("--splits", type=int, default=5)
    parser.add_argument(
        "--store", default=Path(tempfile.gettempdir()) / "greedy_default.sqlite"
    )
    options = parser.parse_args()
    store = Store(options.store)
    if options.what == "run":
        run(store, "standardize", options.data, options.readouts, options.splits)
    elif options.what == "units":
        run(store, "none", DENSE, ("ridge",), 3)
        run(store, "minmax", SPARSE, ("ridge",), 3)
    else:
        show(store.table())


if __name__ == "__main__":
    main()
