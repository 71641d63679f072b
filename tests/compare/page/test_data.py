# SPDX-License-Identifier: BSD-3-Clause
"""The page's data: means of splits, choices, pictures, what went wrong."""

import math
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from compare.measured import results
from compare.page.pages import empty_page, page_of, traits_comparison, traits_page
from labelsift.compare import compare
from labelsift.compare.page.data import MOST_LABELS, PageData, image_shape
from labelsift.compare.request import DEFAULT_MEASURES
from labelsift.compare.setup import LeftOut
from labelsift.core.data import MultiLabelData, numbered_names
from labelsift.datasets import load_dataset
from labelsift.experiment.catalogue import RANDOM_DRAWS
from labelsift.experiment.results import Results
from labelsift.prepare.units import Units


@pytest.fixture(scope="module")
def result():
    return compare(load_dataset("traits"), methods="fisher,rfs", budgets="4,12", cv=2)


@pytest.fixture(scope="module")
def page(result):
    return page_of(result)


def test_random_draws_are_averaged_within_a_split(result, page):
    drawn = result.frame().query(
        "method == 'random' and budget == 4 and measure == 'macro_auc'"
    )
    splits = [drawn[drawn["split"] == split]["value"] for split in (0, 1)]
    assert [len(values) for values in splits] == [RANDOM_DRAWS, RANDOM_DRAWS]
    means = [values.mean() for values in splits]
    shown = page.curve("macro_auc", "random").loc[4]
    assert shown["mean"] == pytest.approx(np.mean(means))
    assert shown["std_error"] == pytest.approx(abs(means[0] - means[1]) / 2)
    assert shown["n_splits"] == 2


def row(budget, split, value, measure="macro_auc"):
    return {
        "method": "fisher",
        "budget": budget,
        "measure": measure,
        "split": split,
        "value": value,
    }


def test_means_and_standard_errors_by_hand(result):
    rows = [row(9, 0, 0.5), row(3, 0, 0.2), row(3, 1, 0.4), row(3, 2, math.nan)]
    rows += [row(3, 3, None), row(3, 0, 1, "accuracy"), row(3, 0, 7, "other")]
    page = page_of(result, results=results(rows))
    curve = page.curve("macro_auc", "fisher")
    assert curve.index.tolist() == [3, 9]
    assert curve["mean"][3] == pytest.approx(0.3)
    assert curve["std_error"][3] == pytest.approx(0.1)
    assert curve["n_splits"][3] == 2
    assert math.isnan(curve["std_error"][9])
    assert set(page.curves["measure"]) == {"macro_auc", "accuracy"}
    assert len(page.curve("macro_auc", "rfs")) == 0


def test_the_mean_at_the_shown_budget_and_of_all_features(page):
    assert page.budget == 12
    for measure in DEFAULT_MEASURES:
        curve = page.curve(measure, "rfs")
        assert page.mean(measure, "rfs") == curve["mean"][12]
        whole = page.curve(measure, "all-features")
        assert page.mean(measure, "all-features") == whole["mean"][64]
    elsewhere = replace(page, answer=replace(page.answer, budget=5))
    assert math.isnan(elsewhere.mean("macro_auc", "rfs"))
    assert math.isnan(elsewhere.mean("macro_auc", "mifs"))
    assert math.isnan(empty_page().mean("macro_auc", "all-features"))


def test_the_metric_comes_first(result, page):
    assert page.measures[0] == "macro_auc"
    assert set(page.measures) == set(DEFAULT_MEASURES)
    assert page.methods == ("fisher", "rfs", "random", "all-features")
    assert page.candidates == ["fisher", "rfs"]
    other = replace(result.setup, metric="coverage")
    assert page_of(result, setup=other).measures[0] == "coverage"


def test_the_budget_that_is_shown():
    page = traits_page()
    assert page.budget == page.answer.budget
    assert replace(page, answer=None).budget == 20
    assert empty_page().budget == 0


def test_the_mean_of_label_values_is_the_macro_auc(page):
    values = page.label_auc.loc[("rfs", 12)]
    assert len(values) == 6
    assert values.mean() == pytest.approx(page.mean("macro_auc", "rfs"))


def test_label_values_are_means_of_the_splits_that_have_one(result):
    artifacts = pd.DataFrame(
        [
            ("rfs", split, 12, "label_auc", value)
            for split, value in enumerate([[0.5, None, None], [0.7, 0.9, None]])
        ],
        columns=["method", "split", "budget", "name", "value"],
    )
    page = page_of(result, artifacts=artifacts)
    means = page.label_auc.loc[("rfs", 12)].tolist()
    assert means == pytest.approx([0.6, 0.9, math.nan], nan_ok=True)


def test_a_selection_has_names_weights_and_splits(result, page):
    selection = page.selections["fisher"]
    size = result.recommend().budget
    assert len(selection.order) == len(selection.names) == size
    assert len(selection.gain) == size
    assert np.shape(selection.weights) == (size, 6)
    assert [len(chosen) for chosen in selection.splits] == [size, size]
    first = selection.order[0]
    assert selection.names[0] == f"pixel_{first // 8}_{first % 8}"
    assert selection.costs == []


def test_weights_stand_in_the_order_of_frequent_labels(result, page):
    counts = result.setup.data.Y.sum(axis=0, dtype=int)
    assert page.frequent_labels == np.argsort(-counts, kind="stable").tolist()
    final = result.final.query("method == 'rfs' and name == 'weights'")
    [weights] = final["value"]
    shown = page.selections["rfs"].weights
    for place, label in enumerate(page.frequent_labels):
        assert [row[place] for row in shown] == [row[label] for row in weights]


def test_of_many_labels_the_most_frequent_are_shown(rng):
    Y = (rng.random((50, 60)) < rng.uniform(0, 1, 60)).astype(np.int8)
    names = numbered_names("label", 60)
    data = MultiLabelData(np.zeros((50, 1)), Y, ("x",), names)
    labels = replace(empty_page(), data=data).frequent_labels
    assert len(labels) == MOST_LABELS
    others = set(range(60)) - set(labels)
    assert Y[:, labels].sum(axis=0).min() >= Y[:, sorted(others)].sum(axis=0).max()


def orders(choices):
    """Artifacts of rfs by split and budget."""
    rows = [("rfs", *place, "order", chosen) for place, chosen in choices.items()]
    return pd.DataFrame(rows, columns=["method", "split", "budget", "name", "value"])


def test_splits_show_what_was_chosen_at_the_shown_budget(result):
    """The choice of a method that is fitted for each budget need not nest."""
    chosen = {(1, 12): [7, 8], (0, 4): [1], (0, 12): [5, 6], (1, 4): [2], (1, 20): [3]}
    page = page_of(result, artifacts=orders(chosen))
    assert page.selections["rfs"].splits == [[5, 6], [7, 8]]
    assert page.selections["fisher"].splits == []


def test_a_method_that_ends_before_its_budget_counts_in_every_split(result):
    chosen = {(0, 4): [1, 2, 3, 4], (0, 7): [4, 3, 2, 1], (1, 12): list(range(12))}
    page = page_of(result, artifacts=orders(chosen))
    assert page.selections["rfs"].splits == [[4, 3, 2, 1], list(range(12))]


def test_costs_of_features_follow_the_order(result):
    units = Units(tuple(range(64)), tuple(float(i) for i in range(1, 65)))
    page = page_of(result, setup=replace(result.setup, units=units))
    selection = page.selections["rfs"]
    assert selection.costs == [index + 1.0 for index in selection.order]


def test_costs_count_the_fits(result, page):
    assert set(page.costs.index) == {"fisher", "rfs"}
    rfs = page.costs.loc["rfs"]
    assert rfs["fits"] == 2
    took = result.frame().query("method == 'rfs' and measure == 'fit_seconds'")
    assert 0 < rfs["seconds"] == pytest.approx(took["value"].sum() / 2)
    memory = result.results.tasks.query("method == 'rfs'")["memory_mib"]
    assert rfs["memory_mib"] == memory.max()


def test_failures_and_warnings_are_in_the_provenance(result):
    tasks = result.results.tasks.copy()
    last = tasks.index[-1]
    assert tasks.loc[last, "method"] == "rfs"
    tasks.loc[last, ["status", "error"]] = "failed", "No luck."
    tasks.loc[[0, 1], "warnings"] = "slow\nvery slow", "slow"
    broken = Results(result.results.values, tasks)
    made = page_of(result, results=broken).provenance
    assert made["failed"] == [("rfs", "No luck.")]
    assert (made["n_done"], made["n_planned"]) == (21, 22)
    assert made["warnings"] == [
        "fisher: slow", "fisher: very slow", "all-features: slow",
    ]  # fmt: skip


def test_provenance_says_what_was_run(result):
    setup = replace(result.setup, left_out=(LeftOut("mifs", "It takes an hour."),))
    made = page_of(result, setup=setup, command="labelsift compare traits").provenance
    assert made["command"] == "labelsift compare traits"
    assert (made["seed"], made["cv"], made["readout"]) == (0, 2, "ridge")
    assert made["left_out"] == [("mifs", "It takes an hour.")]
    assert made["failed"] == made["warnings"] == []
    assert {"python", "labelsift", "numpy"} <= set(made["versions"])
    assert made["n_done"] == made["n_planned"] == 22


def test_nothing_measured_gives_empty_parts():
    page = empty_page()
    assert isinstance(page, PageData)
    assert page.methods == ()
    assert page.selections == {}
    assert page.curves.empty
    assert page.label_auc.empty
    assert page.costs.empty
    planned = len(traits_comparison().setup.tasks())
    assert (page.provenance["n_done"], page.provenance["n_planned"]) == (0, planned)


def test_pictures_are_for_pixels_only():
    assert image_shape(load_dataset("traits").feature_names) == (8, 8)
    assert image_shape(["pixel_0_0", "pixel_0_1", "age"]) is None
    assert image_shape(["pixel_0_1", "pixel_0_0"]) is None
    assert traits_page().image_shape == (8, 8)
