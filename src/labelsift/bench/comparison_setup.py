# SPDX-License-Identifier: BSD-3-Clause
"""What a comparison is asked to do: checked, completed, and laid out as tasks."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import scipy.sparse as sp

from labelsift.bench.defaults import (
    LeftOut,
    choose_methods,
    counts_of,
    default_scale,
    read_budgets,
    scale_of,
)
from labelsift.bench.methods import ALL_FEATURES, CATALOGUE, READOUTS
from labelsift.bench.plan import Planned
from labelsift.bench.spec import DataSpec, MethodSpec, Protocol, Task, Tuning, canonical
from labelsift.core.data import MultiLabelData, numbered_names
from labelsift.core.labels import constant_labels, read_label_matrix
from labelsift.metrics import MEASURES

# The random ranking is drawn so many times; its curve is their mean.
RANDOM_DRAWS = 8
RANDOM = "random-ranking"


@dataclass(frozen=True)
class Setup:
    """What is compared, and how.

    Parameters
    ----------
    spec : DataSpec
        Where the data is.
    data : MultiLabelData
        The data itself.
    methods : tuple of str
        Selectors, the random ranking aside.
    budgets : tuple of str
        Counts and shares.
    readout, metric : str
        What is trained on the chosen features, and what it is judged by.
    cv, seed : int
        Folds and their seed.
    scale : str
        Scaling of methods that do not need one of their own.
    costs : tuple of float
        Of each feature; empty: all the same.
    left_out : tuple of LeftOut
        Methods that are not run.
    """

    spec: DataSpec
    data: MultiLabelData
    methods: tuple[str, ...]
    budgets: tuple[str, ...]
    readout: str
    metric: str
    cv: int
    seed: int
    scale: str
    costs: tuple[float, ...] = ()
    left_out: tuple[LeftOut, ...] = ()

    @property
    def counts(self) -> list[int]:
        """The budgets as numbers of features."""
        return counts_of(self.budgets, self.data.n_features)

    def tasks(self) -> list[Planned]:
        """All fits inside the folds; fold by fold, so that early results are fair."""
        names = [ALL_FEATURES, *(f"random:{k}" for k in range(RANDOM_DRAWS))]
        names += self.methods
        protocol = Protocol("stratified", self.cv, seed=self.seed)
        return [
            self._planned(name, protocol, split, ("order", "label_auc"))
            for split in range(self.cv)
            for name in names
        ]

    def final_task(self, method: str, budget: int) -> Planned:
        """The fit of a method on all rows."""
        keep = ("order", "gain", "weights")
        planned = self._planned(method, Protocol("all"), 0, keep)
        return replace(planned, task=replace(planned.task, budgets=(str(budget),)))

    def _planned(
        self, name: str, protocol: Protocol, split: int, keep: tuple[str, ...]
    ) -> Planned:
        entry, _, draw = name.partition(":")
        params: dict[str, Any] = {"random_state": int(draw) + split} if draw else {}
        if entry == "greedy-rls" and self.costs:
            params["costs"] = list(self.costs)
        method = MethodSpec(
            name=name,
            entry=entry,
            params=canonical(params),
            scale=scale_of(entry, self.scale),
            version=CATALOGUE[entry].version,
        )
        task = Task(
            data=self.spec,
            protocol=protocol,
            split=split,
            method=method,
            tuning=Tuning(folds=3),
            budgets=() if entry == ALL_FEATURES else self.budgets,
            readouts=(self.readout,),
            thresholds=("oof",),
            measures=tuple(MEASURES),
            keep=keep,
        )
        return Planned(task, self.spec.source, RANDOM if draw else name)


def as_data(
    X: Any,
    Y: Any,
    feature_names: Sequence[str] | None = None,
    label_names: Sequence[str] | None = None,
) -> MultiLabelData:
    """Samples and labels as one thing, with names."""
    if isinstance(X, MultiLabelData):
        return X
    if Y is None:
        raise ValueError("Y is missing: pass X and Y, or a MultiLabelData.")
    labels = read_label_matrix(Y, "Y")
    features = feature_names if feature_names is not None else _columns(X)
    names = label_names if label_names is not None else _columns(Y)
    values = X.to_numpy() if hasattr(X, "to_numpy") else X
    return MultiLabelData(
        X=values,
        Y=labels,
        feature_names=tuple(features or numbered_names("feature", values.shape[1])),
        label_names=tuple(names or numbered_names("label", labels.shape[1])),
        name="data",
    )


def _columns(table: Any) -> list[str] | None:
    columns = getattr(table, "columns", None)
    return None if columns is None else [str(column) for column in columns]


def make_setup(
    spec: DataSpec,
    data: MultiLabelData,
    *,
    methods: str | Sequence[str],
    budgets: str | Sequence[str] | None,
    readout: str,
    cv: int,
    metric: str,
    costs: Any,
    seed: int,
) -> Setup:
    """Check what was asked for and fill in the rest."""
    _check(data, readout, cv, metric)
    asked = budgets if budgets is None or isinstance(budgets, str) else list(budgets)
    chosen = read_budgets(asked, data.n_features)
    wanted = methods if isinstance(methods, str) else list(methods)
    largest = counts_of(chosen, data.n_features)[-1]
    names, left_out = choose_methods(wanted, data, largest)
    return Setup(
        spec=spec,
        data=data,
        methods=tuple(names),
        budgets=chosen,
        readout=readout,
        metric=metric,
        cv=cv,
        seed=seed,
        scale=default_scale(data),
        costs=_costs(costs, data.n_features),
        left_out=tuple(left_out),
    )


def _check(data: MultiLabelData, readout: str, cv: int, metric: str) -> None:
    if readout not in READOUTS:
        raise ValueError(
            f"readout={readout!r} is not known: use {', '.join(READOUTS)}."
        )
    if metric not in MEASURES:
        raise ValueError(f"metric={metric!r} is not known: use {', '.join(MEASURES)}.")
    if cv < 2:
        raise ValueError(f"cv={cv} is too small: use at least 2 folds.")
    if cv > data.n_samples:
        raise ValueError(
            f"cv={cv} folds cannot be made of {data.n_samples} rows: use fewer folds."
        )
    _check_finite(data)
    if constant_labels(data.Y).all():
        raise ValueError(
            "No label has both values: there is nothing to learn; check which columns "
            "are labels."
        )


def _check_finite(data: MultiLabelData) -> None:
    values = data.X.data if sp.issparse(data.X) else data.X
    wrong = ~np.isfinite(values)
    if wrong.any():
        columns = data.X.indices[wrong] if sp.issparse(data.X) else np.where(wrong)[1]
        names = [data.feature_names[i] for i in np.unique(columns)]
        raise ValueError(
            f"{len(names)} features hold NaN or infinite values, {names[0]!r} for one: "
            "fill them in, or leave these columns out (--drop)."
        )


def _costs(costs: Any, n_features: int) -> tuple[float, ...]:
    if costs is None:
        return ()
    values = tuple(float(cost) for cost in costs)
    if len(values) != n_features or not all(cost > 0 for cost in values):
        raise ValueError(
            f"costs must be {n_features} positive numbers, one for each feature, got "
            f"{len(values)} of which the smallest is {min(values, default=0):g}."
        )
    return values
