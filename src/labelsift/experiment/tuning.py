# SPDX-License-Identifier: BSD-3-Clause
"""The point of a method's grid is chosen on the training part; no test row is used."""

import itertools
from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.model_selection import ParameterGrid

from labelsift.experiment.inputs import inner_folds
from labelsift.experiment.models import (
    every_row_folds,
    external,
    make,
    models,
    selects,
)
from labelsift.experiment.task import Task
from labelsift.experiment.tried import Tried
from labelsift.metrics import EVERY_MEASURE
from labelsift.model_selection import PathSearchCV
from labelsift.model_selection.threshold import F1_MEASURES, MIN_F1, scut_thresholds
from labelsift.prepare.groups import Groups


def choose(
    task: Task,
    X: Any,
    Y: NDArray[Any],
    groups: Groups | None = None,
    weights: Any = None,
    tried: Tried | None = None,
) -> dict[str, Any]:
    """The best point of the grid; empty without a grid.

    Values that were tried before are taken as they are.
    """
    points, tried = grid_points(task), tried or Tried()
    if len(points) == 1:
        return points[0]
    if weights is not None:
        raise ValueError(
            "A grid is not tuned where rows have weights: give one value to each "
            "parameter."
        )
    if not selects(task):
        return _best_predictor(task, X, Y)
    totals = np.zeros(len(points))
    folds = inner_folds(Y, task.tuning.folds, task.protocol.seed)
    for place in itertools.product(range(len(folds)), range(len(points))):
        fold, position = place
        if place not in tried:
            tried[place] = _value(task, points[position], X, Y, folds[fold], groups)
        totals[position] += tried[place]
    if np.isnan(totals).any():
        raise ValueError(
            f"{task.tuning.measure} is not defined on a held-out part, where every "
            "label holds one value: tune with fewer folds."
        )
    return points[int(np.argmax(totals))]


def _best_predictor(task: Task, X: Any, Y: NDArray[Any]) -> dict[str, Any]:
    """By PathSearchCV, which shares what the points of a grid can share.

    Thresholds for F1 need a score of every row: one held-out part is not enough.
    """
    search = PathSearchCV(
        make(task, Y.shape[1], {}),
        dict(task.method.grid),
        scoring=task.tuning.measure,
        cv=every_row_folds(task, Y),
    )
    best: dict[str, Any] = search.fit(X, Y).best_params_
    return best


def _value(
    task: Task,
    point: dict[str, Any],
    X: Any,
    Y: NDArray[Any],
    parts: tuple[Any, Any],
    groups: Groups | None,
) -> float:
    """How well a selector does on held-out rows, larger for better.

    The mean over the tuning budgets, with the first read-out.
    """
    estimator, (train, test) = make(task, Y.shape[1], point), parts
    budgets = task.tuning.budgets
    wanted = (external(task.readouts) or task.readouts)[0]
    values = [
        judge(task.tuning.measure, model, X, Y, train, test)
        for model in models(task, estimator, X[train], Y[train], budgets, groups)
        if model.readout == wanted
    ]
    return float(np.mean(values))


def judge(
    name: str, model: Any, X: Any, Y: NDArray[Any], train: Any, test: Any
) -> float:
    """A measure of held-out rows, larger is better; F1 by training thresholds."""
    measure, scores = EVERY_MEASURE[name], model.scores(X[test])
    given = scores
    if measure.needs == "labels":
        cut: Any = 0.0
        if name in F1_MEASURES:
            cut = scut_thresholds(model.scores(X[train]), Y[train], MIN_F1)
        given = scores > cut
    value = measure.function(Y[test], given)
    return value if measure.greater_is_better else -value


def sweep(
    task: Task,
    X: Any,
    Y: NDArray[Any],
    groups: Groups | None = None,
    weights: Any = None,
    tried: Tried | None = None,
) -> Iterator[dict[str, Any]]:
    """The points to report: every one, or the best."""
    if task.method.sweep:
        yield from grid_points(task)
    else:
        yield choose(task, X, Y, groups, weights, tried)


def grid_points(task: Task) -> list[dict[str, Any]]:
    """All points of the method's grid."""
    return list(ParameterGrid(dict(task.method.grid)))
