# SPDX-License-Identifier: BSD-3-Clause
"""How a ranking of columns becomes a ranking of groups: first appearance or sum.

    python perf/groups.py make_raw_tables.py

A method that ranks single columns knows no groups. Either a group stands where its
first column stands, or groups are ordered by the sum of their columns' scores. Both are
measured in five folds, with k groups and a ridge read-out, macro AUC: on the raw tables
tickets and patients (written by the program that is the argument), whose categories are
groups, and on emotions, scene and yeast (in LABELSIFT_DATA) with groups of one to six
neighbouring columns. The value of greedy-rls by leave-one-out, which judges groups
itself, stands below.
"""

import argparse
import subprocess
import sys
import tempfile
from itertools import pairwise
from pathlib import Path

import numpy as np
from sklearn.base import clone
from sklearn.preprocessing import StandardScaler

from labelsift.classification import BinaryRidge
from labelsift.datasets import load_dataset, open_data
from labelsift.experiment.catalogue import CATALOGUE
from labelsift.metrics import macro_auc
from labelsift.model_selection import IterativeStratifiedKFold
from labelsift.prepare import TablePreparation
from labelsift.prepare.groups import Groups, grouped_choices
from labelsift.prepare.parts import split_table_rows, usable

METHODS = ("fisher", "anova", "extra-trees", "mt-lasso", "mrmr", "greedy-rls-gcv",
           "greedy-fair")  # fmt: skip
COUNTS = (3, 5, 10)
TABLES = {"tickets": "tag_*", "patients": "Diagnosen:|"}
UNUSED = {"tickets": "ticket_id,customer_id", "patients": ()}
SETS = ("emotions", "scene", "yeast")


def neighbours(n_columns, rng):
    """Groups of one to six neighbouring columns."""
    ends = np.cumsum(rng.integers(1, 7, n_columns))
    ends = [0, *ends[ends < n_columns], n_columns]
    return [np.arange(*pair) for pair in pairwise(ends)]


def parts(name, folder):
    """Training and test part of five folds, with their groups."""
    folds = IterativeStratifiedKFold(5, random_state=0)
    if name in TABLES:
        path = folder / f"{name}.csv"
        data = open_data(path, labels=TABLES[name], drop=UNUSED[name])
        used, made, _ = usable(data, TablePreparation())
        for train, test in folds.split(data.Y, data.Y):
            part = split_table_rows(used, made, train, test)
            yield part.X, part.X_test, data.Y[train], data.Y[test], part.groups
        return
    data = load_dataset(name)
    groups = Groups(neighbours(data.n_features, np.random.default_rng(0)))
    for train, test in folds.split(data.Y, data.Y):
        scale = StandardScaler().fit(data.X[train])
        X, X_test = (scale.transform(data.X[rows]) for rows in (train, test))
        yield X, X_test, data.Y[train], data.Y[test], groups


def by_sum(estimator, X, Y, groups):
    """Groups by the sum of their columns' scores."""
    scores = clone(estimator).set_params(n_features_to_select=X.shape[1])
    scores = scores.fit(X, Y).scores_
    totals = [scores[group].sum() for group in groups.members]
    return np.argsort(-np.array(totals), kind="stable")


def value(columns, X, X_test, Y, Y_test):
    model = BinaryRidge(1.0).fit(X[:, columns], Y)
    return macro_auc(Y_test, model.decision_function(X_test[:, columns]))


def measured(name, method, folder):
    """Means over the folds: a row for first appearance, a row for the sum."""
    rows = []
    for X, X_test, Y, Y_test, groups in parts(name, folder):
        estimator = CATALOGUE[method].make(Y.shape[1])
        judge = (X, X_test, Y, Y_test)
        chosen = list(grouped_choices(clone(estimator), COUNTS, X, Y, groups))
        first = [value(groups.outputs(c.columns), *judge) for c in chosen]
        whole = method == "greedy-rls"
        order = None if whole else by_sum(estimator, X, Y, groups)
        total = [np.nan] * len(COUNTS)
        if order is not None:
            total = [value(groups.outputs(order[:k]), *judge) for k in COUNTS]
        rows.append((first, total))
    return np.mean(rows, axis=0)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("program", type=Path)
    program = parser.parse_args().program
    counts = "  ".join(f"k = {k:<2d}" for k in COUNTS)
    print(f"{'data':9s} {'method':15s} first appearance: {counts}  sum: {counts}")
    differences = {}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        subprocess.run([sys.executable, program, folder], check=True)
        for data in (*TABLES, *SETS):
            for method in (*METHODS, "greedy-rls"):
                first, total = measured(data, method, folder)
                texts = ["  ".join(f"{v:6.3f}" for v in row) for row in (first, total)]
                print(f"{data:9s} {method:15s} {' ' * 17} {texts[0]}       {texts[1]}")
                if method != "greedy-rls":
                    kind = "tables" if data in TABLES else "neighbours"
                    differences.setdefault(kind, []).extend(first - total)
    for kind, values in differences.items():
        values = np.array(values)
        print(
            f"{kind}: first appearance minus sum, mean {values.mean():+.3f}, from "
            f"{values.min():+.3f} to {values.max():+.3f}; better in "
            f"{(values > 0.002).sum()}, worse in {(values < -0.002).sum()} of "
            f"{len(values)}"
        )


if __name__ == "__main__":
    main()
