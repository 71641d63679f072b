# SPDX-License-Identifier: BSD-3-Clause
"""Choose a point of a method's grid on the training part; the test part is not here."""

import json
from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.model_selection import ParameterGrid

from labelsift.bench.inputs import inner_folds
from labelsift.bench.models import external, make, models, selects
from labelsift.bench.spec import Task
from labelsift.metrics import MEASURES
from labelsift.model_selection import PathSearchCV
from labelsift.model_selection.threshold import scut_thresholds

# As in ThresholdedClassifier: a label that cannot be told is not predicted everywhere.
MIN_F1 = 0.1
# Folds where every row needs a held-out score and the task tunes by one held-out part.
OUT_OF_FOLD = 3


def grid_points(task: Task) -> list[dict[str, Any]]:
    """All points of the method's grid."""
    return list(ParameterGrid(json.loads(task.method.grid)))


def every_row_folds(task: Task, Y: NDArray[Any]) -> list[Any]:
    """Folds of the training part that hold every row out once."""
    folds = task.tuning.folds if task.tuning.folds > 1 else OUT_OF_FOLD
    return inner_folds(Y, folds, task.protocol.seed)


def choose(task: Task, X: Any, Y: NDArray[Any]) -> dict[str, Any]:
    """The best point of the grid.

    Parameters
    ----------
    task : Task
        Method, grid and how to tune.
    X, Y : arrays
        The training part.

    Returns
    -------
    dict
        Parameters; empty where there is nothing to choose.
    """
    points = grid_points(task)
    if len(points) == 1:
        return points[0]
    if not selects(task):
        return _best_predictor(task, X, Y)
    totals = np.zeros(len(points))
    for train, test in inner_folds(Y, task.tuning.folds, task.protocol.seed):
        for position, point in enumerate(points):
            totals[position] += _value(task, point, X, Y, train, test)
    if np.isnan(totals).any():
        raise ValueError(
            f"{task.tuning.measure} is not defined on a held-out part, where every "
            "label holds one value: tune with fewer folds."
        )
    return points[int(np.argmax(totals))]


def _best_predictor(task: Task, X: Any, Y: NDArray[Any]) -> dict[str, Any]:
    """By PathSearchCV, which shares what the points of a grid can share.

    Thresholds for F1 need a score of every row, so that one held-out part will not do.
    """
    search = PathSearchCV(
        make(task.method, Y.shape[1], {}),
        json.loads(task.method.grid),
        scoring=task.tuning.measure,
        cv=every_row_folds(task, Y),
    )
    best: dict[str, Any] = search.fit(X, Y).best_params_
    return best


def _value(
    task: Task, point: dict[str, Any], X: Any, Y: NDArray[Any], train: Any, test: Any
) -> float:
    """How well a selector does on held-out rows, larger for better.

    The mean over the tuning budgets, with the first read-out.
    """
    estimator = make(task.method, Y.shape[1], point)
    wanted = (external(task.readouts) or task.readouts)[0]
    values = [
        judge(task.tuning.measure, model, X, Y, train, test)
        for model in models(task, estimator, X[train], Y[train], task.tuning.budgets)
        if model.readout == wanted
    ]
    return float(np.mean(values))


def judge(
    name: str, model: Any, X: Any, Y: NDArray[Any], train: Any, test: Any
) -> float:
    """A measure of held-out rows, larger for better; F1 is cut by training scores."""
    measure, scores = MEASURES[name], model.scores(X[test])
    given = scores
    if measure.needs == "labels":
        cut: Any = 0.0
        if name in ("micro_f1", "macro_f1"):
            cut = scut_thresholds(model.scores(X[train]), Y[train], MIN_F1)
        given = scores > cut
    value = measure.function(Y[test], given)
    return value if measure.greater_is_better else -value


def sweep(task: Task, X: Any, Y: NDArray[Any]) -> Iterator[dict[str, Any]]:
    """The points to report: every one, or the best."""
    if task.method.sweep:
        yield from grid_points(task)
    else:
        yield choose(task, X, Y)
