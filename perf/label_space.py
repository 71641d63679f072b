# SPDX-License-Identifier: BSD-3-Clause
"""Draw the space that the labels of yeast and of Arts share.

    LABELSIFT_DATA=... python perf/label_space.py [FOLDER]

Writes yeast.png and arts.png. Parameters are chosen by cross-validation.
"""

import sys
from pathlib import Path

from sklearn.preprocessing import StandardScaler

from labelsift.datasets import load_dataset
from labelsift.datasets.text_preparation import prepare_text
from labelsift.model_selection import PathSearchCV
from labelsift.plots import label_space
from labelsift.subspace import MLLS

PENALTIES = [10.0**i for i in range(-4, 2)]


def draw(name, X, data, n_components, path):
    grid = {"alpha": PENALTIES, "beta": PENALTIES}
    search = PathSearchCV(MLLS(n_components), grid, random_state=0).fit(X, data.Y)
    model = search.best_estimator_
    axes = label_space(
        model.components_ @ model.coef_.T,
        data.label_names,
        gains=model.eigenvalues_,
        title=f"{name}: {data.n_labels} labels in {n_components} shared components",
    )
    axes[0].figure.savefig(path)
    print(f"{path}: {search.best_params_}, macro AUC {search.best_score_:.3f}")


def main():
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else ".")
    yeast = load_dataset("yeast")
    scaled = StandardScaler().fit_transform(yeast.X)
    draw("yeast", scaled, yeast, 8, folder / "yeast.png")
    arts = prepare_text(load_dataset("yahoo-arts-full")).rows(slice(2000))
    draw("Arts", arts.X, arts, 15, folder / "arts.png")


if __name__ == "__main__":
    main()
