# SPDX-License-Identifier: BSD-3-Clause
"""Measures of values, target by target, with repeated rows for weights."""

import numpy as np
from scipy.stats import spearmanr
from sklearn.metrics import mean_absolute_error, r2_score, root_mean_squared_error

ONE = {
    "r2": r2_score,
    "rmse": root_mean_squared_error,
    "mae": mean_absolute_error,
    "spearman": lambda y, f: spearmanr(y, f).statistic,
}


def each(name, Y_true, Y_pred, weights):
    """The measure of each target on its known rows, repeated by weight."""
    found = []
    for y, f in zip(Y_true.T, Y_pred.T, strict=True):
        rows = np.repeat(np.arange(len(y)), weights)
        rows = rows[~np.isnan(y[rows])]
        found.append(ONE[name](y[rows], f[rows]))
    return np.array(found)
