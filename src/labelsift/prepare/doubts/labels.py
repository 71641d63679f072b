# SPDX-License-Identifier: BSD-3-Clause
"""Labels with few rows, and labels that go with the gaps of a column."""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray
from scipy.stats import hypergeom, norm

from labelsift.prepare.doubts.doubt import (
    ALPHA,
    Doubt,
    drop_option,
    listed,
    plain,
    quoted,
)
from labelsift.prepare.doubts.evidence import Evidence

# Positive rows below which an AUC is known to +-0.10 at best.
RARE_LABEL = 30
GAP_ROWS = 10


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


def telling_gaps(evidence: Evidence) -> Iterator[Doubt]:
    """Columns whose gaps go with a label: z = sqrt(n) corr(is missing, label)."""
    gaps = {
        name: gone for name, gone in evidence.missing.items() if gone.sum() >= GAP_ROWS
    }
    if not gaps or not evidence.Y.shape[1]:
        return
    z = _beyond_chance(np.column_stack([*gaps.values()]), evidence.Y)
    columns, strongest = list(gaps), np.abs(z).max(axis=1)
    order = [int(i) for i in np.argsort(-strongest) if strongest[i] > 0]
    if not order:
        return
    labels = [evidence.data.label_names[np.argmax(np.abs(z[i]))] for i in order]
    size = float(z[order[0], np.argmax(np.abs(z[order[0]]))])
    told = [columns[i] for i in order]
    others = f" ({listed(told[1:])} too)" if len(told) > 1 else ""
    yield Doubt(
        "gaps",
        tuple(told),
        tuple(dict.fromkeys(labels)),
        size,
        f"Where {quoted(told[0])} is missing, {plain(labels[0])} is "
        f"{'more' if size > 0 else 'less'} frequent (z = {size:.0f}){others}: is it "
        "missing because of the label?",
        drop_option(told),
    )


def _beyond_chance(gaps: NDArray[np.bool_], Y: NDArray[np.int8]) -> NDArray[np.float64]:
    """z of every column and label; 0 where chance may give it in any of the pairs.

    The normal approximation of z is far off where few rows have the label: what is
    beyond chance by z is judged again by the exact hypergeometric distribution.
    """
    G, P = gaps.astype(np.float64), Y.astype(np.float64)
    n, both = len(G), G.T @ P
    n_gaps, positive = G.sum(axis=0), P.sum(axis=0)
    variances = np.outer(n_gaps * (n - n_gaps), positive * (n - positive))
    excess = np.sqrt(n) * (n * both - np.outer(n_gaps, positive))
    z = np.divide(excess, np.sqrt(variances), np.zeros(both.shape), where=variances > 0)
    chance = ALPHA / (2 * z.size)
    z[np.abs(z) <= norm.isf(chance)] = 0
    for i, j in zip(*np.nonzero(z), strict=True):
        rows = hypergeom(n, n_gaps[i], positive[j])
        tail = rows.sf(both[i, j] - 1) if z[i, j] > 0 else rows.cdf(both[i, j])
        if tail > chance:
            z[i, j] = 0
    return z
