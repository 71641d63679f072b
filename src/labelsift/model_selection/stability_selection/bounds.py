# SPDX-License-Identifier: BSD-3-Clause
r"""How many features that are no better than a blind choice are selected by chance.

The rows are split into two halves B times; of d features q are chosen on each half,
and one that is chosen in ``count`` of the 2 B halves or more is selected. Let theta =
q / d and L the features chosen on one half with a probability of at most theta. What
is bounded is the expected number of selected features in L; pi = count / (2 B).

============  =========================================================================
assumption    bound
============  =========================================================================
none          q^2 / ((2 pi - 1) d), for pi > 1/2
unimodal      C q^2 / d with C = 1 / (2 (2 pi - 1 - 1/(2B))) where pi <= 3/4, else
              C = 4 (1 - pi + 1/(2B)) / (1 + 1/B); for theta <= 1/sqrt(3) and pi above
              1/2 + min(theta^2, 1/(2B) + 3/4 theta^2)
r-concave     d min{ D(theta^2, 2 pi - 1, B, -1/2), D(theta, pi, 2 B, -1/4) }, the
              first for pi > 1/2 only
============  =========================================================================

"unimodal" and "r-concave" are assumptions on the distribution, for a feature in L, of
the share of pairs in which both halves choose it; "r-concave" also of the share of
halves. D is ``largest_tail``. A bound that does not apply is replaced by the one with
fewer assumptions, and none exceeds d.

References: N. Meinshausen, P. Buhlmann (2010), Stability selection, JRSS B 72, 417-473;
R. D. Shah, R. J. Samworth (2013), Variable selection with error control: another look
at stability selection, JRSS B 75, 55-80, theorems 1 and 2 and equation (8).
"""

from collections.abc import Callable
from fractions import Fraction
from functools import lru_cache
from math import ceil, exp, inf, sqrt

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import brentq

ASSUMPTIONS = ("none", "unimodal", "r-concave")

# The search for the extreme distribution: points looked at, and how often the
# neighbourhood of the best one is looked at again.
_POINTS, _ZOOMS = 201, 6


@lru_cache(maxsize=4096)
def selection_bound(q: int, d: int, count: int, n_pairs: int, assumption: str) -> float:
    """Bound on the expected number of features of L among the selected."""
    bound = float(d)
    if count > n_pairs:
        bound = min(bound, q**2 / ((count / n_pairs - 1) * d))
    if assumption == "unimodal":
        return min(bound, _unimodal(q, d, count, n_pairs))
    if assumption == "r-concave":
        return min(bound, _r_concave(q, d, count, n_pairs))
    return bound


def _unimodal(q: int, d: int, count: int, n_pairs: int) -> float:
    """The second line of the table; infinite where it does not apply."""
    theta, pi, step = q / d, count / (2 * n_pairs), 1 / (2 * n_pairs)
    low = 0.5 + min(theta**2, step + 0.75 * theta**2)
    if theta > 1 / sqrt(3) or pi <= low or count < n_pairs + 2:
        return inf
    if 2 * count <= 3 * n_pairs:
        return q**2 / d / (2 * (2 * pi - 1 - step))
    return q**2 / d * 4 * (1 - pi + step) / (1 + 2 * step)


def _r_concave(q: int, d: int, count: int, n_pairs: int) -> float:
    """The third line of the table."""
    theta = Fraction(q, d)
    tail = largest_tail(theta, count, 2 * n_pairs, -1 / 4)
    if count > n_pairs:
        tail = min(tail, largest_tail(theta**2, count - n_pairs, n_pairs, -1 / 2))
    return d * tail


def largest_tail(xi: Fraction, cut: int, m: int, r: float) -> float:
    """D: the largest P(N >= cut) of r-concave N on 0..m with a mean of at most xi m.

    A distribution f is r-concave, r < 0, where f^r is convex. The extreme ones are
    proportional to (a + i)^(1/r) on 0..k, with a mass on k + 1 that makes the mean
    xi m; a alone decides k. As in the paper, 1 where cut <= 2 xi m, rounded up.
    """
    mean, half_mean = float(xi * m), ceil(2 * xi * m)
    if cut <= half_mean:
        return 1.0
    numbers = np.arange(m + 1)

    def mean_of(log_a: float, k: int) -> float:
        weights = (exp(log_a) + numbers[: k + 1]) ** (1 / r)
        return float(weights @ numbers[: k + 1] / weights.sum())

    def log_a(k: int) -> float:
        """The a whose distribution on 0..k has the mean wanted; falls with k."""
        return _increasing_root(lambda x: mean_of(x, k) - mean)

    # Shorter distributions do not reach the cut.
    k = max(cut - 1, half_mean + 1)
    low = log_a(m)
    high = log_a(k) if k < m else low
    best = 0.0
    for _ in range(_ZOOMS):
        grid = np.linspace(low, high, _POINTS)
        tails = _tails(np.exp(grid), cut, m, r, mean)
        at = int(np.argmax(tails))
        best = max(best, float(tails[at]))
        low, high = grid[max(at - 2, 0)], grid[min(at + 2, _POINTS - 1)]
    return best


def _increasing_root(function: Callable[[float], float]) -> float:
    """Where an increasing function of a logarithm changes its sign."""
    low, high = -1.0, 1.0
    while function(low) > 0:
        low *= 2
    while function(high) < 0:
        high *= 2
    return float(brentq(function, low, high, xtol=1e-13))


def _tails(
    a: NDArray[np.float64], cut: int, m: int, r: float, mean: float
) -> NDArray[np.float64]:
    """P(N >= cut) of the extreme distribution for each a."""
    numbers, rows = np.arange(m + 1), np.arange(len(a))
    weights = (a[:, np.newaxis] + numbers) ** (1 / r)
    mass, moment = weights.cumsum(axis=1), (weights * numbers).cumsum(axis=1)
    # The longest distribution without further mass whose mean is not too large.
    k = np.count_nonzero(moment <= mean * mass * (1 + 1e-13), axis=1) - 1
    missing = (k + 1) * mass[rows, k] - moment[rows, k]
    whole = np.where(k == m, mass[:, m], missing / (k + 1 - mean))
    return 1 - mass[:, cut - 1] / whole


def most_features(
    pfer: float, d: int, count: int, n_pairs: int, assumption: str
) -> int:
    """The most features per fit with a bound of at most ``pfer``; 0 if none has.

    The bound rises with the number of features.
    """
    low, high = 0, d
    while low < high:
        q = (low + high + 1) // 2
        if selection_bound(q, d, count, n_pairs, assumption) <= pfer:
            low = q
        else:
            high = q - 1
    return low


def least_count(
    pfer: float, q: int, d: int, n_pairs: int, assumption: str
) -> int | None:
    """The fewest halves, more than half of them, with a bound of at most ``pfer``."""
    for count in range(n_pairs + 1, 2 * n_pairs + 1):
        if selection_bound(q, d, count, n_pairs, assumption) <= pfer:
            return count
    return None
