# SPDX-License-Identifier: BSD-3-Clause
"""The tests behind doubts: exact, cheap, with thresholds that real data do not reach.

``perf/doubts.py`` counts false alarms on real data sets.
"""

from collections import Counter
from collections.abc import Iterator
from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray
from scipy.sparse.csgraph import connected_components
from scipy.stats import norm

from labelsift.core.validation import constant_columns
from labelsift.prepare.column import robust_scale
from labelsift.prepare.doubts.doubt import (
    NAMED,
    Doubt,
    drop_option,
    listed,
    plain,
    quoted,
)
from labelsift.prepare.doubts.evidence import Evidence
from labelsift.prepare.kinds import counts_rows

# A column that tells a label alone: its AUC, or precision and recall of its values.
LEAK_AUC, LEAK_SHARE, LEAK_ROWS = 0.98, 0.95, 10
# Standard deviation over robust scale.
OUTLIER_RATIO = 10.0
# Rank correlation of columns that say the same.
SAME = 0.98
# Positive rows below which an AUC is known to +-0.10 at best.
RARE_LABEL = 30
# A column drifts where its AUC for the second half of the rows is off by more.
DRIFT = 0.1
# Chance of a false alarm over all columns, labels or pairs.
ALPHA = 0.01
GAP_ROWS = 10
# A far value that comes as often may be an error code.
_REPEATED = 5


def leaks(evidence: Evidence) -> Iterator[Doubt]:
    """Columns that alone tell a label."""
    names = evidence.data.label_names
    found: dict[str, tuple[float, str, str]] = {}  # column: size, label, words
    enough = evidence.rarer >= LEAK_ROWS
    auc = np.where(enough, np.nan_to_num(evidence.auc, nan=0.5), 0.5)
    size = np.maximum(auc, 1 - auc)
    for j, label in zip(*np.nonzero(size >= LEAK_AUC), strict=True):
        words = f"AUC {size[j, label]:.3f}"
        _keep_largest(found, evidence.names[j], size[j, label], names[label], words)
    for column, label, precision, recall in _telling_values(evidence, enough):
        words = f"precision {precision:.2f}, recall {recall:.2f}"
        _keep_largest(found, column, min(precision, recall), names[label], words)
    if not found:
        return
    columns = sorted(found, key=lambda column: -found[column][0])
    number, label, words = found[columns[0]]
    first = f"{quoted(columns[0])} alone tells {plain(label)} ({words})"
    more = columns[1:]
    tell = "tells" if len(more) == 1 else "tell"
    others = f"; {listed(more)} {tell} a label alone too" if more else ""
    they = "they are" if more else "it is"
    remedy = drop_option(columns)
    again = f"with {remedy}" if len(columns) <= NAMED else "without them"
    yield Doubt(
        "leak",
        tuple(columns),
        tuple(dict.fromkeys(found[column][1] for column in columns)),
        float(number),
        f"{first}{others}. If {they} known only after the label, the answer is "
        f"worthless: run again {again}.",
        remedy,
    )


def _keep_largest(
    found: dict[str, tuple[float, str, str]],
    column: str,
    size: float,
    label: str,
    words: str,
) -> None:
    if column not in found or found[column][0] < size:
        found[column] = (float(size), label, words)


def _telling_values(
    evidence: Evidence, enough: NDArray[np.bool_]
) -> Iterator[tuple[str, int, float, float]]:
    """(column, label, precision, recall) of columns of few values that tell a label.

    A value predicts the label where more than half of its rows have it; of a label that
    most rows have, its absence is predicted.
    """
    positive = evidence.Y.sum(axis=0, dtype=np.float64)
    frequent = positive > len(evidence.Y) / 2
    for name, rows, positives in evidence.value_counts():
        totals = rows[:, np.newaxis]
        hits = np.where(frequent, totals - positives, positives)
        chosen = hits > totals / 2
        right = np.where(chosen, hits, 0).sum(axis=0)
        predicted = np.where(chosen, totals, 0).sum(axis=0)
        with np.errstate(invalid="ignore", divide="ignore"):
            precision, recall = right / predicted, right / evidence.rarer
        telling = enough & (np.minimum(precision, recall) >= LEAK_SHARE)
        for label in np.flatnonzero(telling):
            yield name, int(label), float(precision[label]), float(recall[label])


def outliers(evidence: Evidence) -> Iterator[Doubt]:
    """Columns whose farthest values hide the rest where they are standardised."""
    columns, largest, far = [], 0.0, Counter[float]()
    for j, name in enumerate(evidence.names):
        ordered = sorted_values(evidence.X, j)
        ratio = spread_ratio(ordered)
        if ratio > OUTLIER_RATIO:
            columns.append(name)
            largest = max(largest, ratio)
            reach = 5 * robust_scale(ordered)
            beyond = np.abs(ordered - np.median(ordered)) > reach
            far.update(ordered[beyond].tolist())
    if not columns:
        return
    made = evidence.preparation
    clip = None if made is None else made.clip
    done = "not clipped" if clip is None else f"clipped at {clip:g} robust scales"
    one = len(columns) == 1
    subject = f"{quoted(columns[0])} holds" if one else f"{len(columns):,} columns hold"
    which = "" if one else f" ({listed(columns)})"
    value, times = far.most_common(1)[0] if far else (0.0, 0)
    code = f"{value:g}" if times >= _REPEATED else ""
    hint = f" Look for error codes such as {code}." if code else ""
    yield Doubt(
        "outliers",
        tuple(columns),
        (),
        largest,
        f"{subject} values so far out that they hide the rest{which}; "
        f"{'it was' if one else 'they were'} {done}.{hint}",
        f"--missing {code}" if code and made is not None else "",
    )


def sorted_values(X: Any, j: int) -> NDArray[np.float64]:
    """The sorted values of a column; none where most of a sparse one are 0."""
    if not sp.issparse(X):
        return np.sort(X[np.isfinite(X[:, j]), j])
    stored = X.data[X.indptr[j] : X.indptr[j + 1]]
    n_zeros = X.shape[0] - len(stored)
    if n_zeros >= X.shape[0] / 2:
        return stored[:0]
    return np.sort(np.concatenate([stored, np.zeros(n_zeros)]))


def spread_ratio(ordered: NDArray[np.float64]) -> float:
    """Standard deviation over robust scale; 0 where half of the values are one."""
    if len(ordered) < 2 or ordered[0] == ordered[-1]:
        return 0.0
    edges = np.flatnonzero(ordered[1:] != ordered[:-1])
    runs = np.diff(np.concatenate([[-1], edges, [len(ordered) - 1]]))
    scale = robust_scale(ordered)
    if scale == 0 or runs.max() >= len(ordered) / 2:
        return 0.0
    unit = float(np.abs(ordered).max())
    return float((ordered / unit).std() / (scale / unit))


def ids(evidence: Evidence) -> Iterator[Doubt]:
    """Whole numbers that count the rows."""
    made = evidence.preparation
    if made is not None:
        columns = [c["name"] for c in made.columns_ if c.get("why") == "id"]
    elif sp.issparse(evidence.X):
        return
    else:
        X = evidence.data.X
        columns = [n for j, n in enumerate(evidence.names) if counts_rows(X[:, j])]
    if not columns:
        return
    one = len(columns) == 1
    subject = f"{listed(columns)} {'counts' if one else 'count'} the rows"
    kept = f"{columns[0]}=number"
    kept = kept if kept.replace("_", "").replace("=", "").isalnum() else f"'{kept}'"
    if made is None:
        sentence = f"{subject}: leave {'it' if one else 'them'} out."
        remedy = drop_option(columns)
    else:
        verb, object_ = ("was", "it") if one else ("were", "the first")
        sentence = f"{subject} and {verb} left out; --kind {kept} keeps {object_}."
        remedy = f"--kind {kept}"
    yield Doubt("id", tuple(columns), (), float(len(columns)), sentence, remedy)


def duplicates(evidence: Evidence) -> Iterator[Doubt]:
    """Groups of columns with the same ranks, or nearly so."""
    pairs = evidence.ranks.equal_pairs(SAME)
    if not pairs:
        return
    first, second = np.array(pairs).T
    d = len(evidence.names)
    graph = sp.coo_array((np.ones(len(pairs)), (first, second)), shape=(d, d))
    _, owner = connected_components(graph, directed=False)
    members: dict[int, list[str]] = {}
    for j in np.unique(np.concatenate([first, second])):
        members.setdefault(int(owner[j]), []).append(evidence.names[j])
    groups = list(members.values())
    shown = "; ".join(listed(group) for group in groups[:3])
    more = f"; and {len(groups) - 3} more" if len(groups) > 3 else ""
    subject = "1 group" if len(groups) == 1 else f"{len(groups)} groups"
    says = "says" if len(groups) == 1 else "say"
    yield Doubt(
        "duplicates",
        tuple(name for group in groups for name in group),
        (),
        float(len(groups)),
        f"{subject} of columns {says} the same ({shown}{more}): one of each is enough, "
        "and which one is chosen is chance.",
        drop_option([name for group in groups for name in group[1:]]),
    )


def constants(evidence: Evidence) -> Iterator[Doubt]:
    """Columns with one value."""
    made = evidence.preparation
    if made is None:
        names = evidence.data.feature_names
        columns = [names[j] for j in np.flatnonzero(constant_columns(evidence.data.X))]
    else:
        columns = [c["name"] for c in made.columns_ if c.get("why") == "constant"]
    if not columns:
        return
    one = len(columns) == 1
    subject = f"{quoted(columns[0])} holds" if one else f"{len(columns):,} columns hold"
    done = "" if made is None else f" and {'was' if one else 'were'} left out"
    which = "" if one else f" ({listed(columns)})"
    sentence = f"{subject} one value{done}{which}."
    yield Doubt("constant", tuple(columns), (), float(len(columns)), sentence)


def rare_labels(evidence: Evidence) -> Iterator[Doubt]:
    """Labels whose AUC cannot be known well: 1.96 sqrt(0.08 / p) at AUC 0.75.

    Of a label that most rows have, p counts those that have it not.
    """
    Y = evidence.data.Y
    positive = Y.sum(axis=0, dtype=np.int64)
    fewer = np.minimum(positive, len(Y) - positive)
    rare = [int(i) for i in np.argsort(fewer, kind="stable") if fewer[i] < RARE_LABEL]
    if not rare:
        return
    names = [evidence.data.label_names[i] for i in rare]
    fewest, first = int(fewer[rare[0]]), rare[0]
    side = "positive" if positive[first] == fewest else "negative"
    rows = f"{fewest or 'no'} {side} row{'s' if fewest != 1 else ''}"
    margin = f"+-{min(0.5, 1.96 * np.sqrt(0.08 / max(1, fewest))):.2f}"
    if len(names) == 1:
        known = f"known to about {margin} only" if fewest else "not defined"
        sentence = f"{plain(names[0])} has {rows}: its AUC is {known}."
    else:
        that = f"to {margin}" if fewest else "not at all"
        sentence = (
            f"{len(names):,} labels have fewer than {RARE_LABEL} positive or negative "
            f"rows ({listed(names)}): their AUCs are known to about +-0.10 at best, "
            f"that of the rarest ({rows}) {that}."
        )
    remedy = _without_labels(evidence, names)
    yield Doubt("rare-label", (), tuple(names), float(fewest), sentence, remedy)


def _without_labels(evidence: Evidence, names: list[str]) -> str:
    """Leaving labels out, where each is a column of its own."""
    own = all("=" not in name for name in names)
    return drop_option(names) if own and evidence.preparation is not None else ""


def row_order(evidence: Evidence) -> Iterator[Doubt]:
    """Columns and labels that differ between the first and second half of the rows."""
    n = len(evidence.Y)
    late = np.arange(n) >= n // 2
    n_late = int(late.sum())
    if min(n_late, n - n_late) < LEAK_ROWS:
        return
    auc = evidence.ranks.auc(late[:, np.newaxis].astype(np.int8)).ravel()
    spread = np.sqrt((n + 1) / (12 * n_late * (n - n_late)))
    limit = norm.isf(ALPHA / (2 * max(1, len(auc))))
    off = np.abs(auc - 0.5)
    drifting = np.flatnonzero((off > DRIFT) & (off / spread > limit))
    columns = [evidence.names[j] for j in drifting[np.argsort(-off[drifting])]]
    labels = _drifting_labels(evidence, late)
    if not columns and not labels:
        return
    named = [*columns, *labels]
    what = f"{listed(named)} {'drifts' if len(named) == 1 else 'drift'}"
    largest = float(off[drifting].max() + 0.5) if columns else float("nan")
    yield Doubt(
        "row-order",
        tuple(columns),
        tuple(labels),
        largest,
        f"The rows are not in random order ({what}): shuffled folds may flatter. Try "
        "--cv blocks.",
        "--cv blocks",
    )


def _drifting_labels(evidence: Evidence, late: NDArray[np.bool_]) -> list[str]:
    """Labels whose rates in the two halves differ beyond chance."""
    Y, n = evidence.Y, len(evidence.Y)
    rates = Y[late].mean(axis=0), Y[~late].mean(axis=0)
    whole = Y.mean(axis=0)
    halves = 1 / late.sum() + 1 / (n - late.sum())
    with np.errstate(invalid="ignore", divide="ignore"):
        z = np.abs(rates[0] - rates[1]) / np.sqrt(whole * (1 - whole) * halves)
    limit = norm.isf(ALPHA / (2 * max(1, Y.shape[1])))
    order = np.argsort(-np.nan_to_num(z))
    return [evidence.data.label_names[i] for i in order if z[i] > limit]


def telling_gaps(evidence: Evidence) -> Iterator[Doubt]:
    """Columns whose gaps go with a label: z = sqrt(n) corr(is missing, label)."""
    gaps = {
        name: gone for name, gone in evidence.missing.items() if gone.sum() >= GAP_ROWS
    }
    Y, names = evidence.Y.astype(np.float64), evidence.data.label_names
    if not gaps or not Y.shape[1]:
        return
    G = np.column_stack([*gaps.values()]).astype(np.float64)
    G, Y = G - G.mean(axis=0), Y - Y.mean(axis=0)
    sizes = np.outer(np.linalg.norm(G, axis=0), np.linalg.norm(Y, axis=0))
    with np.errstate(invalid="ignore", divide="ignore"):
        z = np.nan_to_num(np.sqrt(len(Y)) * (G.T @ Y) / sizes)
    limit = norm.isf(ALPHA / (2 * z.size))
    columns = np.array([*gaps], dtype=object)
    strongest = np.abs(z).max(axis=1)
    order = [int(i) for i in np.argsort(-strongest) if strongest[i] > limit]
    if not order:
        return
    first = order[0]
    label = int(np.argmax(np.abs(z[first])))
    more = "more" if z[first, label] > 0 else "less"
    told = [str(columns[i]) for i in order]
    others = f" ({listed(told[1:])} too)" if len(told) > 1 else ""
    yield Doubt(
        "gaps",
        tuple(told),
        tuple(dict.fromkeys(names[int(np.argmax(np.abs(z[i])))] for i in order)),
        float(z[first, label]),
        f"Where {quoted(told[0])} is missing, {plain(names[label])} is {more} frequent "
        f"(z = {z[first, label]:.0f}){others}: is it missing because of the label?",
        drop_option(told),
    )


CHECKS = (
    leaks, outliers, ids, duplicates, constants, rare_labels, row_order, telling_gaps,
)  # fmt: skip
