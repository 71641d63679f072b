# SPDX-License-Identifier: BSD-3-Clause
"""Columns that alone tell a label or a target."""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from labelsift.prepare.doubts.doubt import (
    NAMED,
    Doubt,
    drop_option,
    listed,
    plain,
    quoted,
)
from labelsift.prepare.doubts.evidence import Evidence

# The AUC of a column, or precision and recall of its values; rows of either value.
LEAK_AUC, LEAK_SHARE, LEAK_ROWS = 0.98, 0.95, 10
# Of a column and a target that holds values.
LEAK_CORRELATION = 0.99


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
    yield from _told(found, "label")


def value_leaks(evidence: Evidence) -> Iterator[Doubt]:
    """Columns that alone tell a target, up to its scale."""
    found: dict[str, tuple[float, str, str]] = {}
    size = np.abs(evidence.ranks.correlations(evidence.Y))
    for j, target in zip(*np.nonzero(size >= LEAK_CORRELATION), strict=True):
        words = f"rank correlation {size[j, target]:.3f}"
        name = evidence.data.label_names[target]
        _keep_largest(found, evidence.names[j], size[j, target], name, words)
    yield from _told(found, "target")


def _told(found: dict[str, tuple[float, str, str]], what: str) -> Iterator[Doubt]:
    """One doubt about all columns that tell."""
    if not found:
        return
    columns = sorted(found, key=lambda column: -found[column][0])
    number, label, words = found[columns[0]]
    first = f"{quoted(columns[0])} alone tells {plain(label)} ({words})"
    more = columns[1:]
    tell = "tells" if len(more) == 1 else "tell"
    others = f"; {listed(more)} {tell} a {what} alone too" if more else ""
    they = "they are" if more else "it is"
    remedy = drop_option(columns)
    again = f"with {remedy}" if len(columns) <= NAMED else "without them"
    yield Doubt(
        "leak",
        tuple(columns),
        tuple(dict.fromkeys(found[column][1] for column in columns)),
        float(number),
        f"{first}{others}. If {they} known only after the {what}, the answer is "
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
    for counts in evidence.value_counts():
        totals, positives = counts.rows[:, np.newaxis], counts.positives
        hits = np.where(frequent, totals - positives, positives)
        chosen = hits > totals / 2
        right = np.add.reduceat(np.where(chosen, hits, 0), counts.begins)
        predicted = np.add.reduceat(np.where(chosen, totals, 0), counts.begins)
        with np.errstate(invalid="ignore", divide="ignore"):
            precision, recall = right / predicted, right / evidence.rarer
        telling = enough & (np.minimum(precision, recall) >= LEAK_SHARE)
        for j, label in zip(*np.nonzero(telling), strict=True):
            shares = float(precision[j, label]), float(recall[j, label])
            yield counts.names[j], int(label), *shares
