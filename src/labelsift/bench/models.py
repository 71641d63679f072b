# SPDX-License-Identifier: BSD-3-Clause
"""The models of a task: one for each budget and read-out, from the fewest fits."""

import json
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone

from labelsift.bench.inputs import resolve_count
from labelsift.bench.methods import ALL_FEATURES, CATALOGUE, READOUTS
from labelsift.bench.spec import MethodSpec, Task


@dataclass(frozen=True)
class Model:
    """A fitted model and how to fit it again on other rows.

    Parameters
    ----------
    budget : int
        How many features it sees.
    readout : str
        "self" or a name in READOUTS.
    columns : array of int or None
        The features it sees, best first; None: all, or it picks them itself.
    fitted : object
        With ``decision_function``.
    fresh : callable
        Gives the same model unfitted.
    seconds : float
        Of the method's fit; one that serves several models counts for the first.
    readout_seconds : float
        Of the read-out's fit.
    """

    budget: int
    readout: str
    columns: NDArray[Any] | None
    fitted: Any
    fresh: Callable[[], Any]
    seconds: float = 0.0
    readout_seconds: float = 0.0

    def scores(self, X: Any) -> NDArray[Any]:
        """Scores, one column per label."""
        return _scores(self.fitted, self._seen(X))

    def held_out(
        self, X: Any, Y: NDArray[Any], folds: Sequence[tuple[Any, Any]]
    ) -> NDArray[Any]:
        """Scores of training rows by models that did not see them.

        A read-out is fitted again on the features chosen from the whole training part.
        """
        X, scores = self._seen(X), np.empty(Y.shape)
        for train, test in folds:
            model = self.fresh().fit(X[train], Y[train])
            scores[test] = _scores(model, X[test])
        return scores

    def _seen(self, X: Any) -> Any:
        return X if self.columns is None else X[:, self.columns]


def _scores(fitted: Any, X: Any) -> NDArray[Any]:
    scores = np.asarray(fitted.decision_function(X))
    return scores.reshape(X.shape[0], -1)


def make(method: MethodSpec, n_labels: int, point: dict[str, Any]) -> Any:
    """An estimator with its fixed parameters and a point of its grid."""
    estimator = CATALOGUE[method.catalogue_name].make(n_labels)
    params = json.loads(method.params) | point
    return estimator.set_params(**params) if params else estimator


def selects(task: Task) -> bool:
    """Whether features are chosen under the budgets of a task."""
    return bool(task.budgets) and CATALOGUE[task.method.catalogue_name].selects


def models(
    task: Task, estimator: Any, X: Any, Y: NDArray[Any], budgets: Sequence[str]
) -> Iterator[Model]:
    """Every model that an estimator gives.

    Parameters
    ----------
    task : Task
        Read-outs and method.
    estimator : object
        Unfitted; None for all features.
    X, Y : arrays
        Training part.
    budgets : sequence of str
        Used where the method selects.

    Yields
    ------
    Model
        In the order of budgets, then of read-outs.
    """
    if task.method.catalogue_name == ALL_FEATURES:
        for readout in external(task.readouts) or ("ridge",):
            yield _readout(readout, None, X, Y, 0.0)
    elif not selects(task):
        start = time.perf_counter()
        fitted = estimator.fit(X, Y)
        yield own_model(fitted, X.shape[1], time.perf_counter() - start)
    else:
        for view, seconds in timed(views(estimator, budgets, task.readouts, X, Y)):
            yield from read_out(view, seconds, task.readouts, X, Y)


def timed(items: Iterator[Any]) -> Iterator[tuple[Any, float]]:
    """Each item with the seconds it took to come."""
    start = time.perf_counter()
    for item in items:
        yield item, time.perf_counter() - start
        start = time.perf_counter()


def external(readouts: Sequence[str]) -> tuple[str, ...]:
    """Read-outs other than the method itself."""
    return tuple(readout for readout in readouts if readout != "self")


def own_model(fitted: Any, budget: int, seconds: float) -> Model:
    """The method's own prediction."""
    return Model(budget, "self", None, fitted, lambda: clone(fitted), seconds)


def views(
    estimator: Any,
    budgets: Sequence[str],
    readouts: Sequence[str],
    X: Any,
    Y: NDArray[Any],
) -> Iterator[Any]:
    """Fitted selectors, one for each budget: from one fit where budgets nest."""
    counts = sorted({resolve_count(budget, X.shape[1]) for budget in budgets})
    if "refit" in estimator.get_params() and "self" not in readouts:
        estimator.set_params(refit=False)  # its own prediction is not asked for
    if estimator.nested_budgets:
        fitted = estimator.set_params(n_features_to_select=counts[-1]).fit(X, Y)
        reached = len(fitted.feature_order_)  # a path may end before its budget
        for count in sorted({min(count, reached) for count in counts}):
            yield fitted.with_budget(count)
        return
    for count in counts:
        yield clone(estimator).set_params(n_features_to_select=count).fit(X, Y)


def read_out(
    view: Any, seconds: float, readouts: Sequence[str], X: Any, Y: NDArray[Any]
) -> Iterator[Model]:
    """The models on the features of one fitted selector."""
    columns = view.feature_order_[: view.n_features_]
    for readout in readouts:
        if readout == "self":
            yield own_model(view, len(columns), seconds)
        else:
            yield _readout(readout, columns, X, Y, seconds)
        seconds = 0.0


def _readout(
    readout: str, columns: NDArray[Any] | None, X: Any, Y: NDArray[Any], seconds: float
) -> Model:
    fresh = READOUTS[readout]
    seen = X if columns is None else X[:, columns]
    start = time.perf_counter()
    fitted = fresh().fit(seen, Y)
    took = time.perf_counter() - start
    return Model(seen.shape[1], readout, columns, fitted, fresh, seconds, took)
