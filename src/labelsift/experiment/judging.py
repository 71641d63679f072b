# SPDX-License-Identifier: BSD-3-Clause
"""Training and test part of a task, and the measures of its models on the test part.

Models that share a fit are judged together: their scores are a stack, of which each
threshold and measure is computed at once.
"""

import functools
import itertools
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.linear_model import LinearRegression

from labelsift.core.estimator import fit_weighted
from labelsift.experiment.inputs import prepared, scaled_rows, splits
from labelsift.experiment.models import LEFT_OUT, Model, every_row_folds
from labelsift.experiment.task import Task
from labelsift.metrics import EVERY_MEASURE
from labelsift.metrics.reading import Judged, read_stack
from labelsift.model_selection.target_kind import KINDS
from labelsift.model_selection.threshold import (
    MIN_F1,
    sample_thresholds,
    scut_thresholds,
)
from labelsift.prepare.units import Units

# Scores of training rows that are stacked at most, so that a stack stays small.
MOST_STACKED = 2**21
# (threshold, measure, value) of a model; the threshold is empty for scores.
Value = tuple[str, str, float]


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


def judged(
    task: Task, models: Iterable[Model], parts: Parts
) -> Iterator[tuple[Model, list[Value]]]:
    """Each model, with its areas, and its values."""
    most = max(1, MOST_STACKED // max(1, parts.Y.size))
    for ridge, sharing in itertools.groupby(models, key=lambda model: model.ridge):
        size = 1 if ridge is None else most  # other models are too large to be kept
        while together := list(itertools.islice(sharing, size)):
            yield from _judged_together(task, together, parts)


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
    columns = list(_columns(task, models, stack, scored, parts))
    for i, model in enumerate(models):
        values = [(cut, name, column[i]) for cut, name, column in columns]
        yield replace(model, areas=each[i]), used[i] + _gap(model) + values


def _stacked(scores: Sequence[NDArray[Any]]) -> NDArray[Any]:
    """Scores of several models as one array; those of one model are not copied."""
    return scores[0][np.newaxis] if len(scores) == 1 else np.stack(scores)


def _used(task: Task, model: Model) -> Iterator[Value]:
    """Seconds of a model; how many features it uses, and what they cost."""
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


def _gap(model: Model) -> list[Value]:
    gap = getattr(model.fitted, "dual_gap_", None)
    return [] if gap is None else [("", "dual_gap", gap)]


def _columns(
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
