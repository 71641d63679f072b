# SPDX-License-Identifier: BSD-3-Clause
"""Methods compared in pairs: Wilcoxon's signed-rank test, corrected by Holm."""

from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.stats import rankdata, wilcoxon

from labelsift.stats.adjustment import holm
from labelsift.stats.effect_size import (
    Shift,
    hodges_lehmann,
    rank_biserial,
    sign_choices,
)
from labelsift.stats.friedman import read_blocks

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
        The same by Holm's rule, for all comparisons made together.
    wins, losses : int
        Blocks in which first is larger, and smaller, than second.
    effect : float
        Rank-biserial correlation: from 1 (first larger in every block) to -1.
    shift : Shift
        Hodges and Lehmann's estimate of first minus second, with its interval.
    """

    first: str
    second: str
    n_blocks: int
    mean_difference: float
    statistic: float
    p_value: float
    adjusted: float
    wins: int
    losses: int
    effect: float
    shift: Shift


def wilcoxon_holm(
    values: Any, *, control: str | None = None, confidence: float = 0.95
) -> list[PairedTest]:
    """Compare methods in pairs: Wilcoxon's signed-rank test, corrected by Holm.

    A block where two methods are equal counts for neither; methods that are equal in
    every block have p = 1. Where at most 50 blocks are left, the p-value is exact, also
    with ties; beyond, it is scipy's approximation. Over n blocks no p-value is below
    2 / 2^n: five cannot show a difference at level 0.05. A block is a data set; splits
    of one data set share rows, and as blocks would claim too much.

    Parameters
    ----------
    values : mapping of str to array of shape (n_blocks,), or DataFrame
        Values of each method over the same blocks: the rows of a DataFrame.
    control : str or None, default=None
        Compare every other method with this one; None compares all pairs.
    confidence : float in (0, 1), default=0.95
        Of the interval of each pair on its own.

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
    tests = [
        _pair(one, other, columns[one] - columns[other], confidence)
        for one, other in pairs
    ]
    adjusted = holm([test.p_value for test in tests])
    return [
        replace(test, adjusted=float(corrected))
        for test, corrected in zip(tests, adjusted, strict=True)
    ]


def _pair(
    one: str, other: str, differences: NDArray[np.float64], confidence: float
) -> PairedTest:
    """One comparison, not yet corrected for the others."""
    statistic, p_value = _signed_ranks(differences[differences != 0])
    return PairedTest(
        first=one,
        second=other,
        n_blocks=len(differences),
        mean_difference=float(np.mean(differences)),
        statistic=statistic,
        p_value=p_value,
        adjusted=p_value,
        wins=int((differences > 0).sum()),
        losses=int((differences < 0).sum()),
        effect=rank_biserial(differences),
        shift=hodges_lehmann(differences, confidence=confidence),
    )


def _signed_ranks(differences: NDArray[np.float64]) -> tuple[float, float]:
    """Wilcoxon's statistic and two-sided p-value, from differences that are not 0."""
    if len(differences) > _EXACT:
        test = wilcoxon(differences)
        return float(test.statistic), float(test.pvalue)
    # Scipy's exact test knows no ties, and its permutations take 0.2 s a pair. Ranks
    # are doubled to be whole.
    ranks = np.rint(2 * rankdata(np.abs(differences))).astype(np.intp)
    positive, total = int(ranks[differences > 0].sum()), int(ranks.sum())
    smaller = min(positive, total - positive)
    ways = sign_choices(ranks)
    p_value = 2 * ways[: smaller + 1].sum() / ways.sum()
    return smaller / 2, min(1.0, float(p_value))
