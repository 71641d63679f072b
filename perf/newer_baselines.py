# SPDX-License-Identifier: BSD-3-Clause
"""The newer baselines against values that were measured with other programs.

    LABELSIFT_DATA=... python perf/newer_baselines.py [--parts auc] [--data scene]

auc     macro AUC of a ridge read-out at 2, 5, 10 and 20 % of the features, beside the
        values measured on programs written from the formulas: published split,
        standardised training part, features cut in two above the lower median for the
        methods on information. Differences below 0.01 are nothing: one split.
"""

import argparse
import time
import warnings

import numpy as np
from sklearn.linear_model import RidgeCV
from sklearn.preprocessing import StandardScaler

from labelsift.datasets import load_dataset
from labelsift.metrics import macro_auc
from labelsift.selection import (
    D2F,
    FIMF,
    MDMR,
    PMU,
    SCLS,
)

DATA = ("emotions", "scene", "enron", "yahoo-arts")
SHARES = (0.02, 0.05, 0.10, 0.20)
ALPHAS = 10.0 ** np.arange(5)
TOLERANCE = 0.01

# Macro AUC at each share, per data set, of each method; on halves of the features.
ON_HALVES = {
    "MDMR": (
        MDMR(0.2, discretize=None),
        (0.690, 0.788, 0.790, 0.804), (0.822, 0.855, 0.857, 0.874),
        (0.639, 0.688, 0.704, 0.721), (0.644, 0.661, 0.698, 0.718),
    ),
    "SCLS, sum": (
        SCLS(0.2, discretize=None),
        (0.690, 0.759, 0.788, 0.798), (0.822, 0.878, 0.892, 0.907),
        (0.701, 0.698, 0.702, 0.712), (0.644, 0.676, 0.697, 0.719),
    ),
    "SCLS, mean": (
        SCLS(0.2, redundancy="mean", discretize=None),
        (0.690, 0.752, 0.790, 0.797), (0.807, 0.828, 0.838, 0.842),
        (0.631, 0.654, 0.687, 0.711), (0.615, 0.661, 0.696, 0.716),
    ),
    "D2F, sum": (
        D2F(0.2, discretize=None),
        (0.690, 0.784, 0.794, 0.797), (0.825, 0.873, 0.889, 0.898),
        (0.672, 0.695, 0.691, 0.720), (0.653, 0.672, 0.669, 0.693),
    ),
    "D2F, mean": (
        D2F(0.2, redundancy="mean", discretize=None),
        (0.690, 0.784, 0.804, 0.798), (0.822, 0.833, 0.857, 0.867),
        (0.656, 0.691, 0.693, 0.724), (0.649, 0.667, 0.697, 0.718),
    ),
    "PMU": (
        PMU(0.2, discretize=None),
        (0.531, 0.636, 0.687, 0.762), (0.827, 0.874, 0.886, 0.901),
        (0.631, 0.684, 0.682, 0.716), (0.632, 0.651, 0.654, 0.670),
    ),
    "PMU, pairs mean": (
        PMU(0.2, pairs="mean", discretize=None),
        (0.690, 0.716, 0.734, 0.794), (0.827, 0.875, 0.889, 0.900),
        (0.672, 0.695, 0.691, 0.720), (0.653, 0.668, 0.676, 0.696),
    ),
    "FIMF, 10 labels": (
        FIMF(0.2, discretize=None),
        (0.531, 0.644, 0.731, 0.760), (0.769, 0.786, 0.814, 0.841),
        (0.662, 0.710, 0.730, 0.746), (0.646, 0.670, 0.694, 0.718),
    ),
    "FIMF, 5 labels": (
        FIMF(0.2, n_labels=5, discretize=None),
        (0.690, 0.789, 0.789, 0.790), (0.769, 0.776, 0.816, 0.841),
        (0.631, 0.652, 0.662, 0.687), (0.649, 0.667, 0.693, 0.716),
    ),
}  # fmt: skip


def parts_of(name):
    """Standardised training and test features, halves of the training part, labels."""
    data = load_dataset(name)
    X = data.X.toarray() if hasattr(data.X, "toarray") else data.X
    train, test = X[data.train_idx], X[data.test_idx]
    median = np.sort(train, axis=0)[len(train) // 2 - 1]
    halves = (train > median).astype(int)
    scaler = StandardScaler().fit(train)
    scaled = scaler.transform(train), scaler.transform(test)
    return *scaled, halves, data.Y[data.train_idx], data.Y[data.test_idx]


def curve(order, train, test, Y, Y_test):
    """Macro AUC of the first features, at each share of all of them."""
    values = []
    varied = np.flatnonzero(Y.min(axis=0) != Y.max(axis=0))
    for share in SHARES:
        chosen = order[: max(1, round(share * train.shape[1]))]
        model = RidgeCV(ALPHAS).fit(train[:, chosen], Y[:, varied])
        scores = model.predict(test[:, chosen]).reshape(len(test), -1)
        values.append(macro_auc(Y_test[:, varied], scores))
    return np.array(values)


def auc(names, only):
    """Every method on every data set, beside what was measured."""
    print("macro AUC at 2, 5, 10, 20 %: here, measured elsewhere, largest difference")
    for name in names:
        train, test, halves, Y, Y_test = parts_of(name)
        place = 1 + DATA.index(name)
        for method, row in ON_HALVES.items():
            if only and only not in method:
                continue
            start = time.process_time()
            order = row[0].fit(halves, Y).feature_order_
            seconds = time.process_time() - start
            here = curve(order, train, test, Y, Y_test)
            difference = np.abs(here - row[place]).max()
            shown = " ".join(f"{value:.3f}" for value in here)
            other = " ".join(f"{value:.3f}" for value in row[place])
            told = "" if difference <= TOLERANCE else "  DIFFERS"
            print(
                f"{name:11} {method:22} {shown}   {other}   {difference:.3f}"
                f"  {seconds:6.2f} s{told}",
                flush=True,
            )


def main():
    parts = {"auc": auc}
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--parts", nargs="+", choices=parts, default=list(parts))
    parser.add_argument("--data", nargs="+", choices=DATA, default=DATA)
    parser.add_argument("--only", default="", help="methods whose name has this in it")
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    for part in options.parts:
        parts[part](options.data, options.only)


if __name__ == "__main__":
    main()
