# SPDX-License-Identifier: BSD-3-Clause
"""Positions of labels in their shared subspace."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.cluster.hierarchy import leaves_list, linkage, optimal_leaf_ordering
from scipy.spatial.distance import pdist

from labelsift.plots.curves import new_figure

# White at 0, readable by the colour-blind and in print.
_COLOURS = "PuOr"
# Inches for a row, for a column and for a letter of a name.
_ROW, _COLUMN, _LETTER = 0.24, 0.34, 0.08


def label_space(
    loadings: Any,
    label_names: Sequence[str],
    gains: Any = None,
    *,
    figure: Any = None,
    title: str = "",
) -> NDArray[Any]:
    """Plot the positions of labels in the shared space, and their similarity.

    The left panel has a row per label and a column per component, white where a label
    does not use a component; labels that use the same components are neighbours. The
    right panel shows the cosine between any two labels, in the same order.

    Parameters
    ----------
    loadings : array of shape (n_components, n_labels)
        Position of each label: for a fitted ``MLLS``, ``components_ @ coef_.T``.
    label_names : sequence of str
        One name per label.
    gains : array of shape (n_components,) or None, default=None
        What each component explains, shown as its share: ``eigenvalues_``.
    figure : matplotlib Figure or SubFigure or None, default=None
        Where to draw; None: a new one that fits the labels.
    title : str, default=""
        Title of the figure.

    Returns
    -------
    ndarray of three matplotlib Axes
        Loadings, cosines, and the scale of colours; their ``figure`` saves them.

    Examples
    --------
    >>> from labelsift.plots import label_space
    >>> loadings = [[1.0, 0.9, 0.0], [0.0, 0.1, 1.0]]
    >>> axes = label_space(loadings, ["sea", "beach", "town"])
    >>> axes[0].figure.savefig("space.png")  # doctest: +SKIP
    """
    rows = unit_loadings(loadings)
    if len(label_names) != len(rows):
        raise ValueError(
            f"label_names has {len(label_names)} names for {len(rows)} labels: pass "
            "one for each column of loadings."
        )
    order = similarity_order(rows)
    rows = rows[order]
    axes = paired_heat_maps(
        {
            "loadings of labels (length 1)": rows,
            "similarity of labels (cosine)": rows @ rows.T,
        },
        [str(label_names[i]) for i in order],
        figure,
        title,
    )
    n_components = rows.shape[1]
    axes[0].set_xticks(range(n_components), _heads(n_components, gains), fontsize=7)
    shares = "" if gains is None else ", and its share\nof what sharing gains"
    axes[0].set_xlabel(f"component{shares}", fontsize=8)
    return axes


def unit_loadings(loadings: Any) -> NDArray[np.float64]:
    """One row per label, scaled to length 1 so that rare labels can be compared.

    A label outside the space stays 0.
    """
    rows = np.asarray(loadings, dtype=np.float64).T
    length = np.linalg.norm(rows, axis=1, keepdims=True)
    return np.divide(rows, length, out=np.zeros_like(rows), where=length > 0)


def similarity_order(rows: NDArray[np.float64]) -> NDArray[np.intp]:
    """Order rows so that neighbours are similar.

    The leaves of an average-linkage tree, each branch turned so that neighbours are as
    close as possible.
    """
    if len(rows) < 3:
        return np.arange(len(rows))
    distances = pdist(rows)
    tree = optimal_leaf_ordering(linkage(distances, "average"), distances)
    return np.asarray(leaves_list(tree), dtype=np.intp)


def _heads(count: int, gains: Any) -> list[str]:
    """Number of each component and, where known, its share of what all gain."""
    numbers = [str(k + 1) for k in range(count)]
    if gains is None:
        return numbers
    shares = 100 * np.asarray(gains)[:count] / np.sum(gains)
    return [f"{n}\n{s:.0f}%" for n, s in zip(numbers, shares, strict=True)]


def paired_heat_maps(
    panels: dict[str, NDArray[np.float64]], names: list[str], figure: Any, title: str
) -> NDArray[Any]:
    """Two matrices of values from -1 to 1 under their titles, over the same rows."""
    height = max(1.8, _ROW * len(names))
    widths = [
        height if values.shape[1] == len(names) else max(1.5, _COLUMN * values.shape[1])
        for values in panels.values()
    ]
    if figure is None:
        letters = max(map(len, names))
        figure = new_figure(sum(widths) + _LETTER * letters + 1.2, height + 1.1)
    axes = figure.subplots(1, 3, width_ratios=[*widths, 0.12])
    for ax, (head, values) in zip(axes, panels.items(), strict=False):
        image = ax.imshow(values, cmap=_COLOURS, vmin=-1, vmax=1, aspect="auto")
        ax.set_title(head, fontsize=9)
        ax.set(xticks=[], yticks=[])
        ax.spines[:].set_visible(False)
    for text in axes[0].set_yticks(range(len(names)), names, fontsize=7):
        text.label1.set_parse_math(False)
    figure.colorbar(image, cax=axes[2])
    axes[2].tick_params(labelsize=7)
    figure.suptitle(title, fontsize=11, parse_math=False)
    return axes
