# SPDX-License-Identifier: BSD-3-Clause
"""Demsar's diagram: average ranks of methods, and which of them differ."""

import math
from collections.abc import Mapping
from typing import Any

from labelsift.plots.curves import new_figure

_BAR = "#d1495b"
_LINE = "0.35"
# Inches in a new figure: width of the scale, height of the part above it, of a row
# of a name and of a bar.
_SCALE, _ABOVE, _ROW, _STEP = 5.0, 0.75, 0.24, 0.12


def critical_difference(
    ranks: Mapping[str, float], cd: float, *, ax: Any = None, title: str = ""
) -> Any:
    """Plot average ranks on a scale, and join the methods that do not differ.

    The best method is on the left. A bar joins methods whose ranks are less than the
    critical difference apart; methods without a common bar differ.

    Parameters
    ----------
    ranks : mapping of str to float
        Average rank of each method, as ``RankTest.ranks``; 1 is the best.
    cd : float
        Ranks this far apart differ: ``RankTest.critical_difference``.
    ax : matplotlib Axes or None, default=None
        Where to draw, filled from side to side; None: a new figure that fits the number
        of methods and the length of their names.
    title : str, default=""
        Title of the plot.

    Returns
    -------
    matplotlib Axes
        Save it by its ``figure``.

    Examples
    --------
    >>> from labelsift.plots import critical_difference
    >>> from labelsift.stats import friedman_nemenyi
    >>> test = friedman_nemenyi({"a": [9, 8, 9], "b": [5, 6, 5], "c": [1, 2, 6]})
    >>> ax = critical_difference(test.ranks, test.critical_difference)
    >>> ax.figure.savefig("ranks.svg")  # doctest: +SKIP
    """
    _check(ranks, cd)
    order = sorted(ranks, key=lambda name: ranks[name])
    levels = _levels(ranks, joined_methods(ranks, cd))
    low = math.floor(ranks[order[0]])
    high = max(math.ceil(ranks[order[-1]]), low + 1)
    margin = 0.04 * max(high - low, cd)
    middle = (len(order) + 1) // 2
    top = -_STEP * (len(levels) + 2)
    bottom = top - _ROW * middle
    new = ax is None
    if new:
        lines = 1 + title.count("\n") if title else 0
        ax = new_figure(_SCALE, _ABOVE - bottom + 0.22 * lines).subplots()
    ax.set_axis_off()
    ax.set_title(title, fontsize=11, parse_math=False)
    _draw_scale(ax, low, high, cd)
    _draw_bars(ax, levels, margin / 4)
    # The outermost is highest, so that no line crosses another.
    sides = order[:middle], order[middle:][::-1]
    ends = low - margin, max(high, low + cd) + margin
    widths = [
        _draw_names(ax, {name: ranks[name] for name in side}, end, top, align)
        for side, end, align in zip(sides, ends, ("right", "left"), strict=True)
    ]
    ax.set(ylim=(bottom, _ABOVE))
    _set_margins(ax, ends, widths, new)
    return ax


def _set_margins(
    ax: Any, ends: tuple[float, float], widths: list[float], new: bool
) -> None:
    """Leave that many pixels for names on the left and right of the scale."""
    (low, high), (left, right), figure = ends, widths, ax.figure
    if new:
        scale = _SCALE * figure.dpi
        figure.set_figwidth((scale + left + right) / figure.dpi)
    else:  # a third for the scale, even where names are too long
        scale = max(ax.bbox.width - left - right, ax.bbox.width / 3)
    per_pixel = (high - low) / scale
    ax.set_xlim(low - left * per_pixel, high + right * per_pixel)


def joined_methods(ranks: Mapping[str, float], cd: float) -> list[tuple[str, ...]]:
    """The largest groups of methods whose ranks are all within ``cd``, best first."""
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


def _check(ranks: Mapping[str, float], cd: float) -> None:
    """Raise for ranks that cannot be drawn."""
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
    """Bars as (best, worst) rank, on as few heights as possible without overlap."""
    levels: list[list[tuple[float, float]]] = []
    # Two bars on one height need a visible gap.
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


def _draw_scale(ax: Any, low: int, high: int, cd: float) -> None:
    """The scale with its numbers, and the critical difference above it."""
    ax.plot([low, high], [0, 0], color="black", linewidth=1)
    step = math.ceil((high - low) / 25)
    for tick in range(low, high + 1, step):
        ax.plot([tick, tick], [0, 0.07], color="black", linewidth=1)
        ax.text(tick, 0.1, str(tick), ha="center", va="bottom", fontsize=8)
    ax.plot([low, low + cd], [0.45, 0.45], color=_BAR, linewidth=2)
    for end in (low, low + cd):
        ax.plot([end, end], [0.41, 0.49], color=_BAR, linewidth=1)
    ax.text(low + cd / 2, 0.5, f"CD = {cd:.2f}", ha="center", fontsize=8)


def _draw_bars(
    ax: Any, levels: list[list[tuple[float, float]]], overhang: float
) -> None:
    """A bar for each group, a little longer than from its best to its worst."""
    for k, level in enumerate(levels):
        for best, worst in level:
            ax.plot(
                [best - overhang, worst + overhang],
                [-_STEP * (k + 1)] * 2,
                color=_BAR,
                linewidth=3.5,
                solid_capstyle="butt",
            )


def _draw_names(
    ax: Any, ranks: Mapping[str, float], end: float, top: float, align: str
) -> float:
    """A line from the scale down and out to each name; the width of the widest."""
    widths = []
    for k, (name, rank) in enumerate(ranks.items()):
        height = top - _ROW * k
        ax.plot([rank, rank, end], [0, height, height], color=_LINE, linewidth=0.8)
        words = f"{name}  {rank:.2f} " if align == "right" else f" {rank:.2f}  {name}"
        text = ax.text(end, height, words, ha=align, va="center", fontsize=9)
        text.set_parse_math(False)
        widths.append(text.get_window_extent().width)
    return max(widths)
