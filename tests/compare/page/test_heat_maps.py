# SPDX-License-Identifier: BSD-3-Clause
import html

import pytest

from labelsift.report.page_heat_maps import (
    cooccurrence_figure,
    overlap_figure,
    pixel_figure,
    weights_figure,
)
from report.pages import hostile_page, traits_page


def test_overlap_is_jaccard():
    page = traits_page()
    budget = page.recommendation.budget
    drawn = overlap_figure(page, ["fisher", "rfs"])["data"][0]
    a, b = (set(page.selections[m]["order"][:budget]) for m in ("fisher", "rfs"))
    shared = len(a & b) / len(a | b)
    assert drawn["z"][0] == pytest.approx([1, shared], rel=1e-4)
    assert drawn["z"][1] == pytest.approx([shared, 1], rel=1e-4)


def test_labels_together_by_hand():
    data = {
        "cooccurrence": [[10, 4], [4, 8]],
        "cooccurrence_labels": [1, 0],
        "label_names": ["a", "b"],
    }
    drawn = cooccurrence_figure(data)
    share = pytest.approx(4 / 14, rel=1e-4)
    assert drawn["data"][0]["z"] == [[None, share], [share, None]]
    assert drawn["layout"]["xaxis"]["ticktext"] == ["b", "a"]


def test_weights_stand_under_their_names():
    page = traits_page()
    selection = page.selections["rfs"]
    drawn = weights_figure(page, selection, 3)
    (trace,) = drawn["data"]
    assert trace["z"][2][1] == pytest.approx(selection["weights"][2][1], rel=1e-4)
    assert drawn["layout"]["yaxis"]["ticktext"] == selection["names"][:3]
    assert drawn["layout"]["xaxis"]["ticktext"] == list(page.data["label_names"])


def test_pixels_stand_where_they_belong():
    drawn = pixel_figure([10, 3], [8, 8])["data"][0]
    assert drawn["text"][1][2] == "1"
    assert drawn["text"][0][3] == "2"
    assert drawn["z"][1][2] > drawn["z"][0][3] > 0
    assert sum(z is not None for row in drawn["z"] for z in row) == 2


def test_names_are_short_and_hold_no_tag():
    page = hostile_page()
    method = page.methods[0]
    layouts = [
        weights_figure(page, page.selections[method], 6)["layout"],
        overlap_figure(page, page.methods[:-1])["layout"],
        cooccurrence_figure(page.data)["layout"],
    ]
    for layout in layouts:
        for text in (*layout["xaxis"]["ticktext"], *layout["yaxis"]["ticktext"]):
            assert not set(text) & set("<>")
            assert len(html.unescape(text)) <= 18
