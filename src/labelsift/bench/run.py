# SPDX-License-Identifier: BSD-3-Clause
"""Run one task, wherever it is: the same task gives the same rows on any machine."""

import functools
import textwrap
import time
import traceback
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray
from sklearn.linear_model import LinearRegression
from threadpoolctl import threadpool_limits

from labelsift.bench.inputs import prepared, scaled, splits
from labelsift.bench.limits import PeakMemory, TaskTimeoutError, time_limit
from labelsift.bench.models import Model, make, models
from labelsift.bench.spec import Task, canonical
from labelsift.bench.tuning import MIN_F1, every_row_folds, sweep
from labelsift.core.labels import constant_labels
from labelsift.metrics import MEASURES
from labelsift.model_selection.threshold import sample_thresholds, scut_thresholds

# Letters of an error that are kept.
MOST_WORDS = 400
# X and Y of some rows.
Part = tuple[Any, NDArray[Any]]


@dataclass(frozen=True)
class Row:
    """One value.

    Parameters
    ----------
    readout, threshold : str
        Which model, and where its scores were cut (empty: not cut).
    budget : int
        Features that the model saw; 0 for values that have no budget.
    params : str
        The chosen point of the grid, as JSON.
    measure : str
        A measure of the catalogue, or "fit_seconds", "readout_seconds",
        "tune_seconds", "dual_gap", "n_train", "n_features".
    value : float
        The value; NaN where it is not defined.
    """

    readout: str
    threshold: str
    budget: int
    params: str
    measure: str
    value: float


@dataclass(frozen=True)
class Outcome:
    """What became of a task.

    Parameters
    ----------
    key, content : str
        Of the task.
    status : {"done", "failed", "timeout"}
        How it ended.
    rows : list of Row
        Empty unless done.
    artifacts : dict
        What the task was asked to keep, as plain values.
    error : str
        One line; empty when done.
    seconds : float
        Wall-clock time of all of it.
    memory_mib : float or None
        Peak above what the process held before; None where the system does not tell.
    warnings : tuple of str
        Each once.
    """

    key: str
    content: str
    status: str
    rows: list[Row] = field(default_factory=list)
    artifacts: dict[str, Any] = field(default_factory=dict)
    error: str = ""
    seconds: float = 0.0
    memory_mib: float | None = None
    warnings: tuple[str, ...] = ()


def run_task(task: Task, timeout: float | None = None, threads: int = 1) -> Outcome:
    """Run a task; whatever goes wrong becomes part of the outcome.

    Parameters
    ----------
    task : Task
        What to do.
    timeout : float or None
        Seconds after which it is given up. Compiled code is not interrupted in the
        middle, so that it may take longer.
    threads : int
        For linear algebra and kernels.

    Returns
    -------
    Outcome
        Rows, or the error in one line.
    """
    rows: list[Row] = []
    artifacts: dict[str, Any] = {}
    status, error = "done", ""
    start = time.perf_counter()
    with warnings.catch_warnings(record=True) as told, threadpool_limits(threads):
        warnings.simplefilter("always")
        memory = PeakMemory()
        try:
            with time_limit(timeout), _KernelThreads(threads):
                rows, artifacts = _work(task)
        except TaskTimeoutError:
            status, error = "timeout", f"Given up after {timeout:g} s."
        except Exception as problem:  # a row with its error, never a lost run
            status, error = "failed", _one_line(problem)
    return Outcome(
        key=task.key,
        content=task.content,
        status=status,
        rows=rows if status == "done" else [],
        artifacts=artifacts if status == "done" else {},
        error=error,
        seconds=time.perf_counter() - start,
        memory_mib=memory.mib(),
        warnings=tuple(dict.fromkeys(" ".join(str(w.message).split()) for w in told)),
    )


def _one_line(problem: Exception) -> str:
    place = traceback.extract_tb(problem.__traceback__)[-1]
    text = textwrap.shorten(str(problem), MOST_WORDS, placeholder=" ...")
    return f"{type(problem).__name__}: {text} ({place.name}, line {place.lineno})"


class _KernelThreads:
    """Limit numba's threads for a while; numba is loaded when the first task runs."""

    def __init__(self, threads: int) -> None:
        self.threads = threads

    def __enter__(self) -> None:
        import numba

        self.before = numba.get_num_threads()
        numba.set_num_threads(min(self.threads, numba.config.NUMBA_NUM_THREADS))

    def __exit__(self, *_: Any) -> None:
        import numba

        numba.set_num_threads(self.before)


def _work(task: Task) -> tuple[list[Row], dict[str, Any]]:
    data = prepared(task.data)
    train, test = splits(task.data, task.protocol)[task.split]
    X, X_test = scaled(data.X[train], data.X[test], task.method.scale)
    Y, Y_test = data.Y[train], data.Y[test]
    rows = [
        Row("", "", 0, "{}", "n_train", float(len(train))),
        Row("", "", 0, "{}", "n_features", float(X.shape[1])),
    ]
    artifacts: dict[str, Any] = {}
    # Made once for the thresholds of all models, and only where they are asked for.
    folds = functools.cache(lambda: every_row_folds(task, Y))
    start = time.perf_counter()
    for point in sweep(task, X, Y):
        chosen = canonical(point)
        tuned = time.perf_counter()
        rows.append(Row("", "", 0, chosen, "tune_seconds", tuned - start))
        estimator = make(task.method, Y.shape[1], point)
        for model in models(task, estimator, X, Y, task.budgets):
            rows.append(_row(model, chosen, "fit_seconds", model.seconds))
            rows.append(_row(model, chosen, "readout_seconds", model.readout_seconds))
            if len(test):
                rows += _values(task, model, chosen, (X, Y), (X_test, Y_test), folds)
            _keep(task, model, artifacts, (X, Y), (X_test, Y_test))
        start = time.perf_counter()
    return rows, artifacts


def _row(model: Model, chosen: str, measure: str, value: float, cut: str = "") -> Row:
    return Row(model.readout, cut, model.budget, chosen, measure, float(value))


def _values(
    task: Task,
    model: Model,
    chosen: str,
    train: Part,
    test: Part,
    folds: Callable[[], Any],
) -> Iterator[Row]:
    X_test, Y_test = test
    scores = model.scores(X_test)
    gap = getattr(model.fitted, "dual_gap_", None)
    if gap is not None:
        yield _row(model, chosen, "dual_gap", gap)
    for name in task.measures:
        if MEASURES[name].needs == "scores":
            yield _row(model, chosen, name, MEASURES[name].function(Y_test, scores))
    wanted = [name for name in task.measures if MEASURES[name].needs == "labels"]
    if not wanted:
        return
    for cut, labels in _label_sets(task, model, train, X_test, scores, folds):
        for name in wanted:
            value = MEASURES[name].function(Y_test, labels)
            yield _row(model, chosen, name, value, cut)


def _label_sets(
    task: Task,
    model: Model,
    train: Part,
    X_test: Any,
    scores: NDArray[Any],
    folds: Callable[[], Any],
) -> Iterator[tuple[str, NDArray[Any]]]:
    """The ways to cut scores, each with the labels that it predicts."""
    X, Y = train
    for cut in task.thresholds:
        if cut == "zero":
            yield cut, scores > 0
        elif cut == "train":
            yield cut, scores > scut_thresholds(model.scores(X), Y, MIN_F1)
        elif cut == "oof":
            held_out = model.held_out(X, Y, folds())
            yield cut, scores > scut_thresholds(held_out, Y, MIN_F1)
        else:
            on_x = LinearRegression().fit(X, sample_thresholds(model.scores(X), Y))
            yield cut, scores > on_x.predict(X_test)[:, np.newaxis]


def _keep(
    task: Task,
    model: Model,
    artifacts: dict[str, Any],
    train: Part,
    test: Part,
) -> None:
    """Add what the task was asked to keep of a model, keyed by read-out and budget."""

    def put(name: str, value: Any) -> None:
        artifacts.setdefault(name, {})[f"{model.readout}:{model.budget}"] = value

    chosen = model.columns
    if "order" in task.keep and chosen is not None:
        put("order", chosen.tolist())
    if "gain" in task.keep and chosen is not None:
        put("gain", leave_one_out_gains(train[0][:, chosen], train[1]))
    if "weights" in task.keep and hasattr(model.fitted, "coef_"):
        put("weights", np.asarray(model.fitted.coef_).T.tolist())
    if "label_auc" in task.keep and len(test[1]):
        put("label_auc", label_aucs(test[1], model.scores(test[0])))


def leave_one_out_gains(X: Any, Y: NDArray[Any], alpha: float = 1.0) -> list[float]:
    """What each further column takes off the leave-one-out error of a ridge fit.

    The error is the mean square over rows and labels, coded -1 and +1; a share of the
    error without any column. X is made dense: it has a few chosen columns only.

    Parameters
    ----------
    X : array or sparse array of shape (n_samples, n_chosen)
        The columns, in the order in which they were chosen.
    Y : ndarray of shape (n_samples, n_labels)
        The labels.
    alpha : float
        Penalty.

    Returns
    -------
    list of float
        One gain per column; negative where a column does harm.
    """
    dense = X.toarray() if sp.issparse(X) else np.asarray(X)
    design = np.hstack([np.ones((len(dense), 1)), dense.astype(np.float64)])
    # Ridge is least squares with rows sqrt(alpha) I below; the fits of all prefixes of
    # the columns are in one QR decomposition.
    padding = np.sqrt(alpha) * np.eye(design.shape[1])
    basis = np.linalg.qr(np.vstack([design, padding]))[0][: len(design)]
    residual, room = 2.0 * Y - 1, np.ones((len(design), 1))
    errors = []
    for column in basis.T[:, :, np.newaxis]:
        residual = residual - column * (column.T @ (2.0 * Y - 1))
        room = room - column**2
        errors.append(float(((residual / room) ** 2).mean()))
    return [(errors[k] - errors[k + 1]) / errors[0] for k in range(len(errors) - 1)]


def label_aucs(Y: NDArray[Any], scores: NDArray[Any]) -> list[float | None]:
    """AUC of each label; None where the label has one value."""
    macro_auc = MEASURES["macro_auc"].function
    both = ~constant_labels(Y)
    return [
        float(macro_auc(Y[:, [j]], scores[:, [j]])) if both[j] else None
        for j in range(Y.shape[1])
    ]
