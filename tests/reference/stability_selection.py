# SPDX-License-Identifier: BSD-3-Clause
"""Stability selection and its bounds from their definitions, slow and obvious."""

import numpy as np
from scipy.optimize import minimize
from sklearn.base import clone


def probabilities(selector, X, Y, pairs, q):
    """Share of halves, and of pairs of halves, that choose each feature."""
    halves, both = np.zeros(X.shape[1]), np.zeros(X.shape[1])
    for one, other in pairs:
        sets = []
        for rows in (one, other):
            fitted = clone(selector).set_params(n_features_to_select=q)
            fitted.fit(X[rows], Y[rows])
            sets.append(set(fitted.feature_order_[:q].tolist()))
        for feature in range(X.shape[1]):
            halves[feature] += (feature in sets[0]) + (feature in sets[1])
            both[feature] += feature in sets[0] and feature in sets[1]
    return halves / (2 * len(pairs)), both / len(pairs)


def largest_tail(xi, cut, m, r, n_starts=4, seed=0):
    """Largest P(N >= cut) over r-concave distributions on 0..m, mean at most xi m.

    A general optimiser over the values g = f^r, which are free, positive and convex on
    each interval of support.
    """
    rng = np.random.default_rng(seed)
    best = 0.0
    for first in range(int(xi * m) + 1):
        for last in range(cut, m + 1):
            for _ in range(n_starts):
                best = max(best, _tail_on(first, last, cut, xi * m, r, rng))
    return best


def _tail_on(first, last, cut, mean, r, rng):
    """A local maximum over distributions whose support is first..last."""
    numbers = np.arange(first, last + 1)
    upper = numbers >= cut

    def f(g):
        return g ** (1 / r)

    constraints = [
        {"type": "eq", "fun": lambda g: f(g).sum() - 1},
        {"type": "ineq", "fun": lambda g: mean - f(g) @ numbers},
    ]
    if len(numbers) > 2:
        constraints.append({"type": "ineq", "fun": lambda g: np.diff(g, 2)})
    start = (rng.uniform(0.2, 2) + numbers - first) ** -rng.uniform(0.5, 4)
    found = minimize(
        lambda g: -f(g)[upper].sum(),
        (start / start.sum()) ** r,
        method="SLSQP",
        bounds=[(1.0, 1e4)] * len(numbers),
        constraints=constraints,
        options={"maxiter": 300, "ftol": 1e-13},
    )
    weights = f(found.x)
    valid = (
        abs(weights.sum() - 1) < 1e-8
        and weights @ numbers < mean + 1e-8
        and (np.diff(found.x, 2) > -1e-7).all()
    )
    return float(weights[upper].sum()) if valid else 0.0


def largest_unimodal_tail(xi, cut, m):
    """The same over unimodal distributions with mean xi m: mixtures of two uniforms.

    A unimodal distribution is a mixture of uniform ones on intervals that share a
    mode; with one constraint on the mean two of them reach the extreme.
    """
    best = 0.0
    for mode in range(m + 1):
        ends = [(a, b) for a in range(mode + 1) for b in range(mode, m + 1)]
        means = np.array([(a + b) / 2 for a, b in ends])
        tails = np.array([max(0, b - max(a, cut) + 1) / (b - a + 1) for a, b in ends])
        low = means <= xi * m
        for mean, tail in zip(means[~low], tails[~low], strict=True):
            share = (xi * m - means[low]) / (mean - means[low])
            mixed = share * tail + (1 - share) * tails[low]
            best = max(best, mixed.max(initial=0.0))
        best = max(best, tails[low].max(initial=0.0))
    return best
