# SPDX-License-Identifier: BSD-3-Clause
"""Many methods compared by their average ranks over the same blocks.

Values are those of each method over the same blocks (data sets, splits or folds, in one
order): ``{"greedy-rls": [0.91, 0.65], "mt-lasso": [0.86, 0.63]}``, or a DataFrame with
a row per block and a column per method.
"""

from dataclasses import dataclass
from itertools import combinations
from numbers import Real
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray
from scipy.stats import friedmanchisquare, rankdata, studentized_range
from sklearn.utils import check_scalar


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
        Friedman's chi-square, corrected for ties, and its p-value.
    alpha : float
        Level of the critical difference.
    critical_difference : float
        Nemenyi's: ranks this far apart differ at level alpha.
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


def friedman_nemenyi(
    values: Any, *, greater_is_better: bool = True, alpha: float = 0.05
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
    values : mapping of str to array of shape (n_blocks,), or DataFrame
        Values of at least three methods over the same blocks: the rows of a DataFrame.
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
    >>> from labelsift.stats import friedman_nemenyi
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
            "All methods are equal in every block, and no test can separate them: "
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


def average_ranks(values: Any, *, greater_is_better: bool = True) -> dict[str, float]:
    """Average ranks over blocks; equal methods share the mean of their ranks.

    Parameters
    ----------
    values : mapping of str to array of shape (n_blocks,), or DataFrame
        Of each method, over the same blocks: the rows of a DataFrame.
    greater_is_better : bool, default=True
        Direction of the values.

    Returns
    -------
    dict of str to float
        Average rank of each method; 1 is the best.

    Examples
    --------
    >>> from labelsift.stats import average_ranks
    >>> average_ranks({"a": [0.5, 0.6], "b": [0.5, 0.7]})
    {'a': 1.75, 'b': 1.25}
    """
    names, matrix = read_blocks(values, least_methods=1, least_blocks=1)
    return _average_ranks(names, matrix, greater_is_better, "average")


def statlog_ranks(values: Any, *, greater_is_better: bool = True) -> dict[str, float]:
    """Average ranks by Statlog's ordering, as in the paper of MIFS.

    Methods are ranked within each block, and the ranks of each are averaged. The paper
    does so within a data set: a block is a budget (2 %, 4 %, ... 20 % of the features)
    and a measure (micro or macro F1), twenty in all, so its ranks are multiples of
    1/20. Equal methods share the best of their ranks (1, 1, 3). The paper does not say
    so, but its ranks of five methods sum to 13.35 to 14.8; with the mean rank of ties,
    as in ``friedman_nemenyi``, they would sum to 15.

    Parameters
    ----------
    values : mapping of str to array of shape (n_blocks,), or DataFrame
        Values of each method over the same blocks: the rows of a DataFrame.
    greater_is_better : bool, default=True
        Direction of the values.

    Returns
    -------
    dict of str to float
        Average rank of each method; 1 is the best.

    Examples
    --------
    >>> from labelsift.stats import statlog_ranks
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


def read_blocks(
    values: Any, *, least_methods: int, least_blocks: int = 2
) -> tuple[list[str], NDArray[np.float64]]:
    """Names of the methods, and their values as a matrix with a row per block."""
    if not hasattr(values, "keys"):
        raise TypeError(
            f"values is of type {type(values).__name__}: pass a mapping of methods to "
            "their values, or a DataFrame with a column per method."
        )
    names = list(values.keys())
    if len(names) < least_methods:
        raise ValueError(
            f"values has {len(names)} methods: pass at least {least_methods} to "
            "compare."
        )
    columns = [_read_column(name, values[name], least_blocks) for name in names]
    counts = {name: len(column) for name, column in zip(names, columns, strict=True)}
    if len(set(counts.values())) > 1:
        raise ValueError(
            f"The methods have different numbers of blocks ({counts}): pass the values "
            "of all over the same ones."
        )
    return names, np.column_stack(columns)


def _read_column(name: str, values: Any, least: int) -> NDArray[np.float64]:
    """The values of one method, every one of them a number."""
    column = np.asarray(values, dtype=np.float64)
    if column.ndim != 1 or len(column) < least:
        raise ValueError(
            f"The values of {name!r} have the shape {column.shape}: pass a list of at "
            f"least {least}, one for each block."
        )
    if not np.isfinite(column).all():
        raise ValueError(
            f"The values of {name!r} hold NaN or infinity at block "
            f"{int(np.argmin(np.isfinite(column)))}: leave out blocks that some method "
            "has not finished."
        )
    return column
