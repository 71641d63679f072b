# SPDX-License-Identifier: BSD-3-Clause
"""What a user asks of a comparison: read, checked and completed."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from importlib import import_module
from typing import Any

import numpy as np
import scipy.sparse as sp
from sklearn.base import clone
from sklearn.utils import check_array

from labelsift.compare.answer import MARGIN
from labelsift.compare.setup import LeftOut, Setup
from labelsift.compare.words import duration
from labelsift.core.budget import counts_of, read_budgets
from labelsift.core.cells import is_frame, is_sparse_frame, with_names
from labelsift.core.data import MultiLabelData, numbered_names
from labelsift.core.labels import (
    as_label_array,
    constant_labels,
    read_label_matrix,
    read_labels,
)
from labelsift.core.targets import WHOLE_NUMBERS, fractional_columns, read_targets
from labelsift.core.validation import check_local
from labelsift.datasets.frame import as_numbers, numeric_matrix
from labelsift.experiment.catalogue import (
    CATALOGUE,
    GREEDY_GCV,
    RANDOM,
    Chosen,
    chosen_method,
    of_values,
    own,
    readouts_of,
    selectors_of,
    weighted,
)
from labelsift.experiment.inputs import digest_of
from labelsift.experiment.task import DataSpec, Protocol
from labelsift.metrics import EVERY_MEASURE
from labelsift.model_selection import make_splits
from labelsift.model_selection.target_kind import KINDS, LABELS, check_measures
from labelsift.prepare import TablePreparation, doubts
from labelsift.prepare.array_scaling import default_scale
from labelsift.prepare.kinds import WHY
from labelsift.prepare.parts import parameters_text, usable
from labelsift.prepare.purchase import (
    MOST_STEPS,
    Limit,
    check_limits,
    cost_budget,
    default_totals,
)
from labelsift.prepare.units import Units, read_units
from labelsift.selection.estimates import Size

# A method is fast where one fit is estimated to take at most so many seconds.
FAST_SECONDS = 15.0
# Measured where nobody asks for others: what the papers use, and who is served worst.
DEFAULT_MEASURES = LABELS.measures


def as_data(
    X: Any,
    Y: Any,
    feature_names: Sequence[str] | None = None,
    label_names: Sequence[str] | None = None,
    target: str = "auto",
    sample_weight: Any = None,
) -> MultiLabelData:
    """Samples and labels or values as one object, with names."""
    if isinstance(X, MultiLabelData) != (Y is None):
        raise ValueError("Y is missing or there twice: pass X, Y or a MultiLabelData.")
    if Y is None:
        return _weighing(X, sample_weight)
    check_local(X, "X")
    labels, classes, kind = _targets(Y, target)
    features = feature_names if feature_names is not None else _columns(X)
    names = label_names if label_names is not None else classes or _columns(Y)
    frame = X if is_frame(X) and not is_sparse_frame(X) else None
    if frame is not None and features is not None:
        frame = with_names(frame, features)
    if frame is None:
        values: Any = check_array(X, accept_sparse="csr", ensure_all_finite=False)
    else:
        values = numeric_matrix(frame)
        values = frame if values is None else values
    data = MultiLabelData(
        X=values,
        Y=labels,
        frame=frame,
        feature_names=tuple(features or numbered_names("feature", values.shape[1])),
        label_names=tuple(names or numbered_names("label", labels.shape[1])),
        name="data",
        target=kind,
    )
    return _weighing(data, sample_weight)


def _weighing(data: MultiLabelData, sample_weight: Any) -> MultiLabelData:
    """Data whose rows count by weights; None: as it is."""
    if sample_weight is None:
        return data
    try:
        return replace(data, weights=np.asarray(sample_weight, dtype=np.float64))
    except (TypeError, ValueError) as error:
        raise ValueError(f"sample_weight: {error}") from error


def _targets(Y: Any, target: str) -> tuple[Any, list[str] | None, str]:
    """Y, its classes and what it holds; the classes of a 1-D y become one label each.

    What is no label is read as the estimators with an argument ``target`` read it.
    """
    if target not in ("auto", "labels", "values"):
        raise ValueError(f"target={target!r} is not known: use auto, labels or values.")
    array = as_label_array(Y)
    gaps = array.ndim == 2 and array.dtype.kind == "f" and not np.isfinite(array).all()
    if target == "values" or gaps or fractional_columns(array).any():
        read = read_targets(Y, "compare", target=target, unknown=gaps)
        return read.matrix, None, "labels" if read.values is None else "values"
    if np.ndim(Y) != 1:
        remedy = WHOLE_NUMBERS if target == "auto" else None
        return read_label_matrix(Y, "Y", remedy), None, "labels"
    labels = read_labels(Y, "compare")
    classes = [] if labels.classes is None else labels.classes.tolist()
    return labels.matrix, [str(value) for value in classes], "labels"


def _columns(table: Any) -> list[str] | None:
    columns = getattr(table, "columns", None)
    return None if columns is None else [str(column) for column in columns]


def make_setup(
    spec: DataSpec,
    data: MultiLabelData,
    *,
    methods: Any,
    budgets: str | Sequence[str] | None,
    readout: Any,
    cv: Any,
    metric: Any = None,
    measures: Sequence[Any] | None = None,
    margin: float = MARGIN,
    costs: Any = None,
    max_cost: float | None = None,
    feature_groups: Any = None,
    groups: Any = None,
    seed: int = 0,
    preparation: Any = "auto",
    within: Any = None,
) -> Setup:
    """Check what was asked for and fill in the rest."""
    if within is not None:
        within = import_module("labelsift.compare.race").read_seconds(within)
    kind = KINDS[data.kind]
    if constant_labels(data.Y).all():
        raise ValueError(kind.nothing_to_learn)
    spec, data, told = _prepared(spec, data, preparation)
    _check_finite(data)
    protocol, splits = read_cv(cv, data, groups, seed)
    readouts = read_readouts(readout, data.kind)
    unused = [*spec.drop, *(name for name, _ in told.get("columns_left_out", ()))]
    units = read_units(data.feature_names, costs, feature_groups, unused=unused)
    chosen = read_limits(budgets, max_cost, data, units)
    largest = min(data.n_features, MOST_STEPS)
    if units is None:
        largest = counts_of(chosen, data.n_features)[-1]
    names, left_out = choose_methods(methods, data, largest)
    judged = _measure_names([metric or kind.metric, *(measures or kind.measures)])
    check_measures([EVERY_MEASURE[name] for name in judged], kind)
    if data.weights is not None:
        weighted().check_methods(names, data.kind)
        weighted().check_readouts(readouts, data.kind)
        weighted().check_measures(judged)
    return Setup(
        spec=spec,
        data=data,
        methods=names,
        budgets=chosen,
        readouts=readouts,
        metric=judged[0],
        measures=judged,
        protocol=protocol,
        splits=splits,
        margin=_positive(margin),
        units=units,
        left_out=tuple(left_out),
        within=within,
        **told,
    )


def _prepared(
    spec: DataSpec, data: MultiLabelData, preparation: Any
) -> tuple[DataSpec, MultiLabelData, dict[str, Any]]:
    """A table with its preparation, or as the numbers it holds; more of the setup."""
    if data.frame is None or preparation is None:
        data = as_numbers(data)
        return spec, data, {"find_doubts": partial(doubts, data)}
    made = TablePreparation() if isinstance(preparation, str) else clone(preparation)
    spec = replace(spec, preparation=parameters_text(made))
    used, _, whole = usable(data, made)
    unused = [(c["name"], WHY[c["why"]]) for c in whole.columns_ if "why" in c]
    find_doubts = partial(doubts, data, whole)
    more = {"find_doubts": find_doubts, "columns_left_out": tuple(unused)}
    return spec, used, more


def read_cv(
    cv: Any, data: MultiLabelData, groups: Any, seed: int
) -> tuple[Protocol, tuple[Any, ...]]:
    """The protocol, and the rows of its splits where it does not say them itself."""
    if isinstance(cv, str) and cv.isdecimal():
        cv = int(cv)
    if isinstance(cv, int) and groups is None:
        if not 2 <= cv <= data.n_samples:
            raise ValueError(
                f"cv={cv} folds cannot be formed from {data.n_samples} rows: use from "
                "2 to that many."
            )
        return Protocol(KINDS[data.kind].protocol, cv, seed=seed), ()
    splits = make_splits(cv, data, groups=groups, random_state=seed)
    protocol = Protocol("rows", len(splits), digest=digest_of(splits))
    return protocol, tuple(splits)


def read_readouts(readout: Any, target: str = "labels") -> dict[str, Any]:
    """Read-outs by name: None for one of the catalogue, else an estimator."""
    if isinstance(readout, str):
        readout = [name.strip() for name in readout.split(",")]
    if hasattr(readout, "fit"):
        readout = {type(readout).__name__: readout}
    given = readout if isinstance(readout, Mapping) else dict.fromkeys(readout)
    readouts: dict[str, Any] = {}
    for name, value in given.items():
        if value is None and name in readouts_of(target):
            readouts[name] = None
            continue
        told = isinstance(value, str)
        asked = (value, None) if told else (name, value)
        shown, estimator = own().find_readout(*asked, target)
        if estimator is not None:
            estimator = own().as_readout(estimator, target)
        readouts[name if told else shown] = estimator
    if not readouts:
        raise ValueError(f"readout={readout!r} names none: pass at least one.")
    return readouts


def _positive(margin: float) -> float:
    if not 0 < margin < math.inf:
        raise ValueError(f"margin={margin} must be a positive number, such as 0.01.")
    return float(margin)


def known_metric(metric: Any) -> str:
    """Name of a measure; one that the user brings becomes known."""
    if isinstance(metric, str) and metric in EVERY_MEASURE:
        return metric
    return str(own().find_measure(metric).name)


def _measure_names(measures: Sequence[Any]) -> tuple[str, ...]:
    """Their names, each once; two that share a name are refused."""
    by_name: dict[str, Any] = {}
    for measure in measures:
        name = known_metric(measure)
        if by_name.setdefault(name, EVERY_MEASURE[name]) != EVERY_MEASURE[name]:
            raise ValueError(f"Two measures have the name {name!r}: rename one.")
    return tuple(by_name)


def _check_finite(data: MultiLabelData) -> None:
    if data.frame is not None:  # it is prepared
        return
    values = data.X.data if sp.issparse(data.X) else data.X
    wrong = ~np.isfinite(values)
    if wrong.any():
        columns = data.X.indices[wrong] if sp.issparse(data.X) else np.where(wrong)[1]
        names = [data.feature_names[i] for i in np.unique(columns)]
        raise ValueError(
            f"{len(names)} features hold NaN or infinite values, {names[0]!r} for one: "
            "fill them in, or leave these columns out (--drop)."
        )


def read_limits(
    budgets: Any, max_cost: float | None, data: MultiLabelData, units: Units | None
) -> tuple[str, ...]:
    """Budgets as text: numbers of features or, where there are costs, totals."""
    if units is None or not units.costs:
        if max_cost is not None:
            raise ValueError(f"max_cost={max_cost} needs costs: pass them too.")
        chosen = read_budgets(budgets, data.n_features)
        if units is not None:
            read = [Limit.read(text, data.n_features) for text in chosen]
            check_limits(units, read, "budgets")
        return chosen
    most = math.inf if max_cost is None else max_cost
    limits = [Limit(data.n_features, most)]
    check_limits(units, limits, "max_cost")
    totals = default_totals(units, most)
    if budgets is not None:
        whole = math.fsum(units.costs)
        parts = budgets.split(",") if isinstance(budgets, str) else map(str, budgets)
        totals = [_total(part.strip(), whole) for part in parts]
        limits = [Limit(data.n_features, total) for total in totals]
        check_limits(units, limits, "budgets")
        totals = [total for total in totals if total <= most] or [most]
    return tuple(cost_budget(total) for total in sorted(set(totals)))


def _total(text: str, whole: float) -> float:
    """A total cost, or a share of what all features cost."""
    try:
        share = text.endswith("%")
        total = float(text.removesuffix("%")) * (whole / 100 if share else 1)
    except ValueError:
        total = math.nan
    if not 0 < total < math.inf:
        raise ValueError(
            f"budgets={text!r} is no total cost: with costs, write totals (5,10,20) or "
            "shares of what all features cost (10%)."
        )
    return min(total, whole)


def choose_methods(
    wanted: Any, data: MultiLabelData, largest: int
) -> tuple[dict[str, Chosen], list[LeftOut]]:
    """The selectors to run without the random ranking, and who is left out.

    "fast" leaves out what would take long on data of this size up to the largest
    budget; "all" nothing; otherwise names, class paths (package.module:Class), or a
    mapping of names to estimators, class paths and names of the catalogue.
    """
    left_out: list[LeftOut] = []
    if isinstance(wanted, str) and wanted in ("all", "fast"):
        fast = wanted == "fast"
        wanted, left_out = _able_methods(data, fast)
        if fast:
            wanted, slow = _fast_methods(data, largest, wanted)
            left_out = [*left_out, *slow]
    elif isinstance(wanted, str):
        wanted = [name.strip() for name in wanted.split(",")]
    given = wanted if isinstance(wanted, Mapping) else {name: name for name in wanted}
    chosen = {
        _display(name): chosen_method(value, default_scale(data))
        for name, value in given.items()
        if value != RANDOM
    }
    if data.kind != "labels":
        for name, method in chosen.items():
            estimator = method.estimator or CATALOGUE[method.spec.name].make(2)
            of_values().told(clone(estimator), name, data.kind)
    return chosen, left_out


def _able_methods(data: MultiLabelData, fast: bool) -> tuple[Any, list[LeftOut]]:
    """Those that learn from Y and take the weights, if there are any."""
    names = [n for n in selectors_of(data.kind) if not fast or CATALOGUE[n].fast]
    if data.weights is None:
        return names, []
    able = weighted().able(names)
    return able, [LeftOut(n, weighted().WHY) for n in names if n not in able]


def _display(name: str) -> str:
    """What a method is called in results: of a class path the class."""
    return name.rpartition(":")[2]


def _fast_methods(
    data: MultiLabelData, largest: int, names: Sequence[str]
) -> tuple[list[str], list[LeftOut]]:
    size = Size.of(data, largest)
    seconds = {
        name: estimate(size)
        for name in names
        if name != RANDOM and (estimate := CATALOGUE[name].seconds) is not None
    }
    if seconds["greedy-rls"] <= FAST_SECONDS:
        del seconds[GREEDY_GCV]  # it stands in for the other one only
    left_out = [
        LeftOut(
            name,
            f"One fit would take about {duration(value)}; ask for it by name or with "
            "--methods all.",
        )
        for name, value in seconds.items()
        if value > FAST_SECONDS
    ]
    return [name for name, value in seconds.items() if value <= FAST_SECONDS], left_out
