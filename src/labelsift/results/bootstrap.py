# SPDX-License-Identifier: BSD-3-Clause
"""How sure a difference of two means is, by drawing again."""

from dataclasses import dataclass
from numbers import Integral, Real
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.stats import bootstrap
from sklearn.utils import check_random_state, check_scalar

from labelsift.results.blocks import read_blocks, read_column


@dataclass(frozen=True)
class MeanDifference:
    """The difference of two means with its bootstrap interval.

    Parameters
    ----------
    mean : float
        Mean of the first minus mean of the second.
    lower, upper : float
        Confidence interval.
    level : float
        Its confidence level.
    """

    mean: float
    lower: float
    upper: float
    level: float


def bootstrap_difference(
    first: Any,
    second: Any,
    *,
    paired: bool = True,
    level: float = 0.95,
    n_resamples: int = 9999,
    random_state: Any = None,
) -> MeanDifference:
    """Difference of two means with its bootstrap interval.

    The interval is bias-corrected and accelerated (BCa). Where every resample has the
    same mean, since all differences are equal, it has no width. Memory: O(n_resamples
    n_values).

    Parameters
    ----------
    first, second : array of shape (n_values,)
        Values of two methods, at least two of each.
    paired : bool, default=True
        Whether they are of the same blocks, in one order, and are drawn together;
        otherwise they may differ in number.
    level : float in (0, 1), default=0.95
        Confidence level.
    n_resamples : int, default=9999
        How often to draw.
    random_state : int, RandomState instance or None, default=None
        Seed of the draws.

    Returns
    -------
    MeanDifference
        The mean of the first minus that of the second, and its interval.

    Examples
    --------
    >>> from labelsift.results import bootstrap_difference
    >>> bootstrap_difference([3.0, 5.0, 4.0], [2.0, 4.0, 3.0])
    MeanDifference(mean=1.0, lower=1.0, upper=1.0, level=0.95)
    """
    check_scalar(
        level, "level", Real, min_val=0, max_val=1, include_boundaries="neither"
    )
    check_scalar(n_resamples, "n_resamples", Integral, min_val=1)
    samples = _samples(first, second, paired)
    mean = float(_difference_of_means(*samples, axis=0))
    if all(np.ptp(sample) == 0 for sample in samples):
        return MeanDifference(mean, mean, mean, float(level))
    found = bootstrap(
        samples,
        _difference_of_means,
        confidence_level=level,
        n_resamples=n_resamples,
        random_state=check_random_state(random_state),
    ).confidence_interval
    return MeanDifference(mean, float(found.low), float(found.high), float(level))


def _samples(first: Any, second: Any, paired: bool) -> tuple[NDArray[Any], ...]:
    """What is drawn from: the differences of pairs, or both."""
    if not paired:
        return read_column("first", first, 2), read_column("second", second, 2)
    _, matrix = read_blocks({"first": first, "second": second}, least_methods=2)
    return (matrix[:, 0] - matrix[:, 1],)


def _difference_of_means(*samples: NDArray[Any], axis: int) -> NDArray[Any]:
    """Mean of the first sample, minus that of the second where there is one."""
    first, *second = (sample.mean(axis=axis) for sample in samples)
    return np.asarray(first - second[0] if second else first)
