# SPDX-License-Identifier: BSD-3-Clause
import json

import plotly.graph_objects as go
import pytest

from labelsift.report.page_curves import curves
from labelsift.report.page_figures import (
    curve_figure,
    label_figure,
    line_style,
    significant,
)
from labelsift.report.page_text import clean
from report.pages import hostile_page, large_page, traits_page


@pytest.fixture(params=[traits_page, hostile_page, large_page])
def figure(request):
    page = request.param()
    return page, curve_figure(page, page.metric, curves(page)[page.metric])


def test_every_method_has_a_line_and_a_band(figure):
    page, drawn = figure
    roles = [(t["meta"]["method"], t["meta"]["band"]) for t in drawn["data"]]
    for method in map(clean, {*page.methods, "random-ranking"}):
        assert (method, True) in roles
        assert (method, False) in roles
    assert roles[-1] == ("all-features", False)
    assert len(roles) == len(set(roles))


def test_lines_carry_the_means_of_the_rows():
    page = traits_page()
    means = curves(page)["macro_auc"]["fisher"]
    drawn = curve_figure(page, "macro_auc", curves(page)["macro_auc"])
    (line,) = [
        t for t in drawn["data"] if t["meta"] == {"method": "fisher", "band": False}
    ]
    assert line["x"] == list(means)
    assert line["y"] == pytest.approx([p.mean for p in means.values()], rel=1e-4)
    (band,) = [
        t for t in drawn["data"] if t["meta"] == {"method": "fisher", "band": True}
    ]
    k, point = len(means), means[4]
    place = list(means).index(4)
    assert band["y"][place] == pytest.approx(point.mean + point.std_error, rel=1e-4)
    assert band["y"][2 * k - 1 - place] == pytest.approx(
        point.mean - point.std_error, rel=1e-4
    )


def test_no_tag_reaches_plotly(figure):
    _, drawn = figure
    for trace in drawn["data"]:
        texts = (trace["name"], trace.get("text", ""))
        assert not any(set(text) & set("<>") for text in texts)
    assert "<" not in drawn["layout"]["yaxis"]["title"]["text"]


def test_the_recommended_budget_is_marked():
    page = traits_page()
    layout = curve_figure(page, "macro_auc", curves(page)["macro_auc"])["layout"]
    assert layout["shapes"][0]["x0"] == page.recommendation.budget


def test_thirty_two_methods_look_different():
    page = large_page()
    styles = {line_style(page, f"method-{i}") for i in range(20)}
    assert len(styles) == 20
    assert line_style(page, "method-0")[1] == "solid"


def test_labels_and_their_losses():
    drawn = label_figure([("<b>a</b>", 0.9, 0.5), ("b", 0.8, 0.7)])
    between, whole, part = drawn["data"]
    assert between["x"] == [0.9, 0.5, None, 0.8, 0.7, None]
    assert (whole["x"], part["x"]) == ([0.9, 0.8], [0.5, 0.7])
    assert drawn["layout"]["yaxis"]["ticktext"][0] == "&lt;b&gt;a&lt;/b&gt;"


def test_plotly_takes_the_figures(figure):
    """Colours are names that the page looks up, so any colour stands in here."""
    _, drawn = figure
    text = json.dumps(drawn)
    plain = json.loads(text, object_hook=_with_plain_colours)
    go.Figure(plain)


def _with_plain_colours(part):
    keys = {"color": "red", "fillcolor": "red"}
    return {key: keys.get(key, value) for key, value in part.items()}


def test_five_digits():
    assert significant(0.123456789) == 0.12346
