# SPDX-License-Identifier: BSD-3-Clause
"""From rows to curves: means and standard errors over the splits."""

import math
from collections import defaultdict
from dataclasses import dataclass
from typing import Any

import numpy as np

from labelsift.report.page_data import ALL_FEATURES, RANDOM_RANKING, PageData

# Methods that are drawn at first; the others wait for a click.
_DRAWN = 8


@dataclass(frozen=True)
class Point:
    """A measure at one budget: mean, standard error (NaN of one split), splits."""

    mean: float
    std_error: float
    n_splits: int


# budget -> point, budgets increasing
Curve = dict[int, Point]


def curves(page: PageData) -> dict[str, dict[str, Curve]]:
    """Average the rows of a page over their splits.

    Parameters
    ----------
    page : PageData
        The page.

    Returns
    -------
    dict
        measure -> method -> budget -> Point; values that are None or NaN are left out.
    """
    cells: dict[Any, list[float]] = defaultdict(list)
    for row in page.rows:
        value = row["value"]
        if value is not None and math.isfinite(value):
            key = row["measure"], row["method"], int(row["budget"])
            cells[key].append(float(value))
    found: dict[str, dict[str, Curve]] = {name: {} for name in page.measures}
    for (measure, method, budget), values in sorted(cells.items()):
        if measure in found:
            found[measure].setdefault(method, {})[budget] = _point(values)
    return found


def _point(values: list[float]) -> Point:
    count = len(values)
    spread = np.std(values, ddof=1) / math.sqrt(count) if count > 1 else math.nan
    return Point(float(np.mean(values)), float(spread), count)


def chosen_methods(page: PageData) -> list[str]:
    """The methods of a page without the random ranking and all features."""
    return [m for m in page.methods if m not in (RANDOM_RANKING, ALL_FEATURES)]


def shown_budget(page: PageData) -> int:
    """The recommended budget, or the largest that was measured; 0 without any."""
    if page.recommendation is not None:
        return page.recommendation.budget
    budgets = [r["budget"] for r in page.rows if r["method"] != ALL_FEATURES]
    return max(budgets, default=0)


def drawn_first(page: PageData, means: dict[str, dict[str, Curve]]) -> set[str]:
    """The methods that are drawn when the page opens: the best at its budget."""
    methods = chosen_methods(page)
    curves_of = means.get(page.metric, {})
    sign = -1 if page.measures[page.metric]["higher_is_better"] else 1
    budget = shown_budget(page)

    def place(method: str) -> float:
        point = curves_of.get(method, {}).get(budget)
        return math.inf if point is None else sign * point.mean

    return set(sorted(methods, key=place)[:_DRAWN])
