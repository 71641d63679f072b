# SPDX-License-Identifier: BSD-3-Clause
import html
import json
from dataclasses import replace

import plotly.graph_objects as go
import pytest
from hypothesis import given
from hypothesis import strategies as st

from compare.page.pages import HOSTILE, hostile_page, large_page, traits_page
from labelsift.compare.page.figures import (
    curve_figure,
    figure_text,
    label_figure,
    line_style,
    significant,
)
from labelsift.core.text import clean
from labelsift.metrics import MEASURES


@given(st.text(max_size=20))
def test_figure_text_holds_no_tag_and_reads_back(text):
    shown = figure_text(text, 1000)
    assert not set(shown) & set("<>$")
    assert html.unescape(shown) == clean(text) or "&" in clean(text)


@pytest.fixture(params=[traits_page, hostile_page, large_page])
def figure(request, monkeypatch):
    """A page with the figure of its metric, whose title would like to be obeyed."""
    page = request.param()
    hostile = replace(MEASURES["macro_auc"], title=HOSTILE[3])
    monkeypatch.setitem(MEASURES, "macro_auc", hostile)
    return page, curve_figure(page, "macro_auc")


def test_every_method_has_a_line_and_a_band(figure):
    page, drawn = figure
    roles = [(t["meta"]["method"], t["meta"]["band"]) for t in drawn["data"]]
    for method in map(clean, [*page.candidates, "random"]):
        assert (method, True) in roles
        assert (method, False) in roles
    assert roles[-1] == ("all-features", False)
    assert len(roles) == len(set(roles))


def trace_of(drawn, method, band):
    (trace,) = [
        t for t in drawn["data"] if t["meta"] == {"method": method, "band": band}
    ]
    return trace


def test_lines_carry_the_means_and_bands_one_standard_error():
    page = traits_page()
    curve = page.curve("macro_auc", "fisher")
    drawn = curve_figure(page, "macro_auc")
    line = trace_of(drawn, "fisher", False)
    assert line["x"] == curve.index.tolist()
    assert line["y"] == pytest.approx(curve["mean"].tolist(), rel=1e-4)
    band = trace_of(drawn, "fisher", True)
    count, (mean, error) = len(curve), curve.loc[4, ["mean", "std_error"]]
    place = line["x"].index(4)
    assert band["y"][place] == pytest.approx(mean + error, rel=1e-4)
    assert band["y"][2 * count - 1 - place] == pytest.approx(mean - error, rel=1e-4)


def test_controls_are_called_by_their_titles():
    drawn = curve_figure(traits_page(), "macro_auc")
    assert trace_of(drawn, "random", False)["text"] == "random ranking"
    whole = trace_of(drawn, "all-features", False)
    assert whole["name"] == "all features"
    assert whole["x"] == [1, 20]
    assert "all 64 features" in whole["hovertemplate"]


def test_one_split_has_a_line_and_no_width():
    page = traits_page()
    page = replace(page, curves=page.curves.assign(std_error=float("nan")))
    line = trace_of(curve_figure(page, "macro_auc"), "fisher", False)
    assert set(line["customdata"]) == {0.0}


def test_no_tag_reaches_plotly(figure):
    _, drawn = figure
    for trace in drawn["data"]:
        texts = (trace["name"], trace.get("text", ""))
        assert not any(set(text) & set("<>") for text in texts)
    title = drawn["layout"]["yaxis"]["title"]["text"]
    assert "&lt;b&gt;bold" in title
    assert "<" not in title


def test_the_recommended_budget_is_marked():
    page = traits_page()
    layout = curve_figure(page, "macro_auc")["layout"]
    assert layout["shapes"][0]["x0"] == page.answer.budget
    assert (
        "shapes" not in curve_figure(replace(page, answer=None), "macro_auc")["layout"]
    )


def test_thirty_two_methods_look_different():
    page = large_page()
    page = replace(page, methods=(*(f"method-{i}" for i in range(32)), "random"))
    styles = {line_style(page, f"method-{i}") for i in range(32)}
    assert len(styles) == 32
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
