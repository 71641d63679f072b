# SPDX-License-Identifier: BSD-3-Clause
"""Greedy regularised least squares by retraining, straight from the definition."""

import numpy as np


def ridge(X, Y, alpha):
    """argmin |X W - Y|^2 + alpha |W|^2, as least squares with extra rows."""
    d = X.shape[1]
    tall = np.vstack([X, np.sqrt(alpha) * np.eye(d)])
    targets = np.vstack([Y, np.zeros((d, Y.shape[1]))])
    return np.linalg.lstsq(tall, targets, rcond=None)[0]


def with_constant(X, bias):
    return np.column_stack([np.full(len(X), bias), X]) if bias else X


def loo_error(X, Y, alpha):
    """Leave each row out, retrain, predict it: the mean squared error."""
    rows = np.arange(len(X))
    errors = [
        Y[j] - X[j] @ ridge(X[rows != j], Y[rows != j], alpha) for j in range(len(X))
    ]
    return np.mean(np.square(errors))


def gcv_error(X, Y, alpha):
    """Mean squared residual over the squared share of freedom left."""
    return np.mean(label_gcv(X, Y, alpha))


def label_gcv(X, Y, alpha):
    """The same of each label on its own."""
    n = len(X)
    hat = X @ np.linalg.solve(X.T @ X + alpha * np.eye(X.shape[1]), X.T)
    residuals = Y - hat @ Y
    return np.mean(residuals**2, axis=0) / (np.trace(np.eye(n) - hat) / n) ** 2


def greedy(
    X, Y, budget, alpha, bias=1.0, *, error=loo_error, groups=None, costs=None,
    max_cost=np.inf,
):  # fmt: skip
    """Take the best group (a feature, by default) that fits, time after time.

    The best is the one with the lowest error or, with costs, with the largest decrease
    of it per unit of cost, if there is a decrease. Constant groups come last.

    Y holds the targets as they are. Returns the groups in order and, for each step,
    a dict from candidate group to its error.
    """
    groups = [[i] for i in range(X.shape[1])] if groups is None else groups
    price = [1.0 if costs is None else sum(costs[i] for i in group) for group in groups]
    constant = [bool((X[:, group] == X[0, group]).all()) for group in groups]
    taken, steps, chosen = [], [], []
    current = error(with_constant(X[:, []], bias), Y, alpha)
    while True:
        left = [f for f in range(len(groups)) if f not in taken]
        left = [f for f in left if not constant[f]] or left
        spent = 0.0 if costs is None else sum(price[f] for f in taken)
        fits = [
            f
            for f in left
            if len(chosen) + len(groups[f]) <= budget and spent + price[f] <= max_cost
        ]
        if not fits:
            return taken, steps
        errors = {
            f: error(with_constant(X[:, [*chosen, *groups[f]]], bias), Y, alpha)
            for f in fits
        }
        helpful = [f for f in fits if errors[f] < current]
        if costs is not None and helpful:
            best = max(helpful, key=lambda f: (current - errors[f]) / price[f])
        else:
            best = min(errors, key=errors.get)
        taken.append(best)
        chosen += list(groups[best])
        steps.append(errors)
        current = errors[best]


def greedy_fair(X, Y, budget, alpha, bias=1.0, *, costs=None, max_cost=np.inf):
    """Take the feature that does most for the labels that were served least.

    Y holds labels of any coding. Returns the features in order and, for each step,
    the GCV of every label, centred and scaled to unit variance.
    """
    n, d = X.shape
    Y = (Y - Y.mean(axis=0)) / Y.std(axis=0)
    price = np.ones(d) if costs is None else np.asarray(costs)
    constant = (X[:1] == X).all(axis=0)
    taken, steps, service = [], [], np.zeros(Y.shape[1])
    current = label_gcv(with_constant(X[:, []], bias), Y, alpha)
    while len(taken) < budget:
        left = [i for i in range(d) if i not in taken]
        left = [i for i in left if not constant[i]] or left
        fits = [
            i for i in left if price[[*taken, i]].sum() <= max_cost or costs is None
        ]
        if not fits:
            break
        errors = {
            i: label_gcv(with_constant(X[:, [*taken, i]], bias), Y, alpha) for i in fits
        }
        gains = {i: np.log(current) - np.log(errors[i]) for i in fits}
        best = np.max(list(gains.values()), axis=0)
        open_labels = best > 2 * np.log(d) / n
        if not open_labels.any():
            open_labels[:] = True
        served = {
            i: [
                max(gains[i][label], 0) / best[label]
                if open_labels[label] and best[label] > 0
                else 0.0
                for label in range(len(best))
            ]
            for i in fits
        }
        merit = {i: np.sum(served[i] / (1 + service)) for i in fits}
        if max(merit.values()) > 0:
            chosen = max(fits, key=lambda i: merit[i] / price[i])
        else:
            total = {i: current.mean() - errors[i].mean() for i in fits}
            helpful = [i for i in fits if total[i] > 0]
            chosen = max(
                helpful or fits,
                key=lambda i: total[i] / price[i] if helpful else total[i],
            )
        service += served[chosen]
        taken.append(chosen)
        current = errors[chosen]
        steps.append(current)
    return taken, np.array(steps)
