# SPDX-License-Identifier: BSD-3-Clause
"""The part of the page about trust: a sentence, a table and a heat map."""

import math
from collections import Counter
from typing import Any

import numpy as np

from labelsift.compare.page.data import PageData
from labelsift.compare.page.figures import Figure, heat_map, significant
from labelsift.compare.page.tables import MOST_ROWS, Cell, Table
from labelsift.core.text import clean
from labelsift.experiment.trust import Trust, listed

# Features and labels of the heat map: a small one.
MOST_FEATURES, MOST_LABELS = 40, 30


def trust_contents(page: PageData) -> dict[str, Any]:
    """What the template shows; empty where nothing was examined."""
    trust = page.trust
    if not isinstance(trust, Trust):
        return {"note": trust} if trust else {}
    return {
        "note": trust.meaning,
        "table": trust_table(page, trust),
        "figure": contribution_figure(page, trust),
        "n_rows": min(MOST_FEATURES, len(trust.owners)),
    }


def trust_table(page: PageData, trust: Trust) -> Table:
    """By feature: chosen again, splits that agree, substitutes, labels served."""
    assert page.answer is not None
    splits = page.selections[page.answer.method].splits
    times = Counter(feature for chosen in splits for feature in set(chosen))
    least = math.inf if trust.bound is None else trust.bound.threshold
    rows = []
    for owner, row in zip(trust.owners, trust.rows, strict=True):
        again, agree = row["again"], times[owner] / max(1, len(splits))
        rows.append(
            [
                Cell(clean(row["name"])),
                _share(again, strong=again >= least),
                Cell(f"{times[owner]} of {len(splits)}", times[owner], agree),
                _loss(row["removal_loss"]),
                Cell(clean(row["substitute"])),
                _loss(row["substitution_loss"]),
                Cell(listed(row["stands_for"])),
                Cell(listed(row["serves"]) or "no label alone"),
            ]
        )
    heads = [
        "feature", "chosen again", "splits that agree", "without it",
        "best substitute", "with that", "stands for", "serves",
    ]  # fmt: skip
    numeric = [False, True, True, True, False, True, False, False]
    return Table(heads, numeric, rows[:MOST_ROWS], max(0, len(rows) - MOST_ROWS))


def _share(value: float, **more: Any) -> Cell:
    if not math.isfinite(value):
        return Cell("–")
    return Cell(f"{100 * value:.0f} %", value, value, **more)


def _loss(value: float) -> Cell:
    if not math.isfinite(value):
        return Cell("–")
    return Cell(f"{100 * value:+.1f} %", value)


def contribution_figure(page: PageData, trust: Trust) -> Figure:
    """How much the error of each label rises without each feature; blank: not at all.

    Rises of less than two standard errors are left blank.
    """
    why = trust.explanation
    labels = page.frequent_labels[:MOST_LABELS]
    with np.errstate(divide="ignore", invalid="ignore"):
        shares = np.where(why.serves, why.contribution / why.label_error, np.nan)
    cells = [
        [significant(value) if math.isfinite(value) else None for value in row]
        for row in shares[:MOST_FEATURES, labels]
    ]
    return heat_map(
        cells,
        [why.feature_names[i] for i in why.features[:MOST_FEATURES]],
        [page.data.label_names[i] for i in labels],
        scale="sequential",
        hover="%{customdata}: %{z:+.1%} error without it",
        extra={"zmin": 0},
    )
