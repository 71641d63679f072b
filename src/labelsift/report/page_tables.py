# SPDX-License-Identifier: BSD-3-Clause
"""The tables of the page as plain cells."""

import math
import warnings
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sklearn.exceptions import UndefinedMetricWarning

from labelsift.metrics import stability
from labelsift.report.page_curves import Curve, chosen_methods, shown_budget
from labelsift.report.page_data import (
    ALL_FEATURES,
    RANDOM_RANKING,
    PageData,
    method_title,
)
from labelsift.report.page_text import brief, clean, number

# Rows of the longest tables; what is left out stands in the exports.
MOST_ROWS = 100
_ROWS_OF_OTHERS = 40  # of features that a method other than the recommended one chose


@dataclass(frozen=True)
class Cell:
    """What is shown, what it is sorted by, and a bar from 0 to 1 behind a number."""

    text: str
    sort: float | None = None
    bar: float | None = None
    strong: bool = False


@dataclass(frozen=True)
class Table:
    """Column heads (numeric ones are told apart), rows, and rows left out."""

    heads: Sequence[str]
    numeric: Sequence[bool]
    rows: Sequence[Sequence[Cell]]
    left_out: int = 0


def _text(value: Any) -> Cell:
    return Cell(clean(value))


def _number(value: float | None, text: str | None = None, **more: Any) -> Cell:
    known = value is not None and math.isfinite(value)
    return Cell(
        number(value) if text is None else text, value if known else None, **more
    )


def measures_table(
    page: PageData, means: Mapping[str, Mapping[str, Curve]]
) -> Table | None:
    """Every measure of every method at the recommended budget."""
    methods = [*chosen_methods(page), RANDOM_RANKING]
    columns = [
        _measure_column(means[name], methods, shown_budget(page), **page.measures[name])
        for name in page.measures
    ]
    rows = [
        [_text(method_title(name)), *cells]
        for name, *cells in zip([*methods, ALL_FEATURES], *columns, strict=True)
        if any(cell.sort is not None for cell in cells)
    ]
    heads = ["method", *(clean(m["title"]) for m in page.measures.values())]
    return Table(heads, [False, *[True] * len(columns)], rows) if rows else None


def _measure_column(
    curves: Mapping[str, Curve],
    methods: Sequence[str],
    budget: int,
    higher_is_better: bool,
    **_: Any,
) -> list[Cell]:
    """One measure of the methods, the best in bold, and of all features."""
    points = [curves.get(method, {}).get(budget) for method in methods]
    known = [point.mean for point in points if point is not None]
    best = (max if higher_is_better else min)(known, default=None)
    whole = next(iter(curves.get(ALL_FEATURES, {}).values()), None)
    return [*(_mean(point, best) for point in points), _mean(whole, None)]


def _mean(point: Any, best: float | None) -> Cell:
    if point is None:
        return _number(None)
    return _number(point.mean, strong=point.mean == best)


def level_table(page: PageData) -> Table | None:
    """Methods that are level with the recommended one, with p values."""
    answer = page.recommendation
    if answer is None or not answer.level:
        return None
    rows = [
        [
            _text(other.method),
            _number(other.difference, number(other.difference, 4)),
            _number(other.std_error, number(other.std_error, 4)),
            _number(other.p_value, number(other.p_value, 2)),
        ]
        for other in answer.level
    ]
    heads = ["method", f"{answer.title} behind", "standard error", "p (Holm)"]
    return Table(heads, [False, True, True, True], rows)


def features_table(page: PageData, method: str) -> Table:
    """The features that a method chose: order, gain, how many splits agree."""
    selection, budget = page.selections[method], shown_budget(page)
    order = list(selection["order"])[:budget]
    ranks = range(1, len(order) + 1)
    columns = {
        "rank": [_number(rank, str(rank)) for rank in ranks],
        "feature": [_text(name) for name in selection["names"][:budget]],
        "gain": _gains(selection["gain"][:budget]),
        "cost": [_number(c, brief(c)) for c in selection.get("costs", ())[:budget]],
        "splits that agree": _agreement(order, selection["folds"], budget),
    }
    columns = {head: cells for head, cells in columns.items() if cells}
    answer = page.recommendation
    most = MOST_ROWS if answer and answer.method == method else _ROWS_OF_OTHERS
    rows = list(zip(*columns.values(), strict=True))[:most]
    numeric = [head != "feature" for head in columns]
    return Table(list(columns), numeric, rows, len(order) - len(rows))


def _gains(gains: Sequence[float | None]) -> list[Cell]:
    """Gains with bars; none where no step has one."""
    most = max((abs(gain) for gain in gains if gain is not None), default=None)
    if most is None:
        return []
    bars = [None if gain is None else abs(gain) / (most or 1.0) for gain in gains]
    return [_number(g, brief(g), bar=bar) for g, bar in zip(gains, bars, strict=True)]


def _agreement(
    order: Sequence[int], folds: Sequence[Sequence[int]], budget: int
) -> list[Cell]:
    """In how many splits each feature was chosen too."""
    times = Counter(feature for fold in folds for feature in set(fold[:budget]))
    count = len(folds)
    return [
        _number(times[f], f"{times[f]} of {count}", bar=times[f] / count)
        for f in order
        if count
    ]


def stability_table(page: PageData) -> Table | None:
    """How much the choices over the splits agree beyond chance."""
    rows = []
    budget = shown_budget(page)
    for method in chosen_methods(page):
        folds = [
            fold[:budget] for fold in page.selections.get(method, {}).get("folds") or []
        ]
        if len(folds) < 2:
            continue
        index = _stability(folds, page.data["n_features"])
        always = len(set.intersection(*map(set, folds)))
        ever = len(set.union(*map(set, folds)))
        rows.append(
            [
                _text(method),
                _number(index, number(index, 2), bar=_within(index)),
                _number(always, str(always)),
                _number(ever, str(ever)),
            ]
        )
    heads = ["method", "stability", "chosen in every split", "chosen in any split"]
    return Table(heads, [False, True, True, True], rows) if rows else None


def _stability(folds: Sequence[Sequence[int]], n_features: int) -> float:
    with warnings.catch_warnings():
        # Not defined where all features are chosen: the table shows a dash.
        warnings.simplefilter("ignore", UndefinedMetricWarning)
        return stability([list(map(int, fold)) for fold in folds], n_features).index


def _within(value: float) -> float | None:
    return min(1.0, max(0.0, value)) if math.isfinite(value) else None


def label_losses(page: PageData) -> list[tuple[int, float | None, float | None]]:
    """(label, AUC with all features, AUC with the chosen ones), largest loss first."""
    answer = page.recommendation
    count = page.data["n_labels"]
    whole = next(iter(page.label_values.get(ALL_FEATURES, {}).values()), None)
    part = None
    if answer is not None:
        part = page.label_values.get(answer.method, {}).get(answer.budget)
    pairs = zip(whole or [None] * count, part or [None] * count, strict=True)
    losses = [(label, *pair) for label, pair in enumerate(pairs)]
    return sorted(losses, key=lambda loss: -_loss(loss[1], loss[2]))


def _loss(whole: float | None, part: float | None) -> float:
    return -math.inf if whole is None or part is None else whole - part


def labels_table(page: PageData) -> Table:
    """Labels: how frequent, and what they lose at the recommended budget."""
    counts, names = page.data["label_counts"], page.data["label_names"]
    n = page.data["n_samples"]
    losses = label_losses(page)
    known = any(part is not None for _, _, part in losses)
    rows = []
    for label, whole, part in losses[:MOST_ROWS]:
        share = counts[label] / max(1, n)
        row = [
            _text(names[label]),
            _number(counts[label], f"{counts[label]:,}"),
            _number(share, f"{share:.1%}", bar=share),
        ]
        if known:
            loss = _loss(whole, part)
            row += [_number(whole), _number(part), _number(loss)]
        rows.append(row)
    heads = ["label", "samples", "share"]
    heads += ["AUC, all features", "AUC, chosen features", "loss"] if known else []
    numeric = [False, *[True] * (len(heads) - 1)]
    return Table(heads, numeric, rows, len(losses) - len(rows))


def costs_table(page: PageData) -> Table | None:
    """Time and memory of the fits of each method."""
    costs = {m: page.costs[m] for m in page.methods if m in page.costs}
    most = max((cost["seconds"] for cost in costs.values()), default=0) or 1
    rows = [
        [
            _text(method_title(method)),
            _number(
                cost["seconds"], brief(cost["seconds"]), bar=cost["seconds"] / most
            ),
            _number(cost["memory_mib"], brief(cost["memory_mib"])),
            _number(cost["fits"], f"{cost['fits']:,}"),
        ]
        for method, cost in costs.items()
    ]
    heads = ["method", "seconds", "memory (MiB)", "fits"]
    return Table(heads, [False, True, True, True], rows) if rows else None
