# SPDX-License-Identifier: BSD-3-Clause
"""Shah and Samworth's bounds from their definitions, by a general optimiser."""

import numpy as np
from scipy.optimize import minimize


def largest_tail(xi, cut, m, r, n_starts=6, seed=0):
    """Largest P(N >= cut) over r-concave distributions on 0..m, mean at most xi m.

    The values g = f^r on each interval of support are free, positive and convex.
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
    steepness = rng.uniform(0.5, 4)
    start = (rng.uniform(0.2, 2) + numbers - first) ** -steepness
    found = minimize(
        lambda g: -f(g)[upper].sum(),
        (start / start.sum()) ** r,
        method="SLSQP",
        bounds=[(1.0, 1e4)] * len(numbers),
        constraints=constraints,
        options={"maxiter": 500, "ftol": 1e-13},
    )
    weights = f(found.x)
    valid = (
        abs(weights.sum() - 1) < 1e-8
        and weights @ numbers < mean + 1e-8
        and (np.diff(found.x, 2) > -1e-7).all()
    )
    return float(weights[upper].sum()) if valid else 0.0


def none(q, d, count, n_pairs):
    """Theorem 1 of Shah and Samworth, which is Meinshausen and Buhlmann's bound."""
    pi = count / (2 * n_pairs)
    return q**2 / ((2 * pi - 1) * d)
