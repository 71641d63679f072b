# SPDX-License-Identifier: BSD-3-Clause
"""A row of weight w is the row w times, in everything that one task does."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from sklearn.linear_model import Ridge
from sklearn.neighbors import KNeighborsRegressor

from experiment.tasks import TABLE, as_table, data_spec, planted, untimed
from labelsift.compare.request import DEFAULT_MEASURES
from labelsift.core.data import MultiLabelData
from labelsift.experiment.all_rows import AllRows
from labelsift.experiment.catalogue import SELECTORS, readouts_of, weighted
from labelsift.experiment.run import run_task
from labelsift.experiment.task import MethodSpec, Protocol, Task
from labelsift.metrics.catalogue import BUILT_IN_VALUES
from labelsift.prepare import TablePreparation

METHODS = weighted().able(SELECTORS)


def weigh(data, seed=0):
    """The data with whole weights, some of them 0."""
    weights = np.random.default_rng(seed).integers(0, 4, data.n_samples)
    return replace(data, weights=weights.astype(float))


def repeat(data, rows):
    """The rows of weighted data as often as they count, in place of some rows."""
    times = data.weights[rows].astype(int)
    return np.repeat(rows, times)


def outcomes(folder, data, split, preparation="", **parts):
    """What a task gives for weighted data, and for the same with repeated rows."""
    order = [repeat(data, rows) for rows in split]
    many = replace(data.rows(np.concatenate(order)), weights=None)
    places = np.arange(many.n_samples)
    cut = len(order[0])
    return [
        run_task(
            Task(
                data_spec(folder, given, name, preparation=preparation),
                Protocol("rows"),
                0,
                own={"rows": rows, **parts.get("own", {})},
                **{key: value for key, value in parts.items() if key != "own"},
            )
        )
        for name, given, rows in (
            ("once.npz", data, split),
            ("often.npz", many, (places[:cut], places[cut:])),
        )
    ]


def assert_equal(once, often, rtol=1e-8):
    for outcome in (once, often):
        assert outcome.status == "done", outcome.error
    for part in (untimed(once.values), untimed(often.values)):
        assert len(part)
    keys = ["readout", "threshold", "budget", "measure"]
    left, right = (untimed(o.values)[[*keys, "value"]] for o in (once, often))
    pd.testing.assert_frame_equal(left, right, rtol=rtol, atol=1e-10)
    for a, b in zip(once.artifacts["value"], often.artifacts["value"], strict=True):
        np.testing.assert_allclose(
            np.array(a, dtype=float), np.array(b, dtype=float), rtol=1e-6, atol=1e-8
        )


def rows_of(data):
    rows = np.random.default_rng(1).permutation(data.n_samples)
    cut = 2 * data.n_samples // 3
    return np.sort(rows[:cut]), np.sort(rows[cut:])


@pytest.mark.parametrize("name", METHODS)
def test_a_task_with_weights_is_that_of_repeated_rows(name, tmp_path):
    data = weigh(planted(150, noise=1.0))
    # Budgets that do not nest have thresholds from folds: copies are on both sides. A
    # random start has other numbers for each copy.
    threshold = "zero" if name == "ralm" else "left-out"
    params = {"random_state": None} if name == "ralm" else {}
    once, often = outcomes(
        tmp_path, data, rows_of(data),
        method=MethodSpec(name, params, scale="standardize"), budgets=("2", "5"),
        readouts=("ridge",), thresholds=(threshold,), measures=DEFAULT_MEASURES,
        artifacts=("order", "label_auc", "gain"),
    )  # fmt: skip
    assert_equal(once, often)


@pytest.mark.parametrize("scale", ["standardize-root", "minmax", "unit-columns"])
@pytest.mark.parametrize("thresholds", [("zero",), ("train",), ("regression",)])
def test_other_scales_and_thresholds(scale, thresholds, tmp_path):
    data = weigh(planted(150, noise=1.0))
    once, often = outcomes(
        tmp_path, data, rows_of(data),
        method=MethodSpec("fisher", scale=scale), budgets=("2", "5"),
        readouts=("ridge",), thresholds=thresholds, measures=DEFAULT_MEASURES,
        artifacts=("order", "weights"),
    )  # fmt: skip
    assert_equal(once, often)


def _values(gaps):
    rng = np.random.default_rng(2)
    X = rng.normal(size=(120, 8))
    Y = X[:, :3] @ rng.normal(size=(3, 3)) * [1, 20, 0.1] + rng.normal(size=(120, 3))
    if gaps:
        Y[rng.random(Y.shape) < 0.2] = np.nan
        Y[:, 0] = X[:, 0]
    names = tuple(f"x{i}" for i in range(8)), tuple("abc")
    return weigh(MultiLabelData(X, Y, *names, target="values"))


@pytest.mark.parametrize("kind", ["values", "known values", "known labels"])
@pytest.mark.parametrize("name", ["greedy-rls", "fisher", "mrmr", "random"])
def test_values_and_gaps(name, kind, tmp_path):
    data = _values(gaps=kind != "values")
    measures = BUILT_IN_VALUES
    if kind.endswith("labels"):
        above = np.nanmedian(data.Y, axis=0) < data.Y
        Y = np.where(np.isnan(data.Y), np.nan, above)
        data = replace(data, Y=Y, target="labels")
        measures = ("macro_auc", "micro_f1", "ranking_loss")
    assert data.kind == kind
    once, often = outcomes(
        tmp_path, data, rows_of(data), target=kind,
        method=MethodSpec(name, scale="standardize"), budgets=("2", "5"),
        readouts=("ridge",), thresholds=("zero",) if measures[0] == "macro_auc" else (),
        measures=measures, artifacts=("order", "label_auc", "weights", "gain"),
    )  # fmt: skip
    assert_equal(once, often)


def _table():
    return weigh(as_table(planted(160, noise=1.0)))


@pytest.mark.parametrize("costs", [(), tuple(range(1, 15))])
@pytest.mark.parametrize("name", ["greedy-rls", "fisher"])
def test_tables_groups_and_costs(name, costs, tmp_path):
    data = _table()
    once, often = outcomes(
        tmp_path, data, rows_of(data), preparation=TABLE,
        method=MethodSpec(name), readouts=("ridge",), thresholds=("zero",),
        measures=("macro_auc", "macro_f1"), artifacts=("order", "gain"),
        budgets=("cost:9.0", "cost:30.0") if costs else ("2", "5"),
        groups=tuple(range(14)) if costs else (), costs=tuple(map(float, costs)),
    )  # fmt: skip
    assert_equal(once, often)


def test_one_selection_of_all_rows():
    data = _table()
    rows = repeat(data, np.arange(data.n_samples))
    many = replace(data.rows(rows), weights=None)
    found = []
    for given in (data, many):
        ready = AllRows(given, TablePreparation())
        chosen = ready.method("greedy-rls", {})
        selected = ready.select(chosen, 4)
        found.append((selected, ready.readout(selected.features)))
    (once, told), (often, told_often) = found
    assert once.features == often.features
    np.testing.assert_allclose(once.gains, often.gains, rtol=1e-8)
    np.testing.assert_allclose(told["coef"], told_often["coef"], rtol=1e-8)


def test_weights_are_part_of_the_key(tmp_path):
    data = planted()
    specs = [
        data_spec(tmp_path, given, "data.npz")
        for given in (data, weigh(data), weigh(data, seed=1))
    ]
    keys = {Task(spec, Protocol("folds", 2), 0, MethodSpec("fisher")).key
            for spec in specs}  # fmt: skip
    assert len(keys) == 3


@pytest.mark.parametrize("kind", ["labels", "values"])
def test_every_readout_takes_weights_or_is_refused(kind):
    X = np.random.default_rng(0).normal(size=(40, 3))
    Y = (X[:, :2] > 0).astype(int) if kind == "labels" else X[:, :2] * 1.5
    weights = np.arange(40.0)
    refused = []
    for name, make in readouts_of(kind).items():
        if weighted().takes_weights(make()):
            make().fit(X, Y, sample_weight=weights)
            weighted().check_readouts({name: None}, kind)
            continue
        refused.append(name)
        with pytest.raises(ValueError, match=f"readout {name} takes no .* ridge, "):
            weighted().check_readouts({name: None}, kind)
    assert set(refused) <= {"svm", "knn", "3nn", "chain"}
    weighted().check_readouts({"mine": Ridge()}, "values")
    with pytest.raises(ValueError, match="readout mine takes no weights"):
        weighted().check_readouts({"mine": KNeighborsRegressor()}, "values")
