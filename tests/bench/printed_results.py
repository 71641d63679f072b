# SPDX-License-Identifier: BSD-3-Clause
"""Rows that a suite would give if our values were the printed ones."""

from labelsift.bench.inputs import resolve_count
from labelsift.bench.methods import READOUTS
from labelsift.bench.plan import plan
from labelsift.bench.spec import DataSpec
from labelsift.metrics import MEASURES
from labelsift.results import published_cells

N_FEATURES = 200


def printed_cells(suite):
    return [c for c in published_cells(suite.paper) if c.table == suite.table]


def made_up_rows(suite, value=lambda cell, split: cell.mean / cell.scale, default=0.5):
    """One row for each value that the tasks of a suite would have.

    ``value(cell, split)`` is what a task got where the paper printed ``cell``.
    """
    cells = {(c.data, c.method, c.measure, c.setting): c for c in printed_cells(suite)}
    data = {part.name: DataSpec(part.name, checksum=part.name) for part in suite.data}
    for item in plan(suite, data):
        budgets = item.task.budgets or (f"{N_FEATURES}",)
        readouts = item.task.readouts if item.task.budgets else ("self",)
        for budget in budgets:
            for readout in readouts:
                for measure, cut in _judged(item.task):
                    place = (item.data, item.method, measure)
                    cell = _cell(cells, place, budget, readout)
                    count = resolve_count(budget, N_FEATURES)
                    shown = "fit_seconds" if measure == "seconds" else measure
                    given = default if cell is None else value(cell, item.task.split)
                    yield {
                        "suite": suite.name,
                        "data": item.data,
                        "method": item.method,
                        "readout": readout,
                        "threshold": cut,
                        "budget": count,
                        "share": round(count / N_FEATURES, 6),
                        "params": "{}",
                        "n_train": 100,
                        "split": item.task.split,
                        "measure": shown,
                        "value": given,
                    }


def _judged(task):
    """Measures with the thresholds at which they are taken."""
    yield "seconds", ""
    for measure in task.measures:
        cuts = task.thresholds if MEASURES[measure].needs == "labels" else ("",)
        for cut in cuts:
            yield measure, cut


def _cell(cells, place, budget, readout):
    """The printed cell that a value belongs to."""
    for setting in (budget, readout if readout in READOUTS else "svm", ""):
        if (*place, setting) in cells:
            return cells[*place, setting]
    return None
