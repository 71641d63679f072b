# SPDX-License-Identifier: BSD-3-Clause
"""Information from the definitions, one pair at a time, and data to try it on."""

from math import log

import numpy as np


def mutual_information(a, b):
    """Sum of p(x, y) log p(x, y) / p(x) p(y)."""
    total = 0.0
    for x in np.unique(a):
        for y in np.unique(b):
            joint = np.mean((a == x) & (b == y))
            if joint > 0:
                total += joint * log(joint / (np.mean(a == x) * np.mean(b == y)))
    return total


def conditional_information(a, b, given):
    """Mean of the information of a and b over the values of a third variable."""
    return sum(
        np.mean(given == z) * mutual_information(a[given == z], b[given == z])
        for z in np.unique(given)
    )


def co_information(a, b, c):
    """What a and b say in common about c, from the entropies of all groups of them."""
    pairs = [_joint(a, b), _joint(a, c), _joint(b, c)]
    return (
        sum(entropy(x) for x in (a, b, c))
        - sum(entropy(pair) for pair in pairs)
        + entropy(_joint(a, _joint(b, c)))
    )


def _joint(a, b):
    """One variable that tells what two tell."""
    return np.asarray(a) * (int(np.max(b)) + 1) + b


def entropy(a):
    """Minus the sum of p(x) log p(x)."""
    shares = [np.mean(a == x) for x in np.unique(a)]
    return -sum(share * log(share) for share in shares)


def greedy(codes, n_steps, relevance, redundancy, combine=np.mean):
    """Relevance minus mean (or other) redundancy, all terms anew in each round.

    Constant features come last; what is equal to ten decimals goes to the lowest index.
    """
    varied = [f for f in range(codes.shape[1]) if len(np.unique(codes[:, f])) > 1]
    constant = [f for f in range(codes.shape[1]) if f not in varied]
    order, worth = [], []
    while len(order) < min(n_steps, len(varied)):
        scores = {}
        for f in varied:
            if f in order:
                continue
            terms = [redundancy(f, s) for s in order]
            scores[f] = relevance[f] - (combine(terms) if terms else 0.0)
        best = max(scores, key=lambda f: (round(scores[f], 10), -f))
        order.append(best)
        worth.append(scores[best])
    return np.array((order + constant)[:n_steps]), np.array(worth)


def without_constant_labels(Y):
    """Labels that have both values."""
    return Y[:, Y.min(axis=0) != Y.max(axis=0)]


def coded_data(rng, n_bins, label_density, n=90, d=9, t=4):
    """Codes and labels with a constant, a duplicated and a renamed feature."""
    Y = (rng.random((n, t)) < label_density).astype(np.uint8)
    codes = rng.integers(n_bins, size=(n, d))
    codes[:, : t - 1] = np.where(
        rng.random((n, t - 1)) < 0.5, Y[:, 1:], codes[:, : t - 1]
    )
    codes[:, 4] = 1
    codes[:, 7] = codes[:, 0]
    codes[:, 8] = n_bins - 1 - codes[:, 1]
    return codes, Y


def halves(X):
    """1 above the lower median of a feature, the value of rank n // 2 from below."""
    median = np.sort(X, axis=0)[len(X) // 2 - 1]
    return (median < X).astype(int)
