# SPDX-License-Identifier: BSD-3-Clause
"""Removals and substitutions by training again, row by row, without closed forms."""

import numpy as np

from reference.greedy_rls import ridge, with_constant


def squared_errors(Z, Y, alpha):
    """Squared error of every row and label when the row is left out."""
    rows = np.arange(len(Z))
    return np.array(
        [
            (Y[i] - Z[i] @ ridge(Z[rows != i], Y[rows != i], alpha)) ** 2
            for i in range(len(Z))
        ]
    )


def errors(X, Y, features, alpha, bias=1.0):
    """The same for a model of some columns of X and the constant."""
    return squared_errors(with_constant(X[:, list(features)], bias), Y, alpha)


def removals(X, Y, features, alpha, bias=1.0):
    """Contribution of each feature to each label, and its standard error."""
    features = list(features)
    full = errors(X, Y, features, alpha, bias)
    rises, ses = [], []
    for f in features:
        others = [g for g in features if g != f]
        change = errors(X, Y, others, alpha, bias) - full
        rises.append(change.mean(axis=0))
        ses.append(change.std(axis=0, ddof=1) / np.sqrt(len(X)))
    return np.array(rises), np.array(ses)


def swaps(X, Y, features, alpha, bias=1.0):
    """Error with b in the place of j, for all j and all b that are not chosen."""
    features = list(features)
    found = {}
    for place, f in enumerate(features):
        for b in set(range(X.shape[1])) - set(features):
            swapped = [*features[:place], b, *features[place + 1 :]]
            found[f, b] = errors(X, Y, swapped, alpha, bias).mean()
    return found


def objective(X, Y, features, alpha, bias=1.0):
    """Ridge objective on some columns and the constant."""
    Z = with_constant(X[:, list(features)], bias)
    W = ridge(Z, Y, alpha)
    return np.sum((Y - Z @ W) ** 2) + alpha * np.sum(W**2)
