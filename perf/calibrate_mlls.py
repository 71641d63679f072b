# SPDX-License-Identifier: BSD-3-Clause
"""MLLS and its competitors compared with the figures of Ji et al. (2008).

    LABELSIFT_DATA=... python perf/calibrate_mlls.py --store cells.jsonl
        [--data arts science] [--methods mlls ridge] [--splits 5] [--show]

The paper's protocol on the full-vocabulary Yahoo sets (its Tables 3 and 4): labels of
100 pages or more, words in 5 pages or more, TF-IDF, unit rows; 1000 training pages in
which every label occurs, the other pages to test on, five times; parameters by 5-fold
cross-validation on the training pages. The paper tunes on "F1", here macro F1 at
thresholds tuned on the other folds, and also on macro AUC. Final thresholds are
tuned per label on the scores of the training pages (the paper's way) and on
out-of-fold scores (the honest way). What differs from the paper: SVMs have the squared
hinge loss; ASO has 3 values of alpha and at most 10 rounds; the number of components of
CCA and ASO, which the paper does not give, is n_labels - 1 and that of MLLS.

Every finished cell is a line of the store: a run can be stopped and resumed.
"""

import argparse
import json
import time
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from labelsift.results import published_cells
from sklearn.exceptions import ConvergenceWarning
from sklearn.model_selection import ParameterGrid
from sklearn.pipeline import Pipeline

from labelsift.classification import BinaryRidge, BinarySVM
from labelsift.datasets import load_dataset
from labelsift.datasets.text_preparation import prepare_text
from labelsift.metrics import macro_auc, macro_f1, micro_f1
from labelsift.model_selection import IterativeStratifiedKFold, LabelCoverageSplit
from labelsift.model_selection.threshold import scut_thresholds
from labelsift.subspace import ASO, MLLS, RegularizedCCA

DATA = ("arts", "education", "reference", "science")
TUNED_ON = ("macro_f1", "macro_auc")
# As in ThresholdedClassifier.
MIN_F1 = 0.1


def powers(low, high):
    return [10.0**i for i in range(low, high + 1)]


def rank(n_labels):
    """The paper's number of components."""
    return 5 * ((n_labels - 1) // 5)


@dataclass(frozen=True)
class Method:
    """An estimator for this many labels, and the grid of its parameters."""

    make: Callable[[int], Any]
    grid: dict[str, list[float]]
    per_label: bool = False  # whether every label chooses its own point

    @property
    def points(self):
        return list(ParameterGrid(self.grid))

    def model(self, position, n_labels):
        return self.make(n_labels).set_params(**self.points[position])

    def held_out(self, X, Y, folds):
        """Out-of-fold scores, of shape (n_points, n_samples, n_labels)."""
        estimator, points = self.make(Y.shape[1]), self.points
        scores = np.empty((len(points), *Y.shape))
        if hasattr(estimator, "fold_scores"):
            for positions, parts in estimator.fold_scores(X, Y, folds, points):
                for (_, test), part in zip(folds, parts, strict=True):
                    scores[np.ix_(positions, test)] = part
            return scores
        fits = after_cca if isinstance(estimator, Pipeline) else one_by_one
        for train, test in folds:
            for k, part in fits(estimator, points, X[train], Y[train], X[test]):
                scores[k][test] = part
        return scores


def one_by_one(estimator, points, X, Y, X_test):
    for k, point in enumerate(points):
        yield k, estimator.set_params(**point).fit(X, Y).decision_function(X_test)


def after_cca(pipeline, points, X, Y, X_test):
    """As for any pipeline, but CCA is fitted once for each of its penalties."""
    (_, cca), (last, readout) = pipeline.steps
    betas = sorted({point["cca__beta"] for point in points})
    for chosen, fitted in cca.fit_path(X, Y, {"beta": betas}):
        seen, unseen = fitted.transform(X), fitted.transform(X_test)
        for k, point in enumerate(points):
            if point["cca__beta"] == chosen["beta"]:
                [mine] = [name for name in point if name.startswith(last)]
                readout.set_params(**{mine.partition("__")[2]: point[mine]})
                yield k, readout.fit(seen, Y).decision_function(unseen)


def after_cca_comes(name, readout):
    return lambda m: Pipeline([("cca", RegularizedCCA(m - 1)), (name, readout())])


def svm(n_labels=None):
    return BinarySVM(random_state=0)


METHODS = {
    "mlls": Method(
        lambda m: MLLS(rank(m)),
        {"alpha": [0.0, *powers(-6, 0)], "beta": [0.0, *powers(-6, 0)]},
    ),
    "ridge": Method(lambda m: MLLS(rank(m), alpha=0), {"beta": [0.0, *powers(-6, 0)]}),
    "svm": Method(svm, {"C": powers(-5, 5)}, per_label=True),
    "svm-c1": Method(svm, {"C": [1.0]}),
    "cca+ridge": Method(
        after_cca_comes("ridge", BinaryRidge),
        {"cca__beta": powers(-6, 1), "ridge__alpha": powers(-6, 0)},
    ),
    "cca+svm": Method(
        after_cca_comes("svm", svm),
        {"cca__beta": powers(-6, 1), "svm__C": powers(-4, 5)},
    ),
    "aso": Method(
        lambda m: ASO(rank(m), max_iter=10, random_state=0), {"alpha": powers(-4, -2)}
    ),
}


def label_values(scores, Y, folds, tuned_on):
    """Value of each label, mean over the folds in which it has one."""
    values = np.full((len(folds), Y.shape[1]), np.nan)
    for k, (_, test) in enumerate(folds):
        others = np.concatenate([rows for j, (_, rows) in enumerate(folds) if j != k])
        cuts = scut_thresholds(scores[others], Y[others], MIN_F1)
        for label in range(Y.shape[1]):
            y, score = Y[test, label : label + 1], scores[test, label : label + 1]
            if tuned_on == "macro_f1":
                values[k, label] = macro_f1(y, score > cuts[label])
            elif y.any():
                values[k, label] = macro_auc(y, score)
    return np.nanmean(values, axis=0)


def chosen(method, scores, Y, folds, tuned_on):
    """Position of the best point for each label."""
    values = np.array([label_values(s, Y, folds, tuned_on) for s in scores])
    if method.per_label:
        return values.argmax(axis=0)
    return np.full(Y.shape[1], values.mean(axis=1).argmax())


def final_scores(method, positions, X, Y, X_test):
    """Scores of training and test pages, each label by its own point."""
    train, test = np.empty(Y.shape), np.empty((X_test.shape[0], Y.shape[1]))
    for position in np.unique(positions):
        model = method.model(position, Y.shape[1]).fit(X, Y)
        mine = positions == position
        train[:, mine] = model.decision_function(X)[:, mine]
        test[:, mine] = model.decision_function(X_test)[:, mine]
    return train, test


def judged(method, data, train, test, seed):
    """One cell: a record for each way of tuning."""
    X, Y, X_test, Y_test = data.X[train], data.Y[train], data.X[test], data.Y[test]
    folds = list(IterativeStratifiedKFold(5, random_state=seed).split(X, Y))
    held_out = method.held_out(X, Y, folds)
    for tuned_on in TUNED_ON:
        positions = chosen(method, held_out, Y, folds, tuned_on)
        seen, unseen = final_scores(method, positions, X, Y, X_test)
        honest = held_out[positions, :, np.arange(Y.shape[1])].T
        record = {"tuned_on": tuned_on, "macro_auc": macro_auc(Y_test, unseen)}
        for name, scores in (("train", seen), ("out_of_fold", honest)):
            labels = unseen > scut_thresholds(scores, Y, MIN_F1)
            record[f"macro_f1_{name}"] = macro_f1(Y_test, labels)
            record[f"micro_f1_{name}"] = micro_f1(Y_test, labels)
        record["chosen"] = [method.points[k] for k in np.unique(positions)]
        yield record


def load(name):
    return prepare_text(load_dataset(f"yahoo-{name}-full"))


def records_of(name, key, *parts):
    return judged(METHODS[key], *parts)


def run(arguments, done, n_splits=5, load=load, records_of=records_of):
    """Add the cells that are missing; a cell is one record or more."""
    for name in arguments.data:
        data = load(name)
        splitter = LabelCoverageSplit(n_splits, train_size=1000, random_state=0)
        splits = list(splitter.split(data.X, data.Y))[: arguments.splits]
        for seed, (train, test) in enumerate(splits):
            for key in arguments.methods:
                if (name, seed, key) in done:
                    continue
                start = time.process_time()
                cell = {"data": name, "split": seed, "method": key}
                records = list(records_of(name, key, data, train, test, seed))
                cell["seconds"] = round(time.process_time() - start, 1)
                with arguments.store.open("a") as store:
                    store.writelines(
                        json.dumps(cell | record) + "\n" for record in records
                    )
                print(f"{name} split {seed} {key}: {cell['seconds']} s", flush=True)


def read(store):
    lines = store.read_text().splitlines() if store.exists() else []
    return [json.loads(line) for line in lines]


def printed(method, name):
    """(mean, deviation) of AUC, macro F1 and micro F1 in percent, if printed."""
    wanted = (method.replace("+", "-"), f"yahoo-{name}-full")
    cells = {
        cell.measure: (100 * cell.mean, 100 * cell.std)
        for cell in published_cells("ji")
        if (cell.method, cell.data) == wanted
    }
    measures = ("macro_auc", "macro_f1", "micro_f1")
    return [cells[measure] for measure in measures] if cells else None


def show(records):
    """Our values and the paper's: mean (standard deviation) in percent."""
    columns = ("macro_auc", "macro_f1_train", "macro_f1_out_of_fold")
    columns += ("micro_f1_train", "micro_f1_out_of_fold")
    titles = ("AUC", "macro F1 train", "macro F1 oof", "micro F1 train", "micro F1 oof")
    for name in DATA:
        part = [record for record in records if record["data"] == name]
        if not part:
            continue
        heads = "".join(f"{title:>16}" for title in titles)
        print(f"\n{name:10} {'tuned on':10}{heads}   n")
        for key in METHODS:
            published = printed(key, name)
            if published:
                auc, macro, micro = published
                cells = (auc, macro, ("", ""), micro, ("", ""))
                print(f"{key:10} {'paper':10}" + "".join(map(_cell, cells)))
            for tuned_on in TUNED_ON:
                mine = [
                    r for r in part if (r["method"], r["tuned_on"]) == (key, tuned_on)
                ]
                if mine:
                    values = 100 * np.array([[r[c] for c in columns] for r in mine])
                    cells = zip(values.mean(axis=0), values.std(axis=0), strict=True)
                    line = "".join(map(_cell, cells))
                    print(f"{key:10} {tuned_on:10}{line}   {len(mine)}")


def _cell(pair):
    mean, std = pair
    return " " * 16 if mean == "" else f"{mean:9.2f} ({std:4.2f})"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--store", type=Path, required=True, help="file of JSON lines")
    parser.add_argument("--data", nargs="+", choices=DATA, default=DATA)
    parser.add_argument("--methods", nargs="+", choices=METHODS, default=METHODS)
    parser.add_argument("--splits", type=int, default=5, help="of the five")
    parser.add_argument("--show", action="store_true", help="print, run nothing")
    arguments = parser.parse_args()
    warnings.simplefilter("ignore", ConvergenceWarning)
    if not arguments.show:
        records = read(arguments.store)
        run(arguments, {(r["data"], r["split"], r["method"]) for r in records})
    show(read(arguments.store))


if __name__ == "__main__":
    main()
