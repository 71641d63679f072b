# SPDX-License-Identifier: BSD-3-Clause
"""A measure against the number of features: one line per method."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any

import numpy as np

from labelsift.core.optional import import_extra

# Distinct in print and for the colour-blind: every line has its own marker too.
_MARKERS = "osD^vP*X"
_CONTROL = "0.5"


def new_figure(width: float, height: float, layout: str | None = "constrained") -> Any:
    """A figure of this size in inches, independent of pyplot."""
    module = import_extra("matplotlib.figure", "labelsift.plots")
    return module.Figure(figsize=(width, height), dpi=130, layout=layout)


def feature_curves(
    curves: Mapping[str, Sequence[Any]],
    *,
    ax: Any = None,
    measure: str = "macro AUC",
    title: str = "",
    controls: Collection[str] = (),
) -> Any:
    """Plot one line per method: a measure against the number of features.

    Parameters
    ----------
    curves : mapping of str to (counts, values) or (counts, values, errors)
        For each method the numbers of features, the values and, for a band around
        them, their standard errors; NaN leaves a gap.
    ax : matplotlib Axes or None, default=None
        Where to draw; None: a new figure, ``.figure`` of the result.
    measure : str, default="macro AUC"
        What the values are.
    title : str, default=""
        Title of the plot.
    controls : collection of str, default=()
        Methods drawn in grey, such as a random ranking: dotted, or a dashed line across
        the plot for a control of one value, such as all features. Names without a curve
        are ignored.

    Returns
    -------
    matplotlib Axes
        With one line per method.

    Examples
    --------
    >>> from labelsift.plots import feature_curves
    >>> ax = feature_curves(
    ...     {
    ...         "fisher": ([5, 10, 20], [0.71, 0.78, 0.81], [0.02, 0.01, 0.01]),
    ...         "all features": ([64], [0.86]),
    ...     },
    ...     controls=["all features"],
    ... )
    >>> ax.figure.savefig("curves.png")  # doctest: +SKIP
    """
    if not curves:
        raise ValueError("curves is empty: pass at least one method with its values.")
    lines = {name: _read_curve(name, curve) for name, curve in curves.items()}
    if ax is None:
        ax = new_figure(5.2, 3.6).subplots()
    for k, (name, line) in enumerate(lines.items()):
        if name in controls:
            _draw_control(ax, name, *line)
        else:
            marker = {"marker": _MARKERS[k % len(_MARKERS)], "markersize": 4}
            _draw_line(ax, name, *line, **marker)
    _label(ax, measure, title)
    return ax


def _read_curve(name: str, curve: Sequence[Any]) -> list[Any]:
    """Counts in order, values and errors; NaN without errors."""
    parts = [np.asarray(part, dtype=float) for part in curve]
    size = parts[0].size
    if len(parts) not in (2, 3) or {p.shape for p in parts} != {(size,)} or not size:
        shapes = ", ".join(str(part.shape) for part in parts)
        raise ValueError(
            f"The curve of {name!r} has parts of the shapes {shapes}: pass counts and "
            "values, and errors where they are known, as lists of one length."
        )
    order = np.argsort(parts[0], kind="stable")
    counts, values, *errors = (part[order] for part in parts)
    return [counts, values, errors[0] if errors else np.full(len(order), np.nan)]


def _draw_control(ax: Any, name: str, counts: Any, values: Any, errors: Any) -> None:
    """In grey: dotted, or dashed from side to side where it has one value."""
    if len(counts) > 1:
        _draw_line(ax, name, counts, values, errors, color=_CONTROL, linestyle=":")
        return
    across = {"transform": ax.get_yaxis_transform(), "linestyle": "--"}
    ends = np.repeat([values, errors], 2, axis=1)
    _draw_line(ax, name, [0, 1], *ends, color=_CONTROL, **across)


def _draw_line(
    ax: Any, name: str, counts: Any, values: Any, errors: Any, **style: Any
) -> None:
    """A line and, where errors are known, a band of one error around it."""
    [line] = ax.plot(counts, values, linewidth=1.2, label=str(name), **style)
    if np.isnan(errors).all():
        return
    ax.fill_between(
        counts,
        values - errors,
        values + errors,
        color=line.get_color(),
        alpha=0.15,
        linewidth=0,
        transform=line.get_transform(),
    )


def _label(ax: Any, measure: str, title: str) -> None:
    """Names of the axes and of the lines: text, not markup."""
    ax.set_xlabel("features", fontsize=9)
    ax.set_ylabel(measure, fontsize=9, parse_math=False)
    ax.set_title(title, fontsize=10, parse_math=False)
    ax.tick_params(labelsize=8)
    ax.grid(alpha=0.3)
    for text in ax.legend(fontsize=8, frameon=False).get_texts():
        text.set_parse_math(False)
