# SPDX-License-Identifier: BSD-3-Clause
"""Stability selection: false selections under the bound, power, seconds.

    python perf/stability_selection.py [--sets 20]

Simulated data with known truth (``perf/simulations.py``), 50 pairs of halves, a bound
of 1 false selection. "unrelated" are selected features with a correlation below .05
with every true one, which is what the bound is about; "neighbours" are the other
false ones. Each line ends with the figures of the study that the defaults come from,
which had more data sets (15 to 300) and labels of its own making. Finished data sets
are kept in the temporary folder: an interrupted run goes on where it was.
"""

import argparse
import time
import warnings

import numpy as np
from sklearn.base import clone
from threadpoolctl import threadpool_limits

from labelsift.datasets import make_planted
from labelsift.model_selection import StabilitySelection
from labelsift.model_selection.stability_selection.bounds import (
    ASSUMPTIONS,
    most_features,
    selection_bound,
)
from labelsift.selection import MDMR, FisherScore, GreedyRLS, MTLasso
from simulations import Outcomes, kept_in, labels, mean_text, simulated

BASES = {
    "GreedyRLS": GreedyRLS(criterion="gcv"),
    "MTLasso": MTLasso(norm="2"),
    "MDMR": MDMR(),
    "FisherScore": FisherScore(),
}
SETTINGS = [
    ("unimodal", 75), ("unimodal", 90),
    ("r-concave", 60), ("r-concave", 75), ("r-concave", 90),
]  # fmt: skip
# Rows, features, labels, true features, correlation, R2 of the scores.
DESIGNS = {
    "A blocks of five, .7": (400, 200, 10, 15, "blocks.7", (0.3, 0.6)),
    "C AR .8": (400, 500, 6, 15, "ar.8", (0.3, 0.6)),
    "D blocks, many rows": (1000, 100, 20, 15, "blocks.7", (0.3, 0.6)),
    "D AR .5": (400, 200, 10, 15, "ar.5", (0.3, 0.6)),
    "D weak, R2 .15": (200, 200, 10, 15, "blocks.7", (0.15, 0.15)),
}
# What is run: design, base, settings (places in SETTINGS), data sets relative to
# --sets, and the study's true / unrelated / neighbours.
A, C, ROWS, AR, WEAK = DESIGNS
LINES = [
    (A, "GreedyRLS", [0, 1, 2, 3, 4], 1,
     "10.4/0/0 8.9/0/0 11.4/0/.02 11.8/0/0 10.3/0/0"),
    (A, "FisherScore", [0, 1, 2, 3, 4], 1,
     "5.4/0/.8 5.2/0/.7 6.5/0/1.7 8.2/0/4.4 10.0/0/8.8"),
    (A, "MDMR", [0, 1, 2, 3, 4], 0.5,
     "3.7/0/.05 2.9/0/.05 5.5/0/.2 6.3/0/1.0 6.4/0/1.7"),
    (A, "MTLasso", [0, 3], 0.5, "9.3/0/.05 12.3/0/.3"),
    (C, "GreedyRLS", [2, 3], 0.5, "9.4/0/.14 7.9/0/0"),
    (C, "FisherScore", [2, 3], 0.5, "6.5/0/7.4 8.3/0/12.6"),
    (ROWS, "GreedyRLS", [0, 1, 3], 0.5, "7.6/0/0 15.0/0/0 15.0/0/0"),
    (AR, "GreedyRLS", [3], 0.5, "13.7"),
    (AR, "FisherScore", [3], 0.5, "13.0"),
    (WEAK, "GreedyRLS", [3], 0.5, ".25/0"),
    (WEAK, "FisherScore", [3], 0.5, "1.2/.05"),
]  # fmt: skip
# Without signal: base, size, data sets, and the study's numbers of false selections.
SILENT_SETTINGS = [("none", 60), ("unimodal", 60), *SETTINGS]
SILENT = [
    ("FisherScore", (200, 500, 6, "ar.5"), 5, ".04 .10 .05 .02 .35 .31 .18"),
    ("GreedyRLS", (200, 200, 10, "independent"), 1, "? .03 .03 0 .08 .03 0"),
]


def stable_at(base, X, Y, settings, seed, feature_groups=None):
    """The selected features for each setting, from as few fits as can be."""
    d = X.shape[1] if feature_groups is None else len(feature_groups)
    wanted = {s: most_features(1.0, d, s[1], 50, s[0]) for s in settings}
    rest = {"pfer": None, "random_state": seed, "feature_groups": feature_groups}
    if base != "MTLasso":  # one fit with the largest budget serves the others
        rest["n_features_per_fit"] = max(wanted.values())
        model = StabilitySelection(BASES[base], threshold=0.6, **rest).fit(X, Y)
        path = np.round(100 * model.probability_path_)
        return [path[q - 1] >= count for (_, count), q in wanted.items()]
    return [
        StabilitySelection(
            BASES[base], threshold=count / 100, **rest | {"n_features_per_fit": q}
        ).fit(X, Y).support_
        for (_, count), q in wanted.items()
    ]  # fmt: skip


def counts(chosen, data):
    """True, unrelated and neighbouring features among the chosen."""
    true = int(chosen[data.true].sum())
    unrelated = int(chosen[data.unrelated].sum())
    return [true, unrelated, int(chosen.sum()) - true - unrelated]


def signal(design, base, settings, seed):
    """Stable features for each setting, then plain selections of 15 and of 25."""
    data = simulated(seed, *DESIGNS[design])
    wanted = [SETTINGS[k] for k in settings]
    found = stable_at(base, data.X, data.Y, wanted, seed)
    for budget in (15, 25):
        plain = clone(BASES[base]).set_params(n_features_to_select=budget)
        found.append(plain.fit(data.X, data.Y).support_)
    return [counts(chosen, data) for chosen in found]


def silence(base, size, seed):
    """How many features are stable where labels have nothing to do with them."""
    n, d, t, kind = size
    data = simulated(seed, n, d, t, 1, kind)
    Y = data.Y[np.random.default_rng(seed + 10**6).permutation(n)]
    found = stable_at(base, data.X, Y, SILENT_SETTINGS, seed)
    return [int(chosen.sum()) for chosen in found]


def copies(rho, grouped, seed):
    """True features (groups) selected where each feature has a copy."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(400, 100))
    Y, _ = labels(rng, X[:, :15], 10)
    twin = rho * X + np.sqrt(1 - rho**2) * rng.normal(size=X.shape)
    both = np.hstack([X, twin])
    groups = np.arange(200).reshape(2, 100).T if grouped else None
    [chosen] = stable_at("GreedyRLS", both, Y, [("unimodal", 75)], seed, groups)
    true = chosen[:15] | chosen[100:115] if grouped else chosen[:15]
    return [int(true.sum()), int(chosen[15:100].sum())]


def rare(seed):
    """Mean probability of features of five labels with 6 positives of 400 rows."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(400, 200))
    Y, _ = labels(rng, X[:, :10], 10)
    few = np.zeros((400, 5), dtype=np.int8)
    for label in range(5):  # one feature for each
        score = X[:, 10 + label] + 0.5 * rng.normal(size=400)
        few[np.argsort(-score)[:6], label] = 1
    model = StabilitySelection(pfer=None, n_features_per_fit=14, random_state=seed)
    model.fit(X, np.hstack([Y, few]))
    probability = model.selection_probability_
    return [float(probability[10:15].mean()), int(model.support_[15:].sum())]


def show_bounds():
    print("Most features per fit for a bound of 1 (none / unimodal / r-concave)")
    for d in (50, 100, 200, 500, 1000):
        cells = [
            " / ".join(str(most_features(1.0, d, c, 50, name)) for name in ASSUMPTIONS)
            for c in (60, 75, 90)
        ]
        print(f"  d = {d:4}: " + "   ".join(f"{cell:>14}" for cell in cells))
    print("Bounds for 30 of 500 features, thresholds .6, .75, .9")
    for name in ASSUMPTIONS:
        values = [selection_bound(30, 500, c, 50, name) for c in (60, 75, 90)]
        print(f"  {name:10}" + "".join(f"{value:8.3f}" for value in values))


def show_signal(each, sets):
    print("\nTrue of 15 / unrelated / neighbours, pfer = 1; last: the study's")
    for design, base, settings, share, study in LINES:
        count = max(2, round(share * sets))
        calls = [(design, base, settings, seed) for seed in range(count)]
        results = np.mean(each(signal, calls), axis=0)
        names = ["{} .{}".format(*SETTINGS[k]) for k in settings]
        told = [*study.split(), "", ""]
        print(f"{design}, {base} ({count} data sets)")
        for k, name in enumerate([*names, "plain, 15", "plain, 25"]):
            mean = " / ".join(f"{value:.2f}" for value in results[k])
            print(f"    {name:14} {mean:22} {told[k]}", flush=True)


def show_silence(each, sets):
    print("\nNo signal: mean number selected (standard error), bound 1; the study's")
    for base, size, share, study in SILENT:
        count = max(2, round(share * sets))
        results = np.array(each(silence, [(base, size, seed) for seed in range(count)]))
        print(f"{base}, n, d, t = {size[:3]}, {size[3]} ({count} data sets)")
        for k, told in enumerate(study.split()):
            name = "{} .{}".format(*SILENT_SETTINGS[k])
            print(f"    {name:14} {mean_text(results[:, k]):14} {told}", flush=True)


def show_pitfalls(each, sets):
    count = max(2, sets // 4)
    print(f"\nNear-copies share the vote (GreedyRLS, unimodal .75, {count} data sets)")
    cases = [
        (0.0, False, 13.4),
        (0.9, False, 9.7),
        (0.99, False, 5.4),
        (0.99, True, 7.2),
    ]
    for rho, grouped, study in cases:
        calls = [(rho, grouped, seed) for seed in range(count)]
        true, false = np.mean(each(copies, calls), axis=0)
        what = "groups of copies" if grouped else "features"
        told = f"{true:.1f} true {what}, {false:.1f} false; the study's {study}"
        print(f"    copies of correlation {rho}: {told}", flush=True)
    probability, false = np.mean(each(rare, [(seed,) for seed in range(count)]), axis=0)
    print(
        f"Features of labels with 6 positives in 400 rows: mean probability "
        f"{probability:.2f}, the study's .31; {false:.1f} false"
    )


def show_cost():
    data = make_planted(2000, 1000, 20, n_relevant=20, noise=1.0, random_state=0)
    StabilitySelection(n_pairs=1, random_state=0).fit(data.X, data.Y)  # load everything
    start = time.process_time()
    model = StabilitySelection(random_state=0).fit(data.X, data.Y)
    seconds = time.process_time() - start
    true = model.support_[data.relevant].sum()
    print(
        f"\n50 pairs, 2000 x 1000, 20 labels, GreedyRLS(gcv), q = "
        f"{model.n_features_per_fit_}: {seconds:.1f} s of one core (limit 15 s); "
        f"{true} of 20 found, {model.n_features_ - true} false"
    )


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sets", type=int, default=20)
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    outcomes = Outcomes(kept_in(__file__))

    def each(function, calls):
        return [outcomes.get(function, *call) for call in calls]

    with threadpool_limits(1):
        show_bounds()
        show_cost()
        show_signal(each, options.sets)
        show_silence(each, options.sets)
        show_pitfalls(each, options.sets)


if __name__ == "__main__":
    main()
