# SPDX-License-Identifier: BSD-3-Clause
"""PPT with a table per feature, and scipy's chi-square of that table."""

from collections import Counter

import numpy as np
from scipy.stats import chi2_contingency

from reference.information import mutual_information


def kept_label_sets(Y, min_count, strategy):
    """The label set that each sample counts for, None where it is left out."""
    sets = [frozenset(np.flatnonzero(row)) for row in Y]
    counts = Counter(sets)
    frequent = [s for s in counts if counts[s] >= min_count]
    kept = []
    for own in sets:
        if own in frequent:
            kept.append(own)
            continue
        within = [s for s in frequent if s and s < own]
        largest = max(within, key=lambda s: (len(s), counts[s]), default=None)
        kept.append(largest if strategy == "reassign" else None)
    return kept


def ppt(codes, Y, score, min_count, strategy="prune"):
    """Score of every feature and the share of samples that are kept."""
    kept = kept_label_sets(Y, min_count, strategy)
    rows = [i for i, own in enumerate(kept) if own is not None]
    names = sorted({kept[i] for i in rows}, key=sorted)
    classes = np.array([names.index(kept[i]) for i in rows])
    measure = {"mi": mutual_information, "chi2": _chi_square}[score]
    scores = [measure(feature[rows], classes) for feature in codes.T]
    return np.array(scores), len(rows) / len(Y)


def _chi_square(feature, classes):
    table = [
        [np.sum((feature == b) & (classes == c)) for c in np.unique(classes)]
        for b in np.unique(feature)
    ]
    return chi2_contingency(table, correction=False).statistic
