# SPDX-License-Identifier: BSD-3-Clause
"""The heat maps of the page as plain plotly dictionaries."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from labelsift.compare.page.data import PageData, Selection
from labelsift.compare.page.figures import WIDE, Figure, figure_text, significant

# Rows of weights; more would be too small to read.
MOST_FEATURES = 40


def weights_figure(page: PageData, selection: Selection, n_features: int) -> Figure:
    """Weights of the first chosen features per label, features downwards."""
    return _heat_map(
        [[significant(w) for w in row] for row in selection.weights[:n_features]],
        selection.names[:n_features],
        [page.data.label_names[i] for i in page.frequent_labels],
        scale="diverging",
        hover="%{customdata}: weight %{z:.4g}",
        extra={"zmid": 0},
    )


def overlap_figure(page: PageData, methods: Sequence[str]) -> Figure:
    """Share of features that two methods have in common, of those of either."""
    chosen = [set(page.selections[m].order[: page.budget]) for m in methods]
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
    part = page.data.Y[:, labels].astype(np.int64)
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
            "rows": [figure_text(row, WIDE) for row in rows],
            "columns": [figure_text(column, WIDE) for column in columns],
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
