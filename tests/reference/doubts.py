# SPDX-License-Identifier: BSD-3-Clause
"""Evidence of doubts straight from the definitions: pairs of rows, one by one."""

import numpy as np
from scipy.stats import spearmanr


def auc(column, label):
    """Share of pairs in which the positive row is larger; a tie counts half."""
    low = np.where(np.isnan(column), -np.inf, column)
    positive, negative = low[label == 1], low[label == 0]
    if not len(positive) or not len(negative):
        return np.nan
    wins = [(p > q) + 0.5 * (p == q) for p in positive for q in negative]
    return float(np.mean(wins))


def rank_correlation(first, second):
    """Spearman's, missing below all."""
    low = [np.where(np.isnan(x), -1e300, x) for x in (first, second)]
    return float(spearmanr(*low).statistic)


def spread_ratio(column):
    """Standard deviation over robust scale; 0 where half of the values are one."""
    values = column[np.isfinite(column)]
    _, counts = np.unique(values, return_counts=True)
    q2, q25, q75, q97 = np.percentile(values, [2.5, 25, 75, 97.5])
    scale = (q75 - q25) / 1.349 or (q97 - q2) / 3.92
    if scale == 0 or counts.max() >= len(values) / 2:
        return 0.0
    return float(values.std() / scale)


def precision_and_recall(column, label):
    """Of the values that more than half of their rows have the label."""
    told = [v for v in set(column) if np.mean(label[column == v]) > 0.5]
    predicted = np.isin(column, told)
    right = (predicted & (label == 1)).sum()
    return right / max(1, predicted.sum()), right / label.sum()


def gap_z(missing, label):
    """sqrt(n) times the correlation of being missing and having the label."""
    return float(np.sqrt(len(label)) * np.corrcoef(missing, label)[0, 1])
