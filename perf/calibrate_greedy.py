# SPDX-License-Identifier: BSD-3-Clause
"""GreedyRLS and MTLasso beside the figures of Naula et al. (2014), Table 2.

    LABELSIFT_DATA=... python perf/calibrate_greedy.py [emotions yeast CAL500 scene]

10-fold cross-validation of one random shuffle, means over folds; raw features, budgets
of 10, 45 and 80 % of them, scores above 0 predicted. GreedyRLS: penalty by leave-one-out
error for each budget from 2^-15 .. 2^15, one fit for all budgets. MTLasso, where this
version has it: unit-norm centred columns. CAL500: labels with 40 or more positives. The
difference is in standard deviations as published; within means at most one.
"""

import argparse
import time

import numpy as np
from sklearn.model_selection import KFold

from labelsift import selection
from labelsift.datasets import load_dataset
from labelsift.metrics import evaluate

MEASURES = (
    "zero_one_loss",
    "hamming_loss",
    "accuracy",
    "one_error",
    "coverage",
    "ranking_loss",
    "macro_auc",
)
SHARES = {"low": 0.10, "med": 0.45, "high": 0.80}
# "mean std" in the order of MEASURES, for each method, data set and budget.
PUBLISHED = {
    "GreedyRLS": {
        "emotions": {
            "low": ".752 .069 .213 .027 .459 .067 .323 .067 1.915 .182 .189 .032 .815 .026",
            "med": ".730 .054 .202 .018 .512 .046 .282 .070 1.839 .214 .173 .038 .833 .024",
            "high": ".740 .065 .203 .026 .493 .065 .268 .059 1.819 .189 .167 .030 .832 .023",
        },
        "yeast": {
            "low": ".881 .017 .210 .009 .466 .016 .237 .023 6.574 .244 .182 .016 .654 .022",
            "med": ".851 .019 .200 .009 .494 .016 .221 .020 6.386 .226 .170 .015 .693 .016",
            "high": ".853 .022 .200 .009 .496 .018 .225 .019 6.374 .235 .171 .015 .699 .015",
        },
        "CAL500": {
            "low": "1 0 .240 .010 .226 .008 .121 .043 75.40 .974 .275 .014 .575 .034",
            "med": "1 0 .239 .010 .228 .010 .118 .037 75.50 1.241 .274 .014 .576 .027",
            "high": "1 0 .239 .010 .226 .012 .121 .035 75.88 1.273 .274 .012 .568 .020",
        },
        "scene": {
            "low": ".600 .029 .118 .005 .431 .027 .285 .017 .582 .054 .100 .010 .910 .009",
            "med": ".529 .023 .106 .006 .505 .022 .246 .026 .520 .063 .087 .011 .923 .011",
            "high": ".535 .031 .106 .007 .498 .029 .246 .025 .515 .060 .086 .010 .924 .011",
        },
    },
    "MTLasso": {
        "emotions": {
            "low": ".891 .060 .255 .027 .238 .062 .375 .067 2.064 .230 .218 .036 .788 .023",
            "med": ".731 .074 .202 .030 .459 .071 .270 .078 1.829 .207 .168 .031 .828 .025",
            "high": ".732 .057 .192 .021 .499 .049 .256 .056 1.791 .185 .161 .031 .839 .022",
        },
        "yeast": {
            "low": ".987 .007 .232 .009 .339 .012 .249 .023 6.551 .206 .195 .015 .630 .014",
            "med": ".931 .014 .214 .008 .420 .016 .248 .022 6.387 .210 .181 .016 .670 .012",
            "high": ".872 .019 .203 .009 .477 .017 .238 .017 6.349 .219 .172 .015 .691 .014",
        },
        "CAL500": {
            "low": "1 0 .239 .012 .210 .013 .118 .039 76.35 .732 .277 .008 .572 .016",
            "med": "1 0 .238 .011 .219 .010 .121 .036 75.48 1.003 .269 .009 .594 .019",
            "high": "1 0 .238 .009 .227 .008 .118 .037 75.18 1.181 .269 .011 .590 .019",
        },
        "scene": {
            "low": ".990 .007 .178 .002 .010 .007 .369 .033 .717 .046 .126 .010 .864 .007",
            "med": ".724 .013 .133 .003 .292 .015 .257 .020 .528 .045 .089 .007 .916 .009",
            "high": ".537 .024 .106 .006 .492 .022 .239 .024 .502 .050 .083 .008 .926 .010",
        },
    },
}  # fmt: skip


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
    for budget, cells in PUBLISHED[method][name].items():
        published = np.array(cells.split(), dtype=float).reshape(-1, 2)
        for measure, (mean, std) in zip(MEASURES, published, strict=True):
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
    sets = list(PUBLISHED["GreedyRLS"])
    parser.add_argument("names", nargs="*", default=sets, help=f"of {sets}")
    parser.add_argument("--seed", type=int, default=0, help="seed of the shuffle")
    options = parser.parse_args()
    print("budget measure          ours   paper    std   diff")
    for method in (name for name in PUBLISHED if hasattr(selection, name)):
        cells = [
            away for s in options.names for away in report(method, s, options.seed)
        ]
        outside = sum(away > 1 for away in cells)
        print(f"\n{method}: {outside} of {len(cells)} cells outside one published std;")
        print(f"  largest difference {max(cells):.2f}")


if __name__ == "__main__":
    main()
