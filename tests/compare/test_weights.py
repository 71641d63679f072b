# SPDX-License-Identifier: BSD-3-Clause
"""Comparisons where rows count by weights."""

import numpy as np
import pytest
from sklearn.datasets import load_diabetes
from sklearn.ensemble import ExtraTreesRegressor
from sklearn.linear_model import Ridge
from sklearn.metrics import mean_absolute_error, r2_score
from sklearn.model_selection import KFold
from sklearn.neighbors import KNeighborsRegressor
from sklearn.preprocessing import StandardScaler

from labelsift.compare import compare
from labelsift.metrics import Measure
from labelsift.selection import GreedyRLS

QUICK = {"methods": ["greedy-rls"], "budgets": "3", "cv": 3, "target": "values"}


@pytest.fixture(scope="module")
def data():
    X, y = load_diabetes(return_X_y=True)
    Y = np.column_stack([y, 3 * X[:, 2] + X[:, 8]])
    return X, Y, np.random.default_rng(0).integers(0, 4, len(X)).astype(float)


@pytest.fixture(scope="module")
def result(data):
    X, Y, weights = data
    return compare(X, Y, sample_weight=weights, **QUICK)


def _fold(X, Y, weights, train, test, judge):
    """A weighted measure by scikit-learn's estimators on the rows that count."""
    train, test = (rows[weights[rows] > 0] for rows in (train, test))
    scaler = StandardScaler().fit(X[train], sample_weight=weights[train])
    seen, new = scaler.transform(X[train]), scaler.transform(X[test])
    selector = GreedyRLS(3, target="values")
    columns = selector.fit(seen, Y[train], sample_weight=weights[train]).feature_order_
    ridge = Ridge(1.0).fit(seen[:, columns], Y[train], sample_weight=weights[train])
    return judge(Y[test], ridge.predict(new[:, columns]), sample_weight=weights[test])


@pytest.mark.parametrize(
    ("measure", "judge"), [("r2", r2_score), ("mae", mean_absolute_error)]
)
def test_values_are_those_of_weighted_fits_and_measures(data, result, measure, judge):
    X, Y, weights = data
    folds = KFold(3, shuffle=True, random_state=0).split(X)
    expected = [_fold(X, Y, weights, *fold, judge) for fold in folds]
    rows = result.results.where(method="greedy-rls", measure=measure).values
    np.testing.assert_allclose(rows.sort_values("split")["value"], expected, rtol=1e-8)


def test_the_page_tells_of_weights_and_of_who_takes_none(data, tmp_path):
    X, Y, weights = data
    asked = QUICK | {"methods": "fast", "cv": 2}
    result = compare(X[:100], Y[:100], sample_weight=weights[:100], **asked)
    assert [item.method for item in result.setup.left_out] == ["mifs"]
    result.report(tmp_path / "page.html")
    page = (tmp_path / "page.html").read_text()
    total = f"{weights[:100].sum():g}"
    assert f"Weights of rows</dt><dd>from 0 to 3, {total} in all" in page
    assert "Takes no weights of rows." in page


def test_runs_with_other_weights_are_apart(data, tmp_path):
    X, Y, weights = data
    store, tasks = tmp_path / "runs.sqlite", []
    for given in (None, weights, weights, 2 * weights):
        compare(
            X, Y, sample_weight=given, store=store,
            on_done=lambda done, total, outcome: tasks.append(outcome.key), **QUICK,
        )  # fmt: skip
    assert len(set(tasks)) == len(tasks)  # nothing was run twice
    assert len(tasks) % 3 == 0  # and the third found all of the second


def no_weights(truth, predicted):
    return 0.5


@pytest.mark.parametrize(
    ("asked", "sentence"),
    [
        ({"methods": ["mifs"]}, r"mifs takes no weights of rows: .* greedy-rls"),
        ({"readout": "knn"}, r"readout knn takes no weights of rows: .* ridge, forest"),
        ({"readout": KNeighborsRegressor()}, "readout KNeighborsRegressor takes no"),
        (
            {"measures": [Measure("mine", "mine", no_weights, True, "values")]},
            "measure 'mine' takes no weights of rows: give its function an argument",
        ),
        ({"sample_weight": np.ones(3)}, r"sample_weight: weights has the shape \(3,\)"),
        ({"sample_weight": np.full(442, -1)}, "holds -1 in row 1: a weight is a"),
        ({"sample_weight": np.full(442, np.nan)}, "sample_weight: weights holds nan"),
        ({"sample_weight": np.zeros(442)}, "positive for fewer than two rows"),
        ({"sample_weight": ["a"] * 442}, "sample_weight: could not convert .* 'a'"),
    ],
)  # fmt: skip
def test_what_takes_no_weights_is_refused_in_a_sentence(data, asked, sentence):
    X, Y, weights = data
    with pytest.raises(ValueError, match=sentence):
        compare(X, Y, **{**QUICK, "sample_weight": weights, **asked})


def test_other_readouts_take_their_own(data):
    X, Y, weights = data
    trees = ExtraTreesRegressor(5, random_state=0)
    asked = QUICK | {"cv": 2, "readout": {"ridge": None, "trees": trees}}
    plain = compare(X, Y, **asked).results.where(readout="trees", measure="r2")
    weighted = compare(X, Y, sample_weight=weights, **asked)
    values = weighted.results.where(readout="trees", measure="r2").values["value"]
    assert np.isfinite(values).all()
    assert not np.allclose(values, plain.values["value"])
