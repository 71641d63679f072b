# SPDX-License-Identifier: BSD-3-Clause
"""The tables of the page as plain cells."""

import math
import warnings
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.exceptions import UndefinedMetricWarning

from labelsift.compare.page.data import PageData
from labelsift.core.text import clean
from labelsift.experiment.catalogue import ALL_FEATURES, RANDOM, method_title
from labelsift.metrics import EVERY_MEASURE, stability
from labelsift.model_selection.trust import Trust, listed

# Rows of the longest tables; the exports have all.
MOST_ROWS = 100
_ROWS_OF_OTHERS = 40  # of features that a method other than the recommended one chose


@dataclass(frozen=True)
class Cell:
    """The text shown, its sort key, and a bar from 0 to 1 behind a number."""

    text: str
    sort: float | None = None
    bar: float | None = None
    strong: bool = False


@dataclass(frozen=True)
class Table:
    """Column heads (numeric ones are marked), rows, and rows left out."""

    heads: Sequence[str]
    numeric: Sequence[bool]
    rows: Sequence[Sequence[Cell]]
    left_out: int = 0


def number(value: float | None, digits: int = 3) -> str:
    """A number for a table; a dash for NaN."""
    if value is None or not math.isfinite(value):
        return "–"
    return f"{value:z.{digits}f}"


def brief(value: float | None) -> str:
    """A number of any size in three digits."""
    if value is None or not math.isfinite(value):
        return "–"
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.3g}"


def _text(value: Any) -> Cell:
    return Cell(clean(value))


def _number(value: float, text: str | None = None, **more: Any) -> Cell:
    sort = float(value) if math.isfinite(value) else None
    return Cell(number(value) if text is None else text, sort, **more)


def _table(heads: Sequence[str], rows: Sequence[Any], left_out: int = 0) -> Table:
    """A table whose first column is text and the others numbers."""
    return Table(heads, [False, *[True] * (len(heads) - 1)], rows, left_out)


def measures_table(page: PageData) -> Table | None:
    """Every measure of every method at the recommended budget, the best in bold."""
    methods = [*page.candidates, RANDOM, ALL_FEATURES]
    columns = []
    for name in page.measures:
        measure = EVERY_MEASURE[name]
        means = [page.mean(name, method) for method in methods]
        ranked = [mean for mean in means[:-1] if math.isfinite(mean)]
        best = (max if measure.greater_is_better else min)(ranked, default=math.nan)
        columns.append(
            [
                _number(mean, number(mean, measure.digits), strong=mean == best)
                for mean in means[:-1]
            ]
            + [_number(means[-1], number(means[-1], measure.digits))]
        )
    rows = [
        [_text(method_title(name)), *cells]
        for name, *cells in zip(methods, *columns, strict=True)
        if any(cell.sort is not None for cell in cells)
    ]
    heads = ["method", *(EVERY_MEASURE[name].title for name in page.measures)]
    return _table(heads, rows) if rows else None


def readouts_table(page: PageData) -> Table | None:
    """The first measure of every method with each read-out, the best in bold."""
    if page.readouts.empty:
        return None
    measure = EVERY_MEASURE[page.measures[0]]
    ranked = page.readouts.drop(index=ALL_FEATURES, errors="ignore")
    best = ranked.max() if measure.greater_is_better else ranked.min()
    rows = [
        [
            _text(method_title(name)),
            *(
                _number(value, number(value, measure.digits), strong=value == top)
                for value, top in zip(page.readouts.loc[name], best, strict=True)
            ),
        ]
        for name in page.methods
        if name in page.readouts.index
    ]
    return _table(["method", *map(clean, page.readouts.columns)], rows)


def verdict_table(page: PageData) -> Table | None:
    """What the splits say of the other methods: difference, interval, p, word."""
    answer = page.answer
    if answer is None or not answer.verdicts:
        return None
    rows = [
        [
            _text(other.method),
            _number(other.difference, number(other.difference, 4)),
            _number(other.low, number(other.low, 4)),
            _number(other.high, number(other.high, 4)),
            _number(other.p_value, number(other.p_value, 2)),
            _text(other.word if answer.n_splits > 1 else "–"),
        ]
        for other in answer.verdicts
    ]
    heads = ["method", f"{answer.title} behind", "from", "to", "p (Holm)", "verdict"]
    return Table(heads, [False, True, True, True, True, False], rows)


def purchase_table(page: PageData) -> Table | None:
    """What each method reaches for its money."""
    answer = page.answer
    if answer is None or not answer.purchases:
        return None
    rows = [
        [
            _text(item.method),
            _number(item.value, strong=item.good),
            _number(item.budget, brief(item.budget)),
            _number(item.spent, brief(item.spent)),
            _number(item.n_features, brief(item.n_features)),
            _text("yes" if item.good else "no"),
        ]
        for item in answer.purchases
    ]
    heads = [
        "method",
        answer.title,
        "limit",
        "cost",
        "features",
        "as close as the best",
    ]
    return Table(heads, [False, True, True, True, True, False], rows)


def features_table(page: PageData, method: str) -> Table:
    """The features that a method chose: order, gain, how many splits agree."""
    selection, most_shown = page.selections[method], page.most
    order = selection.order[:most_shown]
    columns = {
        "rank": [_number(rank, str(rank)) for rank in range(1, len(order) + 1)],
        "feature": [_text(name) for name in selection.names[:most_shown]],
        "gain": _gains(selection.gain[:most_shown]),
        "cost": [_number(cost, brief(cost)) for cost in selection.costs[:most_shown]],
        "splits that agree": _agreement(order, selection.splits),
    }
    columns = {head: cells for head, cells in columns.items() if cells}
    answer = page.answer
    most = MOST_ROWS if answer and answer.method == method else _ROWS_OF_OTHERS
    rows = list(zip(*columns.values(), strict=True))[:most]
    numeric = [head != "feature" for head in columns]
    return Table(list(columns), numeric, rows, len(order) - len(rows))


def _gains(gains: Sequence[float]) -> list[Cell]:
    most = max(map(abs, gains), default=1.0) or 1.0
    return [_number(gain, brief(gain), bar=abs(gain) / most) for gain in gains]


def _agreement(order: Sequence[int], splits: Sequence[Sequence[int]]) -> list[Cell]:
    """In how many splits each feature was also chosen."""
    times = Counter(feature for chosen in splits for feature in set(chosen))
    count = len(splits)
    return [
        _number(times[f], f"{times[f]} of {count}", bar=times[f] / count)
        for f in order
        if count
    ]


def stability_table(page: PageData) -> Table | None:
    """How much the choices over the splits agree beyond chance."""
    rows = []
    for method in page.candidates:
        splits = page.selections[method].splits
        if len(splits) < 2:
            continue
        index = _stability(splits, page.data.n_features)
        bar = min(1.0, max(0.0, index)) if math.isfinite(index) else None
        always = len(set.intersection(*map(set, splits)))
        ever = len(set.union(*map(set, splits)))
        rows.append(
            [
                _text(method),
                _number(index, number(index, 2), bar=bar),
                _number(always, str(always)),
                _number(ever, str(ever)),
            ]
        )
    heads = ["method", "stability", "chosen in every split", "chosen in any split"]
    return _table(heads, rows) if rows else None


def _stability(splits: Sequence[Sequence[int]], n_features: int) -> float:
    with warnings.catch_warnings():
        # Not defined where all features are chosen: the table shows a dash.
        warnings.simplefilter("ignore", UndefinedMetricWarning)
        return stability([list(chosen) for chosen in splits], n_features).index


def label_losses(page: PageData) -> list[tuple[int, float, float]]:
    """(label, AUC with all features, AUC with the chosen ones), largest loss first."""
    whole = part = np.full(page.data.n_labels, np.nan)
    aucs, answer = page.label_auc, page.answer
    if ALL_FEATURES in aucs.index:
        whole = aucs.loc[ALL_FEATURES].iloc[0].to_numpy()
    if answer is not None and (answer.method, answer.budget) in aucs.index:
        part = aucs.loc[(answer.method, answer.budget)].to_numpy()
    order = np.argsort(np.nan_to_num(part - whole, nan=np.inf), kind="stable")
    return [(int(i), float(whole[i]), float(part[i])) for i in order]


def labels_table(page: PageData) -> Table:
    """Labels: how frequent, and what they lose at the recommended budget."""
    losses, kind = label_losses(page), page.kind
    known = any(math.isfinite(part) for *_, part in losses)
    heads, facts = _facts(page)
    rows = []
    for label, whole, part in losses[:MOST_ROWS]:
        row = [_text(page.data.label_names[label]), *facts[label]]
        if known:
            row += [_number(whole), _number(part), _number(whole - part)]
        rows.append(row)
    of = kind.quality
    heads = [kind.one, *heads]
    heads += [f"{of}, all features", f"{of}, chosen features", "loss"] if known else []
    return _table(heads, rows, len(losses) - len(rows))


def _facts(page: PageData) -> tuple[list[str], list[list[Cell]]]:
    """What the data say of each label or target, with the heads of the columns."""
    Y = page.data.Y
    if page.kind.name == "values":
        pairs = zip(np.nanmean(Y, axis=0), np.nanstd(Y, axis=0), strict=True)
        facts = [[_number(value, brief(value)) for value in pair] for pair in pairs]
        return ["mean", "standard deviation"], facts
    counts = (Y == 1).sum(axis=0)
    shares = counts / np.maximum(1, (~np.isnan(Y)).sum(axis=0))
    return ["samples", "share"], [
        [_number(count, f"{count:,}"), _number(share, f"{share:.1%}", bar=share)]
        for count, share in zip(counts, shares, strict=True)
    ]


def costs_table(page: PageData) -> Table | None:
    """Time and memory of the fits of each method."""
    costs = page.costs.loc[[m for m in page.methods if m in page.costs.index]]
    most = costs["seconds"].max() or 1.0
    rows = [
        [
            _text(method_title(method)),
            _number(cost.seconds, brief(cost.seconds), bar=cost.seconds / most),
            _number(cost.memory_mib, brief(cost.memory_mib)),
            _number(cost.fits, f"{cost.fits:,.0f}"),
        ]
        for method, cost in costs.iterrows()
    ]
    return _table(["method", "seconds", "memory (MiB)", "fits"], rows) if rows else None


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
                Cell(listed(row["serves"]) or f"no {page.kind.one} alone"),
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
