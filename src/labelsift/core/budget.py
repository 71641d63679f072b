# SPDX-License-Identifier: BSD-3-Clause
"""Budgets of features: how they are written, and how many features they mean."""

import re
from collections.abc import Iterable, Sequence
from numbers import Integral

import numpy as np

# Below so many features a comparison looks at budgets up to half of them.
FEW_FEATURES = 100
# Beyond so many, nobody wants a fifth of them: budgets end at a thousand features.
MANY_FEATURES = 5000

# More budgets than this in one range are a mistake.
MOST_BUDGETS = 10_000

# Whole counts or shares, and a step: 1:19, 1%:20%, 2%:20%:2.
_RANGE = re.compile(r"(\d{1,30})(%?):(\d{1,30})\2(?::([1-9]\d{0,30}))?")


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
        values = _range(text, int(low), int(high), int(step or 1))
        budgets += [f"{value}{sign}" for value in values]
    for text in budgets:
        parse_budget(text)
    return tuple(dict.fromkeys(budgets))


def _range(text: str, low: int, high: int, step: int) -> range:
    """The values of a range, counted before they are made."""
    if high < low:
        raise ValueError(f"{text!r} is not a range: its end is below its start.")
    if (high - low) // step >= MOST_BUDGETS:
        raise ValueError(
            f"{text!r} has more than {MOST_BUDGETS} budgets: add a step, as 1:1000:50."
        )
    return range(low, high + 1, step)


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


def plain_number(budget: float) -> float:
    """A budget as a Python number: an int where it is whole."""
    return int(budget) if budget == int(budget) else float(budget)


def counts_of(budgets: Sequence[str], n_features: int) -> list[int]:
    """The budgets as counts, each once, in order."""
    return sorted({budget_count(budget, n_features) for budget in budgets})


def read_budgets(
    budgets: str | Sequence[str] | None, n_features: int
) -> tuple[str, ...]:
    """Budgets as the user gave them ("1%:20%", "5,10,20", a list), or default ones."""
    if budgets is None:
        return default_budgets(n_features)
    texts = budgets.split(",") if isinstance(budgets, str) else map(str, budgets)
    return expand_budgets([text.strip() for text in texts])


def default_budgets(n_features: int) -> tuple[str, ...]:
    """Budgets that show where a curve flattens.

    For few features about a dozen counts up to half of them, denser where they are
    small; for very many 10 to 1000 of them; otherwise shares from 1 to 20 %.
    """
    if n_features > MANY_FEATURES:
        return _spread(10, 1000)
    if n_features > FEW_FEATURES:
        shares = (1, 2, 3, 4, 5, 6, 8, 10, 12, 14, 17, 20)
        return tuple(f"{share}%" for share in shares)
    return _spread(1, max(1, n_features // 2))


def _spread(low: int, high: int) -> tuple[str, ...]:
    """Counts whose ratios are about equal."""
    counts = np.unique(np.geomspace(low, high, 15).round().astype(int))
    return tuple(str(count) for count in counts)
