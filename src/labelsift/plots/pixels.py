# SPDX-License-Identifier: BSD-3-Clause
"""The chosen pixels of images, and the mean effect of each label."""

import re
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from labelsift.core.data import MultiLabelData
from labelsift.core.optional import import_extra
from labelsift.plots.curves import new_figure

_PIXEL = re.compile(r"pixel_(\d+)_(\d+)")
_CHOSEN = "#d1495b"


def pixels(data: MultiLabelData, chosen: Any, *, figure: Any = None) -> NDArray[Any]:
    """Plot the chosen pixels, numbered by rank, and the mean effect of each label.

    The first panel shows the mean image with the ranks of the chosen pixels; then one
    panel per label shows the mean image with the label minus the one without it.

    Parameters
    ----------
    data : MultiLabelData
        Image data: every feature is called pixel_ROW_COLUMN.
    chosen : array of int
        Feature indices, best first.
    figure : matplotlib Figure or SubFigure or None, default=None
        Where to draw; None: a new one that fits the labels.

    Returns
    -------
    ndarray of matplotlib Axes
        One per panel; their ``figure`` saves them.

    Examples
    --------
    >>> from labelsift.datasets import load_dataset
    >>> from labelsift.plots import pixels
    >>> axes = pixels(load_dataset("traits"), [36, 43, 21])
    >>> axes[0].figure.savefig("pixels.png")  # doctest: +SKIP
    """
    positions = pixel_positions(data.feature_names)
    labels = [
        (name, column)
        for name, column in zip(data.label_names, data.Y.T == 1, strict=True)
        if column.any() and not column.all()
    ]
    axes = _panels(1 + len(labels), figure)
    _draw(axes[0], positions, data.X.mean(axis=0), "mean image", "Greys")
    _number(axes[0], positions[chosen])
    for ax, (label, column) in zip(axes[1:], labels, strict=True):
        contrast = data.X[column].mean(axis=0) - data.X[~column].mean(axis=0)
        _draw(ax, positions, contrast, label, "PuOr")
    for ax in axes:
        _frame(ax, positions[chosen])
    title = f"{len(chosen)} of {data.n_features} pixels of {data.name}"
    axes[0].figure.suptitle(title, parse_math=False)
    return axes


def pixel_positions(feature_names: Sequence[str]) -> NDArray[np.intp]:
    """Row and column of every feature called pixel_ROW_COLUMN."""
    matches = [_PIXEL.fullmatch(name) for name in feature_names]
    for name, match in zip(feature_names, matches, strict=True):
        if match is None:
            raise ValueError(
                f"The feature {name!r} is not a pixel: a picture needs features called "
                "pixel_ROW_COLUMN; leave out the picture."
            )
    positions = [match.groups() for match in matches if match is not None]
    return np.array(positions, dtype=np.intp)


def _panels(count: int, figure: Any) -> NDArray[Any]:
    """This many panels, at most four in a row."""
    n_columns = min(4, count)
    n_rows = -(-count // n_columns)
    if figure is None:
        figure = new_figure(2.6 * n_columns, 2.9 * n_rows)
    axes = np.ravel(figure.subplots(n_rows, n_columns, squeeze=False))
    for ax in axes:
        ax.set_axis_off()
    return axes[:count]


def _draw(
    ax: Any, positions: NDArray[np.intp], values: Any, title: str, colours: str
) -> None:
    """One image; signed values get a scale that is white at 0."""
    image = np.full(positions.max(axis=0) + 1, np.nan)
    image[positions[:, 0], positions[:, 1]] = np.ravel(values)
    limit = np.nanmax(np.abs(image))
    low = -limit if np.nanmin(image) < 0 else 0
    ax.imshow(image, cmap=colours, vmin=low, vmax=limit)
    ax.set_title(title, fontsize=10, parse_math=False)


def _frame(ax: Any, positions: NDArray[np.intp]) -> None:
    """A frame around every chosen pixel."""
    patches = import_extra("matplotlib.patches", "labelsift.plots")
    for row, column in positions:
        corner = (column - 0.46, row - 0.46)
        ax.add_patch(
            patches.Rectangle(corner, 0.92, 0.92, fill=False, color=_CHOSEN, lw=1.6)
        )


def _number(ax: Any, positions: NDArray[np.intp]) -> None:
    """The rank of every chosen pixel, readable on any grey."""
    effects = import_extra("matplotlib.patheffects", "labelsift.plots")
    halo = [effects.withStroke(linewidth=2.5, foreground="white")]
    for rank, (row, column) in enumerate(positions, start=1):
        text = ax.text(column, row, rank, ha="center", va="center", fontsize=8)
        text.set_path_effects(halo)
