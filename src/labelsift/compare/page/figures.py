# SPDX-License-Identifier: BSD-3-Clause
"""The figures of the page as plain plotly dictionaries.

A colour is the name of a colour of the style sheet, perhaps with an opacity
("method-3 0.2"), and a colour scale is the name of one in the script: both are looked
up when a figure is drawn, in light or in dark.
"""

import html
import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

from labelsift.compare.page.data import PageData, Selection
from labelsift.core.text import clean, short
from labelsift.experiment.catalogue import ALL_FEATURES, RANDOM, method_title
from labelsift.metrics import EVERY_MEASURE
from labelsift.model_selection.trust import Trust

Figure = dict[str, Any]

N_COLOURS = 8
DASHES = ("solid", "dash", "dot", "dashdot")
_SYMBOLS = ("circle", "square", "diamond", "triangle-up", "cross", "x", "star")

_WIDE = 60  # characters of a name in a hover box
# Rows of weights; more would be too small to read.
MOST_FEATURES = 40
_MOST_LABELS = 30  # of the small heat map of what they lose


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
    title = figure_text(EVERY_MEASURE[measure].title, 32)
    better = "higher" if EVERY_MEASURE[measure].greater_is_better else "lower"
    layout: dict[str, Any] = {
        "height": 430,
        "xaxis": {"title": {"text": "features"}, "rangemode": "normal"},
        "yaxis": {"title": {"text": f"{title} ({better} is better)"}},
        "hovermode": "closest",
    }
    if page.answer is not None:
        layout |= _mark(page.answer.budget)
    if page.by_cost:
        layout["xaxis"] = _cost_axis(reach)
        layout |= _mark(page.budget, math.log10(page.budget))
    return {"data": traces, "layout": layout}


def _cost_axis(totals: Sequence[float]) -> dict[str, Any]:
    """Totals grow by about the same factor each."""
    shown = sorted(set(totals))
    ticks = {"tickvals": shown, "ticktext": [f"{total:g}" for total in shown]}
    return {"title": {"text": "total cost"}, "type": "log"} | ticks


def _stepped(x: list[Any], y: list[Any]) -> tuple[list[Any], list[Any]]:
    """Points of a line that stays where it is up to the next point."""
    return [x[0], *(v for v in x[1:] for _ in (0, 1))], [
        *(v for v in y[:-1] for _ in (0, 1)),
        y[-1],
    ]


def _line(page: PageData, method: str, curve: pd.DataFrame) -> list[dict[str, Any]]:
    colour, dash = line_style(page, method)
    budgets = curve.index.tolist()
    means = [significant(mean) for mean in curve["mean"]]
    errors = [significant(error) for error in curve["std_error"].fillna(0.0)]
    upper = [significant(m + e) for m, e in zip(means, errors, strict=True)]
    lower = [significant(m - e) for m, e in zip(means, errors, strict=True)]
    name = figure_text(method_title(method), _WIDE)
    shared = {"type": "scatter", "name": name}
    place = 0 if colour == "muted" else page.candidates.index(method)
    # Sets under a cost are not nested: nothing lies between two totals.
    size, step, along = "%{x} features", {}, budgets
    if page.by_cost:
        size, step = "for %{x}", {"shape": "hv"}
        (along, upper), (_, lower) = (_stepped(budgets, e) for e in (upper, lower))
    band = shared | {
        "x": along + along[::-1],
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
        "line": {"color": colour, "dash": dash, "width": 2} | step,
        "marker": {"size": 5, "symbol": _SYMBOLS[place % len(_SYMBOLS)]},
        "hovertemplate": f"%{{text}}<br>{size}: %{{y:.4f}} ± %{{customdata:.4f}}"
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


def _mark(budget: float, place: float | None = None) -> dict[str, Any]:
    """A thin line at the recommended budget; annotations of a log axis have powers."""
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
        "x": budget if place is None else place,
        "y": 1,
        "yref": "paper",
        "yanchor": "bottom",
        "showarrow": False,
        "text": f"recommended: {budget:g}",
        "font": {"color": "accent", "size": 12},
    }
    return {"shapes": [line], "annotations": [label]}


def label_figure(
    losses: Sequence[tuple[str, float, float]], quality: str = "AUC"
) -> Figure:
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
        "xaxis": {"title": {"text": quality}},
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
        "text": [figure_text(label, _WIDE) for label, _, _ in losses],
        "mode": "markers",
        "marker": {"color": colour, "size": 9},
        "hovertemplate": f"%{{text}}, {name}: %{{x:.4f}}<extra></extra>",
    }


def weights_figure(page: PageData, selection: Selection, n_features: int) -> Figure:
    """Weights of the first chosen features per label, features downwards."""
    return _heat_map(
        [[significant(w) for w in row] for row in selection.weights[:n_features]],
        (selection.weight_names or selection.names)[:n_features],
        [page.data.label_names[i] for i in page.frequent_labels],
        scale="diverging",
        hover="%{customdata}: weight %{z:.4g}",
        extra={"zmid": 0},
    )


def contribution_figure(page: PageData, trust: Trust) -> Figure:
    """How much the error of each label rises without each feature; blank: not at all.

    Rises of less than two standard errors are left blank.
    """
    why = trust.explanation
    labels = page.frequent_labels[:_MOST_LABELS]
    with np.errstate(divide="ignore", invalid="ignore"):
        shares = np.where(why.serves, why.contribution / why.label_error, np.nan)
    cells = [
        [significant(value) if math.isfinite(value) else None for value in row]
        for row in shares[:MOST_FEATURES, labels]
    ]
    return _heat_map(
        cells,
        [why.feature_names[i] for i in why.features[:MOST_FEATURES]],
        [page.data.label_names[i] for i in labels],
        scale="sequential",
        hover="%{customdata}: %{z:+.1%} error without it",
        extra={"zmin": 0},
    )


def overlap_figure(page: PageData, methods: Sequence[str]) -> Figure:
    """Share of features that two methods have in common, of those of either."""
    chosen = [set(page.selections[m].order[: page.most]) for m in methods]
    share = [
        [significant(len(a & b) / max(1, len(a | b))) for b in chosen] for a in chosen
    ]
    figure = _heat_map(
        share,
        methods,
        methods,
        scale="sequential",
        hover="%{customdata}: %{z:.0%} in common",
        extra={"zmin": 0, "zmax": 1},
    )
    if len(methods) <= 12:
        figure["data"][0]["texttemplate"] = "%{z:.2f}"
    return figure


def cooccurrence_figure(page: PageData) -> Figure:
    """How often two labels occur together, of the samples that have either."""
    labels = page.frequent_labels
    part = (page.data.Y[:, labels] == 1).astype(np.int64)
    both = part.T @ part
    either = np.maximum(1, np.add.outer(np.diag(both), np.diag(both)) - both)
    share = [
        [None if i == j else significant(value) for j, value in enumerate(row)]
        for i, row in enumerate(both / either)
    ]
    names = [page.data.label_names[i] for i in labels]
    return _heat_map(
        share,
        names,
        names,
        scale="sequential",
        hover="%{customdata}: %{z:.1%} of the samples with either",
        extra={"zmin": 0},
    )


def correlation_figure(page: PageData) -> Figure:
    """Correlation of two targets."""
    targets = page.frequent_labels
    with np.errstate(invalid="ignore", divide="ignore"):
        pairs = np.corrcoef(page.data.Y[:, targets], rowvar=False)
    cells = [
        [None if i == j or not math.isfinite(v) else significant(v) for j, v in row]
        for i, row in enumerate(map(enumerate, pairs))
    ]
    names = [page.data.label_names[i] for i in targets]
    hover = "%{customdata}: correlation %{z:.2f}"
    extra = {"zmin": -1, "zmax": 1}
    return _heat_map(cells, names, names, scale="diverging", hover=hover, extra=extra)


def pixel_figure(order: Sequence[int], image_shape: Sequence[int]) -> Figure:
    """The chosen pixels with their ranks."""
    height, width = image_shape
    cells: list[list[Any]] = [[None] * width for _ in range(height)]
    ranks = [[""] * width for _ in range(height)]
    for rank, feature in enumerate(order, start=1):
        row, column = divmod(int(feature), width)
        cells[row][column] = len(order) - rank + 1
        ranks[row][column] = str(rank)
    trace = {
        "type": "heatmap",
        "z": cells,
        "text": ranks,
        "texttemplate": "%{text}" if height * width <= 1024 else "",
        "hovertemplate": "row %{y}, column %{x}: rank %{text}<extra></extra>",
        "hoverongaps": False,
        "colorscale": "sequential",
        "zmin": 0,
        "zmax": len(order),
        "showscale": False,
        "xgap": 1,
        "ygap": 1,
    }
    axis = {"showgrid": False, "zeroline": False, "constrain": "domain", "dtick": 1}
    layout = {
        "height": 380,
        "xaxis": axis | {"range": [-0.5, width - 0.5]},
        "yaxis": axis | {"range": [height - 0.5, -0.5], "scaleanchor": "x"},
        "plot_bgcolor": "well",
    }
    return {"data": [trace], "layout": layout}


def _heat_map(
    values: Sequence[Sequence[float | None]],
    rows: Sequence[str],
    columns: Sequence[str],
    *,
    scale: str,
    hover: str,
    extra: dict[str, Any],
) -> Figure:
    """A heat map whose cells are placed by number: short names may be equal.

    The script writes ``customdata``, the pair of names of each cell, from ``meta``.
    """
    trace = {
        "type": "heatmap",
        "z": [list(row) for row in values],
        "meta": {
            "rows": [figure_text(row, _WIDE) for row in rows],
            "columns": [figure_text(column, _WIDE) for column in columns],
        },
        "hovertemplate": f"{hover}<extra></extra>",
        "hoverongaps": False,
        "colorscale": scale,
        "colorbar": {"thickness": 12, "outlinewidth": 0},
    }
    layout = {
        "height": 170 + 20 * len(rows),
        "xaxis": _named_axis(columns),
        "yaxis": _named_axis(rows) | {"autorange": "reversed"},
    }
    return {"data": [trace | extra], "layout": layout}


def _named_axis(names: Sequence[str]) -> dict[str, Any]:
    return {
        "tickvals": list(range(len(names))),
        "ticktext": [figure_text(name, 18) for name in names],
        "showgrid": False,
        "zeroline": False,
        "automargin": True,
    }
