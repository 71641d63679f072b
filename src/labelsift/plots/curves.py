# SPDX-License-Identifier: BSD-3-Clause
"""A measure against the number of features, as a picture."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from labelsift.core.optional import import_extra

# Distinct in print and for the colour-blind: every line has its own mark too.
_MARKS = "osD^vP*X"


def draw_feature_curve(
    curves: Mapping[str, tuple[Sequence[float], Sequence[float]]],
    path: str | Path,
    *,
    measure: str = "macro AUC",
    title: str = "",
) -> None:
    """Draw one line per method: a measure against the number of features.

    Parameters
    ----------
    curves : mapping of str to (counts, values)
        For each method the numbers of features and the values there; NaN leaves a gap.
    path : str or Path
        PNG, SVG or PDF file to write.
    measure : str, default="macro AUC"
        What the values are.
    title : str, default=""
        Stands above the picture.
    """
    if not curves:
        raise ValueError("curves is empty: pass at least one method with its values.")
    for name, (counts, values) in curves.items():
        if len(counts) != len(values):
            raise ValueError(
                f"The curve of {name!r} has {len(counts)} counts and {len(values)} "
                "values: they must match."
            )
    figure = import_extra("matplotlib.figure", "A picture").Figure(
        figsize=(5.2, 3.6), layout="constrained"
    )
    axis = figure.subplots()
    for k, (name, (counts, values)) in enumerate(curves.items()):
        order = np.argsort(counts, kind="stable")
        axis.plot(
            np.asarray(counts)[order],
            np.asarray(values, dtype=float)[order],
            marker=_MARKS[k % len(_MARKS)],
            markersize=4,
            linewidth=1.2,
            label=str(name),
        )
    _dress(axis, measure, title)
    figure.savefig(path, dpi=130)


def _dress(axis: Any, measure: str, title: str) -> None:
    axis.set_xlabel("features", fontsize=9)
    axis.set_ylabel(measure, fontsize=9, parse_math=False)
    axis.set_title(title, fontsize=10, parse_math=False)
    axis.tick_params(labelsize=8)
    axis.grid(alpha=0.3)
    for text in axis.legend(fontsize=8, frameon=False).get_texts():
        text.set_parse_math(False)
