# SPDX-License-Identifier: BSD-3-Clause
import html
from dataclasses import replace

import numpy as np
import pytest

from compare.page.pages import (
    empty_page,
    hostile_page,
    large_page,
    traits_page,
    trusted_page,
)
from labelsift.compare.page.figures import (
    contribution_figure,
    cooccurrence_figure,
    overlap_figure,
    pixel_figure,
    weights_figure,
)
from labelsift.core.data import MultiLabelData


def test_overlap_is_jaccard():
    page = traits_page()
    figure = overlap_figure(page, ["fisher", "rfs"])
    drawn = figure["data"][0]
    a, b = (set(page.selections[m].order) for m in ("fisher", "rfs"))
    shared = len(a & b) / len(a | b)
    assert 0 < shared < 1
    assert drawn["z"][0] == pytest.approx([1, shared], rel=1e-4)
    assert drawn["z"][1] == pytest.approx([shared, 1], rel=1e-4)
    assert figure["layout"]["xaxis"]["ticktext"] == ["fisher", "rfs"]
    assert "texttemplate" in drawn
    large = large_page()
    assert "texttemplate" not in overlap_figure(large, large.candidates)["data"][0]


def test_labels_together_by_hand():
    """Ten rows have b, eight a, four of them both."""
    Y = np.zeros((20, 2), dtype=np.int8)
    Y[:10, 1] = 1
    Y[6:14, 0] = 1
    data = MultiLabelData(np.zeros((20, 1)), Y, ("x",), ("a", "b"))
    drawn = cooccurrence_figure(replace(empty_page(), data=data))
    share = pytest.approx(4 / 14, rel=1e-4)
    assert drawn["data"][0]["z"] == [[None, share], [share, None]]
    assert drawn["layout"]["xaxis"]["ticktext"] == ["b", "a"]


def test_labels_that_nobody_has_are_never_together():
    data = MultiLabelData(np.zeros((3, 1)), np.zeros((3, 2)), ("x",), ("a", "b"))
    drawn = cooccurrence_figure(replace(empty_page(), data=data))
    assert drawn["data"][0]["z"] == [[None, 0], [0, None]]


def test_weights_stand_under_their_names():
    page = traits_page()
    selection = page.selections["rfs"]
    drawn = weights_figure(page, selection, 3)
    (trace,) = drawn["data"]
    assert trace["z"][2][1] == pytest.approx(selection.weights[2][1], rel=1e-4)
    assert len(trace["z"]) == 3
    assert drawn["layout"]["yaxis"]["ticktext"] == selection.names[:3]
    labels = [page.data.label_names[i] for i in page.frequent_labels]
    assert drawn["layout"]["xaxis"]["ticktext"] == labels
    assert trace["meta"] == {"rows": selection.names[:3], "columns": labels}


def test_pixels_stand_where_they_belong():
    drawn = pixel_figure([10, 3], (8, 8))["data"][0]
    assert drawn["text"][1][2] == "1"
    assert drawn["text"][0][3] == "2"
    assert drawn["z"][1][2] > drawn["z"][0][3] > 0
    assert sum(z is not None for row in drawn["z"] for z in row) == 2


def test_names_are_short_and_hold_no_tag():
    page = hostile_page()
    method = page.candidates[0]
    figures = [
        weights_figure(page, page.selections[method], 6),
        overlap_figure(page, page.candidates),
        cooccurrence_figure(page),
    ]
    for figure in figures:
        layout, meta = figure["layout"], figure["data"][0]["meta"]
        ticks = [*layout["xaxis"]["ticktext"], *layout["yaxis"]["ticktext"]]
        assert all(len(html.unescape(text)) <= 18 for text in ticks)
        for text in (*ticks, *meta["rows"], *meta["columns"]):
            assert not set(text) & set("<>")


def test_contributions_are_blank_where_a_label_does_not_lose():
    page = trusted_page()
    why = page.trust.explanation
    cells = contribution_figure(page, page.trust)["data"][0]["z"]
    for row, place in zip(cells, range(len(why.features)), strict=True):
        for value, label in zip(row, page.frequent_labels, strict=True):
            share = why.contribution[place, label] / why.label_error[label]
            if why.serves[place, label]:
                assert value == pytest.approx(share, rel=1e-3)
            else:
                assert value is None
