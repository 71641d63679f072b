# SPDX-License-Identifier: BSD-3-Clause
"""How long a plan will take, roughly, before it is run."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from labelsift.bench.suite import count_settings
from labelsift.core.budget import counts_of
from labelsift.experiment.catalogue import CATALOGUE
from labelsift.experiment.inputs import prepared
from labelsift.experiment.ledger import Ledger
from labelsift.experiment.task import Planned, Task
from labelsift.selection.estimates import Size


def _in_a_row(s: Size) -> float:
    """How many of k features a row holds: of sparse X, frequent ones are chosen."""
    return min(s.k, 2 * s.nnz / s.n)


# Seconds of a read-out on k features, trained and scored; measured on the sets of the
# leaderboard. Others are counted as ridge.
_READOUTS: dict[str, Callable[[Size], float]] = {
    "ridge": lambda s: (
        1e-10 * s.n * _in_a_row(s) * min(s.n, s.k) + 1e-11 * min(s.n, s.k) ** 3
    ),
    "knn": lambda s: s.n**2 * (4e-9 + 8e-11 * _in_a_row(s)),
    "forest": lambda s: (
        7e-8 * s.n * math.sqrt(_in_a_row(s)) * math.log2(2 + s.n) * (s.t + 10)
    ),
}
# Of the thresholds and measures of a model, for each row and label.
_JUDGING = 1e-6
# Seconds of a machine on all features at one setting, for those of which the catalogue
# says nothing: a mean over the grids of Gu's table 2, where a large C takes longest.
_MACHINES: dict[str, Callable[[Size], float]] = {
    "svm": lambda s: 1e-7 * s.nnz * s.t,
    "fisher-svm": lambda s: 8e-8 * s.nnz * s.t,
    "cca-svm": lambda s: 1e-7 * s.n * s.t**2,
    "larank-svm": lambda s: 3e-7 * s.nnz * s.t,
    "clarank-svm": lambda s: 3e-7 * s.nnz * s.t,
}
# Share of the rows that train unless the protocol says how many, and a task without
# anything to do.
_TRAIN, _LEAST = 0.8, 0.05


@dataclass(frozen=True)
class Estimate:
    """What is missing of a plan: how many tasks, and their seconds by data set.

    Parameters
    ----------
    n_tasks : int
        Tasks that the ledger lacks.
    seconds : dict of str to float
        On one core, by data set.
    """

    n_tasks: int
    seconds: dict[str, float]

    def sentence(self) -> str:
        """The estimate in words."""
        if not self.n_tasks:
            return "Nothing is missing."
        longest = max(self.seconds, key=self.seconds.__getitem__)
        total, part = sum(self.seconds.values()), self.seconds[longest]
        return (
            f"{self.n_tasks} tasks are missing: about {_shown(total)} on one core, of "
            f"which {longest} takes {_shown(part)}."
        )


def estimate(planned: Sequence[Planned], ledger: Ledger) -> Estimate:
    """How long the tasks will take that a ledger lacks.

    A method that was run on another split of the same data takes as long again; of
    others the catalogue says what to expect.

    Parameters
    ----------
    planned : sequence of Planned
        The plan.
    ledger : Ledger
        What is done.

    Returns
    -------
    Estimate
        Within a factor of three or so.
    """
    known = ledger.results(list(planned)).tasks
    done = known.groupby(["data", "method"])["seconds"].mean().to_dict()
    statuses = ledger.statuses()
    missing = [item for item in planned if item.task.key not in statuses]
    seconds: dict[str, float] = {}
    for item in missing:
        taken = done.get((item.data, item.method))
        if taken is None:
            taken = expected_seconds(item.task)
        seconds[item.data] = seconds.get(item.data, 0.0) + taken
    return Estimate(len(missing), seconds)


def expected_seconds(task: Task) -> float:
    """Seconds of a task by the estimates of the catalogue, on one core."""
    data = prepared(task.data)
    counts = counts_of(task.budgets, data.n_features) or [data.n_features]
    whole = Size.of(data, max(counts))
    share = min(1.0, task.protocol.train_size / whole.n) or _TRAIN
    size = whole._replace(n=int(share * whole.n), nnz=int(share * whole.nnz))
    fit = _fit_seconds(task, size)
    if task.fit_limit and fit > task.fit_limit:  # the other splits are not run
        return 0.0 if task.split else task.fit_limit
    reading = sum(
        _JUDGING * size.n * size.t
        + _READOUTS.get(readout, _READOUTS["ridge"])(size._replace(k=count))
        for readout in task.readouts
        for count in (
            counts_of(task.readout_budgets.get(readout, ()), data.n_features) or counts
        )
    )
    return _LEAST + fit + reading


def _fit_seconds(task: Task, size: Size) -> float:
    """Of all fits, those of the tuning included."""
    name = task.method.name
    seconds = CATALOGUE[name].seconds if name in CATALOGUE else None
    seconds = seconds or _MACHINES.get(name)
    if seconds is None:
        return 0.0
    settings = count_settings(task.method.grid) if task.method.grid else 0
    return seconds(size) * (1 + settings * task.tuning.folds)


def _shown(seconds: float) -> str:
    if seconds < 5400:
        return f"{seconds / 60:.0f} min"
    return f"{seconds / 3600:.1f} h"
