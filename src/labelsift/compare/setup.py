# SPDX-License-Identifier: BSD-3-Clause
"""The setup of a comparison: checked, completed, and expanded into tasks."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import scipy.sparse as sp
from sklearn.utils import check_array

from labelsift.core.budget import budget_count, expand_budgets
from labelsift.core.data import MultiLabelData, numbered_names
from labelsift.core.labels import constant_labels, read_label_matrix
from labelsift.core.text import clean
from labelsift.experiment.catalogue import (
    ALL_FEATURES,
    CATALOGUE,
    GREEDY_GCV,
    RANDOM,
    READOUTS,
    Size,
)
from labelsift.experiment.task import (
    DataSpec,
    MethodSpec,
    Planned,
    Protocol,
    Task,
    Tuning,
)
from labelsift.metrics import MEASURES

# The random ranking is drawn this many times; its curve is their mean.
RANDOM_DRAWS = 8
# A method is fast where one fit is estimated to take at most this many seconds.
FAST_SECONDS = 30.0
# Below this many features budgets go up to half of them.
FEW_FEATURES = 100
# Beyond this many, budgets end at a thousand features.
MANY_FEATURES = 5000


@dataclass(frozen=True)
class LeftOut:
    """A method that is not run, and why, in one sentence."""

    method: str
    why: str


@dataclass(frozen=True)
class Setup:
    """What is compared, and how.

    Parameters
    ----------
    spec : DataSpec
        The source of the data.
    data : MultiLabelData
        The data itself.
    methods : tuple of str
        Selectors, without the random ranking.
    budgets : tuple of str
        Counts and shares.
    readout, metric : str
        The model trained on the chosen features, and the measure.
    cv, seed : int
        Folds and their seed.
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
    costs: tuple[float, ...] = ()
    left_out: tuple[LeftOut, ...] = ()

    @property
    def counts(self) -> list[int]:
        """The budgets as numbers of features."""
        return counts_of(self.budgets, self.data.n_features)

    def tasks(self) -> list[Planned]:
        """All fits inside the folds; fold by fold, so that early results are fair."""
        protocol = Protocol("stratified", self.cv, seed=self.seed)
        draws = [(RANDOM, draw) for draw in range(RANDOM_DRAWS)]
        methods = [(name, 0) for name in self.methods]
        return [
            self._planned(name, draw, protocol, split, ("order", "label_auc"))
            for split in range(self.cv)
            for name, draw in [(ALL_FEATURES, 0), *draws, *methods]
        ]

    def final_task(self, method: str, budget: int) -> Planned:
        """The fit of a method on all rows."""
        wanted = ("order", "gain", "weights")
        planned = self._planned(method, 0, Protocol("all"), 0, wanted)
        return replace(planned, task=replace(planned.task, budgets=(str(budget),)))

    def _planned(
        self,
        name: str,
        draw: int,
        protocol: Protocol,
        split: int,
        artifacts: tuple[str, ...],
    ) -> Planned:
        entry = CATALOGUE[name]
        params: dict[str, Any] = {}
        if name == RANDOM:
            params["random_state"] = draw + split
        if name == "greedy-rls" and self.costs:
            params["costs"] = list(self.costs)
        task = Task(
            data=self.spec,
            protocol=protocol,
            split=split,
            method=MethodSpec(
                name, params, scale=scale_of(name, self.data), version=entry.version
            ),
            tuning=Tuning(folds=3),
            budgets=() if name == ALL_FEATURES else self.budgets,
            readouts=(self.readout,),
            thresholds=("oof",),
            measures=tuple(MEASURES),
            artifacts=artifacts,
        )
        # The name of a file need not be UTF-8; text in a table of results must be.
        return Planned(task, clean(self.data.name), name, draw)


def scale_of(method: str, data: MultiLabelData) -> str:
    """The scaling of a method: its own where it needs one, else that of the data.

    Dense columns are standardised; sparse ones divided by their largest value.
    """
    default = "minmax" if sp.issparse(data.X) else "standardize"
    return CATALOGUE[method].scale or default


def as_data(
    X: Any,
    Y: Any,
    feature_names: Sequence[str] | None = None,
    label_names: Sequence[str] | None = None,
) -> MultiLabelData:
    """Samples and labels as one object, with names."""
    if isinstance(X, MultiLabelData):
        return X
    if Y is None:
        raise ValueError("Y is missing: pass X and Y, or a MultiLabelData.")
    labels = read_label_matrix(Y, "Y")
    features = feature_names if feature_names is not None else _columns(X)
    names = label_names if label_names is not None else _columns(Y)
    values = check_array(X, accept_sparse="csr", ensure_all_finite=False)
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
    """Check the arguments and fill in defaults."""
    _check(data, readout, cv, metric)
    chosen = read_budgets(budgets, data.n_features)
    largest = counts_of(chosen, data.n_features)[-1]
    names, left_out = choose_methods(methods, data, largest)
    return Setup(
        spec=spec,
        data=data,
        methods=tuple(names),
        budgets=chosen,
        readout=readout,
        metric=metric,
        cv=cv,
        seed=seed,
        costs=_costs(costs, data.n_features),
        left_out=tuple(left_out),
    )


def _check(data: MultiLabelData, readout: str, cv: int, metric: str) -> None:
    if readout not in READOUTS:
        raise ValueError(
            f"readout={readout!r} is not known: use {', '.join(READOUTS)}."
        )
    known_metric(metric)
    if cv < 2:
        raise ValueError(f"cv={cv} is too small: use at least 2 folds.")
    if cv > data.n_samples:
        raise ValueError(
            f"cv={cv} is more than the {data.n_samples} rows: use fewer folds."
        )
    _check_finite(data)
    if constant_labels(data.Y).all():
        raise ValueError(
            "No label has both values, so that nothing can be learned: check which "
            "columns are labels."
        )


def known_metric(metric: str) -> str:
    """The name of a measure, unchanged; a ValueError for an unknown one."""
    if metric not in MEASURES:
        raise ValueError(f"metric={metric!r} is not known: use {', '.join(MEASURES)}.")
    return metric


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
    if len(values) != n_features or not all(0 < cost < math.inf for cost in values):
        ends = f" from {min(values):g} to {max(values):g}" if values else ""
        raise ValueError(
            f"costs must be {n_features} positive numbers, one for each feature, got "
            f"{len(values)}{ends}."
        )
    return values


def counts_of(budgets: Sequence[str], n_features: int) -> list[int]:
    """The budgets as counts, each once, in order."""
    return sorted({budget_count(budget, n_features) for budget in budgets})


def read_budgets(
    budgets: str | Sequence[str] | None, n_features: int
) -> tuple[str, ...]:
    """Budgets of the user ("1%:20%", "5,10,20", a list), or default ones."""
    if budgets is None:
        return default_budgets(n_features)
    texts = budgets.split(",") if isinstance(budgets, str) else map(str, budgets)
    return expand_budgets([text.strip() for text in texts])


def default_budgets(n_features: int) -> tuple[str, ...]:
    """Budgets that show where a curve flattens.

    For few features about a dozen counts up to half of them, denser where they are
    small; for very many 10 to 1000 of them; otherwise shares from 1 to 20 %.
    """
    if n_features > MANY_FEATURES:
        return _spread(10, 1000)
    if n_features > FEW_FEATURES:
        shares = (1, 2, 3, 4, 5, 6, 8, 10, 12, 14, 17, 20)
        return tuple(f"{share}%" for share in shares)
    return _spread(1, max(1, n_features // 2))


def _spread(low: int, high: int) -> tuple[str, ...]:
    """Counts whose ratios are about equal."""
    counts = np.unique(np.geomspace(low, high, 15).round().astype(int))
    return tuple(str(count) for count in counts)


def choose_methods(
    wanted: str | Sequence[str], data: MultiLabelData, largest: int
) -> tuple[list[str], list[LeftOut]]:
    """Names of the selectors to run without the random ranking, and those left out.

    "fast" leaves out methods that are slow on data of this size at the largest budget;
    "all" none; otherwise names.
    """
    selectors = [name for name, method in CATALOGUE.items() if method.selects]
    if wanted == "all":
        return [name for name in selectors if name != RANDOM], []
    if wanted == "fast":
        return _fast_methods(selectors, data, largest)
    names = wanted.split(",") if isinstance(wanted, str) else wanted
    names = [name.strip() for name in names]
    for name in names:
        if name not in selectors:
            raise ValueError(
                f"There is no method {name!r}: choose from {', '.join(selectors)}, or "
                "say fast or all."
            )
    return [name for name in dict.fromkeys(names) if name != RANDOM], []


def _fast_methods(
    selectors: Sequence[str], data: MultiLabelData, largest: int
) -> tuple[list[str], list[LeftOut]]:
    nnz = data.X.nnz if sp.issparse(data.X) else data.n_samples * data.n_features
    size = Size(data.n_samples, data.n_features, data.n_labels, nnz, largest)
    seconds = {
        name: estimate(size)
        for name in selectors
        if name != RANDOM and (estimate := CATALOGUE[name].seconds) is not None
    }
    if seconds["greedy-rls"] <= FAST_SECONDS:
        del seconds[GREEDY_GCV]  # it only replaces the other one
    left_out = [
        LeftOut(
            name,
            f"One fit would take about {_rounded(value)}; ask for it by name or with "
            "--methods all.",
        )
        for name, value in seconds.items()
        if value > FAST_SECONDS
    ]
    return [name for name, value in seconds.items() if value <= FAST_SECONDS], left_out


def _rounded(seconds: float) -> str:
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 5400 else f"{seconds / 3600:.0f} h"
