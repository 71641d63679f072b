# SPDX-License-Identifier: BSD-3-Clause
"""The corrected resampled t-test of methods over the same splits."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.stats import t as student

from labelsift.stats.adjustment import holm

ALPHA = 0.05
# How many margins a difference has that is called behind.
_BEHIND = 3


@dataclass(frozen=True)
class ResampledTest:
    """Result of a paired test over splits.

    Parameters
    ----------
    difference : float
        Mean of the paired differences.
    std_error : float
        Corrected standard error of that mean; NaN with one split.
    statistic : float
        Difference over standard error; NaN with one split.
    p_value : float
        Two-sided; 1 with one split, which shows nothing.
    """

    difference: float
    std_error: float
    statistic: float
    p_value: float

    @property
    def p_greater(self) -> float:
        """One-sided p value of a difference above zero."""
        half = self.p_value / 2
        return half if self.difference > 0 else 1 - half


def corrected_resampled_t(
    differences: Sequence[float] | NDArray[Any], test_over_train: float | None = None
) -> ResampledTest:
    r"""Test whether the mean of paired differences over splits is zero.

    Training parts of different splits overlap, so that the differences are not
    independent and the plain t-test claims too much. Nadeau and Bengio widen its
    variance: with differences :math:`\delta_1, \dots, \delta_k` of mean
    :math:`\bar\delta` and variance :math:`s^2`,

    .. math::

        t = \frac{\bar\delta}{\sqrt{(\frac1k + \frac{n_2}{n_1}) s^2}}

    with :math:`k - 1` degrees of freedom, where :math:`n_2 / n_1` is the number of test
    rows over that of training rows.

    Parameters
    ----------
    differences : sequence of float
        One per split, of two methods on the same rows.
    test_over_train : float, optional
        :math:`n_2 / n_1`; None means cross-validation in k folds: 1 / (k - 1).

    Returns
    -------
    ResampledTest
        Differences that are all equal give p = 0, all zero p = 1.

    References
    ----------
    C. Nadeau, Y. Bengio (2003), Inference for the Generalization Error, Machine
    Learning 52:239-281, section 5 ("corrected resampled t-test").

    Examples
    --------
    >>> from labelsift.stats import corrected_resampled_t
    >>> test = corrected_resampled_t([0.02, 0.03, 0.01, 0.02, 0.02])
    >>> round(test.statistic, 2), round(test.p_value, 4)
    (4.22, 0.0135)
    """
    values = np.asarray(differences, dtype=float)
    if values.ndim != 1 or not len(values) or not np.isfinite(values).all():
        raise ValueError(
            f"differences must be finite numbers, one per split, got {differences!r}."
        )
    k, mean = len(values), float(values.mean())
    if k == 1:
        return ResampledTest(mean, math.nan, math.nan, 1.0)
    share = 1 / (k - 1) if test_over_train is None else test_over_train
    # Differences within rounding are equal.
    noise = 1e-12 * float(np.abs(values).max(initial=1e-12))
    spread = float(values.std(ddof=1))
    std_error = math.sqrt(1 / k + share) * (spread if spread > noise else 0.0)
    if abs(mean) <= noise:
        return ResampledTest(0.0, std_error, 0.0, 1.0)
    if std_error == 0:
        return ResampledTest(mean, 0.0, math.copysign(math.inf, mean), 0.0)
    statistic = mean / std_error
    p_value = float(2 * student.sf(abs(statistic), k - 1))
    return ResampledTest(mean, std_error, statistic, p_value)


@dataclass(frozen=True)
class Verdict:
    """What the splits say of a method against another one.

    Parameters
    ----------
    method : str
        Its name.
    difference : float
        By how much its mean is worse (positive) than that of the other.
    low, high : float
        90 % confidence interval of the difference; NaN with one split.
    p_value : float
        Of the corrected resampled t-test, adjusted by Holm.
    word : {"as good", "worse", "behind", "cannot tell"}
        As good: the interval ends within the margin. Worse: p is at most 0.05 and the
        difference above the margin. Behind: more than three margins, not proved.
    """

    method: str
    difference: float
    low: float
    high: float
    p_value: float
    word: str


def verdicts(
    differences: Mapping[str, NDArray[Any]],
    margin: float,
    test_over_train: float | None = None,
) -> tuple[Verdict, ...]:
    """What the splits say of methods that are worse by these differences, best first.

    Parameters
    ----------
    differences : mapping of str to array
        Of each method, by how much it is worse on each split; the same splits for all.
    margin : float
        A difference that does not matter.
    test_over_train : float, optional
        As in ``corrected_resampled_t``.

    Returns
    -------
    tuple of Verdict
        Of every method.
    """
    if not differences:
        return ()
    tests = {
        method: corrected_resampled_t(values, test_over_train)
        for method, values in differences.items()
    }
    n_splits = len(next(iter(differences.values())))
    reach = float(student.ppf(0.95, max(1, n_splits - 1)))
    adjusted = holm([test.p_value for test in tests.values()])
    given = [
        _verdict(method, test, float(p), reach, margin)
        for (method, test), p in zip(tests.items(), adjusted, strict=True)
    ]
    return tuple(sorted(given, key=lambda verdict: verdict.difference))


def _verdict(
    method: str, test: ResampledTest, p: float, reach: float, margin: float
) -> Verdict:
    """The word for a difference, by its interval and its adjusted p value."""
    low, high = (test.difference + end * test.std_error for end in (-reach, reach))
    word = "cannot tell"
    if math.isnan(high):  # one split
        return Verdict(method, test.difference, low, high, p, word)
    if high <= margin:
        word = "as good"
    elif p <= ALPHA and test.difference > margin:
        word = "worse"
    elif test.difference > _BEHIND * margin:
        word = "behind"
    return Verdict(method, test.difference, low, high, p, word)
