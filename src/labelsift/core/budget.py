# SPDX-License-Identifier: BSD-3-Clause
"""Budgets of features: read and rounded in one place."""

import re


def parse_budget(text):
    number = text.removesuffix("%")
    try:
        v = (
            float(number) / 100
            if text.endswith("%")
            else (float(text) if "." in text else int(text))
        )
    except ValueError:
        v = -1
    if not v > 0 or (isinstance(v, float) and v > 1):
        raise ValueError(
            f"{text!r} is not a budget: write a count (20), a share (5%) or a range (1%:20%)."
        )
    return v


_RANGE = re.compile(r"(\d+)(%?):(\d+)\2(?::([1-9]\d*))?")


def expand_budgets(budgets):
    out = []
    for b in budgets:
        text = str(b)
        m = _RANGE.fullmatch(text)
        if m is None:
            parse_budget(text)
            out.append(text)
            continue
        low, sign, high, step = m.groups()
        values = range(int(low), int(high) + 1, int(step or 1))
        if not values:
            raise ValueError(f"{text!r} is no range")
        for v in values:
            parse_budget(f"{v}{sign}")
            out.append(f"{v}{sign}")
    return tuple(dict.fromkeys(out))


def budget_count(budget, n_features):
    if budget is None:
        return max(1, n_features // 2)
    if isinstance(budget, str):
        budget = parse_budget(budget)
    if isinstance(budget, float):
        return max(1, int(budget * n_features + 1e-9))
    return min(int(budget), n_features)
