# SPDX-License-Identifier: BSD-3-Clause
"""Small data in a file, and the smallest tasks on it."""

from dataclasses import replace

import numpy as np
import pandas as pd

from labelsift.datasets import make_planted, read_npz, write_npz
from labelsift.experiment.task import DataSpec, MethodSpec, Protocol, Task, Tuning
from labelsift.prepare import TablePreparation
from labelsift.prepare.parts import parameters_text

METHODS = ("fisher", "random", "greedy-rls")
# How a table is prepared, as a task says it.
TABLE = parameters_text(TablePreparation())
SECONDS = ("fit_seconds", "readout_seconds", "tune_seconds")


def planted(n_samples=90, n_features=12, n_labels=4, seed=0, **options):
    return make_planted(
        n_samples, n_features, n_labels, n_relevant=4, random_state=seed, **options
    )


def as_table(data):
    """Data with gaps and two columns of words."""
    rng, n = np.random.default_rng(3), data.n_samples
    frame = pd.DataFrame(data.X, columns=list(data.feature_names))
    frame.loc[rng.random(n) < 0.3, "x1"] = np.nan
    frame["colour"] = np.where(rng.random(n) < 0.5, "red", "blue")
    frame["shape"] = rng.choice(["round", "flat", "long"], n)
    return replace(data, X=frame, frame=frame, feature_names=tuple(frame.columns))


def data_spec(folder, data=None, name="planted.npz", **parts):
    """Write data into a folder and say where it is."""
    write_npz(planted() if data is None else data, folder / name)
    spec = DataSpec(str(folder / name), **parts)
    return replace(spec, checksum=read_npz(folder / name).checksum)


def task(data, name="fisher", *, grid=None, params=None, scale="none", **parts):
    """A selector or predictor on the first of three folds, at budgets 2 and 5."""
    sweep = parts.pop("sweep", False)
    settings = {
        "protocol": Protocol("folds", 3),
        "split": 0,
        "budgets": ("2", "5"),
        "readouts": ("ridge",),
        "measures": ("macro_auc", "micro_f1"),
    }
    spec = MethodSpec(name, params or {}, grid or {}, scale=scale, sweep=sweep)
    return Task(data, method=spec, **(settings | parts))


def quick_tasks(methods=METHODS, splits=3, **more):
    """A few quick tasks on the embedded data."""
    return [
        Task(
            DataSpec("traits"),
            Protocol("stratified", splits),
            split,
            MethodSpec(name, scale="standardize"),
            Tuning(folds=2),
            budgets=("5%", "10"),
            readouts=("ridge",),
            measures=("macro_auc", "micro_f1"),
            **more,
        )
        for split in range(splits)
        for name in methods
    ]


def untimed(values):
    """Measured values that do not depend on the clock."""
    return values[~values["measure"].isin(SECONDS)].reset_index(drop=True)


def by_model(outcome, measure):
    """Values of a measure by read-out, threshold and budget."""
    part = outcome.values[outcome.values["measure"] == measure]
    return part.set_index(["readout", "threshold", "budget"])["value"].to_dict()
