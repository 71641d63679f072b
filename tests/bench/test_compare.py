# SPDX-License-Identifier: BSD-3-Clause
"""Comparisons: selection inside the folds, controls beside, work reused."""

import numpy as np
import pytest
import scipy.sparse as sp
from labelsift.bench.compare import run_comparison
from labelsift.bench.comparison_setup import RANDOM, make_setup
from labelsift.bench.methods import ALL_FEATURES
from labelsift.bench.spec import DataSpec
from labelsift.results import ResultStore

from labelsift.bench import compare
from labelsift.datasets import load_dataset, make_planted
from labelsift.metrics import MEASURES

ASKED = {"methods": ["fisher", "greedy-rls"], "budgets": "3,10", "cv": 3}


@pytest.fixture(scope="module")
def traits():
    return load_dataset("traits")


@pytest.fixture(scope="module")
def found(traits):
    return compare(traits, **ASKED)


def test_every_method_control_budget_and_measure_is_there(found):
    places = {(r["method"], r["budget"], r["measure"], r["split"]) for r in found.rows}
    for split in range(3):
        for measure in MEASURES:
            assert (ALL_FEATURES, 64, measure, split) in places
            for method in ("fisher", "greedy-rls", RANDOM):
                for budget in (3, 10):
                    assert (method, budget, measure, split) in places


def test_the_answer_names_a_method_that_was_compared(found):
    answer = found.recommend()
    assert answer.method in ASKED["methods"]
    assert answer.budget == 10
    assert answer.n_splits == 3


def test_features_are_chosen_inside_the_folds():
    """Labels without any relation to X: selection outside the folds would look good."""
    rng = np.random.default_rng(0)
    X, Y = rng.normal(size=(60, 400)), rng.integers(0, 2, size=(60, 3))
    found = compare(X, Y, methods=["fisher"], budgets="10", cv=3)
    values = [
        row["value"]
        for row in found.rows
        if (row["method"], row["measure"]) == ("fisher", "macro_auc")
    ]
    assert np.mean(values) < 0.62
    assert "random ranking" in found.recommend().sentence


def test_planted_features_are_found():
    data = make_planted(300, 60, 5, random_state=0)
    found = compare(data, methods=["greedy-rls", "fisher"], budgets="10,20", cv=3)
    [order] = found.final["greedy-rls"]["order"].values()
    assert set(data.relevant) & set(order)
    assert found.recommend().better_than_random


def test_arrays_frames_and_sparse_give_the_same_values(traits, found):
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame(traits.X, columns=traits.feature_names)
    labels = pandas.DataFrame(traits.Y, columns=traits.label_names)
    again = compare(frame, labels, **ASKED)
    assert [row["value"] for row in _judged(again)] == [
        row["value"] for row in _judged(found)
    ]
    assert again.setup.data.feature_names == traits.feature_names
    dense = compare(traits.X, traits.Y, methods=["fisher"], budgets="5", cv=2)
    sparse = compare(
        sp.csr_array(traits.X), traits.Y, methods=["fisher"], budgets="5", cv=2
    )
    assert dense.setup.scale == "standardize"
    assert sparse.setup.scale == "minmax"


def _judged(found):
    return [row for row in found.rows if row["measure"] in MEASURES]


def test_a_second_call_reuses_what_is_kept(traits, tmp_path):
    done = []
    for _ in range(2):
        compare(
            traits,
            **ASKED,
            store=tmp_path / "runs.sqlite",
            on_done=lambda k, n, outcome: done.append(outcome.key),
        )
    assert len(done) == len(set(done))
    more = ASKED | {"methods": ["fisher", "greedy-rls", "rfs"]}
    compare(
        traits,
        **more,
        store=tmp_path / "runs.sqlite",
        on_done=lambda k, n, outcome: done.append(outcome.key),
    )
    assert len(done) == len(set(done))


def test_ctrl_c_keeps_and_shows_what_is_done(traits, tmp_path):
    spec = DataSpec("traits", checksum=traits.checksum)
    setup = make_setup(
        spec, traits, readout="ridge", metric="macro_auc", costs=None, seed=0, **ASKED
    )

    def stop(done, total, outcome):
        if done == 22:
            raise KeyboardInterrupt

    with ResultStore(tmp_path / "runs.sqlite") as store:
        part = run_comparison(setup, store, on_done=stop)
        assert part.interrupted
        assert {row["split"] for row in part.rows} == {0, 1}
        assert part.recommend().method in part.final
        part.report(tmp_path / "part.html")
        assert "22 of 33 tasks" in (tmp_path / "part.html").read_text("utf-8")
        whole = run_comparison(setup, store)
    assert not whole.interrupted
    assert {row["split"] for row in whole.rows} == {0, 1, 2}


def test_costs_lead_greedy_to_cheap_features():
    data = make_planted(200, 20, 4, random_state=0)
    rng = np.random.default_rng(0)
    twin = data.X[:, data.relevant] + 1e-3 * rng.normal(size=(200, len(data.relevant)))
    X = np.hstack([data.X, twin])
    costs = np.ones(X.shape[1])
    costs[:20] = 50.0
    dear = compare(X, data.Y, methods=["greedy-rls"], budgets="3", cv=2)
    cheap = compare(X, data.Y, methods=["greedy-rls"], budgets="3", cv=2, costs=costs)
    [order] = cheap.final["greedy-rls"]["order"].values()
    assert all(feature >= 20 for feature in order)
    assert cheap.rows != dear.rows


def test_frame_has_one_line_per_value(found):
    pytest.importorskip("pandas")
    frame = found.frame()
    assert len(frame) == len(found.rows)
    assert {"method", "budget", "measure", "split", "value"} <= set(frame.columns)
