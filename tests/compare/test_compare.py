# SPDX-License-Identifier: BSD-3-Clause
"""Comparisons: selection inside the folds, controls beside, work reused."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp

from compare.page.pages import raw_comparison
from labelsift.compare import compare, run_comparison
from labelsift.compare.request import DEFAULT_MEASURES, make_setup
from labelsift.datasets import from_frame, load_dataset, make_planted
from labelsift.experiment import pool
from labelsift.experiment.catalogue import RANDOM_DRAWS
from labelsift.experiment.ledger import Ledger
from labelsift.experiment.task import DataSpec
from labelsift.prepare import TablePreparation, doubts
from prepare.tables import raw_table

ASKED = {"methods": ["fisher", "greedy-rls"], "budgets": "3,10", "cv": 3}


@pytest.fixture(scope="module")
def traits():
    return load_dataset("traits")


@pytest.fixture(scope="module")
def result(traits):
    return compare(traits, **ASKED)


def judged(result):
    """The values that do not depend on the clock."""
    return result.results.where(measure=DEFAULT_MEASURES).values.reset_index(drop=True)


def test_every_method_control_budget_and_measure_is_there(result):
    place = ["method", "budget", "measure", "split"]
    counts = judged(result).groupby(place).size()
    expected = {
        (method, budget, measure, split): RANDOM_DRAWS if method == "random" else 1
        for split in range(3)
        for measure in DEFAULT_MEASURES
        for method, budget in [
            ("all-features", 64),
            *((m, k) for m in ("fisher", "greedy-rls", "random") for k in (3, 10)),
        ]
    }
    assert counts.to_dict() == expected
    assert result.measured == ["fisher", "greedy-rls", "random", "all-features"]
    assert result.has_answer


def test_the_answer_names_a_method_that_was_compared(result):
    answer = result.recommend()
    assert answer.method in ASKED["methods"]
    assert answer.budget == 10
    assert answer.n_splits == 3
    assert answer.n_features == 64


@pytest.mark.parametrize("metric", ["hamming_loss", "lowest_tenth_auc"])
def test_another_metric_gives_an_answer_of_its_own(metric, result):
    answer = result.recommend(metric)
    assert answer.measure == metric
    means = judged(result).query("measure == @metric and budget == 10")
    assert answer.value == pytest.approx(
        means[means["method"] == answer.method]["value"].mean()
    )
    assert result.recommend(metric) is answer  # worked out once


def test_the_features_of_the_answer_are_those_of_a_fit_on_all_rows(result):
    answer = result.recommend()
    names = result.features()
    assert names == result.features(answer.method)
    assert len(set(names)) == answer.budget
    assert set(names) <= set(result.setup.data.feature_names)
    assert result.features("fisher") != result.features("greedy-rls")
    assert result.features("rfs") == []  # not compared, so not fitted


def test_features_are_chosen_inside_the_folds():
    """Labels without any relation to X: selection outside the folds would look good."""
    rng = np.random.default_rng(0)
    X, Y = rng.normal(size=(60, 400)), rng.integers(0, 2, size=(60, 3))
    result = compare(X, Y, methods=["fisher"], budgets="10", cv=3)
    values = judged(result).query("method == 'fisher' and measure == 'macro_auc'")
    assert values["value"].mean() < 0.62
    assert "random ranking" in result.recommend().sentence


def test_planted_features_are_chosen():
    data = make_planted(300, 60, 5, random_state=0)
    result = compare(data, methods=["greedy-rls", "fisher"], budgets="10,20", cv=3)
    relevant = {data.feature_names[i] for i in data.relevant}
    assert relevant & set(result.features("greedy-rls"))
    assert result.recommend().better_than_random


def test_arrays_frames_and_sparse_give_the_same_values(traits, result):
    frame = pd.DataFrame(traits.X, columns=traits.feature_names)
    labels = pd.DataFrame(traits.Y, columns=traits.label_names)
    again = compare(frame, labels, preparation=None, **ASKED)
    pd.testing.assert_frame_equal(
        judged(again).drop(columns="data"), judged(result).drop(columns="data")
    )
    assert again.setup.data.feature_names == traits.feature_names


def test_sparse_and_dense_choose_the_same_where_the_scaling_is_the_same(traits):
    """RLEFS is scaled to 0..1 whatever the storage; the smallest pixel is 0."""
    asked = {"methods": ["rlefs"], "budgets": "5", "cv": 2}
    dense = compare(traits.X, traits.Y, **asked)
    sparse = compare(sp.csr_array(traits.X), traits.Y, **asked)
    assert sparse.features("rlefs") == dense.features("rlefs")
    scales = {
        kind: {item.task.method.scale for item in result.setup.tasks()}
        for kind, result in (("dense", dense), ("sparse", sparse))
    }
    assert scales == {"dense": {"standardize", "minmax"}, "sparse": {"minmax"}}


def test_a_second_call_reuses_what_is_stored(traits, tmp_path):
    done = []

    def call(**more):
        compare(
            traits,
            **(ASKED | more),
            store=tmp_path / "runs.sqlite",
            on_done=lambda k, n, outcome: done.append(outcome.key),
        )
        return len(done)

    first = call()
    assert first == 3 * (1 + RANDOM_DRAWS + 2)
    assert call() == first
    assert call(methods=["fisher", "greedy-rls", "rfs"]) == first + 3
    assert len(set(done)) == len(done)


def test_processes_give_the_same_values(traits, result):
    again = compare(traits, **ASKED, jobs=2)
    place = ["method", "draw", "budget", "measure", "split"]
    tables = [judged(r).sort_values(place, ignore_index=True) for r in (again, result)]
    pd.testing.assert_frame_equal(*tables)


def test_ctrl_c_shows_what_is_done(traits, tmp_path):
    spec = DataSpec("traits", checksum=traits.checksum)
    setup = make_setup(
        spec, traits, readout="ridge", metric="macro_auc", costs=None, seed=0, **ASKED
    )

    def stop(done, total, outcome):
        if done == 22:
            raise KeyboardInterrupt

    with Ledger(tmp_path / "runs.sqlite") as ledger:
        part = run_comparison(setup, ledger, {}, on_done=stop)
        assert part.interrupted
        assert set(part.frame()["split"]) == {0, 1}
        assert set(part.final["method"]) == {part.recommend().method}
        part.report(tmp_path / "part.html")
        assert "22 of 33 tasks" in (tmp_path / "part.html").read_text("utf-8")
        whole = run_comparison(setup, ledger, {})
    assert not whole.interrupted
    assert set(whole.frame()["split"]) == {0, 1, 2}
    assert set(whole.final["method"]) == {"fisher", "greedy-rls"}


def test_ctrl_c_before_anything_is_done(traits, tmp_path, monkeypatch):
    setup = compare(traits, methods=["fisher"], budgets="3", cv=2).setup
    setup = replace(setup, spec=DataSpec("traits", checksum=traits.checksum))

    def stop(*arguments):
        raise KeyboardInterrupt

    monkeypatch.setattr(pool, "run_task", stop)
    with Ledger(tmp_path / "runs.sqlite") as ledger:
        part = run_comparison(setup, ledger)
    assert part.measured == []
    assert not part.has_answer
    assert part.final.empty
    part.report(tmp_path / "part.html")
    assert "nothing can be recommended" in (tmp_path / "part.html").read_text("utf-8")


def test_a_method_that_fails_leaves_the_others_alone():
    """RLEFS takes no values below 0: sparse data is divided, not shifted."""
    rng = np.random.default_rng(0)
    X = sp.csr_array(rng.normal(size=(60, 12)))
    Y = rng.integers(0, 2, size=(60, 3))
    result = compare(X, Y, methods=["rlefs", "fisher"], budgets="3", cv=2)
    failed = result.results.tasks.query("status == 'failed'")
    assert set(failed["method"]) == {"rlefs"}
    assert result.measured == ["fisher", "random", "all-features"]
    assert result.recommend().method == "fisher"


def test_costs_lead_greedy_to_cheap_features():
    data = make_planted(200, 20, 4, random_state=0)
    rng = np.random.default_rng(0)
    twin = data.X[:, data.relevant] + 1e-3 * rng.normal(size=(200, len(data.relevant)))
    X = np.hstack([data.X, twin])
    costs = {f"feature{i}": 50.0 if i < 20 else 1.0 for i in range(X.shape[1])}
    asked = {"methods": ["greedy-rls"], "budgets": "3", "cv": 2}
    dear = compare(X, data.Y, **asked)
    cheap = compare(X, data.Y, **asked, costs=costs)
    assert len(cheap.features()) == 3
    assert all(int(name.removeprefix("feature")) >= 20 for name in cheap.features())
    assert cheap.total_cost() == 3.0
    assert dear.total_cost() is None
    assert not judged(cheap).equals(judged(dear))


def test_frame_has_one_line_per_value(result):
    frame = result.frame()
    assert len(frame) == len(result.results.values)
    assert {"method", "budget", "measure", "split", "value"} <= set(frame.columns)


def test_plot_gives_one_line_per_method(result):
    pytest.importorskip("matplotlib")
    axis = result.plot()
    assert axis.get_ylabel() == "macro AUC"
    lines = {line.get_label(): line for line in axis.lines}
    assert set(lines) == {"fisher", "greedy-rls", "random ranking", "all features"}
    part = judged(result).query("method == 'fisher' and measure == 'macro_auc'")
    np.testing.assert_allclose(
        lines["fisher"].get_xydata(),
        part.groupby("budget")["value"].mean().reset_index(),
    )
    assert result.plot("micro_f1", axis) is axis
    assert axis.get_ylabel() == "micro F1"


def test_a_method_without_a_value_has_no_line(result):
    pytest.importorskip("matplotlib")
    values = result.results.values
    lost = (values["method"] == "fisher") & (values["measure"] == "macro_auc")
    values = values.assign(value=values["value"].mask(lost))
    part = replace(result, results=replace(result.results, values=values))
    labels = {line.get_label() for line in part.plot().lines}
    assert labels == {"greedy-rls", "random ranking", "all features"}


@pytest.mark.parametrize("what", ["recommend", "plot"])
def test_a_metric_that_is_not_measured(result, what):
    with pytest.raises(ValueError, match="'speed' is not known: use zero_one"):
        getattr(result, what)("speed")


def test_a_table_and_ranks(result):
    text = result.table(budget=10).to_markdown()
    assert "fisher" in text
    assert "traits" in text
    ranks = result.ranks()
    assert set(ranks.index) == {"fisher", "greedy-rls", "random", "all-features"}
    assert ranks.is_monotonic_increasing
    assert ranks.idxmax() == "random"
    losses = result.ranks("hamming_loss")
    assert losses.idxmax() == "random"  # a loss ranks the smallest first


@pytest.fixture(scope="module")
def raw():
    """Of a table with faults; as a page shows it."""
    return raw_comparison()


def test_doubts_come_with_the_result_those_of_the_folds_last(raw):
    codes = [doubt.code for doubt in raw.doubts]
    assert codes == ["leak", "outliers", "id", "rare-label", "chance-label"]
    assert raw.setup.doubts == raw.doubts[:4]
    assert raw.setup.doubts == doubts(from_frame(raw_table(), "tag_*"))
    assert dict(raw.setup.columns_left_out).keys() == {"key", "row", "day"}


def test_the_worst_label_is_the_lowest_mean_over_the_splits(raw):
    answer, artifacts = raw.recommend(), raw.artifacts
    rows = artifacts[
        (artifacts["name"] == "label_auc")
        & (artifacts["method"] == answer.method)
        & (artifacts["budget"] == answer.budget)
    ]
    means = np.mean(rows["value"].tolist(), axis=0)
    assert raw.worst_label.name == raw.setup.data.label_names[int(means.argmin())]
    assert raw.worst_label.auc == pytest.approx(means.min())


def test_the_options_of_doubts_in_python(raw):
    data = from_frame(raw_table(), ["tag_a"], drop=["alarm", "row", "tag_b"])
    made = TablePreparation(missing=["-9999"])
    again = compare(data, methods=["fisher"], budgets="1", cv=2, preparation=made)
    assert again.setup.doubts == ()


def test_an_array_has_doubts_too(result):
    [doubt] = result.doubts
    assert doubt.code == "constant"
    assert doubt.columns == ("pixel_0_0", "pixel_4_0", "pixel_4_7")


def test_slow_methods_that_are_not_as_good_are_named_and_not_fitted_on_all_rows(
    traits, tmp_path, monkeypatch
):
    monkeypatch.setattr("labelsift.compare._QUICK", 0.0)
    methods = ["fisher", "greedy-rls", "ppt"]
    result = compare(traits, methods=methods, budgets="4,8", cv=3)
    answer = result.recommend()
    good = {other.method for other in answer.verdicts if other.word == "as good"}
    slow = set(methods) - good - {answer.method}
    assert slow
    assert set(result.final["method"]) == {answer.method, *good}
    assert all(result.features(method) == [] for method in slow)
    with pytest.raises(ValueError, match="not fitted on all rows"):
        result.save(tmp_path / "one.json", method=slow.pop())
    result.report(tmp_path / "page.html")
    assert "Not fitted on all rows" in (tmp_path / "page.html").read_text("utf-8")
