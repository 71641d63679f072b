# SPDX-License-Identifier: BSD-3-Clause
"""GreedyRLS and MTLasso compared with the figures of Naula et al. (2014), Table 2.

    LABELSIFT_DATA=... python perf/calibrate_greedy.py [emotions yeast CAL500 scene]

10-fold cross-validation of one random shuffle, means over folds; raw features, budgets
of 10, 45 and 80 % of them, scores above 0 predicted. GreedyRLS: penalty by
leave-one-out error for each budget from 2^-15 .. 2^15, one fit for all budgets.
MTLasso, where this version has it: centred columns of unit norm. CAL500: labels with 40
or more positives. The difference is in standard deviations as published; within means
at most one.
"""

import argparse
import time

import numpy as np
from sklearn.model_selection import KFold

from calibrate_mlknn import MEASURES, printed
from labelsift import selection
from labelsift.datasets import load_dataset
from labelsift.metrics import evaluate

SHARES = {"low": 0.10, "med": 0.45, "high": 0.80}
SETTINGS = {"low": "10%", "med": "45%", "high": "80%"}
NAMES = {"GreedyRLS": "greedy-rls", "MTLasso": "mt-lasso"}
SETS = ("emotions", "yeast", "CAL500", "scene")


def load(name):
    """Samples and labels as the paper used them."""
    data = load_dataset(name)
    enough = data.Y.sum(axis=0) >= 40
    return data.X, data.Y[:, enough] if name == "CAL500" else data.Y


def greedy_scores(X, Y, X_test, budgets):
    """Scores of the test rows for each budget, from one fit."""
    selector = selection.GreedyRLS(max(budgets), alpha="loo", n_jobs=-1).fit(X, Y)
    return [selector.with_budget(k).decision_function(X_test) for k in budgets]


def lasso_scores(X, Y, X_test, budgets):
    """Scores of the test rows for each budget; centred columns of unit norm."""
    mean = X.mean(axis=0)
    norm = np.linalg.norm(X - mean, axis=0)
    norm[norm == 0] = 1
    X, X_test = (X - mean) / norm, (X_test - mean) / norm
    fits = [selection.MTLasso(k).fit(X, Y) for k in budgets]
    return [fit.decision_function(X_test) for fit in fits]


SCORES = {"GreedyRLS": greedy_scores, "MTLasso": lasso_scores}


def cross_validated(method, X, Y, seed):
    """Mean of each measure over ten folds, for each budget."""
    budgets = [int(share * X.shape[1]) for share in SHARES.values()]
    folds = []
    for train, test in KFold(10, shuffle=True, random_state=seed).split(X):
        scores = SCORES[method](X[train], Y[train], X[test], budgets)
        folds.append([evaluate(Y[test], score) for score in scores])
    return {
        name: {m: np.mean([fold[i][m] for fold in folds]) for m in MEASURES}
        for i, name in enumerate(SHARES)
    }


def difference(ours, mean, std):
    """In published standard deviations; where that is 0, equal or not."""
    if std == 0:
        return 0.0 if round(ours - mean, 3) == 0 else np.inf
    return (ours - mean) / std


def report(method, name, seed):
    """Print the cells of one method and data set; return all differences."""
    X, Y = load(name)
    start = time.perf_counter()
    ours = cross_validated(method, X, Y, seed)
    seconds = time.perf_counter() - start
    print(f"\n{method}, {name} {X.shape}, {Y.shape[1]} labels, {seconds:.0f} s")
    differences = []
    for budget, setting in SETTINGS.items():
        published = printed(NAMES[method], name, setting)
        for measure in MEASURES:
            mean, std = published[measure]
            value = ours[budget][measure]
            away = difference(value, mean, std)
            verdict = "within" if abs(away) <= 1 else "OUTSIDE"
            print(
                f"{budget:5} {measure:14} {value:7.3f} {mean:7.3f} {std:6.3f} "
                f"{away:+6.2f}  {verdict}"
            )
            differences.append(abs(away))
    return differences


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", default=SETS, help=f"of {SETS}")
    parser.add_argument("--seed", type=int, default=0, help="seed of the shuffle")
    options = parser.parse_args()
    print("budget measure          ours   paper    std   diff")
    for method in (name for name in SCORES if hasattr(selection, name)):
        cells = [
            away for s in options.names for away in report(method, s, options.seed)
        ]
        outside = sum(away > 1 for away in cells)
        print(f"\n{method}: {outside} of {len(cells)} cells outside one published std;")
        print(f"  largest difference {max(cells):.2f}")


if __name__ == "__main__":
    main()
