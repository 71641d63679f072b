# SPDX-License-Identifier: BSD-3-Clause
"""Which differences between methods are more than chance.

Every function takes the values of each method over the same blocks (data sets, splits
or folds, in one order): ``{"greedy-rls": [0.91, 0.65], "mt-lasso": [0.86, 0.63]}``.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations
from numbers import Real
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray
from scipy.stats import friedmanchisquare, rankdata, studentized_range, wilcoxon
from sklearn.utils import check_scalar

from labelsift.results.blocks import read_blocks

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
    """

    first: str
    second: str
    n_blocks: int
    mean_difference: float
    statistic: float
    p_value: float
    adjusted: float


@dataclass(frozen=True)
class RankTest:
    """Many methods compared by their ranks over the same blocks.

    Parameters
    ----------
    ranks : dict of str to float
        Average rank of each method; 1 is the best.
    n_blocks : int
        Number of blocks.
    statistic, p_value : float
        Friedman's chi-square, corrected for ties, and how likely so much is by chance.
    alpha : float
        Level of the critical difference.
    critical_difference : float
        Nemenyi's: ranks that are as far apart differ at level alpha.
    p_values : dict of (str, str) to float
        Nemenyi's p-value of every pair of methods.
    """

    ranks: dict[str, float]
    n_blocks: int
    statistic: float
    p_value: float
    alpha: float
    critical_difference: float
    p_values: dict[tuple[str, str], float]


def wilcoxon_holm(
    values: Mapping[str, Any], *, control: str | None = None
) -> list[PairedTest]:
    """Compare methods in pairs: Wilcoxon's signed-rank test, corrected by Holm.

    A block where two methods are equal counts for neither. Where at most 50 blocks are
    left, the p-value is exact, also with ties; beyond, it is scipy's approximation.
    Over n blocks no p-value is below 2 / 2^n: five cannot show a difference at level
    0.05.

    Parameters
    ----------
    values : mapping of str to array of shape (n_blocks,)
        Of each method, over the same blocks.
    control : str or None, default=None
        Compare every other method with this one; None compares all pairs.

    Returns
    -------
    list of PairedTest
        One for each pair, in the order of the methods; the control stands first.

    References
    ----------
    J. Demsar (2006), Statistical comparisons of classifiers over multiple data sets,
    JMLR 7, sections 3.1.3 and 3.2.2.

    Examples
    --------
    >>> from labelsift.results import wilcoxon_holm
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
                f"control {control!r} is no method: choose one of {', '.join(names)}."
            )
        pairs = [(control, name) for name in names if name != control]
    for one, other in pairs:
        if np.array_equal(columns[one], columns[other]):
            raise ValueError(
                f"{one!r} and {other!r} are equal in every block, and no test can "
                "tell them apart: leave one of them out."
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
    # Scipy's exact test knows no ties, and its permutations take 0.2 s a pair. Ranks
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
    r"""Correct p-values of comparisons made together, by Holm's step-down rule.

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


def friedman_nemenyi(
    values: Mapping[str, Any], *, greater_is_better: bool = True, alpha: float = 0.05
) -> RankTest:
    r"""Compare many methods by their average ranks.

    Friedman's test asks whether the average ranks of k methods over n blocks (equal
    values share the mean of their ranks) differ at all; Nemenyi's critical difference

    .. math::

        \mathrm{CD} = \frac{q}{\sqrt 2} \sqrt{\frac{k (k + 1)}{6 n}},

    q being the 1 - alpha quantile of the studentized range of k methods with infinitely
    many degrees of freedom, says which do. Look at it only where Friedman's p-value is
    small; that p-value is rough below about ten blocks.

    Parameters
    ----------
    values : mapping of str to array of shape (n_blocks,)
        Of each of at least three methods, over the same blocks.
    greater_is_better : bool, default=True
        Direction of the values.
    alpha : float in (0, 1), default=0.05
        Level of the critical difference.

    Returns
    -------
    RankTest
        Ranks, both tests, and the critical difference.

    References
    ----------
    J. Demsar (2006), Statistical comparisons of classifiers over multiple data sets,
    JMLR 7, section 3.2.2.

    Examples
    --------
    >>> from labelsift.results import friedman_nemenyi
    >>> test = friedman_nemenyi({"a": [9, 8, 9], "b": [5, 6, 5], "c": [1, 2, 6]})
    >>> {name: round(rank, 2) for name, rank in test.ranks.items()}
    {'a': 1.0, 'b': 2.33, 'c': 2.67}
    >>> round(test.critical_difference, 2)
    1.91
    """
    check_scalar(
        alpha, "alpha", Real, min_val=0, max_val=1, include_boundaries="neither"
    )
    names, matrix = read_blocks(values, least_methods=3)
    if (matrix == matrix[:, :1]).all():
        raise ValueError(
            "All methods are equal in every block, and no test can tell them apart: "
            "compare other methods or another measure."
        )
    n_blocks, k = matrix.shape
    ranks = _average_ranks(names, matrix, greater_is_better, "average")
    friedman = friedmanchisquare(*matrix.T)
    # The spread of a rank difference, over sqrt(2) as the studentized range has it.
    spread = float(np.sqrt(k * (k + 1) / (12 * n_blocks)))
    pairs = list(combinations(names, 2))
    apart = [abs(ranks[one] - ranks[other]) / spread for one, other in pairs]
    likely = studentized_range.sf(apart, k, np.inf)
    return RankTest(
        ranks=ranks,
        n_blocks=n_blocks,
        statistic=float(friedman.statistic),
        p_value=float(friedman.pvalue),
        alpha=float(alpha),
        critical_difference=spread * float(studentized_range.isf(alpha, k, np.inf)),
        p_values=dict(zip(pairs, map(float, likely), strict=True)),
    )


def statlog_ranks(
    values: Mapping[str, Any], *, greater_is_better: bool = True
) -> dict[str, float]:
    """Average ranks by Statlog's ordering, as in the paper of MIFS.

    Methods are ranked within each block, and the ranks of each are averaged. The paper
    does so within a data set: a block is a budget (2 %, 4 %, ... 20 % of the features)
    and a measure (micro or macro F1), twenty in all, so its ranks are multiples of
    1/20. Equal methods share the best of their ranks (1, 1, 3). The paper does not say
    so, but its ranks of five methods sum to 13.35 to 14.8; with the mean rank of ties,
    as in ``friedman_nemenyi``, they would sum to 15.

    Parameters
    ----------
    values : mapping of str to array of shape (n_blocks,)
        Of each method, over the same blocks.
    greater_is_better : bool, default=True
        Direction of the values.

    Returns
    -------
    dict of str to float
        Average rank of each method; 1 is the best.

    Examples
    --------
    >>> from labelsift.results import statlog_ranks
    >>> statlog_ranks({"a": [0.5, 0.6], "b": [0.5, 0.7], "c": [0.4, 0.8]})
    {'a': 2.0, 'b': 1.5, 'c': 2.0}
    """
    names, matrix = read_blocks(values, least_methods=2, least_blocks=1)
    return _average_ranks(names, matrix, greater_is_better, "min")


def _average_ranks(
    names: list[str],
    matrix: NDArray[np.float64],
    greater_is_better: bool,
    ties: Literal["average", "min"],
) -> dict[str, float]:
    """Ranks within each row, 1 for the best, averaged over the rows."""
    ranks = rankdata(-matrix if greater_is_better else matrix, method=ties, axis=1)
    return dict(zip(names, map(float, ranks.mean(axis=0)), strict=True))
