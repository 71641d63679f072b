# SPDX-License-Identifier: BSD-3-Clause
"""The models of a task: one for each budget and read-out, from the fewest fits."""

import math
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone

from labelsift.classification.nested_ridge import NestedRidge, WholeRidge
from labelsift.core.budget import budget_count, counts_of
from labelsift.core.budget_views import views
from labelsift.core.estimator import fit_weighted
from labelsift.core.time_limit import limited, timed
from labelsift.experiment.catalogue import (
    ALL_FEATURES,
    CATALOGUE,
    RANDOM,
    READOUTS,
    of_values,
    readouts_of,
)
from labelsift.experiment.inputs import inner_folds
from labelsift.experiment.task import Task
from labelsift.model_selection.target_kind import KINDS
from labelsift.prepare.array_scaling import Rescaled
from labelsift.prepare.groups import Choice, Groups, grouped_choices
from labelsift.prepare.purchase import Limit, purchases
from labelsift.prepare.units import Units
from labelsift.solvers.ridge.leave_one_out import leave_one_out_gains

# The read-out whose fits on nested budgets share their work.
RIDGE = "ridge"
# Thresholds from scores of rows left out; artifacts that need the fitted read-out.
LEFT_OUT = "left-out"
WITH_WEIGHTS = {"weights", "selection"}
# Folds where every row needs a held-out score and the task tunes by one held-out part.
OUT_OF_FOLD = 3


@dataclass(frozen=True)
class Model:
    """A fitted model and how to fit it again on other rows.

    Parameters
    ----------
    budget : int or float
        How many features it uses, or the total cost that it keeps to.
    readout : str
        "self" or a name in READOUTS.
    columns : array of int or None
        The columns of X it uses, best first; None: all, or it selects them itself.
    fitted : object
        Has a ``decision_function``.
    fresh : callable
        Returns the same model unfitted.
    seconds, readout_seconds : float
        Of the method's fit (shared by several models: counted for the first) and of
        the read-out's fit.
    processor_seconds : float
        Of the method's fit, as ``seconds``, in time on a processor.
    groups : Groups or None
        Which columns of X were made of the same column of a table.
    is_first : bool
        Whether no other model has the same features before it.
    ridge : NestedRidge, WholeRidge or None
        Ridge fits that know rows left out, of which this is the one at ``place``;
        ``fitted`` is None then.
    areas : array of shape (n_labels,) or None
        Its quality for each label on the test part, once it is judged.
    """

    budget: float
    readout: str
    columns: NDArray[Any] | None
    fitted: Any
    fresh: Callable[[], Any]
    seconds: float = 0.0
    readout_seconds: float = 0.0
    groups: Groups | None = None
    ridge: NestedRidge | WholeRidge | None = None
    place: int = 0
    processor_seconds: float = 0.0
    is_first: bool = False
    areas: NDArray[np.float64] | None = None

    @property
    def features(self) -> NDArray[Any] | None:
        """The features it uses, best first: of a table, what its columns belong to."""
        if self.columns is None or self.groups is None:
            return self.columns
        return self.groups.first_appearance(self.columns)

    def scores(self, X: Any) -> NDArray[Any]:
        """Scores of the labels, or predicted values, one column each."""
        if self.ridge is not None:
            return self.ridge.scores(X, self.place)
        return _scores(self.fitted, self._seen(X))

    def left_out(
        self,
        X: Any,
        Y: NDArray[Any],
        folds: Callable[[], Sequence[tuple[Any, Any]]],
        weights: Any = None,
    ) -> NDArray[Any]:
        """Scores of training rows without themselves: one by one, or else by folds."""
        if self.ridge is not None:
            return self.ridge.left_out(self.place)
        return self.held_out(X, Y, folds(), weights)

    def held_out(
        self,
        X: Any,
        Y: NDArray[Any],
        folds: Sequence[tuple[Any, Any]],
        weights: Any = None,
    ) -> NDArray[Any]:
        """Scores of training rows by models that did not see them.

        A read-out is fitted again on the features chosen from the whole training part.
        """
        X, scores = self._seen(X), np.empty(Y.shape)
        for train, test in folds:
            counted = None if weights is None else weights[train]
            model = fit_weighted(self.fresh(), X[train], Y[train], counted)
            scores[test] = _scores(model, X[test])
        return scores

    def _seen(self, X: Any) -> Any:
        return X if self.columns is None else X[:, self.columns]


def _scores(fitted: Any, X: Any) -> NDArray[Any]:
    score = getattr(fitted, "decision_function", None) or fitted.predict
    return np.asarray(score(X)).reshape(X.shape[0], -1)


def make(task: Task, n_labels: int, point: Mapping[str, Any]) -> Any:
    """The method of a task with its fixed parameters and a point of its grid."""
    if "method" in task.own:  # its parameters are set
        estimator = clone(task.own["method"])
        known = estimator.get_params(deep=False)
        params = {
            name if name.partition("__")[0] in known else f"estimator__{name}": value
            for name, value in point.items()
        }
    else:
        estimator = CATALOGUE[task.method.name].make(n_labels)
        params = {**task.method.params, **point}
    if task.target != "labels" and estimator is not None:
        estimator = of_values().told(estimator, kind=task.target)
    if params:
        estimator = estimator.set_params(**params)
    if task.method.fit_scale:
        return Rescaled(estimator, task.method.fit_scale)
    return estimator


def selects(task: Task) -> bool:
    """Whether features are chosen under the budgets of a task."""
    own = "method" in task.own
    return bool(task.budgets) and (own or CATALOGUE[task.method.name].selects)


def _fresh_readout(task: Task, name: str) -> Callable[[], Any]:
    """How a read-out is made: the user's own, or one of READOUTS."""
    own = task.own.get(f"readout {name}")
    return readouts_of(task.target)[name] if own is None else lambda: clone(own)


def models(
    task: Task,
    estimator: Any,
    X: Any,
    Y: NDArray[Any],
    budgets: Sequence[str],
    groups: Groups | None = None,
    weights: Any = None,
) -> Iterator[Model]:
    """Every model that an unfitted estimator gives, by budget, then by read-out."""
    if groups is None and task.groups:
        groups = Groups.single(X.shape[1])
    if groups is not None:
        yield from _models_of_table(task, estimator, X, Y, budgets, groups, weights)
        return
    if task.method.name == ALL_FEATURES:
        for readout in external(task.readouts) or (RIDGE,):
            yield _whole(task, readout, X, Y, weights)
    elif not selects(task):
        start = time.perf_counter()
        fitted = fit_weighted(estimator, X, Y, weights)
        yield _own_model(fitted, X.shape[1], time.perf_counter() - start)
    else:
        each = views(estimator, budgets, task.readouts, X, Y, weights)
        fitted = list(
            timed(timed(limited(each, task.fit_limit or None), time.process_time))
        )
        columns = [view.feature_order_[: view.n_features_] for (view, _), _ in fitted]
        ridges = _ridges(task, columns, X, Y, weights)
        at = _readout_counts(task, X.shape[1], max(map(len, columns)))
        for place, ((view, processor), seconds) in enumerate(fitted):
            own = columns[place]
            readouts = [it for it in task.readouts if len(own) in at[it]]
            trained = _read_out(
                task, readouts, own, seconds, X, Y, ridges(place), weights, view
            )
            for number, model in enumerate(trained):
                yield replace(
                    model,
                    processor_seconds=0.0 if number else processor,
                    is_first=not number,
                )


def _readout_counts(task: Task, n_features: int, reached: int) -> dict[str, set[int]]:
    """The numbers of features at which each read-out is trained."""
    return {
        readout: {
            min(budget_count(budget, n_features), reached)
            for budget in task.readout_budgets.get(readout, ())
        }
        or set(range(n_features + 1))
        for readout in task.readouts
    }


def _models_of_table(
    task: Task,
    estimator: Any,
    X: Any,
    Y: NDArray[Any],
    budgets: Sequence[str],
    groups: Groups,
    weights: Any = None,
) -> Iterator[Model]:
    """The same where features are the columns of a table: counted and taken whole."""
    readouts = external(task.readouts) or (RIDGE,)
    if task.method.name == ALL_FEATURES:
        for readout in readouts:
            whole = _whole(task, readout, X, Y, weights)
            yield replace(whole, budget=_whole_budget(task, groups), groups=groups)
        return
    if not selects(task):
        raise ValueError(f"{task.method.name} selects nothing: pass numbers to it.")
    chosen = list(timed(_choices(task, estimator, X, Y, budgets, groups, weights)))
    columns = [groups.outputs(choice.columns) for (_, choice), _ in chosen]
    ridges = _ridges(task, columns, X, Y, weights)
    for place, ((budget, _), seconds) in enumerate(chosen):
        given = (columns[place], seconds, X, Y, ridges(place), weights)
        for model in _read_out(task, readouts, *given):
            yield replace(model, budget=budget, groups=groups)


def _whole_budget(task: Task, groups: Groups) -> float:
    """What all features are as a budget."""
    return math.fsum(task.costs) if task.costs else len(groups)


def _choices(
    task: Task,
    estimator: Any,
    X: Any,
    Y: NDArray[Any],
    budgets: Sequence[str],
    groups: Groups,
    weights: Any = None,
) -> Iterator[tuple[float, Choice]]:
    """Features under each budget; units that the user told are bought whole."""
    if not task.groups:
        counts = counts_of(budgets, len(groups))
        for choice in grouped_choices(estimator, counts, X, Y, groups, weights):
            yield len(choice.columns), choice
        return
    limits = sorted({Limit.read(budget, len(groups)) for budget in budgets})
    units, weigh = Units(task.groups, task.costs), task.method.name != RANDOM
    options = {"weigh": weigh, "weights": weights}
    bought = purchases(estimator, limits, X, Y, groups, units, **options)
    for limit, choice in zip(limits, bought, strict=True):
        yield limit.budget, choice


def external(readouts: Sequence[str]) -> tuple[str, ...]:
    """Read-outs other than the method itself."""
    return tuple(readout for readout in readouts if readout != "self")


def _read_out(
    task: Task,
    readouts: Sequence[str],
    columns: NDArray[Any],
    seconds: float,
    X: Any,
    Y: NDArray[Any],
    ridge: tuple[NestedRidge | None, int],
    weights: Any = None,
    view: Any = None,
) -> Iterator[Model]:
    """The models on columns that were chosen: by a fitted selector, for its own."""
    nested, place = ridge
    for readout in readouts:
        if readout == "self":
            yield _own_model(view, len(columns), seconds)
        elif readout == RIDGE and nested is not None:
            fresh = _fresh_readout(task, readout)
            of = (len(columns), readout, columns, None, fresh, seconds)
            yield Model(*of, ridge=nested, place=place)
        else:
            yield _readout(task, readout, columns, X, Y, seconds, weights)
        seconds = 0.0


def _ridges(
    task: Task,
    chosen: Sequence[NDArray[Any]],
    X: Any,
    Y: NDArray[Any],
    weights: Any = None,
) -> Callable[[int], tuple[NestedRidge | None, int]]:
    """The ridge read-out of each budget and its place: where only scores are needed.

    One factor serves all budgets that nest; others have one of their own.
    """
    if not by_factor(task):
        return lambda place: (None, 0)
    alpha = READOUTS[RIDGE]().alpha
    nested = NestedRidge.of(X, Y, chosen, alpha, weights)
    if nested is not None:
        return lambda place: (nested, place)
    return lambda place: (NestedRidge.of(X, Y, [chosen[place]], alpha, weights), 0)


def by_factor(task: Task) -> bool:
    """Whether ridge fits need their factor, for rows left out, and no weights."""
    if f"readout {RIDGE}" in task.own or WITH_WEIGHTS & {*task.artifacts}:
        return False
    return RIDGE in task.readouts and task.thresholds == (LEFT_OUT,)


def _whole(
    task: Task, readout: str, X: Any, Y: NDArray[Any], weights: Any = None
) -> Model:
    """A read-out of all features."""
    if readout == RIDGE and by_factor(task):
        start = time.perf_counter()
        fit = WholeRidge.of(X, Y, READOUTS[RIDGE]().alpha, weights)
        if fit is not None:
            seconds, fresh = time.perf_counter() - start, _fresh_readout(task, readout)
            return Model(
                X.shape[1], readout, None, None, fresh, 0.0, seconds, ridge=fit
            )
    return _readout(task, readout, None, X, Y, 0.0, weights)


def _own_model(fitted: Any, budget: int, seconds: float) -> Model:
    return Model(budget, "self", None, fitted, lambda: clone(fitted), seconds)


def _readout(
    task: Task,
    readout: str,
    columns: NDArray[Any] | None,
    X: Any,
    Y: NDArray[Any],
    seconds: float,
    weights: Any = None,
) -> Model:
    fresh = _fresh_readout(task, readout)
    seen = X if columns is None else X[:, columns]
    start = time.perf_counter()
    fitted = fit_weighted(fresh(), seen, Y, weights)
    elapsed = time.perf_counter() - start
    return Model(seen.shape[1], readout, columns, fitted, fresh, seconds, elapsed)


def gains(
    model: Model,
    X: Any,
    Y: NDArray[Any],
    target: str = "labels",
    weights: Any = None,
) -> list[float]:
    """By how much each feature of a model lowers the leave-one-out error, in order."""
    codes = KINDS[target].codes(Y, weights)
    seen = X[:, model.columns]
    steps = leave_one_out_gains(seen, codes, coded=True, weights=weights)
    if model.groups is None:
        return steps
    ends = np.cumsum(model.groups.sizes[model.features])
    return [float(sum(part)) for part in np.split(steps, ends[:-1])]


def every_row_folds(task: Task, Y: NDArray[Any]) -> list[Any]:
    """Folds of the training part that hold every row out once."""
    folds = task.tuning.folds if task.tuning.folds > 1 else OUT_OF_FOLD
    return inner_folds(Y, folds, task.protocol.seed)
