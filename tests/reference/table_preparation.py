# SPDX-License-Identifier: BSD-3-Clause
"""The preparation of one column, cell by cell, from the formulas."""

import math
from collections import Counter

import numpy as np

MISSING = {"", "na", "n/a", "nan", "null", "none", "-", "?", "#n/a"}


def is_gap(cell):
    if cell is None or cell != cell or type(cell).__name__ == "NAType":
        return True
    return str(cell).strip().lower() in MISSING


def number_column(train, cells, clip=5.0):
    """Outputs of a column of numbers: a list of columns."""
    filled = [float(cell) for cell in train if not is_gap(cell)]
    fill = float(np.median(filled))
    q25, q75, q2, q97 = np.percentile(filled, [25, 75, 2.5, 97.5])
    s = (q75 - q25) / 1.349 or (q97 - q2) / 3.92
    low, high = -math.inf, math.inf
    if s > 0 and len(set(filled)) > 2:
        low, high = fill - clip * s, fill + clip * s

    def value(cell):
        return min(max(fill if is_gap(cell) else float(cell), low), high)

    known = [value(cell) for cell in train]
    outputs = [standardised(known, [value(cell) for cell in cells])]
    gaps = [float(is_gap(cell)) for cell in train]
    if sum(gaps) >= 10 and sum(gaps) >= 0.01 * len(train):
        outputs.append(standardised(gaps, [float(is_gap(cell)) for cell in cells]))
    return outputs


def category_column(train, cells, most=30, least=10):
    """Values that get a column, and the columns."""
    counts = Counter(str(cell).strip() for cell in train if not is_gap(cell))
    kept = sorted(
        (v for v, n in counts.items() if n >= least), key=lambda v: (-counts[v], v)
    )
    if len(counts) == len(kept) == 2 and sum(counts.values()) == len(train):
        kept = kept[1:]
    kept = kept[:most]

    def hits(value, part):
        return [float(not is_gap(c) and str(c).strip() == value) for c in part]

    return kept, [standardised(hits(v, train), hits(v, cells)) for v in kept]


def standardised(train, values):
    mean, scale = np.mean(train), np.std(train)
    return [(value - mean) / scale for value in values]
