# SPDX-License-Identifier: BSD-3-Clause
"""Run one task, or draws of the random ranking at once, under time and thread limits.

Models of ridge fits are judged together: their scores are a stack, of which each
threshold and measure is computed at once.
"""

import functools
import itertools
import math
import time
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from sklearn.linear_model import LinearRegression

from labelsift.core.estimator import fit_weighted
from labelsift.core.labels import known_moments
from labelsift.core.peak_memory import PeakMemory
from labelsift.core.threads import limited_threads
from labelsift.core.time_limit import TaskTimeoutError, time_limit
from labelsift.experiment.inputs import prepared, saved_readout, scaled_rows, splits
from labelsift.experiment.models import (
    LEFT_OUT,
    Model,
    every_row_folds,
    gains,
    make,
    models,
)
from labelsift.experiment.results import SIZES, Outcome, one_line
from labelsift.experiment.task import Task, canonical
from labelsift.metrics import EVERY_MEASURE
from labelsift.metrics.reading import Judged, read_stack
from labelsift.model_selection.target_kind import KINDS
from labelsift.model_selection.threshold import (
    MIN_F1,
    sample_thresholds,
    scut_thresholds,
)
from labelsift.prepare.units import Units

# Scores of training rows that are stacked at most, so that a stack stays small; and
# entries of X up to which several ridge fits wait for a stack.
MOST_STACKED, MOST_WAITING = 2**21, 2**23
# (threshold, measure, value) of a model; the threshold is empty for scores.
Value = tuple[str, str, float]


class Rows(NamedTuple):
    """What a task has measured so far."""

    values: list[tuple[Any, ...]]
    artifacts: list[tuple[Any, ...]]


def run_task(
    task: Task,
    timeout: float | None = None,
    threads: int = 1,
    tried_in: Path | None = None,
) -> Outcome:
    """Run a task, with the limits of ``run_at_once``."""
    [outcome] = run_at_once([task], timeout, threads, tried_in)
    return outcome


def run_at_once(
    tasks: Sequence[Task],
    timeout: float | None = None,
    threads: int = 1,
    tried_in: Path | None = None,
) -> list[Outcome]:
    """Run a task, or some that differ in a seed only; any error becomes their outcome.

    Parameters
    ----------
    tasks : sequence of Task
        Those after the first have no grid, and share its data and what it takes.
    timeout : float or None
        Time limit of each in seconds. Compiled code is not interrupted, so that a task
        may take longer.
    threads : int
        Threads of linear algebra and kernels.
    tried_in : Path or None
        A folder where points of a large grid survive a task that does not end.

    Returns
    -------
    list of Outcome
        Values, or the error in one line.
    """
    measured, sizes = [Rows([], []) for _ in tasks], dict.fromkeys(SIZES, 0)
    status, error = "done", ""
    start = time.perf_counter()
    with warnings.catch_warnings(record=True) as caught, limited_threads(threads):
        warnings.simplefilter("always")
        memory = PeakMemory()
        try:
            with time_limit(None if timeout is None else timeout * len(tasks)):
                _measure(tasks, measured, sizes, tried_in)
        except TaskTimeoutError as over:
            status, error = "timeout", str(over)
        except Exception as problem:  # an outcome with its error, never a lost run
            status, error = "failed", one_line(problem)
    seconds = (time.perf_counter() - start) / len(tasks)
    told = tuple(dict.fromkeys(" ".join(str(w.message).split()) for w in caught))
    if status != "done":
        measured = [Rows([], []) for _ in tasks]
    ended: tuple[Any, ...] = (*sizes.values(), error, seconds, memory.mib(), told)
    return [
        Outcome(task.key, task.content, status, *own, *ended)
        for task, own in zip(tasks, measured, strict=True)
    ]


class Parts:
    """Training and test part of a task, scaled."""

    weights: NDArray[Any] | None = None
    weights_test: NDArray[Any] | None = None

    def __init__(self, task: Task) -> None:
        self.data, self.kind = prepared(task.data), KINDS[task.target]
        Y = self.data.Y
        if task.protocol.kind == "rows":
            train, test = task.own["rows"]
        else:
            train, test = splits(task.data, task.protocol)[task.split]
        weights = self.data.weights
        if weights is not None:  # what does not count is nowhere
            train, test = (part[weights[part] > 0] for part in (train, test))
            self.weights, self.weights_test = weights[train], weights[test]
        place = (task.protocol, task.split, hash(np.asarray(train).tobytes()))
        of = (task.data, place, train, test, task.method.scale, self.weights)
        self.part, self.X, self.X_test = scaled_rows(*of)
        self.groups = self.part.groups
        self.Y, self.Y_test = Y[train], Y[test]
        # Measures read boolean labels at once; those of the user, labels as they are.
        labels = task.target == "labels"
        self.truth = self.Y_test.astype(bool) if labels else self.Y_test
        self.measures = [
            (own, self.Y_test)
            if (own := task.own.get(f"measure {name}"))
            else (EVERY_MEASURE[name], self.truth)
            for name in task.measures
        ]
        # Computed once for the thresholds of all models, and only where they are used.
        self.folds = functools.cache(lambda: every_row_folds(task, self.Y))

    def read(self, stack: NDArray[Any]) -> Judged | None:
        """The test part and a stack of scores or labels; None for values."""
        if self.kind.name == "values":
            return None
        return read_stack(self.truth, stack, self.weights_test)

    def measured(
        self, stack: NDArray[Any], judged: Judged | None, needs: set[str]
    ) -> Iterator[tuple[str, Sequence[float]]]:
        """(measure, its value for each layer): of scores, labels or values."""
        for measure, truth in self.measures:
            if measure.needs not in needs:
                continue
            if judged is not None and measure.of_each is not None:
                yield measure.name, measure.of_each(judged)
            else:
                weights = self.weights_test
                yield measure.name, [measure.judge(truth, it, weights) for it in stack]


def _measure(
    tasks: Sequence[Task],
    measured: Sequence[Rows],
    sizes: dict[str, int],
    tried_in: Path | None,
) -> None:
    task, parts = tasks[0], Parts(tasks[0])
    n_train, width = parts.X.shape
    n_features = width if parts.groups is None else len(parts.groups)
    sizes.update(n_train=n_train, n_features=n_features)
    start = time.perf_counter()
    for point in _points(task, parts, tried_in):
        params = canonical(point)
        seconds = time.perf_counter() - start
        for own in measured:
            own.values.append((params, "", "", 0, "tune_seconds", seconds))
        given = (parts.X, parts.Y, task.budgets, parts.groups, parts.weights)
        fitted = (
            (own, model)
            for own, each in zip(measured, tasks, strict=True)
            for model in models(each, make(each, parts.Y.shape[1], point), *given)
        )
        for own, model, values in _judged(task, fitted, parts):
            readout, budget = model.readout, float(model.budget)  # as a file takes it
            for cut, measure, value in values:
                place = (params, readout, cut, budget)
                own.values.append((*place, measure, float(value)))
            for name in task.artifacts:
                value = _ARTIFACTS[name](model, parts)
                if value is not None:
                    own.artifacts.append((readout, budget, name, value))
        start = time.perf_counter()


def _points(
    task: Task, parts: Parts, tried_in: Path | None
) -> Iterator[dict[str, Any]]:
    """The points of the method's grid to report; one without parameters: no grid."""
    if not task.method.grid:
        yield {}
        return
    from labelsift.experiment.tried import Tried  # not every task tunes
    from labelsift.experiment.tuning import sweep

    tried = Tried(tried_in, task.key)
    yield from sweep(task, parts.X, parts.Y, parts.groups, parts.weights, tried)


def _judged(
    task: Task, fitted: Iterable[tuple[Rows, Model]], parts: Parts
) -> Iterator[tuple[Rows, Model, list[Value]]]:
    """Each model, with its areas, and its values."""
    most = max(1, MOST_STACKED // max(1, parts.Y.size))
    # Where X is small, fits wait for others: a stack has models of several.
    any_fit = math.prod(parts.X.shape) <= MOST_WAITING
    for key, sharing in itertools.groupby(
        fitted, lambda pair: pair[1].ridge and (any_fit or pair[1].ridge)
    ):
        size = most if key else 1  # other models are too large to be kept
        while together := list(itertools.islice(sharing, size)):
            models = [model for _, model in together]
            judged = _judged_together(task, models, parts)
            for (own, _), result in zip(together, judged, strict=True):
                yield own, *result


def _judged_together(
    task: Task, models: Sequence[Model], parts: Parts
) -> Iterator[tuple[Model, list[Value]]]:
    used = [list(_used(task, model)) for model in models]
    if not len(parts.Y_test):
        yield from zip(models, used, strict=True)
        return
    stack = _stacked([model.scores(parts.X_test) for model in models])
    scored = parts.read(stack)
    if scored is not None and parts.kind.complete:
        each = scored.areas  # computed once, for measures too
    else:
        each = parts.kind.of_each(parts.Y_test, stack, parts.weights_test)
    columns = list(_measured(task, models, stack, scored, parts))
    for i, model in enumerate(models):
        values = [(cut, name, column[i]) for cut, name, column in columns]
        yield replace(model, areas=each[i]), used[i] + values


def _stacked(scores: Sequence[NDArray[Any]]) -> NDArray[Any]:
    """Scores of several models as one array; those of one model are not copied."""
    return scores[0][np.newaxis] if len(scores) == 1 else np.stack(scores)


def _used(task: Task, model: Model) -> Iterator[Value]:
    """Seconds of a model; features that it uses, and their cost; its dual gap."""
    yield "", "fit_seconds", model.seconds
    if task.fit_limit:
        yield "", "processor_seconds", model.processor_seconds
    yield "", "readout_seconds", model.readout_seconds
    if task.costs:
        features = model.features
        if features is None:
            features = np.arange(len(task.groups))
        yield "", "n_selected", len(features)
        yield "", "total_cost", Units(task.groups, task.costs).cost(features.tolist())
    if (gap := getattr(model.fitted, "dual_gap_", None)) is not None:
        yield "", "dual_gap", gap


def _measured(
    task: Task,
    models: Sequence[Model],
    stack: NDArray[Any],
    scored: Judged | None,
    parts: Parts,
) -> Iterator[tuple[str, str, Sequence[float]]]:
    """(threshold, measure, its value for each model)."""
    needs = {measure.needs for measure, _ in parts.measures}
    for name, column in parts.measured(stack, scored, needs - {"labels"}):
        yield "", name, column
    for cut in task.thresholds if "labels" in needs else ():
        labels = stack > _THRESHOLDS[cut](models, parts)
        for name, column in parts.measured(labels, parts.read(labels), {"labels"}):
            yield cut, name, column


def _scut(of_training: Callable[[Model, Parts], NDArray[Any]]) -> Callable[..., Any]:
    """Thresholds of best F1, from what a model says of the training part."""

    def thresholds(models: Sequence[Model], parts: Parts) -> NDArray[np.float64]:
        stack = _stacked([of_training(model, parts) for model in models])
        return scut_thresholds(stack, parts.Y, MIN_F1, parts.weights)[:, np.newaxis]

    return thresholds


def _by_regression(models: Sequence[Model], parts: Parts) -> NDArray[np.float64]:
    thresholds = []
    for model in models:
        targets = sample_thresholds(model.scores(parts.X), parts.Y)
        on_x = fit_weighted(LinearRegression(), parts.X, targets, parts.weights)
        thresholds.append(on_x.predict(parts.X_test)[:, np.newaxis])
    return np.stack(thresholds)


# Where the thresholds of scores come from.
_THRESHOLDS: dict[str, Callable[[Sequence[Model], Parts], Any]] = {
    "zero": lambda models, parts: 0,
    "train": _scut(lambda model, parts: model.scores(parts.X)),
    "oof": _scut(
        lambda model, parts: model.held_out(
            parts.X, parts.Y, parts.folds(), parts.weights
        )
    ),
    LEFT_OUT: _scut(
        lambda model, parts: model.left_out(
            parts.X, parts.Y, parts.folds, parts.weights
        )
    ),
    "regression": _by_regression,
}
THRESHOLDS = tuple(_THRESHOLDS)


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
