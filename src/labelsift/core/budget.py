# SPDX-License-Identifier: BSD-3-Clause
"""Budgets of features: how they are written, and how many features they mean."""

import re
from collections.abc import Iterable
from numbers import Integral

# Whole counts or shares, and a step: 1:19, 1%:20%, 2%:20%:2.
_RANGE = re.compile(r"(\d+)(%?):(\d+)\2(?::([1-9]\d*))?")


def parse_budget(text: str) -> int | float:
    """Read a count ("20") or a share ("5%" or "0.05")."""
    number = text.removesuffix("%")
    try:
        if number != text:
            budget: int | float = float(number) / 100
        else:
            budget = int(text) if text.isdecimal() else float(text)
    except ValueError:
        budget = -1
    if not budget > 0 or (isinstance(budget, float) and budget > 1):
        raise ValueError(
            f"{text!r} is not a budget: write a count (20), a share (5%) or a range "
            "(1%:20%)."
        )
    return budget


def expand_budgets(texts: Iterable[object]) -> tuple[str, ...]:
    """Check budgets and expand ranges, without duplicates.

    "1%:20%" is every percent, "1%:20%:5" every fifth, "1:19" every count.
    """
    budgets: list[str] = []
    for text in map(str, texts):
        ends = _RANGE.fullmatch(text)
        if ends is None:
            budgets.append(text)
            continue
        low, sign, high, step = ends.groups()
        values = range(int(low), int(high) + 1, int(step or 1))
        if not values:
            raise ValueError(f"{text!r} is not a range: its end is below its start.")
        budgets += [f"{value}{sign}" for value in values]
    for text in budgets:
        parse_budget(text)
    return tuple(dict.fromkeys(budgets))


def budget_count(budget: int | float | str | None, n_features: int) -> int:
    """How many features a budget means: between 1 and all of them.

    A share is rounded down, robust to floating-point error: 0.29 of 100 is 29.
    None is half of the features.
    """
    if budget is None:
        return max(1, n_features // 2)
    if isinstance(budget, str):
        budget = parse_budget(budget)
    if isinstance(budget, Integral):
        return min(int(budget), n_features)
    return max(1, int(budget * n_features + 1e-9))
