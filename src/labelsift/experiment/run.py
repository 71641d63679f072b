# SPDX-License-Identifier: BSD-3-Clause
"""Run one task under time and thread limits."""

import functools
import math
import sys
import textwrap
import time
import traceback
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from threadpoolctl import ThreadpoolController

from labelsift.core.labels import known_moments
from labelsift.core.time_limit import TaskTimeoutError, time_limit
from labelsift.experiment.inputs import saved_readout
from labelsift.experiment.judging import Parts, judged
from labelsift.experiment.models import Model, gains, make, models
from labelsift.experiment.results import Outcome
from labelsift.experiment.task import Task, canonical
from labelsift.experiment.tried import Tried

# Characters of an error message that are stored.
MOST_LETTERS = 400
_STATUS, _CLEAR = Path("/proc/self/status"), Path("/proc/self/clear_refs")


@dataclass
class Measurement:
    """Values that a task has measured so far."""

    sizes: dict[str, int] = field(default_factory=dict)
    values: list[tuple[Any, ...]] = field(default_factory=list)
    artifacts: list[tuple[Any, ...]] = field(default_factory=list)


def run_task(
    task: Task,
    timeout: float | None = None,
    threads: int = 1,
    tried_in: Path | None = None,
) -> Outcome:
    """Run a task; any error becomes part of the outcome.

    Parameters
    ----------
    task : Task
        The task.
    timeout : float or None
        Time limit in seconds. Compiled code is not interrupted, so that a task may take
        longer.
    threads : int
        Threads of linear algebra and kernels.
    tried_in : Path or None
        A folder where points of a large grid survive a task that does not end.

    Returns
    -------
    Outcome
        Values, or the error in one line.
    """
    measured = Measurement()
    status, error = "done", ""
    start = time.perf_counter()
    limited = _libraries(len(sys.modules)).limit(limits=threads)
    with warnings.catch_warnings(record=True) as caught, limited:
        warnings.simplefilter("always")
        memory = PeakMemory()
        try:
            with time_limit(timeout), _kernel_threads(threads):
                _measure(task, measured, tried_in)
        except TaskTimeoutError as over:
            status, error = "timeout", str(over)
        except Exception as problem:  # an outcome with its error, never a lost run
            status, error = "failed", _one_line(problem)
    if status != "done":
        measured = Measurement(measured.sizes)
    return Outcome(
        key=task.key,
        content=task.content,
        status=status,
        measured=measured.values,
        stored=measured.artifacts,
        **measured.sizes,
        error=error,
        seconds=time.perf_counter() - start,
        memory_mib=memory.mib(),
        warnings=tuple(dict.fromkeys(" ".join(str(w.message).split()) for w in caught)),
    )


@functools.lru_cache(maxsize=1)
def _libraries(n_modules: int) -> ThreadpoolController:
    """The libraries with threads; looked for again once more modules are loaded."""
    return ThreadpoolController()


def _one_line(problem: Exception) -> str:
    place = traceback.extract_tb(problem.__traceback__)[-1]
    text = textwrap.shorten(str(problem), MOST_LETTERS, placeholder=" ...")
    return f"{type(problem).__name__}: {text} ({place.name}, line {place.lineno})"


@contextmanager
def _kernel_threads(threads: int) -> Iterator[None]:
    """Limit numba's threads for a while; numba is loaded when the first task runs."""
    import numba

    before = numba.get_num_threads()
    numba.set_num_threads(min(threads, numba.config.NUMBA_NUM_THREADS))
    try:
        yield
    finally:
        numba.set_num_threads(before)


class PeakMemory:
    """Peak memory of the process above what was in use at creation.

    On Linux the kernel resets the peak, so that it belongs to this task;
    elsewhere it is not measured.
    """

    def __init__(self) -> None:
        self.before = math.nan
        try:
            _CLEAR.write_text("5")
            self.before = _kib("VmRSS")
        except OSError:
            return

    def mib(self) -> float:
        """MiB so far; NaN where the system does not report it."""
        if math.isnan(self.before):
            return math.nan
        return max(0.0, _kib("VmHWM") - self.before) / 1024


def _kib(name: str) -> float:
    for line in _STATUS.read_text().splitlines():
        if line.startswith(f"{name}:"):
            return float(line.split()[1])
    raise OSError(f"{_STATUS} has no {name}.")


def _measure(task: Task, measured: Measurement, tried_in: Path | None) -> None:
    parts = Parts(task)
    n_train, n_features = parts.X.shape
    if parts.groups is not None:
        n_features = len(parts.groups)
    measured.sizes = {"n_train": n_train, "n_features": n_features}
    start = time.perf_counter()
    for point in _points(task, parts, tried_in):
        params = canonical(point)
        seconds = time.perf_counter() - start
        measured.values.append((params, "", "", 0, "tune_seconds", seconds))
        estimator = make(task, parts.Y.shape[1], point)
        rows, groups = (parts.X, parts.Y), parts.groups
        given = (*rows, task.budgets, groups, parts.weights)
        for model, values in judged(task, models(task, estimator, *given), parts):
            readout, budget = model.readout, float(model.budget)  # as a file takes it
            for cut, measure, value in values:
                place = (params, readout, cut, budget)
                measured.values.append((*place, measure, float(value)))
            for name in task.artifacts:
                value = _ARTIFACTS[name](model, parts)
                if value is not None:
                    measured.artifacts.append((readout, budget, name, value))
        start = time.perf_counter()


def _points(
    task: Task, parts: Parts, tried_in: Path | None
) -> Iterator[dict[str, Any]]:
    """The points of the method's grid to report; one without parameters: no grid."""
    if not task.method.grid:
        yield {}
        return
    from labelsift.experiment.tuning import sweep  # not every task tunes

    tried = Tried(tried_in, task.key)
    yield from sweep(task, parts.X, parts.Y, parts.groups, parts.weights, tried)


def _order(model: Model, parts: Parts) -> list[int] | None:
    return None if model.features is None else model.features.tolist()


def _chosen(model: Model, parts: Parts) -> list[int] | None:
    """The features in order, once for each budget: with the first read-out."""
    return _order(model, parts) if model.is_first else None


def _gain(model: Model, parts: Parts) -> list[float] | None:
    if model.columns is None:
        return None
    return gains(model, parts.X, parts.Y, parts.kind.name, parts.weights)


def _weights(model: Model, parts: Parts) -> list[list[float]] | None:
    """Per feature, or per column made of it, one weight per label.

    Those of values are in units of the standard deviation of each target.
    """
    if not hasattr(model.fitted, "coef_"):
        return None
    weights = np.asarray(model.fitted.coef_).T
    if parts.kind.name == "values":
        spread = known_moments(parts.Y, parts.weights)[1]
        weights = weights / np.where(spread > 0, spread, 1.0)
    found: list[list[float]] = weights.tolist()
    return found


def _columns(model: Model, parts: Parts) -> list[str] | None:
    """Names of the columns that weights belong to, where a table was prepared."""
    if parts.groups is None or model.columns is None:
        return None
    return [parts.groups.names[i] for i in model.columns]


def _selection(model: Model, parts: Parts) -> dict[str, Any] | None:
    """What a selection file needs to predict."""
    if model.features is None:
        return None
    features = model.features
    chosen = (parts.data, parts.part, parts.Y, features)
    return saved_readout(*chosen, parts.kind.saved, parts.weights)


def _label_auc(model: Model, parts: Parts) -> list[float | None] | None:
    if model.areas is None:
        return None
    return [None if math.isnan(area) else area for area in model.areas.tolist()]


# What can be stored with the values of a model; None: not available.
_ARTIFACTS: dict[str, Callable[[Model, Parts], Any]] = {
    "order": _order,
    "chosen": _chosen,
    "gain": _gain,
    "weights": _weights,
    "columns": _columns,
    "selection": _selection,
    "label_auc": _label_auc,
}
STORED = tuple(_ARTIFACTS)
