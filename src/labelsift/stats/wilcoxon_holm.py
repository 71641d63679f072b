# SPDX-License-Identifier: BSD-3-Clause
"""Methods compared in pairs: Wilcoxon's signed-rank test, corrected by Holm."""

from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.stats import rankdata, wilcoxon

from labelsift.stats.friedman_nemenyi import read_blocks

# All 2^n choices of signs are counted, and in float64 exactly, up to this n.
_EXACT = 50


@dataclass(frozen=True)
class PairedTest:
    """Two methods compared over the same blocks.

    Parameters
    ----------
    first, second : str
        The methods.
    n_blocks : int
        Number of blocks.
    mean_difference : float
        Mean of first minus second.
    statistic : float
        Wilcoxon's signed-rank statistic: the smaller of the two sums of ranks.
    p_value : float
        Two-sided, of this comparison alone.
    adjusted : float
        The same by Holm's rule, for all comparisons together.
    """

    first: str
    second: str
    n_blocks: int
    mean_difference: float
    statistic: float
    p_value: float
    adjusted: float


def wilcoxon_holm(values: Any, *, control: str | None = None) -> list[PairedTest]:
    """Compare methods in pairs: Wilcoxon's signed-rank test, corrected by Holm.

    A block where two methods are equal counts for neither. Where at most 50 blocks are
    left, the p-value is exact, also with ties; beyond, it is scipy's approximation.
    Over n blocks no p-value is below 2 / 2^n: five cannot show a difference at level
    0.05.

    Parameters
    ----------
    values : mapping of str to array of shape (n_blocks,), or DataFrame
        Values of each method over the same blocks: the rows of a DataFrame.
    control : str or None, default=None
        Compare every other method with this one; None compares all pairs.

    Returns
    -------
    list of PairedTest
        One for each pair, in the order of the methods; the control is first.

    References
    ----------
    J. Demsar (2006), Statistical comparisons of classifiers over multiple data sets,
    JMLR 7, sections 3.1.3 and 3.2.2.

    Examples
    --------
    >>> from labelsift.stats import wilcoxon_holm
    >>> low, high = [0.1, 0.3, 0.2, 0.4, 0.3, 0.1], [0.3, 0.4, 0.5, 0.9, 0.7, 0.7]
    >>> (test,) = wilcoxon_holm({"a": high, "b": low})
    >>> test.statistic, test.p_value
    (0.0, 0.03125)
    """
    names, matrix = read_blocks(values, least_methods=2)
    columns = dict(zip(names, matrix.T, strict=True))
    pairs = list(combinations(names, 2))
    if control is not None:
        if control not in columns:
            raise ValueError(
                f"control {control!r} is not a method: choose from {', '.join(names)}."
            )
        pairs = [(control, name) for name in names if name != control]
    for one, other in pairs:
        if np.array_equal(columns[one], columns[other]):
            raise ValueError(
                f"{one!r} and {other!r} are equal in every block, and no test can "
                "separate them: leave one of them out."
            )
    tests = [_signed_ranks(columns[one] - columns[other]) for one, other in pairs]
    adjusted = holm([p_value for _, p_value in tests])
    return [
        PairedTest(
            one,
            other,
            len(matrix),
            float(np.mean(columns[one] - columns[other])),
            *test,
            float(corrected),
        )
        for (one, other), test, corrected in zip(pairs, tests, adjusted, strict=True)
    ]


def _signed_ranks(differences: NDArray[np.float64]) -> tuple[float, float]:
    """Wilcoxon's statistic and two-sided p-value, from differences that are not 0."""
    differences = differences[differences != 0]
    if len(differences) > _EXACT:
        test = wilcoxon(differences)
        return float(test.statistic), float(test.pvalue)
    # Scipy's exact test has no ties, and its permutations take 0.2 s a pair. Ranks
    # are doubled to be whole; ways[s] counts the choices of signs with the sum s.
    ranks = np.rint(2 * rankdata(np.abs(differences))).astype(np.intp)
    positive, total = int(ranks[differences > 0].sum()), int(ranks.sum())
    smaller = min(positive, total - positive)
    ways = np.zeros(total + 1)
    ways[0] = 1
    for rank in ranks:
        ways[rank:] = ways[rank:] + ways[:-rank]
    p_value = 2 * ways[: smaller + 1].sum() / ways.sum()
    return smaller / 2, min(1.0, float(p_value))


def holm(p_values: Any) -> NDArray[np.float64]:
    r"""Correct p-values of simultaneous comparisons by Holm's step-down rule.

    With :math:`p_{(1)} \le \dots \le p_{(m)}`, the i-th becomes
    :math:`\max_{j \le i} \min(1, (m - j + 1)\, p_{(j)})`.

    Parameters
    ----------
    p_values : array of shape (m,)
        Within [0, 1].

    Returns
    -------
    ndarray of shape (m,)
        In the order given.
    """
    given = np.asarray(p_values, dtype=np.float64)
    if given.ndim != 1 or not given.size or not ((given >= 0) & (given <= 1)).all():
        raise ValueError(
            "p_values must be a list of at least one number, each from 0 to 1, but "
            f"they are {given.tolist()}."
        )
    order = np.argsort(given, kind="stable")
    steps = np.maximum.accumulate(given[order] * np.arange(given.size, 0, -1))
    adjusted = np.empty_like(given)
    adjusted[order] = np.minimum(steps, 1.0)
    return adjusted
