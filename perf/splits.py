# SPDX-License-Identifier: BSD-3-Clause
"""Splits of real and large label matrices: seconds and how well labels are spread.

Run: LABELSIFT_DATA=FOLDER python perf/splits.py
"""

import time

import numpy as np
from sklearn.model_selection import KFold

from labelsift.datasets import load_dataset
from labelsift.model_selection import IterativeStratifiedKFold, LabelCoverageSplit


def distance(Y, parts):
    """Mean difference between a label's share in a fold and its share in all rows."""
    shares = [Y[test].mean(axis=0) for _, test in parts]
    return np.mean([np.abs(share - Y.mean(axis=0)).mean() for share in shares])


def timed(splitter, Y):
    start = time.perf_counter()
    parts = list(splitter.split(Y, Y))
    return time.perf_counter() - start, parts


def show(name, Y):
    seconds, folds = timed(IterativeStratifiedKFold(10, random_state=0), Y)
    by_chance = list(KFold(10, shuffle=True, random_state=0).split(Y))
    sizes = [len(test) for _, test in folds]
    print(
        f"{name:16}{len(Y):7} x {Y.shape[1]:<4}{seconds:7.2f} s  folds of "
        f"{min(sizes)}-{max(sizes)}, distance {distance(Y, folds):.5f}, "
        f"KFold's {distance(Y, by_chance):.5f}"
    )
    for share in (0.1, 0.5, 0.9):
        splitter = LabelCoverageSplit(10, train_size=share, random_state=0)
        seconds, _ = timed(splitter, Y)
        print(f"{'':28}{seconds:7.2f} s  10 covering splits, train_size={share}")


def main():
    for name in ("yeast", "enron", "bibtex"):
        show(name, load_dataset(name).Y)
    rng = np.random.default_rng(0)
    rates = 0.3 * rng.random(100) ** 3
    show("random", (rng.random((100_000, 100)) < rates).astype(np.int8))


if __name__ == "__main__":
    main()
