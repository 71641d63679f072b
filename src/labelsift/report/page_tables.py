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
from labelsift.report.page_data import ALL_FEATURES, RANDOM_RANKING, PageData
from labelsift.report.page_text import brief, clean, number

# Rows of the longest tables; what is left out stands in the exports.
MOST_ROWS = 100


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
    budget = shown_budget(page)
    methods = [*chosen_methods(page), RANDOM_RANKING]
    columns = [
        {
            m: means[measure][m][budget]
            for m in methods
            if budget in means[measure].get(m, ())
        }
        for measure in page.measures
    ]
    best = [
        (max if measure["higher_is_better"] else min)(
            (point.mean for point in column.values()), default=None
        )
        for column, measure in zip(columns, page.measures.values(), strict=True)
    ]
    rows = [
        [
            _text(method),
            *(_mean(c.get(method), b) for c, b in zip(columns, best, strict=True)),
        ]
        for method in methods
        if any(method in column for column in columns)
    ]
    whole = [
        next(iter(means[m].get(ALL_FEATURES, {}).values()), None) for m in page.measures
    ]
    if any(whole):
        rows.append([_text("all features"), *(_mean(point, None) for point in whole)])
    heads = ["method", *(clean(m["title"]) for m in page.measures.values())]
    return Table(heads, [False, *[True] * len(columns)], rows) if rows else None


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
    selection = page.selections[method]
    budget = shown_budget(page)
    order = list(selection["order"])[:budget]
    folds = [set(fold[:budget]) for fold in selection.get("folds") or []]
    times = Counter(feature for fold in folds for feature in fold)
    gains = list(selection["gain"])[: len(order)]
    has_gains = any(gain is not None for gain in gains)
    most = max((abs(gain) for gain in gains if gain is not None), default=0.0) or 1.0
    rows = []
    for rank, feature in enumerate(order[:MOST_ROWS], start=1):
        row = [_number(rank, str(rank)), _text(selection["names"][rank - 1])]
        if has_gains:
            gain = gains[rank - 1]
            bar = None if gain is None else abs(gain) / most
            row.append(_number(gain, brief(gain), bar=bar))
        if folds:
            count = times[feature]
            row.append(
                _number(count, f"{count} of {len(folds)}", bar=count / len(folds))
            )
        rows.append(row)
    heads = [
        "rank",
        "feature",
        *["gain"][:has_gains],
        *["splits that agree"][: bool(folds)],
    ]
    numeric = [True, False, True, True][: len(heads)]
    return Table(heads, numeric, rows, len(order) - len(rows))


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
            _text(method),
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
