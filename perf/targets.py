# SPDX-License-Identifier: BSD-3-Clause
"""Selection for many real-valued targets: quality against the budget, and seconds.

    pip install abess fastcan
    python perf/targets.py [--folds 5] [--repeats 5]

The data ship with scikit-learn: the upper half of each handwritten digit predicts its
lower half, 1797 rows, 31 pixels that vary, 30 targets that vary. Each method chooses
features on the training folds; scikit-learn's Ridge on these features predicts the
rest, and R^2 is the mean over targets and folds. Peers: fastcan; abess,
MultiTaskRegression with the same support size; scikit-learn's MultiTaskLassoCV, whose
features are ordered by the norms of their weights at the penalty that its own
cross-validation chose, and which says itself how many to take; 20 random orders.
Seconds are those of the processor with one thread, on all rows: once for all budgets
where the choices nest, else the sum.
"""

import argparse
import os

os.environ.update(dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"), "1"))

import time
import warnings

import numpy as np
from sklearn.datasets import load_digits
from sklearn.linear_model import MultiTaskLassoCV, Ridge
from sklearn.metrics import r2_score
from sklearn.model_selection import KFold
from sklearn.preprocessing import scale

from labelsift.selection import FisherScore, GreedyRLS, MTLasso

BUDGETS = (1, 2, 3, 5, 8, 12, 16, 20, 25, 31)


def digits():
    """Upper and lower half, pixels that vary."""
    pixels = load_digits().data
    halves = pixels[:, :32], pixels[:, 32:]
    return tuple(half[:, half.std(axis=0) > 0] for half in halves)


def nested(order):
    """The first features of an order, for every budget."""
    return {k: np.asarray(order)[:k] for k in BUDGETS}


def greedy(X, Y, **options):
    return nested(GreedyRLS(1.0, target="values", **options).fit(X, Y).feature_order_)


def fisher(X, Y):
    return nested(FisherScore(1.0, target="values").fit(X, Y).feature_order_)


def mt_lasso(X, Y):
    """One fit for each budget, at the smallest penalty that leaves so few."""
    fits = (MTLasso(k, norm="2", target="values").fit(X, Y) for k in BUDGETS)
    return {k: fit.feature_order_[:k] for k, fit in zip(BUDGETS, fits, strict=True)}


def by_lasso_cv(X, Y):
    fit = MultiTaskLassoCV(cv=5, max_iter=5000).fit(scale(X), scale(Y))
    norms = np.linalg.norm(fit.coef_, axis=0)
    by_lasso_cv.taken = int((norms > 0).sum())
    return nested(np.argsort(-norms, kind="stable"))


def by_fastcan(X, Y):
    from fastcan import FastCan

    return nested(FastCan(X.shape[1], verbose=0).fit(X, scale(Y)).indices_)


def by_abess(X, Y):
    from abess import MultiTaskRegression

    chosen = {}
    for k in BUDGETS:
        fit = MultiTaskRegression(support_size=k, thread=1).fit(X, scale(Y))
        chosen[k] = np.flatnonzero(np.abs(fit.coef_).sum(axis=1))
    return chosen


METHODS = {
    "GreedyRLS loo": greedy,
    "GreedyRLS gcv": lambda X, Y: greedy(X, Y, criterion="gcv"),
    "MTLasso (norm 2)": mt_lasso,
    "FisherScore": fisher,
    "fastcan": by_fastcan,
    "abess": by_abess,
    "MultiTaskLassoCV": by_lasso_cv,
}


def quality(chosen, X, Y, train, test):
    """R^2 of each budget's features on the test part."""
    scores = []
    for k in BUDGETS:
        model = Ridge(1.0).fit(X[train][:, chosen[k]], Y[train])
        predicted = model.predict(X[test][:, chosen[k]])
        scores.append(r2_score(Y[test], predicted))
    return scores


def random_curve(X, Y, train, test):
    rng = np.random.default_rng(0)
    orders = [rng.permutation(X.shape[1]) for _ in range(20)]
    return np.mean([quality(nested(o), X, Y, train, test) for o in orders], axis=0)


def seconds(select, X, Y, repeats):
    """Least processor time; the first call, which compiles, does not count."""
    select(X, Y)
    took = []
    for _ in range(repeats):
        start = time.process_time()
        select(X, Y)
        took.append(time.process_time() - start)
    return min(took)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--folds", type=int, default=5)
    parser.add_argument("--repeats", type=int, default=5)
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    X, Y = digits()
    folds = list(KFold(options.folds, shuffle=True, random_state=0).split(X))
    print(f"digits: {X.shape[0]} rows, {X.shape[1]} features, {Y.shape[1]} targets")
    print(f"R^2, mean of {options.folds} folds, by number of features")
    print(f"{'method':17} seconds " + " ".join(f"{k:5}" for k in BUDGETS))
    for name, select in METHODS.items():
        try:
            curves = [
                quality(select(X[train], Y[train]), X, Y, train, test)
                for train, test in folds
            ]
        except ImportError as error:
            print(f"{name:17} {error}")
            continue
        took = seconds(select, X, Y, options.repeats)
        shown = " ".join(f"{value:5.3f}" for value in np.mean(curves, axis=0))
        print(f"{name:17} {took:7.3f} {shown}", flush=True)
    curve = np.mean([random_curve(X, Y, *fold) for fold in folds], axis=0)
    print(f"{'random':17} {'':7} " + " ".join(f"{value:5.3f}" for value in curve))
    print(f"MultiTaskLassoCV would take {by_lasso_cv.taken} of the features")


if __name__ == "__main__":
    main()
