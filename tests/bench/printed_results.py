# SPDX-License-Identifier: BSD-3-Clause
"""Results that a suite would have if our values were the printed ones."""

from labelsift.bench.plan import plan
from labelsift.bench.published import published_cells
from labelsift.core.budget import budget_count
from labelsift.experiment.catalogue import READOUTS
from labelsift.experiment.results import TASKS, VALUES, Results, frame
from labelsift.experiment.task import DataSpec
from labelsift.metrics import MEASURES

N_TRAIN, N_FEATURES = 100, 200


def everywhere(suite):
    """All data sets of a suite, as if they were present."""
    return {part.name: DataSpec(part.name, checksum=part.name) for part in suite.data}


def printed_cells(suite):
    cells = published_cells()
    return cells[(cells["paper"] == suite.paper) & (cells["table"] == suite.table)]


def printed_results(
    suite, value=lambda cell, split: cell["mean"] / cell["scale"], default=0.5
):
    """A row for each value that the tasks of a suite would have.

    ``value(cell, split)`` is what a task got where the paper printed ``cell``.
    """
    names = ["data", "method", "measure", "setting"]
    cells = {
        tuple(cell[name] for name in names): cell
        for cell in printed_cells(suite).to_dict("records")
    }
    rows = [
        row
        for item in plan(suite, everywhere(suite))
        for row in _rows(suite, item, cells, value, default)
    ]
    return Results(frame(rows, VALUES))


def _rows(suite, item, cells, value, default):
    task = item.task
    sizes = (item.data, item.method, item.draw, task.split, N_TRAIN, N_FEATURES)
    fitted = task.budgets or task.method.name == "all-features"
    readouts = task.readouts if fitted else ("self",)
    for budget in task.budgets or (f"{N_FEATURES}",):
        count = budget_count(budget, N_FEATURES)
        for readout in readouts:
            for measure, cut in _judged(task):
                place = (item.data, item.method, measure)
                cell = _cell(cells, place, budget, readout)
                given = default if cell is None else value(cell, task.split)
                shown = "fit_seconds" if measure == "seconds" else measure
                yield suite.name, *sizes, "{}", readout, cut, count, shown, given


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


def only(results, keep):
    """The part of results whose rows pass ``keep(values)``, a mask."""
    return Results(results.values[keep(results.values)], results.tasks)


def failures(suite, *failed):
    """Tasks that failed: (data, method, error)."""
    rows = [
        (suite.name, data, method, 0, split, 0, 0, "failed", error, 1.0, 1.0, "")
        for split, (data, method, error) in enumerate(failed)
    ]
    return frame(rows, TASKS)
