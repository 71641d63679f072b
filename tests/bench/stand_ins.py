# SPDX-License-Identifier: BSD-3-Clause
"""Small plans for the tests of the runner."""

from labelsift.bench.spec import DataSpec, MethodSpec, Protocol, Task, Tuning

METHODS = ("fisher", "random", "greedy-rls")
SUITE = """
title = "A small suite on the embedded data"
paper = "naula"
budgets = ["5%", "20%"]
readouts = ["ridge"]
measures = ["macro_auc"]

[protocol]
kind = "stratified"
splits = 3

[quick]
splits = 2

[data.traits]
[data.not-there]

[methods.fisher]

[[claims]]
says = "Fisher's score is better than chance."
better = "fisher"
worse = "random"
measure = "macro_auc"
"""


def tasks(methods=METHODS, splits=3, **more):
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


def values(store, planned):
    """All values of the tasks that do not depend on the clock."""
    return [
        (row["key"], row["readout"], row["budget"], row["measure"], row["value"])
        for row in store.rows([task.key for task in planned])
        if not row["measure"].endswith("seconds")
    ]
