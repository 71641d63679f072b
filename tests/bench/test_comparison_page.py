# SPDX-License-Identifier: BSD-3-Clause
"""The page's data: means of folds, names, pictures, what went wrong."""

import numpy as np
import pytest
from labelsift.bench.comparison_page import image_shape, page_data
from labelsift.bench.comparison_setup import RANDOM_DRAWS

from labelsift.bench import compare
from labelsift.datasets import load_dataset


@pytest.fixture(scope="module")
def found():
    data = load_dataset("traits")
    return compare(data, methods=["fisher", "rfs"], budgets="4,12", cv=2)


@pytest.fixture(scope="module")
def page(found):
    return page_data(found)


def test_random_draws_are_averaged_within_a_split(found, page):
    drawn = [
        row["value"]
        for row in found.rows
        if (row["method"], row["budget"], row["measure"], row["split"])
        == ("random-ranking", 4, "macro_auc", 0)
    ]
    [shown] = [
        row["value"]
        for row in page.rows
        if (row["method"], row["budget"], row["measure"], row["split"])
        == ("random-ranking", 4, "macro_auc", 0)
    ]
    assert len(drawn) == RANDOM_DRAWS
    assert shown == pytest.approx(np.mean(drawn))


def test_the_metric_comes_first(page):
    assert next(iter(page.measures)) == "macro_auc"
    assert page.methods == ["fisher", "rfs", "random-ranking", "all-features"]


def test_the_mean_of_label_values_is_the_macro_auc(page):
    values = [
        row["value"]
        for row in page.rows
        if (row["method"], row["budget"], row["measure"]) == ("rfs", 12, "macro_auc")
    ]
    assert np.mean(page.label_values["rfs"][12]) == pytest.approx(np.mean(values))


def test_a_selection_has_names_weights_and_folds(found, page):
    selection = page.selections["fisher"]
    size = found.recommend().budget
    assert len(selection["order"]) == len(selection["names"]) == size
    assert len(selection["gain"]) == size
    assert np.shape(selection["weights"]) == (size, 6)
    assert [len(fold) for fold in selection["folds"]] == [size, size]
    assert selection["names"][0] == f"pixel_{selection['order'][0] // 8}_" + str(
        selection["order"][0] % 8
    )


def test_costs_count_the_fits(page):
    assert set(page.costs) == {"fisher", "rfs"}
    assert page.costs["rfs"]["fits"] == 2
    assert page.costs["rfs"]["seconds"] > 0


def test_cooccurrence_counts_rows(page):
    data = load_dataset("traits")
    first, second = page.data["cooccurrence_labels"][:2]
    both = (data.Y[:, first] & data.Y[:, second]).sum()
    assert page.data["cooccurrence"][0][1] == both


def test_failures_and_warnings_are_on_the_page(found):
    from dataclasses import replace

    record = replace(found.records[-1], status="failed", error="No luck.")
    broken = replace(found, records=[*found.records[:-1], record])
    made = page_data(broken).made
    assert made["failed"] == [{"method": "rfs", "error": "No luck."}]
    assert made["finished"] == "21 of 22 tasks"


def test_pictures_are_for_pixels_only():
    assert image_shape(load_dataset("traits").feature_names) == [8, 8]
    assert image_shape(["pixel_0_0", "pixel_0_1", "age"]) is None
    assert image_shape(["pixel_0_1", "pixel_0_0"]) is None


def test_plot_gives_one_line_per_method(found):
    pytest.importorskip("matplotlib")
    axis = found.plot()
    assert {line.get_label() for line in axis.lines} == {
        "fisher",
        "rfs",
        "random-ranking",
        "all-features",
    }
    assert found.plot("micro_f1", axis) is axis
