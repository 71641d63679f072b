# SPDX-License-Identifier: BSD-3-Clause
"""The heat maps of the page as plain plotly dictionaries."""

from collections.abc import Mapping, Sequence
from typing import Any

from labelsift.report.page_curves import shown_budget
from labelsift.report.page_data import PageData
from labelsift.report.page_figures import Figure, significant
from labelsift.report.page_text import figure_text

# Rows and columns of weights; more would be too small to read.
MOST_FEATURES = 40
MOST_LABELS = 40
_WIDE = 60  # characters of a name in a hover box


def weights_figure(
    page: PageData, selection: Mapping[str, Any], n_features: int
) -> Figure:
    """Weights of the first chosen features per label, features downwards."""
    labels = list(selection["weights_labels"])[:MOST_LABELS]
    names = [page.data["label_names"][i] for i in labels]
    weights = [list(row)[: len(labels)] for row in selection["weights"][:n_features]]
    features = list(selection["names"])[: len(weights)]
    return _heat_map(
        [[None if w is None else significant(w) for w in row] for row in weights],
        features,
        names,
        scale="diverging",
        hover="%{customdata}: weight %{z:.4g}",
        extra={"zmid": 0},
    )


def overlap_figure(page: PageData, methods: Sequence[str]) -> Figure:
    """Share of features that two methods have in common, of those of either."""
    budget = shown_budget(page)
    chosen = [set(page.selections[m]["order"][:budget]) for m in methods]
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


def cooccurrence_figure(data: Mapping[str, Any]) -> Figure:
    """How often two labels occur together, of the samples that have either."""
    counts = data["cooccurrence"]
    n = len(counts)
    share = [
        [
            None
            if i == j
            else significant(counts[i][j] / max(1, _either(counts, i, j)))
            for j in range(n)
        ]
        for i in range(n)
    ]
    names = [data["label_names"][i] for i in data["cooccurrence_labels"]]
    return _heat_map(
        share,
        names,
        names,
        scale="sequential",
        hover="%{customdata}: %{z:.1%} of the samples with either",
        extra={"zmin": 0},
    )


def _either(counts: Sequence[Sequence[int]], i: int, j: int) -> int:
    return int(counts[i][i] + counts[j][j] - counts[i][j])


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
