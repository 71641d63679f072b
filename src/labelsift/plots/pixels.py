# SPDX-License-Identifier: BSD-3-Clause
"""A selection of pixels as a picture."""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from labelsift.core.data import MultiLabelData
from labelsift.core.optional import import_extra

_PIXEL = re.compile(r"pixel_(\d+)_(\d+)")
_CHOSEN = "#d1495b"


def pixel_positions(feature_names: Sequence[str]) -> NDArray[np.intp]:
    """Row and column of every feature called pixel_ROW_COLUMN.

    Parameters
    ----------
    feature_names : sequence of str
        The names.

    Returns
    -------
    ndarray of shape (n_features, 2)
        Row and column.
    """
    matches = [_PIXEL.fullmatch(name) for name in feature_names]
    for name, match in zip(feature_names, matches, strict=True):
        if match is None:
            raise ValueError(
                f"The feature {name!r} is no pixel: a picture needs features called "
                "pixel_ROW_COLUMN; leave out the picture."
            )
    found = [match.groups() for match in matches if match is not None]
    return np.array(found, dtype=np.intp)


def draw_pixels(data: MultiLabelData, chosen: Any, path: str | Path) -> None:
    """Draw the chosen pixels, numbered by rank, and what each label looks like.

    The first panel shows the mean image with the ranks of the chosen pixels; then one
    panel per label shows the mean image with the label minus the one without it.

    Parameters
    ----------
    data : MultiLabelData
        Image data: every feature is called pixel_ROW_COLUMN.
    chosen : array of int
        Feature indices, best first.
    path : str or Path
        PNG, SVG or PDF file to write.
    """
    positions = pixel_positions(data.feature_names)
    labels = [
        (name, column)
        for name, column in zip(data.label_names, data.Y.T == 1, strict=True)
        if column.any() and not column.all()
    ]
    figure, axes = _panels(1 + len(labels))
    _draw(axes[0], positions, data.X.mean(axis=0), "mean image", "Greys")
    _number(axes[0], positions[chosen])
    for axis, (label, column) in zip(axes[1:], labels, strict=True):
        contrast = data.X[column].mean(axis=0) - data.X[~column].mean(axis=0)
        _draw(axis, positions, contrast, label, "PuOr")
    for axis in axes:
        _frame(axis, positions[chosen])
    figure.suptitle(f"{len(chosen)} of {data.n_features} pixels of {data.name}")
    figure.savefig(path, dpi=120)


def _panels(count: int) -> tuple[Any, Any]:
    """A figure with ``count`` panels, at most four in a row."""
    n_columns = min(4, count)
    n_rows = -(-count // n_columns)
    figure = import_extra("matplotlib.figure", "A picture").Figure(
        figsize=(2.6 * n_columns, 2.9 * n_rows), layout="constrained"
    )
    axes = np.ravel(figure.subplots(n_rows, n_columns, squeeze=False))
    for axis in axes:
        axis.set_axis_off()
    return figure, axes[:count]


def _draw(
    axis: Any, positions: NDArray[np.intp], values: Any, title: str, colours: str
) -> None:
    """One image; signed values get a scale that is white at 0."""
    image = np.full(positions.max(axis=0) + 1, np.nan)
    image[positions[:, 0], positions[:, 1]] = np.ravel(values)
    limit = np.nanmax(np.abs(image))
    low = -limit if np.nanmin(image) < 0 else 0
    axis.imshow(image, cmap=colours, vmin=low, vmax=limit)
    axis.set_title(title, fontsize=10, parse_math=False)


def _frame(axis: Any, pixels: NDArray[np.intp]) -> None:
    patches = import_extra("matplotlib.patches", "A picture")
    for row, column in pixels:
        corner = (column - 0.46, row - 0.46)
        axis.add_patch(
            patches.Rectangle(corner, 0.92, 0.92, fill=False, color=_CHOSEN, lw=1.6)
        )


def _number(axis: Any, pixels: NDArray[np.intp]) -> None:
    effects = import_extra("matplotlib.patheffects", "A picture")
    halo = [effects.withStroke(linewidth=2.5, foreground="white")]
    for rank, (row, column) in enumerate(pixels, start=1):
        text = axis.text(column, row, rank, ha="center", va="center", fontsize=8)
        text.set_path_effects(halo)
