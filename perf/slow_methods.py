# SPDX-License-Identifier: BSD-3-Clause
"""The slow methods before and after their work was shared over budgets.

    LABELSIFT_DATA=FOLDER python perf/slow_methods.py
    LABELSIFT_DATA=FOLDER python perf/slow_methods.py grid
    LABELSIFT_DATA=FOLDER python perf/slow_methods.py stiff

On the first of five folds of each set: processor seconds of all budgets of a
comparison, one fit for each budget as in 0.1.0 against ``fit_budgets``, and every
budget at which the two differ: in the features, or in the objective by more than 1e-6
of it. MTLasso of 0.1.0 started each alpha at the last solution; that is done here
again. Its two searches may end at different alphas, as a feature about to enter may
have no weight yet when the duality gap is small enough; "above" is by how much, as a
share, the objective of each is above that of a fit at the same alpha with a tolerance
of 1e-10.

Then CMLFS and MLFS by cutting planes at ten values of m on a fold of the text-like
data: a fit for each, and ``fit_path``, which begins at the columns and weights of the m
before; sweeps over the samples, and by how much the objective of a path is above that
of the fit alone at most (it stops at a gap of 1e-2).

"grid" scores a fold of Gu's grid for CMLFS (800 rows of scene, 385 points) in the order
of ``ParameterGrid``, where mu changes fastest, and in that of ``fold_scores``, where m
does, each point from the solution before it; and how many did not converge.

"stiff" fits CMLFS at m = 2000 to 800 rows of yahoo-arts-full for every mu and C: a
covariance of the labels at a large mu, and hard margins, take the most sweeps.

At the end, where a fold of LRFS on the text-like data spends its time: its pair terms
were thought to take seconds there.
"""

import itertools
import sys
import time
import warnings

import numpy as np
from sklearn.base import clone
from sklearn.model_selection import KFold, ParameterGrid
from sklearn.preprocessing import StandardScaler

from compare import text_like
from labelsift.compare import compare as run_compare
from labelsift.core.budget import counts_of, default_budgets
from labelsift.core.path import RankerPathMixin
from labelsift.datasets import load_dataset
from labelsift.prepare.array_scaling import default_scale, scaled
from labelsift.selection import CMLFS, LRFS, MLFS, RALMFS, MTLasso
from labelsift.solvers.information.bins import bin_features
from labelsift.solvers.information.mutual import Information
from labelsift.solvers.ranking.path import RankingPathMixin
from labelsift.solvers.row_sparse import alpha_search

SETS = ("text", "emotions", "traits", "scene", "yeast")


def fold_of(name):
    """Training rows of the first fold, scaled."""
    data = text_like() if name == "text" else load_dataset(name)
    train = next(KFold(5, shuffle=True, random_state=0).split(data.Y))[0]
    part = data.X[train]
    return scaled(part, part[:0], default_scale(data))[0], data.Y[train]


def one_by_one(selector, X, Y, counts):
    """A fit for each budget; MTLasso starts at the last solution."""
    towards = alpha_search._towards
    alpha_search._towards = lambda start, *_: start.solution
    try:
        return [
            clone(selector).set_params(n_features_to_select=count).fit(X, Y)
            for count in counts
        ]
    finally:
        alpha_search._towards = towards


def timed(call):
    start = time.process_time()
    result = list(call())
    return result, time.process_time() - start


def differences(alone, shared, X, Y):
    """A line for each budget at which two fits differ."""
    for old, new in zip(alone, shared, strict=True):
        k = new.n_features_
        others = set(new.feature_order_[:k]) - set(old.feature_order_[:k])
        was, now = old.objective_[-1], new.objective_[-1]
        if not others and abs(now - was) <= 1e-6 * abs(was):
            continue
        told = f"objective {was:.8g} -> {now:.8g}"
        if hasattr(new, "alpha_"):
            told = f"alpha {old.alpha_:.5g} -> {new.alpha_:.5g}, above "
            told += " -> ".join(f"{excess(fit, X, Y):.1e}" for fit in (old, new))
        yield f"    k = {k}: {len(others)} features differ, {told}"


def excess(fit, X, Y):
    """By which share the objective is above the smallest one at its alpha."""
    exact = clone(fit).set_params(alpha=fit.alpha_, tol=1e-10).fit(X, Y)
    return fit.objective_[-1] / exact.objective_[-1] - 1


def cuts_over_m():
    """Seconds and sweeps of ranking machines over m, alone and as a path."""
    X, Y = fold_of("text")
    grid = [int(m) for m in np.linspace(30, X.shape[1] // 3, 10)]
    for machine in (MLFS(refit=False), CMLFS(refit=False)):
        list(machine.fit_path(X[:60], Y[:60], {"m": [2]}))  # compiles
        alone, before = timed(
            lambda: [clone(machine).set_params(m=m).fit(X, Y) for m in grid]  # noqa: B023
        )
        path, now = timed(
            lambda: [fit for _, fit in machine.fit_path(X, Y, {"m": grid})]  # noqa: B023
        )
        sweeps = [sum(fit.n_iter_ for fit in fits) for fits in (alone, path)]
        above = max(
            new.objective_[-1] / old.objective_[-1] - 1
            for old, new in zip(alone, path, strict=True)
        )
        yield type(machine).__name__, before, now, *sweeps, above


def orders_of_a_grid():
    """Seconds, sweeps and failures of a grid in two orders."""
    data = load_dataset("scene")
    rows = np.random.default_rng(0).permutation(data.n_samples)[:800]
    X = StandardScaler().fit_transform(data.X[rows]) / np.sqrt(data.n_features)
    fold = (np.arange(800), np.arange(1))
    powers = 10.0 ** np.arange(-3, 4)
    grid = {"C": powers, "mu": powers[1:6], "m": range(10, 21)}
    own = RankingPathMixin._score_each
    fits = []
    learn = CMLFS._learn
    CMLFS._learn = lambda fit, *given: fits.append(fit) or learn(fit, *given)
    for title, order in (("given", RankerPathMixin._score_each), ("near", own)):
        RankingPathMixin._score_each = order
        fits.clear()
        points = list(ParameterGrid(grid))
        call = CMLFS(1.0).fold_scores(X, data.Y[rows], [fold], points)
        _, seconds = timed(lambda: call)  # noqa: B023
        sweeps = sum(fit.n_iter_ for fit in fits)
        yield title, seconds, sweeps, sum(fit.dual_gap_ > fit.tol for fit in fits)


def stiff_fits():
    """Seconds, sweeps, gap and objective of CMLFS for every mu and C."""
    data = load_dataset("yahoo-arts-full")
    rows = np.random.default_rng(0).permutation(data.n_samples)[:800]
    X, Y = data.X[rows], data.Y[rows]
    CMLFS(C=0.1, m=2000).fit(X, Y)  # compiles
    for mu, C in itertools.product(10.0 ** np.arange(-2, 3), 10.0 ** np.arange(-1, 4)):
        model = CMLFS(1.0, C=C, mu=mu, m=2000, refit=False)
        [fit], seconds = timed(lambda: [model.fit(X, Y)])  # noqa: B023
        yield mu, C, seconds, fit.n_iter_, fit.dual_gap_, fit.objective_[-1]


def lrfs_parts():
    """Processor seconds of LRFS on a fold, from its pair terms to the whole task."""
    X, Y = fold_of("text")
    counts = list(counts_of(default_budgets(X.shape[1]), X.shape[1]))
    selector = LRFS(max(counts))

    def pair_terms():
        information = Information(bin_features(X, "width", 3), Y)
        return [information.about_labels_given_labels()]

    parts = {
        "the first fit of a process": lambda: [selector.fit(X, Y)],
        "bins, counts and pair terms": pair_terms,
        f"a fit of {max(counts)} features": lambda: [selector.fit(X, Y)],
        f"all {len(counts)} budgets": lambda: selector.fit_budgets(X, Y, counts),
    }
    for title, call in parts.items():
        yield title, timed(call)[1]
    tasks = run_compare(text_like(), methods=["lrfs"]).results.tasks
    seconds = tasks.loc[tasks["method"] == "lrfs", "seconds"]
    yield "with models, thresholds and measures", float(seconds.median())


def main(names):
    warnings.simplefilter("ignore")
    if names == ["grid"]:
        print("scene, Gu's grid        s  sweeps  not converged")
        for title, seconds, sweeps, failed in orders_of_a_grid():
            print(
                f"order: {title:12} {seconds:6.1f} {sweeps:7} {failed:14}", flush=True
            )
        return
    if names == ["stiff"]:
        print("    mu       C       s  sweeps      gap  objective")
        total = 0.0
        for mu, C, seconds, sweeps, gap, value in stiff_fits():
            total += seconds
            print(f"{mu:6g} {C:7g} {seconds:7.2f} {sweeps:7} {gap:8.3f} {value:10.4g}")
        print(f"all {total:18.2f}")
        return
    print(f"{'data':10} {'method':14} {'budgets':>7} {'alone':>7} {'shared':>7}")
    for name in names or SETS:
        X, Y = fold_of(name)
        counts = counts_of(default_budgets(X.shape[1]), X.shape[1])
        for selector in (RALMFS(), MTLasso()):
            rows = slice(60)  # compiles
            list(selector.fit_budgets(X[rows], Y[rows], [2]))
            fits, budgets = selector.fit_budgets, list(counts)
            alone, before = timed(lambda: one_by_one(selector, X, Y, budgets))  # noqa: B023
            shared, now = timed(lambda: fits(X, Y, budgets))  # noqa: B023
            title = type(selector).__name__
            print(f"{name:10} {title:14} {len(counts):7} {before:7.2f} {now:7.2f}")
            for line in differences(alone, shared, X, Y):
                print(line, flush=True)
    print("\ntext, ten m   s alone  as path  sweeps  as path   above")
    for title, before, now, sweeps, fewer, above in cuts_over_m():
        print(f"{title:12} {before:8.2f} {now:8.2f} {sweeps:7} {fewer:8} {above:7.1e}")
    print("\nLRFS on a fold of text")
    for title, seconds in lrfs_parts():
        print(f"    {title:38} {seconds:6.3f}")


if __name__ == "__main__":
    main(sys.argv[1:])
