# SPDX-License-Identifier: BSD-3-Clause
"""Rows that are not in random order."""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray
from scipy.stats import norm

from labelsift.prepare.doubts.doubt import ALPHA, Doubt, listed
from labelsift.prepare.doubts.evidence import Evidence

# A column drifts where its AUC for the second half of the rows is off by more.
DRIFT = 0.1
# Rows that each half needs.
_FEWEST_ROWS = 10


def row_order(evidence: Evidence) -> Iterator[Doubt]:
    """Columns and labels that differ between the first and second half of the rows."""
    n = len(evidence.Y)
    late = np.arange(n) >= n // 2
    n_late = int(late.sum())
    if min(n_late, n - n_late) < _FEWEST_ROWS:
        return
    auc = evidence.ranks.auc(late[:, np.newaxis].astype(np.int8)).ravel()
    spread = np.sqrt((n + 1) / (12 * n_late * (n - n_late)))
    limit = norm.isf(ALPHA / (2 * max(1, len(auc))))
    off = np.abs(auc - 0.5)
    drifting = np.flatnonzero((off > DRIFT) & (off / spread > limit))
    columns = [evidence.names[j] for j in drifting[np.argsort(-off[drifting])]]
    labels, shifts = _drifting_labels(evidence, late)
    if not columns and not labels:
        return
    named = [*columns, *labels]
    what = f"{listed(named)} {'drifts' if len(named) == 1 else 'drift'}"
    yield Doubt(
        "row-order",
        tuple(columns),
        tuple(labels),
        0.5 + float(max([*off[drifting], *(shifts / 2)])),
        f"The rows are not in random order ({what}): shuffled folds may flatter. Try "
        "--cv blocks.",
        "--cv blocks",
    )


def _drifting_labels(
    evidence: Evidence, late: NDArray[np.bool_]
) -> tuple[list[str], NDArray[np.float64]]:
    """Labels whose rates in the two halves differ beyond chance, and by how much."""
    Y, n = evidence.Y, len(evidence.Y)
    shift = np.abs(Y[late].mean(axis=0) - Y[~late].mean(axis=0))
    whole = Y.mean(axis=0)
    error = np.sqrt(whole * (1 - whole) * (1 / late.sum() + 1 / (n - late.sum())))
    z = np.divide(shift, error, out=np.zeros(len(shift)), where=error > 0)
    limit = norm.isf(ALPHA / (2 * max(1, Y.shape[1])))
    drifting = [int(i) for i in np.argsort(-z) if z[i] > limit]
    return [evidence.data.label_names[i] for i in drifting], shift[drifting]
