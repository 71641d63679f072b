# SPDX-License-Identifier: BSD-3-Clause
"""Knockoffs: share of errors and power at fdr .1 and .2, by kind of data.

    python perf/knockoffs.py [--sets 30]

Simulated data with known truth (``perf/simulations.py``): 30 true features of 200 for
10 labels, 500 rows unless said. A cell is the mean share of errors / of true features
found (standard error of the first). One draw: the threshold decides, the mean over 15
answers; 15 draws: the mean e-values do. The last columns are the figures of the study
that the defaults come from, which had more data sets (22 to 236). Finished data sets
are kept in the temporary folder: an interrupted run goes on where it was.
"""

import argparse
import time
import warnings
from functools import partial

import numpy as np
from scipy.stats import norm
from threadpoolctl import threadpool_limits

from labelsift.model_selection import KnockoffSelector
from labelsift.model_selection.knockoff_selector.thresholds import (
    e_bh_count,
    e_values,
    knockoff_threshold,
)
from labelsift.selection import FisherScore, GreedyRLS
from simulations import Outcomes, correlation, gaussian, kept_in, labels, simulated

N, D, T, TRUE = 500, 200, 10, 30


def of_gaussian(seed, kind="ar.5", n=N, d=D, n_true=TRUE):
    data = simulated(seed, n, d, T, n_true, kind)
    return data.X, data.Y, data.true


def of_binary(seed, low, high):
    """Zeros and ones with these prevalences, correlated as AR .5 before the cut."""
    rng = np.random.default_rng(seed)
    rates = rng.uniform(low, high, size=D)
    X = (gaussian(rng, N, correlation("ar.5", D)) > norm.isf(rates)).astype(float)
    X[0] = 1.0  # no column is constant
    true = np.sort(rng.permutation(np.arange(0, D, 5))[:TRUE])
    Y, _ = labels(rng, X[:, true], T)
    return X, Y, true


def of_combinations(seed):
    """Labels need two words together, and other words echo the pair."""
    rng = np.random.default_rng(seed)
    X = (rng.random((N, D)) < 0.3).astype(float)
    pairs = np.arange(TRUE).reshape(-1, 2)
    together = X[:, pairs[:, 0]] * X[:, pairs[:, 1]]
    echoes = np.arange(TRUE, TRUE + len(pairs))
    noise = rng.random((N, len(echoes))) < 0.1
    X[:, echoes] = np.abs(together - noise)
    Y, _ = labels(rng, together, T)
    return X, Y, np.arange(TRUE)


# Data, arguments of the selector, and the study's figures at fdr .1 and .2 for one draw
# and for 15.
CASES = {
    "Gaussian, AR .5": (of_gaussian, {}, ".09/.95 .19/.97 .04/.95 .09/.96"),
    "  true covariance": (of_gaussian, {"covariance": correlation("ar.5", D)},
                          ".08/.94 .18/.96"),
    "  n = 300, d = 400": (partial(of_gaussian, n=300, d=400), {}, ".10/.89 .20/.93"),
    "  GreedyRLS, 90 steps": (
        of_gaussian,
        {"selector": GreedyRLS(90, criterion="gcv"), "statistic": "signed-max"},
        ".08/.96 .19/.97",
    ),
    "  FisherScore (never)": (of_gaussian, {"selector": FisherScore()}, ".14/? .26/?"),
    "Gaussian, AR .8, n = 400": (partial(of_gaussian, kind="ar.8", n=400), {},
                                 ".08/.54 .17/.68"),
    "  equicorrelated": (partial(of_gaussian, kind="ar.8", n=400),
                         {"construction": "equicorrelated"}, ".10/.59 .21/.73"),
    "Gaussian, blocks .9": (partial(of_gaussian, kind="blocks.9"), {},
                            ".11/.47 .21/.65"),
    "six true features": (partial(of_gaussian, n_true=6), {},
                          ".01/.02 .16/1.00 0/0 .01/.02"),
    "binary, .05 to .5": (partial(of_binary, low=0.05, high=0.5), {},
                          ".09/.92 .19/.95"),
    "binary, .01 to .06": (partial(of_binary, low=0.01, high=0.06), {},
                           ".09/.84 .19/.88"),
    "labels need pairs": (of_combinations, {}, ".43/.65 .47/.74"),
}  # fmt: skip


def shares(chosen, true):
    """Share of errors among the chosen, and share of the true that is chosen."""
    found = chosen[true].sum()
    return [
        1 - found / max(1, chosen.sum()) if chosen.any() else 0.0,
        found / len(true),
    ]


def outcome(case, seed):
    """One draw at .1 and .2, the mean of 15 answers, then 15 draws at .1 and .2."""
    make, arguments, _ = CASES[case]
    X, Y, true = make(seed)
    model = KnockoffSelector(n_draws=15, random_state=seed, **arguments).fit(X, Y)
    W, results = model.statistic_, []
    for fdr in (0.1, 0.2):
        alone = [shares(row >= knockoff_threshold(row, fdr), true) for row in W]
        results.append(np.mean(alone, axis=0))
    for fdr in (0.1, 0.2):
        thresholds = np.array([knockoff_threshold(row, fdr / 2) for row in W])
        e = e_values(W, thresholds, W.shape[1])
        chosen = np.zeros(len(e), dtype=bool)
        chosen[np.argsort(-e, kind="stable")[: e_bh_count(e, len(e), fdr)]] = True
        results.append(shares(chosen, true))
    return np.array(results, dtype=float).tolist()


def agreement(fdr, n_draws, seed):
    """Jaccard index of the answers to two seeds, n = 400."""
    X, Y, _ = of_gaussian(seed, n=400)
    one, other = (
        KnockoffSelector(fdr=fdr, n_draws=n_draws, random_state=k).fit(X, Y).support_
        for k in (2 * seed, 2 * seed + 1)
    )
    return float((one & other).sum() / max(1, (one | other).sum()))


def cell(values):
    errors, power = values[:, 0], values[:, 1]
    spread = errors.std(ddof=1) / np.sqrt(len(errors))
    return f"{errors.mean():.2f}/{power.mean():.2f} ({spread:.2f})"


def show_cost():
    X, Y, _ = of_gaussian(0)
    KnockoffSelector(n_draws=1).fit(X, Y)
    start = time.process_time()
    KnockoffSelector(n_draws=15, random_state=0).fit(X, Y)
    seconds = time.process_time() - start
    print(
        f"500 x 200, 10 labels: construction and 15 fits {seconds:.2f} s of one core; "
        "the study's .56 s"
    )


def show_levels(outcomes, sets):
    heads = ("one draw, .1", "one draw, .2", "15 draws, .1", "15 draws, .2")
    print(f"\n{'':26}" + "".join(f"{head:18}" for head in heads) + "the study's")
    for case, (_, _, study) in CASES.items():
        results = np.array([outcomes.get(outcome, case, seed) for seed in range(sets)])
        cells = "".join(f"{cell(results[:, k]):18}" for k in range(4))
        print(f"{case:26}{cells}{study}", flush=True)


def show_seeds(outcomes, sets):
    print("\nTwo seeds on one data set, fdr .2, n = 400: Jaccard index of the answers")
    for draws, study in ((1, ".80"), (5, ".88"), (10, ".90"), (30, ".96")):
        same = [outcomes.get(agreement, 0.2, draws, seed) for seed in range(sets)]
        text = f"{np.mean(same):.2f}; the study's {study}"
        print(f"    {draws:2} draws: {text}", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sets", type=int, default=30)
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    outcomes = Outcomes(kept_in(__file__))
    with threadpool_limits(1):
        show_cost()
        show_levels(outcomes, options.sets)
        show_seeds(outcomes, max(2, options.sets // 3))


if __name__ == "__main__":
    main()
