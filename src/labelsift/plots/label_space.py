# SPDX-License-Identifier: BSD-3-Clause
"""Labels in the subspace that they share, as a picture."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.cluster.hierarchy import leaves_list, linkage, optimal_leaf_ordering
from scipy.spatial.distance import pdist

from labelsift.core.optional import import_extra

# White at 0, readable by the colour-blind and in print.
_COLOURS = "PuOr"
# Inches for a label's row and a component's column.
_ROW, _COLUMN = 0.24, 0.34


def unit_loadings(loadings: Any) -> NDArray[np.float64]:
    """Loadings of each label scaled to length 1, so that rare labels can be compared.

    Parameters
    ----------
    loadings : array of shape (n_components, n_labels)
        Where each label lies in the shared space: for a fitted ``MLLS``,
        ``components_ @ coef_.T``.

    Returns
    -------
    ndarray of shape (n_labels, n_components)
        One row per label; 0 for a label that has no place in the space.
    """
    rows = np.asarray(loadings, dtype=np.float64).T
    length = np.linalg.norm(rows, axis=1, keepdims=True)
    return np.divide(rows, length, out=np.zeros_like(rows), where=length > 0)


def similarity_order(rows: NDArray[np.float64]) -> NDArray[np.intp]:
    """Order labels so that neighbours are alike.

    Parameters
    ----------
    rows : ndarray of shape (n_labels, n_components)
        Where each label lies.

    Returns
    -------
    ndarray of int
        The leaves of an average-linkage tree, each branch turned so that neighbours
        are as near as they can be.
    """
    if len(rows) < 3:
        return np.arange(len(rows))
    distances = pdist(rows)
    tree = optimal_leaf_ordering(linkage(distances, "average"), distances)
    return np.asarray(leaves_list(tree), dtype=np.intp)


def draw_label_space(
    loadings: Any,
    label_names: Sequence[str],
    path: str | Path,
    *,
    gains: Any = None,
    title: str = "",
) -> None:
    """Draw where the labels lie in the shared space, and how alike they are.

    The left panel has a row per label and a column per component, white where a label
    does not use a component; labels that use components alike stand together. The
    right panel shows the cosine between any two labels, in the same order.

    Parameters
    ----------
    loadings : array of shape (n_components, n_labels)
        Where each label lies: for a fitted ``MLLS``, ``components_ @ coef_.T``.
    label_names : sequence of str
        One name per label.
    path : str or Path
        PNG, SVG or PDF file to write.
    gains : array of shape (n_components,), optional
        What each component explains, shown as its share: ``eigenvalues_``.
    title : str, default=""
        Stands above the picture.
    """
    rows = unit_loadings(loadings)
    if len(label_names) != len(rows):
        raise ValueError(
            f"label_names has {len(label_names)} names for {len(rows)} labels: pass "
            "one for each column of loadings."
        )
    order = similarity_order(rows)
    rows, names = rows[order], [str(label_names[i]) for i in order]
    n_labels, n_components = rows.shape
    figure, (left, right, scale) = _panels(n_labels, n_components, max(map(len, names)))
    image = heat_map(left, rows, names)
    heat_map(right, rows @ rows.T, None)
    left.set_title("loadings of labels (length 1)", fontsize=9)
    right.set_title("likeness of labels (cosine)", fontsize=9)
    left.set_xticks(range(n_components), _heads(n_components, gains), fontsize=7)
    shares = "" if gains is None else ", and its share\nof what sharing gains"
    left.set_xlabel(f"component{shares}", fontsize=8)
    figure.colorbar(image, cax=scale)
    scale.tick_params(labelsize=7)
    figure.suptitle(title, fontsize=11, parse_math=False)
    figure.savefig(path, dpi=130)


def _heads(count: int, gains: Any) -> list[str]:
    """Number of each component and, where known, its share of what all gain."""
    numbers = [str(k + 1) for k in range(count)]
    if gains is None:
        return numbers
    shares = 100 * np.asarray(gains)[:count] / np.sum(gains)
    return [f"{n}\n{s:.0f}%" for n, s in zip(numbers, shares, strict=True)]


def _panels(n_labels: int, n_components: int, longest: int) -> tuple[Any, Any]:
    """Two panels with square-ish cells and a narrow one for the scale."""
    left = max(1.5, _COLUMN * n_components)
    right = max(1.5, _ROW * n_labels)
    size = (left + right + 0.08 * longest + 1.2, max(2.0, _ROW * n_labels) + 1.1)
    figure = import_extra("matplotlib.figure", "A picture").Figure(
        figsize=size, layout="constrained"
    )
    axes = figure.subplots(1, 3, width_ratios=[left, right, 0.12])
    return figure, axes


def heat_map(axis: Any, values: NDArray[np.float64], names: list[str] | None) -> Any:
    """Values from -1 to 1 as colours, rows named where names are given.

    Parameters
    ----------
    axis : matplotlib axis
        Where to draw.
    values : ndarray of two dimensions
        Within [-1, 1].
    names : list of str or None
        Of the rows.

    Returns
    -------
    image
        For a colour bar.
    """
    image = axis.imshow(values, cmap=_COLOURS, vmin=-1, vmax=1, aspect="auto")
    axis.set_xticks([])
    axis.set_yticks(range(len(values)) if names else [])
    if names:
        for text in axis.set_yticklabels(names, fontsize=7):
            text.set_parse_math(False)
    for spine in axis.spines.values():
        spine.set_visible(False)
    return image
