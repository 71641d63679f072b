# SPDX-License-Identifier: BSD-3-Clause
"""The lines and dots of the page as plain plotly dictionaries.

A colour is the name of a colour of the style sheet, perhaps with an opacity
("method-3 0.2"), and a colour scale is the name of one in the script: both are looked
up when a figure is drawn, in light or in dark.
"""

import html
from collections.abc import Sequence
from typing import Any

import pandas as pd

from labelsift.compare.page.data import PageData
from labelsift.core.text import clean, short
from labelsift.experiment.catalogue import ALL_FEATURES, RANDOM, method_title
from labelsift.metrics import MEASURES

Figure = dict[str, Any]

N_COLOURS = 8
DASHES = ("solid", "dash", "dot", "dashdot")
_SYMBOLS = ("circle", "square", "diamond", "triangle-up", "cross", "x", "star")

WIDE = 60  # characters of a name in a hover box


def figure_text(text: Any, width: int = 24) -> str:
    """Short text for a figure: plotly obeys some tags and TeX, so they are escaped."""
    return html.escape(short(text, width), quote=False).replace("$", "&#36;")


def significant(value: float) -> float:
    """A number with five significant digits, all that a figure shows."""
    return float(f"{value:.5g}")


def line_style(page: PageData, method: str) -> tuple[str, str]:
    """Colour and dash of a method: its own for the first 32."""
    if method in (RANDOM, ALL_FEATURES):
        return "muted", "dot" if method == RANDOM else "dash"
    place = page.candidates.index(method)
    dash = DASHES[place // N_COLOURS % len(DASHES)]
    return f"method-{place % N_COLOURS}", dash


def curve_figure(page: PageData, measure: str) -> Figure:
    """A measure over the budget: a line and a band of one standard error each."""
    traces = []
    reach: list[int] = []
    for method in [RANDOM, *page.candidates]:
        curve = page.curve(measure, method)
        if len(curve):
            reach += curve.index.tolist()
            traces += _line(page, method, curve)
    whole = page.curve(measure, ALL_FEATURES)
    if len(whole) and reach:
        traces.append(_level_line(whole, min(reach), max(reach)))
    title = figure_text(MEASURES[measure].title, 32)
    better = "higher" if MEASURES[measure].greater_is_better else "lower"
    layout: dict[str, Any] = {
        "height": 430,
        "xaxis": {"title": {"text": "features"}, "rangemode": "normal"},
        "yaxis": {"title": {"text": f"{title} ({better} is better)"}},
        "hovermode": "closest",
    }
    if page.answer is not None:
        layout |= _mark(page.answer.budget)
    return {"data": traces, "layout": layout}


def _line(page: PageData, method: str, curve: pd.DataFrame) -> list[dict[str, Any]]:
    colour, dash = line_style(page, method)
    budgets = curve.index.tolist()
    means = [significant(mean) for mean in curve["mean"]]
    errors = [significant(error) for error in curve["std_error"].fillna(0.0)]
    upper = [significant(m + e) for m, e in zip(means, errors, strict=True)]
    lower = [significant(m - e) for m, e in zip(means, errors, strict=True)]
    name = figure_text(method_title(method), WIDE)
    shared = {"type": "scatter", "name": name}
    place = 0 if colour == "muted" else page.candidates.index(method)
    band = shared | {
        "x": budgets + budgets[::-1],
        "y": upper + lower[::-1],
        "mode": "lines",
        "fill": "toself",
        "fillcolor": f"{colour} 0.14",
        "line": {"width": 0, "color": f"{colour} 0"},
        "hoverinfo": "skip",
        "showlegend": False,
        "meta": {"method": clean(method), "band": True},
    }
    line = shared | {
        "x": budgets,
        "y": means,
        "customdata": errors,
        "text": name,
        "mode": "lines+markers",
        "line": {"color": colour, "dash": dash, "width": 2},
        "marker": {"size": 5, "symbol": _SYMBOLS[place % len(_SYMBOLS)]},
        "hovertemplate": "%{text}<br>%{x} features: %{y:.4f} ± %{customdata:.4f}"
        "<extra></extra>",
        "meta": {"method": clean(method), "band": False},
    }
    return [band, line]


def _level_line(curve: pd.DataFrame, low: int, high: int) -> dict[str, Any]:
    n_features, mean = curve.index[0], curve["mean"].iloc[0]
    return {
        "type": "scatter",
        "name": method_title(ALL_FEATURES),
        "x": [low, high],
        "y": [significant(mean)] * 2,
        "mode": "lines",
        "line": {"color": "muted", "dash": "dash", "width": 1.5},
        "hovertemplate": f"all {n_features} features: %{{y:.4f}}<extra></extra>",
        "meta": {"method": ALL_FEATURES, "band": False},
    }


def _mark(budget: int) -> dict[str, Any]:
    """A thin line at the recommended budget."""
    line = {
        "type": "line",
        "xref": "x",
        "yref": "paper",
        "x0": budget,
        "x1": budget,
        "y0": 0,
        "y1": 1,
        "line": {"color": "accent 0.7", "width": 1, "dash": "dot"},
    }
    label = {
        "x": budget,
        "y": 1,
        "yref": "paper",
        "yanchor": "bottom",
        "showarrow": False,
        "text": f"recommended: {budget}",
        "font": {"color": "accent", "size": 12},
    }
    return {"shapes": [line], "annotations": [label]}


def label_figure(losses: Sequence[tuple[str, float, float]]) -> Figure:
    """AUC of labels with all features and with the chosen ones."""
    names = [figure_text(name) for name, _, _ in losses]
    places = list(range(len(losses)))
    between_x: list[Any] = []
    between_y: list[Any] = []
    for place, (_, whole, part) in zip(places, losses, strict=True):
        between_x += [significant(whole), significant(part), None]
        between_y += [place, place, None]
    traces = [
        {
            "type": "scatter",
            "x": between_x,
            "y": between_y,
            "mode": "lines",
            "line": {"color": "muted", "width": 2},
            "hoverinfo": "skip",
            "showlegend": False,
        },
        _dots("all features", [w for _, w, _ in losses], places, losses, "muted"),
        _dots("chosen features", [p for *_, p in losses], places, losses, "accent"),
    ]
    ticks = {"tickvals": places, "ticktext": names, "autorange": "reversed"}
    layout = {
        "height": 110 + 24 * len(losses),
        "xaxis": {"title": {"text": "AUC"}},
        "yaxis": ticks | {"automargin": True},
        "showlegend": True,
        "legend": {"orientation": "h", "y": 1.02, "yanchor": "bottom"},
    }
    return {"data": traces, "layout": layout}


def _dots(
    name: str,
    values: Sequence[float],
    places: Sequence[int],
    losses: Sequence[tuple[str, float, float]],
    colour: str,
) -> dict[str, Any]:
    return {
        "type": "scatter",
        "name": name,
        "x": [significant(value) for value in values],
        "y": list(places),
        "text": [figure_text(label, WIDE) for label, _, _ in losses],
        "mode": "markers",
        "marker": {"color": colour, "size": 9},
        "hovertemplate": f"%{{text}}, {name}: %{{x:.4f}}<extra></extra>",
    }
