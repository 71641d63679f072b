# SPDX-License-Identifier: BSD-3-Clause
"""How large a difference is, and how surely: what a p-value does not say."""

import math
from dataclasses import dataclass
from numbers import Real
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.stats import rankdata
from sklearn.utils import check_scalar


@dataclass(frozen=True)
class Shift:
    """By how much one method is above another, with an interval.

    Parameters
    ----------
    estimate : float
        Hodges and Lehmann's: the median of the means of all pairs of differences.
    low, high : float
        Ends of the interval; infinite where too few blocks allow none.
    confidence : float
        With which the interval covers the shift, at least.
    """

    estimate: float
    low: float
    high: float
    confidence: float


def hodges_lehmann(differences: Any, *, confidence: float = 0.95) -> Shift:
    r"""Estimate the shift behind paired differences, with a confidence interval.

    The estimate is the median of the Walsh averages :math:`(d_i + d_j) / 2,\ i \le j`.
    The interval reaches from the C-th smallest of them to the C-th largest, where C is
    as large as the exact distribution of Wilcoxon's signed-rank statistic allows: it
    holds every shift that the signed-rank test does not reject. Below six blocks there
    is no interval of 95 %, and its ends are infinite.

    Memory: n (n + 1) / 2 averages of n differences.

    Parameters
    ----------
    differences : array-like of shape (n_blocks,)
        Of two methods, one per data set.
    confidence : float in (0, 1), default=0.95
        Of the interval.

    Returns
    -------
    Shift
        Estimate and interval.

    References
    ----------
    M. Hollander, D. Wolfe, E. Chicken (2014), Nonparametric statistical methods, 3rd
    edition, sections 3.2 and 3.3.

    Examples
    --------
    >>> from labelsift.stats import hodges_lehmann
    >>> shift = hodges_lehmann([0.02, 0.05, 0.01, 0.07, 0.03, 0.06])
    >>> round(shift.estimate, 4), shift.low, shift.high
    (0.04, 0.01, 0.07)
    """
    check_scalar(
        confidence,
        "confidence",
        Real,
        min_val=0,
        max_val=1,
        include_boundaries="neither",
    )
    values = _read(differences)
    rows, columns = np.triu_indices(len(values))
    averages = np.sort((values[rows] + values[columns]) / 2)
    ways = sign_choices(np.arange(1, len(values) + 1))
    tails = np.cumsum(ways) / ways.sum()
    # How many of the smallest averages the test rejects at half the level.
    below = int(np.searchsorted(tails, (1 - confidence) / 2, side="right"))
    ends = (-math.inf, math.inf)
    if below:
        ends = float(averages[below - 1]), float(averages[-below])
    return Shift(float(np.median(averages)), *ends, float(confidence))


def rank_biserial(differences: Any) -> float:
    r"""Matched-pairs rank-biserial correlation: the effect size of signed ranks.

    .. math::

        r = \frac{R_+ - R_-}{R_+ + R_-},

    R being the sums of the ranks of positive and negative differences; differences of 0
    count for neither. 1 where the first method is better in every block, -1 where it is
    worse in every one, 0 where both sides weigh the same.

    Parameters
    ----------
    differences : array-like of shape (n_blocks,)
        Of two methods, one per data set.

    Returns
    -------
    float
        From -1 to 1; 0 where all differences are 0.

    References
    ----------
    D. Kerby (2014), The simple difference formula: an approach to teaching
    nonparametric correlation, Comprehensive Psychology 3, 11.IT.3.1.

    Examples
    --------
    >>> from labelsift.stats import rank_biserial
    >>> rank_biserial([0.02, 0.05, -0.01])
    0.6666666666666666
    """
    values = _read(differences)
    values = values[values != 0]
    if not len(values):
        return 0.0
    ranks = rankdata(np.abs(values))
    return float((ranks * np.sign(values)).sum() / ranks.sum())


def sign_choices(ranks: NDArray[np.intp]) -> NDArray[np.float64]:
    """How many of the 2^n choices of signs give each sum of the positive ranks."""
    ways = np.zeros(int(ranks.sum()) + 1)
    ways[0] = 1
    for rank in ranks:
        ways[rank:] = ways[rank:] + ways[:-rank]
    return ways


def _read(differences: Any) -> NDArray[np.float64]:
    values = np.asarray(differences, dtype=np.float64)
    if values.ndim != 1 or not len(values) or not np.isfinite(values).all():
        raise ValueError(
            "differences must be finite numbers, one per block, got "
            f"{np.asarray(differences).tolist()!r}."
        )
    return values
