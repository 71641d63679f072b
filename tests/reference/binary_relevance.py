# SPDX-License-Identifier: BSD-3-Clause
"""Squared-hinge models of one label at a time, from their objective."""

import numpy as np
from scipy.optimize import minimize


def svm_objective(w, b, X, y, C):
    """What LinearSVC minimises: its intercept is penalised like a weight."""
    codes = np.where(y == 1, 1.0, -1.0)
    loss = np.maximum(0, 1 - codes * (X @ w + b)) ** 2
    return 0.5 * (w @ w + b * b) + C * loss.sum()


def svm_minimum(X, y, C):
    """The smallest value of the objective, by a general minimiser."""
    found = minimize(
        lambda wb: svm_objective(wb[:-1], wb[-1], X, y, C),
        np.zeros(X.shape[1] + 1),
        method="BFGS",
        options={"gtol": 1e-6},
    )
    return found.fun
