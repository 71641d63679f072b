# SPDX-License-Identifier: BSD-3-Clause
"""The frozen splits of the leaderboard: five stratified folds of every data set.

    python tools/freeze_splits.py traits emotions ...

Writes ``src/labelsift/bench/suites/leaderboard-splits/NAME.npz`` (the fold of each row)
and prints the entry of the suite with the digest by which the file is checked. Splits
that exist are never changed: the file is read, and only its entry printed.
"""

import argparse
from pathlib import Path

import scipy.sparse as sp

from labelsift.datasets import load_dataset
from labelsift.experiment.inputs import digest_of
from labelsift.model_selection import make_splits, read_splits, write_splits

FOLDER = Path(__file__).parents[1] / "src/labelsift/bench/suites/leaderboard-splits"
FOLDS = 5


def freeze(name):
    """The entry of one data set in a suite."""
    data, path = load_dataset(name), FOLDER / f"{name}.npz"
    if not path.exists():
        write_splits(make_splits(FOLDS, data, random_state=0), path)
    splits = read_splits(path)
    scale = "minmax" if sp.issparse(data.X) else "standardize"
    return (
        f'[data.{name}]\nsplits = "{FOLDER.name}/{name}.npz"\n'
        f'digest = "{digest_of(splits)}"\nscale = "{scale}"\n'
    )


def main():
    parser = argparse.ArgumentParser(description="Freeze splits of data sets.")
    parser.add_argument("names", nargs="+", help="data sets")
    for name in parser.parse_args().names:
        print(freeze(name), flush=True)


if __name__ == "__main__":
    main()
