# SPDX-License-Identifier: BSD-3-Clause
"""Ranking machines and competitors compared with Table 2 of Gu, Li and Han (2011).

    LABELSIFT_DATA=... python perf/calibrate_rank_svm.py --store cells.jsonl
        [--data scene arts] [--methods larank cmlfs] [--splits 2] [--show]

The paper's protocol: 1000 training points in which every label occurs, the others to
test on; parameters by 5-fold cross-validation on the training points, here for macro
AUC. Text as in the paper's Table 1 (labels of 100 documents, words in 5 documents,
TF-IDF, unit rows); scene and yeast standardised by the training points and divided by
the root of the number of features, so that rows have length 1 on average there too and
one grid of C serves all. What differs from the paper: 2 splits instead of 10; C from
.1 to 100 instead of .001 to 1000, mu .01 to 1 instead of .01 to 100, three values of m
instead of ten, three numbers of features of FS + SVM; SVMs have the squared hinge loss.

F1 is given for four kinds of thresholds: "train" per label at best F1 of the training
scores, "oof" the same of out-of-fold scores, "t(x)" the paper's section 3.8 (regression
of the threshold of a sample on x, from training scores), "t(f)" the same on the scores,
from out-of-fold scores. The paper does not say which of them its F1 has.

"gap" is the final relative duality gap, "open" how many fits of the cross-validation
stopped at max_iter. Every finished cell is a line of the store: a run can be stopped
and resumed.
"""

import argparse
import warnings
from pathlib import Path

import numpy as np
from labelsift.bench.methods import PerLabelFisherSVM
from labelsift.results import published_cells
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import LinearRegression
from sklearn.preprocessing import StandardScaler

from calibrate_mlls import Method, after_cca_comes, powers, read, run, svm
from labelsift.classification import CLaRankSVM, LaRankSVM
from labelsift.datasets import load_dataset
from labelsift.datasets.text_preparation import prepare_text
from labelsift.metrics import macro_auc, macro_f1, micro_f1
from labelsift.model_selection import IterativeStratifiedKFold
from labelsift.model_selection.threshold import sample_thresholds, scut_thresholds
from labelsift.selection import CMLFS, MLFS
from labelsift.subspace import MLLS

DATA = ("scene", "yeast", "arts", "education")
# What Table 2 calls our methods.
PRINTED = {
    "svm": "svm",
    "larank": "larank-svm",
    "cca+svm": "cca-svm",
    "mlls": "mlls",
    "fs+svm": "fisher-svm",
    "clarank": "clarank-svm",
    "mlfs": "mlfs",
    "cmlfs": "cmlfs",
}
# Sum of feature weights of MLFS and CMLFS; numbers of features of FS + SVM.
M = {
    "scene": (10, 15, 20),
    "yeast": (10, 15, 20),
    "arts": (1000, 4000, 10000),
    "education": (1000, 4000, 10000),
}
BUDGETS = {
    "scene": (70, 150, 290),
    "yeast": (20, 50, 100),
    "arts": (1000, 5000, 15000),
    "education": (1000, 5000, 15000),
}
C, MU = powers(-1, 2), powers(-2, 0)
CUTS = ("train", "oof", "t(x)", "t(f)")
# As in ThresholdedClassifier.
MIN_F1 = 0.1


def methods(name):
    """The eight methods of Table 2 with their grids for a data set."""
    return {
        "svm": Method(svm, {"C": C}),
        "larank": Method(lambda c: LaRankSVM(), {"C": C}),
        "cca+svm": Method(
            after_cca_comes("svm", svm), {"cca__beta": powers(-5, -1), "svm__C": C}
        ),
        "mlls": Method(
            lambda c: MLLS(c - 1), {"alpha": powers(-5, -1), "beta": powers(-5, -1)}
        ),
        "fs+svm": Method(
            lambda c: PerLabelFisherSVM(), {"n_features": BUDGETS[name], "C": C}
        ),
        "clarank": Method(lambda c: CLaRankSVM(), {"C": C, "mu": MU}),
        "mlfs": Method(lambda c: MLFS(1.0), {"C": C, "m": M[name]}),
        "cmlfs": Method(lambda c: CMLFS(1.0), {"C": C, "m": M[name], "mu": MU}),
    }


def load(name):
    if name in ("scene", "yeast"):
        return load_dataset(name)
    return prepare_text(load_dataset(f"yahoo-{name}-full"))


def parts(data, train, test):
    """X of the training and of the test points."""
    X, X_test = data.X[train], data.X[test]
    if data.name not in ("scene", "yeast"):
        return X, X_test
    scaler = StandardScaler().fit(X)
    root = np.sqrt(X.shape[1])
    return scaler.transform(X) / root, scaler.transform(X_test) / root


def best_position(scores, Y, folds):
    """The point with the best mean of macro AUC over the folds."""
    return int(
        np.argmax(
            [
                np.mean([macro_auc(Y[test], layer[test]) for _, test in folds])
                for layer in scores
            ]
        )
    )


def label_sets(X, Y, seen, held_out, X_test, unseen):
    """The four ways to cut the scores of the test points."""
    yield "train", unseen > scut_thresholds(seen, Y, MIN_F1)
    yield "oof", unseen > scut_thresholds(held_out, Y, MIN_F1)
    on_x = LinearRegression().fit(X, sample_thresholds(seen, Y))
    yield "t(x)", unseen > on_x.predict(X_test)[:, np.newaxis]
    on_scores = LinearRegression().fit(held_out, sample_thresholds(held_out, Y))
    yield "t(f)", unseen > on_scores.predict(unseen)[:, np.newaxis]


def judged(method, data, train, test, seed):
    """One cell."""
    X, X_test = parts(data, train, test)
    Y, Y_test = data.Y[train], data.Y[test]
    folds = list(IterativeStratifiedKFold(5, random_state=seed).split(X, Y))
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        scores = method.held_out(X, Y, folds)
        best = best_position(scores, Y, folds)
        model = method.model(best, Y.shape[1]).fit(X, Y)
    unseen = model.decision_function(X_test)
    record = {
        "macro_auc": macro_auc(Y_test, unseen),
        "gap": getattr(model, "dual_gap_", None),
        "open": sum(issubclass(w.category, ConvergenceWarning) for w in caught),
        "fits": len(folds) * len(method.points),
        "chosen": method.points[best],
    }
    ways = label_sets(X, Y, model.decision_function(X), scores[best], X_test, unseen)
    for name, labels in ways:
        record[f"micro_f1_{name}"] = micro_f1(Y_test, labels)
        record[f"macro_f1_{name}"] = macro_f1(Y_test, labels)
    return record


def records_of(name, key, *parts):
    return [judged(methods(name)[key], *parts)]


def printed(method, name):
    """AUC, micro F1 and macro F1 of Table 2, in percent."""
    data = name if name in ("scene", "yeast") else f"yahoo-{name}-full"
    cells = {
        cell.measure: cell.mean
        for cell in published_cells("gu")
        if (cell.method, cell.data) == (PRINTED[method], data)
    }
    return [cells[measure] for measure in ("macro_auc", "micro_f1", "macro_f1")]


def show(records):
    """Our values and the paper's, in percent."""
    heads = "".join(f"{cut:>14}" for cut in CUTS)
    for name in DATA:
        part = [record for record in records if record["data"] == name]
        if not part:
            continue
        print(f"\n{name}: AUC, and micro / macro F1 of four ways to cut")
        print(f"{'':9}{'paper':>22}{'AUC':>8}{heads}  splits, gaps, open, chosen")
        for key in PRINTED:
            mine = [record for record in part if record["method"] == key]
            auc, micro, macro = printed(key, name)
            line = f"{key:9}{auc:8.2f}{micro:7.2f}{macro:7.2f}"
            print(line + (_ours(mine) if mine else "  not run"))


def _ours(cells):
    def mean(name):
        return 100 * np.mean([cell[name] for cell in cells])

    pairs = [(mean(f"micro_f1_{cut}"), mean(f"macro_f1_{cut}")) for cut in CUTS]
    f1 = "".join(f"{micro:8.2f}{macro:6.2f}" for micro, macro in pairs)
    gaps = [f"{cell['gap']:.0e}" for cell in cells if cell["gap"] is not None]
    left = "+".join(f"{cell['open']}/{cell['fits']}" for cell in cells)
    chosen = "; ".join(
        " ".join(f"{name} {value:g}" for name, value in cell["chosen"].items())
        for cell in cells
    )
    tail = f"  {len(cells)}, {' '.join(gaps) or '-'}, {left}, {chosen}"
    return f"{mean('macro_auc'):8.2f}{f1}{tail}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--store", type=Path, required=True, help="file of JSON lines")
    parser.add_argument("--data", nargs="+", choices=DATA, default=DATA)
    parser.add_argument("--methods", nargs="+", choices=PRINTED, default=PRINTED)
    parser.add_argument("--splits", type=int, default=2, help="of the paper's ten")
    parser.add_argument("--show", action="store_true", help="print, run nothing")
    arguments = parser.parse_args()
    if not arguments.show:
        records = read(arguments.store)
        done = {(r["data"], r["split"], r["method"]) for r in records}
        run(arguments, done, n_splits=10, load=load, records_of=records_of)
    show(read(arguments.store))


if __name__ == "__main__":
    main()
