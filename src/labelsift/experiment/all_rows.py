# SPDX-License-Identifier: BSD-3-Clause
"""One selection on all rows, from the same numbers and fits as in a comparison."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from labelsift.core.data import MultiLabelData
from labelsift.core.estimator import fit_weighted
from labelsift.core.selector import resolve_budget
from labelsift.datasets.frame import as_numbers
from labelsift.experiment.catalogue import (
    Chosen,
    chosen_method,
    readouts_of,
    weighted,
)
from labelsift.experiment.inputs import saved_readout
from labelsift.experiment.models import Model, gains, make, models
from labelsift.experiment.task import DataSpec, MethodSpec, Protocol, Task
from labelsift.model_selection.target_kind import KINDS
from labelsift.model_selection.trust import Fitted
from labelsift.prepare import Doubt, TablePreparation, doubts
from labelsift.prepare.array_scaling import default_scale, scaled
from labelsift.prepare.parts import Part, split_table_rows, usable
from labelsift.prepare.purchase import (
    MOST_STEPS,
    Limit,
    check_limits,
    cost_budget,
)
from labelsift.prepare.units import Units


@dataclass(frozen=True)
class Selected:
    """Features in the order in which a method takes them.

    Parameters
    ----------
    features : list of int
        Columns of the data, best first.
    gains : list of float
        By how much each lowers the leave-one-out error of a ridge fit, as a share of
        the error without any.
    model : Model
        A read-out of them.
    """

    features: list[int]
    gains: list[float]
    model: Model


class AllRows:
    """Data prepared and scaled for a method.

    Parameters
    ----------
    data : MultiLabelData
        A table, or numbers.
    preparation : TablePreparation or None
        Of a table; None: its columns are numbers already.

    Attributes
    ----------
    data : MultiLabelData
        With the columns that are used.
    left_out : list of dict
        Columns of a table that are not, with the reason.
    doubts : tuple of Doubt
        What is doubtful about a table.
    """

    def __init__(
        self, data: MultiLabelData, preparation: TablePreparation | None
    ) -> None:
        if data.weights is not None:  # what does not count is nowhere
            data = data.rows(np.flatnonzero(data.weights))
        self.left_out: list[dict[str, Any]] = []
        self.doubts: tuple[Doubt, ...] = ()
        if data.frame is None or preparation is None:
            self.data = as_numbers(data)
            self._part = Part(self.data.X, self.data.X[:0], None)
            return
        self.data, made, whole = usable(data, preparation)
        self.left_out = [c for c in whole.columns_ if c["kind"] == "drop"]
        self.doubts = doubts(data, whole)
        rows = np.arange(data.n_samples)
        self._part = split_table_rows(self.data, made, rows, rows[:0])

    def method(self, name: str, parameters: dict[str, Any]) -> Chosen:
        """A method of the catalogue or of the user, with some parameters set."""
        chosen = chosen_method(name, default_scale(self.data))
        if self.data.weights is not None:
            weighted().check_methods({name: chosen}, self.data.kind)
        estimator = chosen.estimator or make(self._task(chosen), 1, {})
        known = estimator.get_params(deep=False)
        for parameter in parameters:
            if parameter.partition("__")[0] not in known:
                raise ValueError(
                    f"{name} has no parameter {parameter!r}: choose from "
                    f"{', '.join(sorted(known))}."
                )
        return Chosen(chosen.spec, estimator.set_params(**parameters))

    def select(
        self,
        chosen: Chosen,
        budget: int | float | str | None,
        max_cost: float | None = None,
        units: Units | None = None,
    ) -> Selected:
        """Fit a method once, or twice where "auto" asks how many features to take."""
        if max_cost is not None and (units is None or not units.costs):
            raise ValueError(f"max_cost={max_cost:g} needs costs: pass them too.")
        if budget == "auto":
            return self._automatic(chosen, max_cost, units)
        count = resolve_budget(budget, self.data.n_features)
        text = str(count)
        if max_cost is not None:
            text = cost_budget(max_cost, text)
        if units is not None:
            check_limits(units, [Limit.read(str(count), count)], "-k")
            limit = Limit.read(text, self.data.n_features)
            check_limits(units, [limit], "max_cost")
        task = self._task(chosen, text, units)
        X, Y, weights = self._scaled(chosen.spec), self.data.Y, self.data.weights
        estimator = make(task, Y.shape[1], {})
        groups = self._part.groups
        [model] = models(task, estimator, X, Y, task.budgets, groups, weights)
        features = np.asarray(model.features).tolist()
        return Selected(features, self._gains(model, X), model)

    def _automatic(
        self, chosen: Chosen, max_cost: float | None, units: Units | None
    ) -> Selected:
        """As many features as give the lowest leave-one-out error."""
        most = min(self.data.n_features, MOST_STEPS)
        widest = self.select(chosen, most, max_cost, units)
        totals = np.cumsum(widest.gains)
        if units is not None:  # a group is not divided
            owners = np.array(units.owner)[widest.features]
            totals[:-1][owners[:-1] == owners[1:]] = -np.inf
        count = int(np.argmax(totals)) + 1
        return self.select(chosen, count, max_cost, units)

    def fitted(self, chosen: Chosen) -> Fitted:
        """The method with what it is fitted on."""
        estimator = make(self._task(chosen), self.data.n_labels, {})
        return Fitted(
            estimator, self._scaled(chosen.spec), self.data, self._part.groups
        )

    def of_features(self, features: list[int], chosen: Chosen) -> Selected:
        """The gains and a read-out of features that were chosen otherwise."""
        X, Y = self._scaled(chosen.spec), self.data.Y
        groups = self._part.groups
        columns = np.asarray(features) if groups is None else groups.outputs(features)
        fit = readouts_of(self.data.kind)["ridge"]
        ridge = fit_weighted(fit(), X[:, columns], Y, self.data.weights)
        model = Model(len(features), "ridge", columns, ridge, fit, groups=groups)
        return Selected(features, self._gains(model, X), model)

    def _gains(self, model: Model, X: NDArray[Any]) -> list[float]:
        data = self.data
        return gains(model, X, data.Y, data.target, data.weights)

    def readout(self, features: list[int]) -> dict[str, Any]:
        """What a selection file needs to predict from some features."""
        places = np.asarray(features, dtype=np.intp)
        fit = KINDS[self.data.kind].saved
        data = self.data
        return saved_readout(data, self._part, data.Y, places, fit, data.weights)

    def _scaled(self, spec: MethodSpec) -> NDArray[Any]:
        X = self._part.X
        seen: NDArray[Any] = scaled(X, X[:0], spec.scale, self.data.weights)[0]
        return seen

    def _task(
        self, chosen: Chosen, budget: str = "", units: Units | None = None
    ) -> Task:
        return Task(
            data=DataSpec(self.data.name),
            protocol=Protocol("all"),
            split=0,
            method=chosen.spec,
            budgets=(budget,) if budget else (),
            readouts=("ridge",),
            groups=() if units is None else units.owner,
            costs=() if units is None else units.costs,
            target=self.data.kind,
            own={} if chosen.estimator is None else {"method": chosen.estimator},
        )
