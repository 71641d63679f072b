# SPDX-License-Identifier: BSD-3-Clause
from dataclasses import replace

import numpy as np
import pytest

from labelsift.metrics import stability
from labelsift.report.page_curves import curves
from labelsift.report.page_tables import (
    MOST_ROWS,
    costs_table,
    features_table,
    label_losses,
    labels_table,
    level_table,
    measures_table,
    stability_table,
)
from report.pages import empty_page, large_page, traits_page


@pytest.fixture
def page():
    return traits_page()


def cells(table, column):
    place = table.heads.index(column)
    return [row[place] for row in table.rows]


def test_all_measures_of_all_methods(page):
    table = measures_table(page, curves(page))
    budget = page.recommendation.budget
    expected = np.mean(
        [
            row["value"]
            for row in page.rows
            if (row["method"], row["budget"], row["measure"])
            == ("rfs", budget, "hamming_loss")
        ]
    )
    names = [cell.text for cell in cells(table, "method")]
    assert names == [*page.methods, "random ranking", "all features"]
    assert cells(table, "hamming loss")[1].sort == pytest.approx(expected)
    losses = [cell.sort for cell in cells(table, "hamming loss")[:-1]]
    assert cells(table, "hamming loss")[int(np.argmin(losses))].strong
    gains = [cell.sort for cell in cells(table, "macro AUC")[:-1]]
    assert cells(table, "macro AUC")[int(np.argmax(gains))].strong


def test_features_in_order_with_the_splits_that_agree(page):
    budget = page.recommendation.budget
    selection = page.selections["greedy-rls"]
    table = features_table(page, "greedy-rls")
    assert [c.text for c in cells(table, "feature")] == selection["names"][:budget]
    first = selection["order"][0]
    times = sum(first in fold[:budget] for fold in selection["folds"])
    assert cells(table, "splits that agree")[0].text == f"{times} of 5"
    assert cells(table, "gain")[0].sort == selection["gain"][0]


def test_costs_of_features_are_shown(page):
    dear = page.selections["rfs"] | {"costs": [float(i) for i in range(20)]}
    table = features_table(replace(page, selections={"rfs": dear}), "rfs")
    assert [cell.sort for cell in cells(table, "cost")[:3]] == [0, 1, 2]


def test_columns_that_are_not_known_are_left_out(page):
    bare = page.selections["rfs"] | {"gain": [None] * 20, "folds": []}
    table = features_table(replace(page, selections={"rfs": bare}), "rfs")
    assert table.heads == ["rank", "feature"]
    assert len(table.rows[0]) == 2


def test_long_tables_are_cut_and_say_so():
    page = large_page()
    table = features_table(page, page.recommendation.method)
    assert len(table.rows) == MOST_ROWS
    assert table.left_out == page.recommendation.budget - MOST_ROWS
    other = features_table(page, "method-3")
    assert len(other.rows) + other.left_out == page.recommendation.budget
    assert len(other.rows) < MOST_ROWS


def test_stability_is_that_of_the_metric(page):
    budget = page.recommendation.budget
    folds = [fold[:budget] for fold in page.selections["fisher"]["folds"]]
    table = stability_table(page)
    place = [cell.text for cell in cells(table, "method")].index("fisher")
    assert cells(table, "stability")[place].sort == stability(folds, 64).index
    everything = {"fisher": page.selections["fisher"] | {"folds": [range(64)] * 2}}
    whole = replace(
        page,
        selections=everything,
        recommendation=replace(page.recommendation, budget=64),
    )
    assert cells(stability_table(whole), "stability")[0].text == "–"


def test_labels_are_sorted_by_their_loss(page):
    losses = label_losses(page)
    differences = [whole - part for _, whole, part in losses]
    assert differences == sorted(differences, reverse=True)
    assert sorted(label for label, *_ in losses) == list(range(6))
    table = labels_table(page)
    names = [cell.text for cell in cells(table, "label")]
    assert names[0] == page.data["label_names"][losses[0][0]]
    assert cells(table, "samples")[0].sort == page.data["label_counts"][losses[0][0]]


def test_a_label_without_a_value_comes_last():
    page = large_page()
    assert label_losses(page)[-1][0] == 0


def test_level_methods_have_p_values():
    table = level_table(large_page())
    assert [cell.text for cell in cells(table, "method")] == ["method-1"]
    assert cells(table, "p (Holm)")[0].sort > 0.05


def test_costs(page):
    table = costs_table(page)
    assert cells(table, "seconds")[-1].bar == 1
    assert cells(table, "fits")[0].text == "6"


def test_without_anything_measured():
    page = empty_page()
    for made in (level_table, stability_table, costs_table):
        assert made(page) is None
    assert measures_table(page, curves(page)) is None
    assert labels_table(page).heads == ["label", "samples", "share"]
