# SPDX-License-Identifier: BSD-3-Clause
"""Ridge regression of one target at a time, by the normal equations."""

import numpy as np


def ridge(X, y, alpha):
    """Weights and intercept by the normal equations with a column of ones."""
    n, d = X.shape
    design = np.column_stack([X, np.ones(n)])
    penalty = np.diag([alpha] * d + [0.0])
    codes = np.where(y == 1, 1.0, -1.0)
    solution = np.linalg.solve(design.T @ design + penalty, design.T @ codes)
    return solution[:-1], solution[-1]


def known_ridge(X, Y, weights, alpha):
    """Weights and intercepts of each target, from its known rows."""
    coef, intercept = [], []
    for y in Y.T:
        rows = ~np.isnan(y)
        Z = np.column_stack([X[rows], np.ones(rows.sum())])
        penalty = np.diag([alpha] * X.shape[1] + [0.0])
        weighted = Z.T * weights[rows]
        solution = np.linalg.solve(weighted @ Z + penalty, weighted @ y[rows])
        coef.append(solution[:-1])
        intercept.append(solution[-1])
    return np.array(coef), np.array(intercept)
