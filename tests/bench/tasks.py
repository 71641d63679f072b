# SPDX-License-Identifier: BSD-3-Clause
"""Small data in a file, and the smallest tasks on it."""

import json
from dataclasses import replace

from labelsift.bench.spec import DataSpec, MethodSpec, Protocol, Task
from labelsift.datasets import make_planted, read_npz, write_npz


def planted(n_samples=90, n_features=12, n_labels=4, seed=0, **options):
    return make_planted(
        n_samples, n_features, n_labels, n_relevant=4, random_state=seed, **options
    )


def data_spec(folder, data=None, name="planted.npz", **parts):
    """Write data into a folder and say where it is."""
    write_npz(planted() if data is None else data, folder / name)
    spec = DataSpec(str(folder / name), **parts)
    return replace(spec, checksum=read_npz(folder / name).checksum)


def method(name, grid=None, **parts):
    params = parts.pop("params", {})
    return MethodSpec(
        name, params=json.dumps(params), grid=json.dumps(grid or {}), **parts
    )


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
    spec = method(name, grid, params=params or {}, scale=scale, sweep=sweep)
    return Task(data, method=spec, **(settings | parts))


def values(outcome, measure):
    """Values of a measure by read-out, threshold and budget."""
    return {
        (row.readout, row.threshold, row.budget): row.value
        for row in outcome.rows
        if row.measure == measure
    }
