# SPDX-License-Identifier: BSD-3-Clause
"""Demsar's diagram: average ranks of methods, and which of them differ."""

import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from labelsift.core.optional import import_extra

_BAR = "#d1495b"
_LINE = "0.35"
# Inches for the scale, for a row of a name, for a bar, and for a letter of a name.
_SCALE, _ROW, _STEP, _LETTER = 5.0, 0.24, 0.12, 0.085


def joined_methods(ranks: Mapping[str, float], cd: float) -> list[tuple[str, ...]]:
    """Find the largest groups of methods whose ranks are all within ``cd``.

    Parameters
    ----------
    ranks : mapping of str to float
        Average rank of each method.
    cd : float
        Critical difference: ranks as far apart differ.

    Returns
    -------
    list of tuple of str
        Groups of two methods or more, best first; none lies within another.

    Examples
    --------
    >>> from labelsift.report.critical_difference import joined_methods
    >>> joined_methods({"a": 1.2, "b": 2.0, "c": 2.8}, cd=1.0)
    [('a', 'b'), ('b', 'c')]
    """
    order = sorted(ranks, key=lambda name: ranks[name])
    groups: list[tuple[str, ...]] = []
    reached = 0
    for i, first in enumerate(order):
        end = i + 1
        while end < len(order) and ranks[order[end]] - ranks[first] < cd:
            end += 1
        if end > max(reached, i + 1):
            groups.append(tuple(order[i:end]))
            reached = end
    return groups


def draw_critical_difference(
    ranks: Mapping[str, float], cd: float, path: str | Path, *, title: str = ""
) -> None:
    """Draw the diagram of ``critical_difference_figure`` into a file.

    Parameters
    ----------
    ranks : mapping of str to float
        Average rank of each method; 1 is the best.
    cd : float
        Critical difference: ranks as far apart differ.
    path : str or Path
        PNG, SVG or PDF file to write.
    title : str, default=""
        Stands above the picture.
    """
    critical_difference_figure(ranks, cd, title=title).savefig(path, dpi=130)


def critical_difference_figure(
    ranks: Mapping[str, float], cd: float, *, title: str = ""
) -> Any:
    """Draw average ranks on a scale, and join the methods that do not differ.

    The best method stands on the left. A bar joins methods whose ranks are less than
    the critical difference apart; what no bar joins differs.

    Parameters
    ----------
    ranks : mapping of str to float
        Average rank of each method, as ``RankTest.ranks``; 1 is the best.
    cd : float
        ``RankTest.critical_difference``.
    title : str, default=""
        Stands above the picture.

    Returns
    -------
    matplotlib.figure.Figure
        Grows with the number of methods and the length of their names.
    """
    _check(ranks, cd)
    order = sorted(ranks, key=lambda name: ranks[name])
    middle = (len(order) + 1) // 2
    # The outermost stands highest, so that no line crosses another.
    sides = order[:middle], order[middle:][::-1]
    levels = _levels(ranks, joined_methods(ranks, cd))
    depth = _STEP * (len(levels) + 2) + _ROW * middle
    figure, axis = _canvas(sides, depth, title)
    low = math.floor(ranks[order[0]])
    high = max(math.ceil(ranks[order[-1]]), low + 1)
    edge = max(high, low + cd)
    margin = 0.04 * (edge - low)
    ends = low - margin, edge + margin
    axis.set(xlim=ends, ylim=(-depth, 0.75))
    _draw_scale(axis, low, high, cd)
    _draw_bars(axis, levels, margin / 4)
    for side, end, align in zip(sides, ends, ("right", "left"), strict=True):
        for k, name in enumerate(side):
            height = -_STEP * (len(levels) + 2) - _ROW * k
            _draw_name(axis, name, ranks[name], end, height, align)
    return figure


def _check(ranks: Mapping[str, float], cd: float) -> None:
    if len(ranks) < 2:
        raise ValueError(f"ranks has {len(ranks)} methods: pass at least 2 to compare.")
    for name, rank in ranks.items():
        if not math.isfinite(rank):
            raise ValueError(f"The rank of {name!r} is {rank}: leave the method out.")
    if not (math.isfinite(cd) and cd > 0):
        raise ValueError(f"cd is {cd}: pass a critical difference above 0.")


def _levels(
    ranks: Mapping[str, float], groups: list[tuple[str, ...]]
) -> list[list[tuple[float, float]]]:
    """Bars as (best, worst) rank, on as few heights as keep them apart."""
    levels: list[list[tuple[float, float]]] = []
    # Two bars on one height need a gap that is seen.
    gap = 0.05 * (max(ranks.values()) - min(ranks.values()))
    for group in groups:
        bar = ranks[group[0]], ranks[group[-1]]
        free = (level for level in levels if level[-1][1] + gap < bar[0])
        level = next(free, None)
        if level is None:
            levels.append([bar])
        else:
            level.append(bar)
    return levels


def _canvas(
    sides: tuple[list[str], list[str]], depth: float, title: str
) -> tuple[Any, Any]:
    """An empty figure whose axis is as large as the scale and ``depth``."""
    letters = sum(max(len(f"{name}  0.00") for name in side) for side in sides)
    lines = 1 + title.count("\n") if title else 0
    figure = import_extra("matplotlib.figure", "A picture").Figure(
        figsize=(_SCALE + _LETTER * letters + 0.3, depth + 1.1 + 0.2 * lines),
        layout="constrained",
    )
    figure.suptitle(title, fontsize=11, parse_math=False)
    axis = figure.subplots()
    axis.set_axis_off()
    return figure, axis


def _draw_scale(axis: Any, low: int, high: int, cd: float) -> None:
    """The scale with its numbers, and the critical difference above it."""
    axis.plot([low, high], [0, 0], color="black", linewidth=1)
    step = math.ceil((high - low) / 25)
    for tick in range(low, high + 1, step):
        axis.plot([tick, tick], [0, 0.07], color="black", linewidth=1)
        axis.text(tick, 0.1, str(tick), ha="center", va="bottom", fontsize=8)
    axis.plot([low, low + cd], [0.45, 0.45], color=_BAR, linewidth=2)
    for end in (low, low + cd):
        axis.plot([end, end], [0.41, 0.49], color=_BAR, linewidth=1)
    axis.text(low + cd / 2, 0.5, f"CD = {cd:.2f}", ha="center", fontsize=8)


def _draw_bars(
    axis: Any, levels: list[list[tuple[float, float]]], overhang: float
) -> None:
    for k, level in enumerate(levels):
        for best, worst in level:
            axis.plot(
                [best - overhang, worst + overhang],
                [-_STEP * (k + 1)] * 2,
                color=_BAR,
                linewidth=3.5,
                solid_capstyle="butt",
            )


def _draw_name(
    axis: Any, name: str, rank: float, end: float, height: float, align: str
) -> None:
    """A line from the scale down to the height and out to the name."""
    axis.plot([rank, rank, end], [0, height, height], color=_LINE, linewidth=0.8)
    number = f"{rank:.2f}"
    text = f"{name}  {number} " if align == "right" else f" {number}  {name}"
    axis.text(end, height, text, ha=align, va="center", fontsize=9, parse_math=False)
