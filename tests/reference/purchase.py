# SPDX-License-Identifier: BSD-3-Clause
"""What is bought under a limit, word for word."""

import numpy as np


def filled(order, prices, sizes, most_money, most_columns):
    """Go down the order; take what still fits."""
    taken = []
    for unit in order:
        money = sum(prices[u] for u in taken) + prices[unit]
        columns = sum(sizes[u] for u in taken) + sizes[unit]
        if money <= most_money + 1e-9 and columns <= most_columns:
            taken.append(unit)
    return taken


def gcv(X, Y):
    """Ridge with penalty 1 by its hat matrix; every label has the same spread."""
    n = len(X)
    Y = (Y / Y.std(axis=0))[:, Y.std(axis=0) > 0]
    Z = X - X.mean(axis=0)
    hat = 1 / n + Z @ np.linalg.inv(Z.T @ Z + np.eye(Z.shape[1])) @ Z.T
    return n * ((Y - hat @ Y) ** 2).sum() / (n - np.trace(hat)) ** 2


def better_of_two(scores, prices, X, Y, most_money):
    """Of the best scores, and of the best scores per cost, what predicts better."""
    sizes = [1] * len(scores)
    orders = [np.argsort(-s, kind="stable") for s in (scores, scores / prices)]
    sets = [filled(o, prices, sizes, most_money, len(scores)) for o in orders]
    return min(sets, key=lambda taken: gcv(X[:, taken], Y))
