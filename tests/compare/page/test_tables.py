# SPDX-License-Identifier: BSD-3-Clause
import math
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from compare.page.pages import (
    empty_page,
    large_page,
    traits_comparison,
    traits_page,
    trusted_page,
)
from labelsift.compare.page.tables import (
    MOST_ROWS,
    brief,
    costs_table,
    features_table,
    label_losses,
    labels_table,
    measures_table,
    number,
    readouts_table,
    stability_table,
    trust_table,
    verdict_table,
)
from labelsift.metrics import MEASURES, stability


@pytest.fixture
def page():
    return traits_page()


def cells(table, column):
    place = table.heads.index(column)
    return [row[place] for row in table.rows]


def texts(table, column):
    return [cell.text for cell in cells(table, column)]


def test_numbers():
    assert number(0.12345) == "0.123"
    assert number(-0.0004) == "0.000"
    assert number(None) == number(math.nan) == brief(None) == brief(math.inf) == "–"
    assert (brief(1234.5), brief(0.012345)) == ("1,234", "0.0123")


def test_all_measures_of_all_methods(page):
    table = measures_table(page)
    rows = traits_comparison().frame()
    place = (rows["method"] == "rfs") & (rows["budget"] == page.answer.budget)
    expected = rows[place & (rows["measure"] == "hamming_loss")]["value"].mean()
    assert table.heads == ["method", *(MEASURES[name].title for name in page.measures)]
    assert texts(table, "method") == [
        *page.candidates, "random ranking", "all features",
    ]  # fmt: skip
    assert cells(table, "Hamming loss")[1].sort == pytest.approx(expected)
    losses = [cell.sort for cell in cells(table, "Hamming loss")[:-1]]
    assert cells(table, "Hamming loss")[int(np.argmin(losses))].strong
    gains = [cell.sort for cell in cells(table, "macro AUC")[:-1]]
    assert cells(table, "macro AUC")[int(np.argmax(gains))].strong
    for head in table.heads[1:]:
        assert [cell.strong for cell in cells(table, head)].count(True) == 1
        assert not cells(table, head)[-1].strong  # all features do not take part


def test_a_method_without_a_value_at_that_size_has_no_row(page):
    curves = page.curves
    elsewhere = (curves["method"] == "rfs") & (curves["budget"] == page.budget)
    table = measures_table(replace(page, curves=curves[~elsewhere]))
    assert "rfs" not in texts(table, "method")


def test_features_in_order_with_the_splits_that_agree(page):
    selection = page.selections["greedy-rls"]
    table = features_table(page, "greedy-rls")
    assert texts(table, "feature") == selection.names
    assert texts(table, "rank") == [str(i + 1) for i in range(page.budget)]
    for place, feature in enumerate(selection.order):
        times = sum(feature in chosen for chosen in selection.splits)
        assert texts(table, "splits that agree")[place] == f"{times} of 5"
    assert cells(table, "gain")[0].sort == selection.gain[0]
    assert "cost" not in table.heads


def test_costs_of_features_are_shown(page):
    dear = replace(page.selections["rfs"], costs=[float(i) for i in range(20)])
    table = features_table(replace(page, selections={"rfs": dear}), "rfs")
    assert [cell.sort for cell in cells(table, "cost")[:3]] == [0, 1, 2]


def test_columns_that_are_not_known_are_left_out(page):
    bare = replace(page.selections["rfs"], gain=[], splits=[])
    table = features_table(replace(page, selections={"rfs": bare}), "rfs")
    assert table.heads == ["rank", "feature"]
    assert len(table.rows[0]) == 2


def test_gains_that_are_all_nothing_have_no_bars(page):
    flat = replace(page.selections["rfs"], gain=[0.0] * 20)
    table = features_table(replace(page, selections={"rfs": flat}), "rfs")
    assert {cell.bar for cell in cells(table, "gain")} == {0.0}


def test_long_tables_are_cut_and_say_so():
    page = large_page()
    assert page.budget > MOST_ROWS
    table = features_table(page, page.answer.method)
    assert len(table.rows) == MOST_ROWS
    assert table.left_out == page.budget - MOST_ROWS
    other = features_table(page, "method-3")
    assert len(other.rows) + other.left_out == page.budget
    assert len(other.rows) < MOST_ROWS


def test_stability_is_that_of_the_metric(page):
    chosen = page.selections["fisher"].splits
    table = stability_table(page)
    place = texts(table, "method").index("fisher")
    assert cells(table, "stability")[place].sort == stability(chosen, 64).index
    always, ever = set.intersection(*map(set, chosen)), set.union(*map(set, chosen))
    assert texts(table, "chosen in every split")[place] == str(len(always))
    assert texts(table, "chosen in any split")[place] == str(len(ever))


def test_stability_is_not_defined_where_everything_is_chosen(page):
    everything = replace(page.selections["fisher"], splits=[list(range(64))] * 2)
    whole = replace(
        page,
        methods=("fisher", "random", "all-features"),
        selections={"fisher": everything},
        answer=replace(page.answer, budget=64),
    )
    assert texts(stability_table(whole), "stability") == ["–"]
    one = replace(everything, splits=[[1, 2]])
    assert stability_table(replace(whole, selections={"fisher": one})) is None


def test_labels_are_sorted_by_their_loss(page):
    losses = label_losses(page)
    differences = [whole - part for _, whole, part in losses]
    assert differences == sorted(differences, reverse=True)
    assert sorted(label for label, *_ in losses) == list(range(6))
    first, whole, part = losses[0]
    assert whole == page.label_auc.loc[("all-features", 64), first]
    answer = page.answer
    assert part == page.label_auc.loc[(answer.method, answer.budget), first]
    table = labels_table(page)
    assert texts(table, "label")[0] == page.data.label_names[first]
    assert cells(table, "samples")[0].sort == page.data.Y[:, first].sum(dtype=int)
    assert cells(table, "loss")[0].sort == pytest.approx(whole - part)


def test_a_label_without_a_value_comes_last():
    page = large_page()
    assert label_losses(page)[-1][0] == 0
    table = labels_table(page)
    assert [row[-1].text for row in table.rows][-1] == "–"


def test_other_methods_have_intervals_and_words():
    page = large_page()
    table = verdict_table(page)
    verdicts = page.answer.verdicts
    assert texts(table, "method") == [other.method for other in verdicts]
    assert texts(table, "verdict") == [other.word for other in verdicts]
    assert cells(table, "to")[0].sort == pytest.approx(verdicts[0].high)
    one = replace(page, answer=replace(page.answer, n_splits=1))
    assert set(texts(verdict_table(one), "verdict")) == {"–"}
    alone = replace(page, answer=replace(page.answer, verdicts=()))
    assert verdict_table(alone) is None


def test_costs(page):
    table = costs_table(page)
    assert texts(table, "method") == list(page.candidates)
    bars = [cell.bar for cell in cells(table, "seconds")]
    slowest = page.costs["seconds"].idxmax()
    assert bars[page.candidates.index(slowest)] == max(bars) == 1
    assert cells(table, "fits")[0].text == "5"
    unknown = replace(page, costs=page.costs.assign(memory_mib=math.nan))
    assert set(texts(costs_table(unknown), "memory (MiB)")) == {"–"}


def test_without_anything_measured():
    page = empty_page()
    for made in (verdict_table, stability_table, costs_table, measures_table):
        assert made(page) is None
    assert labels_table(page).heads == ["label", "samples", "share"]


def test_other_readouts_are_shown_where_there_are_some(page):
    assert readouts_table(page) is None
    table = pd.DataFrame(
        {"ridge": [0.8, 0.9, 0.95], "knn": [0.7, 0.6, 0.99]},
        index=["fisher", "rfs", "all-features"],
    )
    shown = readouts_table(replace(page, readouts=table))
    assert list(shown.heads) == ["method", "ridge", "knn"]
    assert [cell.text for cell in cells(shown, "method")][-1] == "all features"
    strong = {row[0].text: [cell.strong for cell in row[1:]] for row in shown.rows}
    assert strong == {
        "rfs": [True, False],
        "fisher": [False, True],
        "all features": [False, False],
    }


def test_trust_stands_beside_the_agreement_of_the_splits():
    page = trusted_page()
    table = trust_table(page, page.trust)
    selection = page.selections[page.answer.method]
    assert [row[0].text for row in table.rows] == selection.names
    for feature, row in zip(selection.order, table.rows, strict=True):
        again = page.trust.again[feature]
        assert row[1].text == f"{100 * again:.0f} %"
        assert row[1].strong == (again >= 0.75)
        agree = sum(feature in split for split in selection.splits)
        assert row[2].text == f"{agree} of 3"


def test_a_method_without_halves_has_dashes():
    page = trusted_page()
    trust = replace(page.trust, again={}, bound=None)
    assert {row[1].text for row in trust_table(page, trust).rows} == {"–"}
