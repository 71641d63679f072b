# SPDX-License-Identifier: BSD-3-Clause
"""Three raw tables with a known truth: one command each, and what it finds.

    python perf/raw_tables.py make_raw_tables.py

The argument is a program that writes tickets.csv, sensors.csv and patients.csv with
their truth into a folder. Each table goes through ``labelsift compare`` untouched;
sensors once more with the --drop that its own doubt prints. Then, in the same five
folds, the macro AUC with k of the table's columns by greedy-rls and greedy-fair, and
that of a preparation written by hand for that table (which knows the ids, the dates,
the error code and the outliers), prepared inside the folds as well. The label that is
served worst is the one whose mean over the folds is lowest.
"""

import argparse
import json
import shlex
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
from sklearn.compose import ColumnTransformer
from sklearn.impute import SimpleImputer
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer, OneHotEncoder, StandardScaler

from labelsift.classification import BinaryRidge
from labelsift.compare import compare
from labelsift.compare.page.data import page_data
from labelsift.datasets import open_data
from labelsift.metrics import macro_auc
from labelsift.model_selection import IterativeStratifiedKFold
from labelsift.prepare.groups import Groups, grouped_choices
from labelsift.selection import GreedyRLS

LABELS = {"tickets": "tag_*", "sensors": "fault_*", "patients": "Diagnosen:|"}
# What a person who knows the table leaves out.
UNUSED = {
    "tickets": ["ticket_id", "customer_id", "created_at"],
    "sensors": ["timestamp"],
    "patients": ["Patienten-Nr."],
}
METHODS, BUDGETS = ("greedy-rls", "greedy-fair"), (5, 10, 20)


class Clip(FunctionTransformer):
    """Values between the 1 % and 99 % quantiles of the training rows."""

    def fit(self, X, y=None):
        ends = np.nanpercentile(X, [1, 99], axis=0)
        self.func = lambda values: np.clip(values, *ends)
        return super().fit(X, y)


def by_hand(table, frame):
    """What scikit-learn's users write for a table that they know."""
    texts = [name for name in frame if frame[name].dtype.kind not in "biuf"]
    numbers = [name for name in frame if name not in texts]
    steps = [SimpleImputer(strategy="median", add_indicator=True), StandardScaler()]
    if table == "sensors":
        code = SimpleImputer(missing_values=-9999, strategy="median")
        steps = [code, Clip(), StandardScaler()]
    values = OneHotEncoder(handle_unknown="ignore", sparse_output=False)
    return ColumnTransformer(
        [
            ("numbers", make_pipeline(*steps), numbers),
            ("texts", make_pipeline(values, StandardScaler()), texts),
        ]
    )


def members(made):
    """Which columns of a fitted ColumnTransformer come from the same column."""
    (_, numbers, named), (_, texts, coded) = made.transformers_[:2]
    marked = numbers[0].indicator_  # None where gaps are not marked
    gaps = () if marked is None else marked.features_
    owners = [*named, *(named[i] for i in gaps)]
    if len(coded):
        for name, values in zip(coded, texts[0].categories_, strict=True):
            owners += [name] * len(values)
    places = {name: [] for name in owners}
    for place, name in enumerate(owners):
        places[name].append(place)
    return list(places.values())


def hand_made(table, data, splits):
    """Macro AUC of GreedyRLS on a matrix that was prepared by hand, by k."""
    kept = [n for n in data.feature_names if n not in UNUSED[table]]
    frame = data.frame[kept]
    values = {k: [] for k in (*BUDGETS, "all")}
    for train, test in splits:
        made = by_hand(table, frame).fit(frame.iloc[train])
        X, X_test = (made.transform(frame.iloc[rows]) for rows in (train, test))
        Y, Y_test = data.Y[train], data.Y[test]
        groups = Groups(members(made))
        taken = grouped_choices(GreedyRLS(), BUDGETS, X, Y, groups)
        chosen = {len(c.columns): groups.outputs(c.columns) for c in taken}
        for k in values:
            columns = chosen.get(k, slice(None))
            model = BinaryRidge(1.0).fit(X[:, columns], Y)
            scores = model.decision_function(X_test[:, columns])
            values[k].append(macro_auc(Y_test, scores))
    return {k: float(np.mean(v)) for k, v in values.items()}


def run_command(path, labels, *more):
    """The command on an untouched table; what it says, and its seconds."""
    program = Path(sys.executable).parent / "labelsift"
    page = path.with_suffix(".html")
    command = ["compare", path.name, "--labels", labels, *more]
    print(f"\n$ labelsift {shlex.join(command)}")
    start = time.perf_counter()
    done = subprocess.run(
        [program, *command, "--out", page], cwd=path.parent, capture_output=True,
        text=True,
    )  # fmt: skip
    seconds = time.perf_counter() - start
    notes = (line for line in done.stderr.splitlines() if line[:4] in ("Read", "Colu"))
    said = (line for line in done.stdout.splitlines() if not line.startswith("Report"))
    print(*notes, *said, sep="\n")
    print(
        f"exit code {done.returncode}, {seconds:.0f} s, {page.stat().st_size:,} bytes"
    )


def against_truth(data, truth):
    """How many of the columns that were taken first tell a label in truth."""
    told = {name for names in truth["informative"].values() for name in names}
    result = compare(data, methods=METHODS, budgets=str(len(told)), cv=2)
    for method in METHODS:
        names = result.features(method)
        wrong = ", ".join(name for name in names if name not in told)
        hits = sum(name in told for name in names)
        print(f"{method}: {hits} of {len(told)} columns told{wrong and f'; {wrong}'}")


def measured(table, data):
    """Macro AUC and the worst label in the same folds as by hand."""
    splitter = IterativeStratifiedKFold(5, random_state=0)
    splits = list(splitter.split(data.Y, data.Y))
    budgets = ",".join(map(str, BUDGETS))
    result = compare(data, methods=METHODS, budgets=budgets, cv=splits)
    means = result.results.where(measure="macro_auc").mean_over_splits()
    means = means.set_index(["method", "budget"])["mean"]
    parts = (result.setup, result.results, result.artifacts, result.final)
    aucs = page_data(*parts, result.recommend()).label_auc
    hand = hand_made(table, data, splits)
    for method in METHODS:
        for k in BUDGETS:
            worst = aucs.loc[(method, k)]
            label = data.label_names[int(worst.idxmin())]
            mean = means[method, k]
            compared = _difference(mean, hand[k]) if method == "greedy-rls" else ""
            served = f"worst {worst.min():.3f} ({label})"
            print(f"{method:12} k = {k:3}: {mean:.3f}, {served}{compared}")
    whole = float(means["all-features"].iloc[0])
    print(f"all columns         : {whole:.3f}{_difference(whole, hand['all'])}")


def _difference(value, hand):
    """Against the matrix that was made by hand."""
    return f"; by hand {hand:.3f}, difference {value - hand:+.3f}"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program", type=Path)
    program = parser.parse_args().program
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([sys.executable, program, folder], check=True)
        for table, labels in LABELS.items():
            path = Path(folder) / f"{table}.csv"
            truth = json.loads(path.with_suffix(".truth.json").read_text())
            run_command(path, labels)
            data = open_data(path, labels=labels)
            drop = leak_option(data)
            if drop:
                run_command(path, labels, *drop)
                data = open_data(path, labels=labels, drop=drop[1])
            against_truth(data, truth)
            measured(table, data)


def leak_option(data):
    """The option that the doubt about a leak prints."""
    result = compare(data, methods=["fisher"], budgets="5", cv=2)
    leaks = [doubt for doubt in result.doubts if doubt.code == "leak"]
    return shlex.split(leaks[0].remedy) if leaks else []


if __name__ == "__main__":
    main()
