# SPDX-License-Identifier: BSD-3-Clause
"""The answer that measured rows allow, and its parts."""

from dataclasses import dataclass

from labelsift.results.recommend_words import detail, headline


@dataclass(frozen=True)
class LevelMethod:
    """A method that the splits do not tell apart from the recommended one.

    Parameters
    ----------
    method : str
        Its name.
    difference : float
        By how much its mean is worse (positive) than that of the recommended one.
    std_error : float
        Corrected standard error of that difference.
    p_value : float
        Of the corrected resampled t-test, adjusted by Holm.
    """

    method: str
    difference: float
    std_error: float
    p_value: float


@dataclass(frozen=True)
class FewerFeatures:
    """Where the recommended method is surely better than a random ranking.

    Parameters
    ----------
    budget : int
        Fewer features than recommended.
    value, random_value : float
        Means of the method and of the random ranking there.
    p_value : float
        One-sided, corrected for the number of methods and budgets.
    """

    budget: int
    value: float
    random_value: float
    p_value: float


@dataclass(frozen=True)
class Recommendation:
    """The answer that rows allow.

    Parameters
    ----------
    method : str
        The recommended method.
    budget : int
        The recommended number of features.
    n_features : int or None
        How many features there are; None where all of them were not measured.
    measure, title : str
        What was judged: its name, and as words.
    value, std_error : float
        Mean over splits there, and the plain standard error of that mean (NaN with one
        split).
    best_method, best_budget, best_value
        Where the best mean of all was reached.
    reference_value : float or None
        Mean with all features.
    share_kept : float or None
        ``value / reference_value`` where higher is better and both are positive.
    more_may_help : bool
        Whether the best mean was reached at the largest budget that was tried and all
        features are better than it by more than its standard error.
    n_methods : int
        How many methods were compared at that budget, the recommended one included.
    level : tuple of LevelMethod
        Methods that the splits do not tell apart from it there, best first.
    random_value, random_p : float or None
        Mean of the random ranking there, and the p value of the recommended method
        being better (one-sided, adjusted by Holm over all methods there).
    better_than_random : bool or None
        Whether that p value is at most 0.05; None without a random ranking.
    any_better_than_random : bool or None
        The same for any method there.
    n_splits : int
        Splits that the values are means of.
    fewer : FewerFeatures or None
        The smaller budget at which the method is most surely better than the random
        ranking; None where there is none.
    headline, detail, sentence : str
        What is kept; by which method and how sure; both.
    """

    method: str
    budget: int
    n_features: int | None
    measure: str
    title: str
    value: float
    std_error: float
    best_method: str
    best_budget: int
    best_value: float
    reference_value: float | None
    share_kept: float | None
    more_may_help: bool
    n_methods: int
    level: tuple[LevelMethod, ...]
    random_value: float | None
    random_p: float | None
    better_than_random: bool | None
    any_better_than_random: bool | None
    n_splits: int
    fewer: FewerFeatures | None = None

    @property
    def headline(self) -> str:
        """What is kept, in words that are no stronger than the data."""
        return headline(self)

    @property
    def detail(self) -> str:
        """By which method, and how sure that is."""
        return detail(self)

    @property
    def sentence(self) -> str:
        """The whole answer in words."""
        return f"{self.headline} {self.detail}"
