# SPDX-License-Identifier: BSD-3-Clause
"""Draw Figures 1 and 2 of Gu, Li and Han (2011) from our own fits.

    LABELSIFT_DATA=... python perf/rank_pictures.py [FOLDER] [--data arts yeast]

Writes NAME_correlation.png, how labels occur together and the covariance that
CLaRankSVM learns on 1000 training points, and NAME_features.png, macro AUC of the other
points against the number of features for MLFS, CMLFS (m the number of features) and
Fisher score + SVM (that many features for each label). C and mu are chosen for each
number by 3-fold cross-validation on the training points.
"""

import argparse
import warnings
from pathlib import Path

from sklearn.exceptions import ConvergenceWarning

from labelsift.classification import CLaRankSVM
from labelsift.experiment.fisher_svm import PerLabelFisherSVM
from labelsift.experiment.inputs import prepared, splits
from labelsift.experiment.task import DataSpec, Protocol
from labelsift.metrics import macro_auc
from labelsift.model_selection import PathSearchCV
from labelsift.plots import feature_curves, label_correlation
from labelsift.prepare.array_scaling import scaled
from labelsift.selection import CMLFS, MLFS

C, MU = (0.1, 1.0, 10.0, 100.0), (0.01, 0.1, 1.0)
BUDGETS = {
    "scene": (5, 10, 20, 40, 80, 160, 290),
    "yeast": (3, 5, 10, 20, 40, 70, 100),
    "arts": (50, 200, 1000, 4000, 10000),
    "education": (50, 200, 1000, 4000, 10000),
}


def tuned(estimator, grid, X, Y):
    return PathSearchCV(estimator, grid, cv=3, random_state=0).fit(X, Y)


def models(count):
    """The model of one number of features, with its grid."""
    return {
        "MLFS": (MLFS(count, m=count), {"C": C}),
        "CMLFS": (CMLFS(count, m=count), {"C": C, "mu": MU}),
        "Fisher score + SVM, per label": (PerLabelFisherSVM(count), {"C": C}),
    }


def draw(name, folder):
    text = name not in ("scene", "yeast")
    spec = DataSpec(f"yahoo-{name}-full", prepare=("text",)) if text else DataSpec(name)
    data = prepared(spec)
    [(train, test)] = splits(spec, Protocol("sample", 1, train_size=1000))
    scale = "none" if text else "standardize-root"
    X, X_test = scaled(data.X[train], data.X[test], scale)
    Y, Y_test = data.Y[train], data.Y[test]
    search = tuned(CLaRankSVM(), {"C": C, "mu": MU}, X, Y)
    best = search.best_estimator_
    path = folder / f"{name}_correlation.png"
    axes = label_correlation(
        best.label_covariance_,
        data.Y,
        data.label_names,
        title=f"{name}: CLaRank SVM, C = {best.C:g}, mu = {best.mu:g}",
    )
    axes[0].figure.savefig(path)
    print(f"{path}: {search.best_params_}, gap {best.dual_gap_:.1e}", flush=True)
    curves = {}
    for count in BUDGETS[name]:
        for method, (estimator, grid) in models(count).items():
            search = tuned(estimator, grid, X, Y)
            auc = macro_auc(Y_test, search.decision_function(X_test))
            counts, values = curves.setdefault(method, ([], []))
            counts.append(count)
            values.append(auc)
            print(
                f"{name} {count} {method}: {auc:.4f} {search.best_params_}", flush=True
            )
    ax = feature_curves(curves, title=f"{name}: 1000 training points")
    ax.figure.savefig(folder / f"{name}_features.png")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path, nargs="?", default=Path())
    parser.add_argument("--data", nargs="+", choices=BUDGETS, default=("arts", "yeast"))
    arguments = parser.parse_args()
    warnings.simplefilter("ignore", ConvergenceWarning)
    for name in arguments.data:
        draw(name, arguments.folder)


if __name__ == "__main__":
    main()
