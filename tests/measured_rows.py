# SPDX-License-Identifier: BSD-3-Clause
"""Results of a few methods on a few data sets, value by value."""

from labelsift.experiment.results import VALUES, Results, frame


def row(data, method, value, *, split=0, draw=0, readout="svm", budget=10, **more):
    """One value as a row of Results, on a set of 50 features."""
    given = {
        "suite": "s", "data": data, "method": method, "draw": draw, "split": split,
        "n_train": 60, "n_features": 50, "params": "{}", "readout": readout,
        "threshold": "", "budget": budget, "measure": "macro_auc", "value": value,
    }  # fmt: skip
    return tuple((given | more).values())


def results(rows):
    return Results(frame(rows, VALUES))


def three_methods(n_data=7, splits=(0, 1), budgets=(5, 10)):
    """a is best everywhere, c worst; a control of all features, a method's own."""
    values = {"a": 0.9, "b": 0.8, "c": 0.7}
    rows = [
        row(
            f"set{d}", name, value + 0.001 * d + 0.02 * s + 0.001 * b, split=s, budget=b
        )
        for d in range(n_data)
        for s in splits
        for name, value in values.items()
        for b in budgets
    ]
    for d in range(n_data):
        rows += [row(f"set{d}", "all", 0.95, split=s, budget=50) for s in splits]
        rows += [
            row(f"set{d}", "own", 0.85, split=s, budget=50, readout="self")
            for s in splits
        ]
    return results(rows)
