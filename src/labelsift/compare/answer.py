# SPDX-License-Identifier: BSD-3-Clause
"""The recommendation from results: which method, how many features."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy.stats import t as student

from labelsift.compare.words import detail, headline
from labelsift.core.budget import plain_number
from labelsift.experiment.catalogue import ALL_FEATURES, RANDOM
from labelsift.experiment.results import Results
from labelsift.metrics import EVERY_MEASURE
from labelsift.stats.adjustment import holm
from labelsift.stats.resampled_t import (
    ALPHA,
    Verdict,
    corrected_resampled_t,
    verdicts,
)

# A difference that does not matter.
MARGIN = 0.01


@dataclass(frozen=True)
class FewerFeatures:
    """A budget where the recommended method is clearly better than random.

    Parameters
    ----------
    budget : int or float
        Fewer features, or a smaller cost, than recommended.
    value, random_value : float
        Means of the method and of the random ranking at that budget.
    p_value : float
        One-sided, corrected for the number of methods and budgets.
    """

    budget: float
    value: float
    random_value: float
    p_value: float


@dataclass(frozen=True)
class Recommendation:
    """The recommended method and number of features.

    Parameters
    ----------
    method : str
        The recommended method.
    budget : int or float
        The recommended number of features or, with costs, their total cost at most.
    n_features : int or None
        Number of all features; None where they were not measured.
    measure : str
        The measure.
    value, std_error : float
        Mean over splits, and the plain standard error of that mean (NaN with one
        split).
    best_method, best_budget, best_value
        Where the best mean of all was reached.
    reference_value : float or None
        Mean with all features.
    more_may_help : bool
        Whether the best mean was reached at the largest budget that was tried and all
        features are better than it by more than its standard error.
    n_methods : int
        How many methods were compared at that budget, the recommended one included.
    verdicts : tuple of Verdict
        Of every other method at that budget, best first.
    margin : float
        A difference that does not matter.
    random_value, random_p : float or None
        Mean of the random ranking at that budget, and the p value of the recommended
        method being better (one-sided, adjusted by Holm over all methods).
    better_than_random, any_better_than_random : bool or None
        Whether that p value, and the smallest of all methods, is at most 0.05; None
        without a random ranking.
    n_splits, n_planned : int
        Splits that the values are means of, and that would be without a time limit.
    fewer : FewerFeatures or None
        The smaller budget at which the method is most clearly better than the random
        ranking, or None.
    purchases : tuple of Purchase
        Of every method, the recommended one first; empty without costs.
    total_cost : float or None
        What all features cost.
    n_cut : int
        Methods that were cut for lack of time before they could be judged.
    """

    method: str
    budget: float
    n_features: int | None
    measure: str
    value: float
    std_error: float
    best_method: str
    best_budget: float
    best_value: float
    reference_value: float | None
    more_may_help: bool
    n_methods: int
    verdicts: tuple[Verdict, ...]
    margin: float
    n_splits: int
    n_planned: int
    random_value: float | None = None
    random_p: float | None = None
    better_than_random: bool | None = None
    any_better_than_random: bool | None = None
    fewer: FewerFeatures | None = None
    purchases: tuple[Any, ...] = ()
    total_cost: float | None = None
    n_cut: int = 0

    @property
    def title(self) -> str:
        """The measure in words."""
        return EVERY_MEASURE[self.measure].title

    @property
    def share_kept(self) -> float | None:
        """``value / reference_value`` where higher is better and both are positive."""
        reference = self.reference_value
        if reference is None or reference <= 0 or self.value <= 0:
            return None
        higher = EVERY_MEASURE[self.measure].greater_is_better
        return self.value / reference if higher else None

    @property
    def headline(self) -> str:
        """The share of the quality that remains, as one sentence."""
        return headline(self)

    @property
    def detail(self) -> str:
        """The method, and how certain the choice is."""
        return detail(self)

    @property
    def sentence(self) -> str:
        """The whole answer as text."""
        return f"{self.headline} {self.detail}"


def recommend(
    results: Results,
    measure: str,
    *,
    margin: float = MARGIN,
    test_over_train: float | None = None,
) -> Recommendation:
    """Choose a method and a number of features by the one-standard-error rule.

    The best mean over all methods and budgets is determined first. The smallest budget
    at which some method comes within one standard error of it is recommended, with the
    method of the best mean at that budget. The standard error is the plain one of that
    mean (Breiman's rule), not that of paired differences, which prefers fewer features.
    Where some splits were cut for lack of time it is that of a mean over all of them,
    and a smaller budget must come within it even after what the missing splits may
    change, by a one-sided bound of 95 %: less time must not mean fewer features.

    At that budget every other method is compared with the recommended one by the
    corrected resampled t-test of Nadeau and Bengio with Holm's adjustment, and by the
    interval of the difference; see ``Verdict`` for the four words. In the same way each
    method is compared with the random ranking of that size.

    All means are over the same splits: those that keep the most values, which
    are all of them when nothing is missing. A pair of method and budget that was not
    measured on each is left out, and so is a method that was cut for lack of time
    (status "cut" of its tasks) before it ran half of the splits.

    Parameters
    ----------
    results : Results
        Of one data set; "random" and "all-features" among the methods are controls,
        draws of one method in one split are averaged.
    measure : str
        A name in ``labelsift.metrics.EVERY_MEASURE``.
    margin : float, default=0.01
        A difference that does not matter, for measures from 0 to 1; others: that share
        of the recommended value.
    test_over_train : float, optional
        Test rows over training rows of a split; None: cross-validation in as many
        folds as splits.

    Returns
    -------
    Recommendation
        The answer, with ``sentence``.

    References
    ----------
    L. Breiman, J. Friedman, R. Olshen, C. Stone (1984), Classification and Regression
    Trees, section 3.4.3 (the one-standard-error rule).
    """
    n_planned = results.tasks["split"].nunique()
    results, n_cut = _judged(results)
    table = _on_same_splits(results.by_split(measure))
    controls = table.index.get_level_values("method").isin([RANDOM, ALL_FEATURES])
    candidates = table[~controls]
    if candidates.empty:
        raise ValueError(
            f"There are no values of {measure!r} of any method: nothing can be "
            "recommended."
        )
    sign = 1.0 if EVERY_MEASURE[measure].greater_is_better else -1.0
    decide = _Decision(table, candidates, sign, test_over_train, n_planned)
    if not EVERY_MEASURE[measure].bounded:
        margin *= abs(float(decide.at_budget.loc[decide.method].mean()))
    n_features, reference = decide.all_features()
    paid = {}
    if (results.values["measure"] == "total_cost").any():
        spending = import_module("labelsift.compare.spending")
        paid = spending.purchase_fields(results, decide)
        n_features = paid.pop("n_features", n_features)
    chosen = decide.at_budget.loc[decide.method].to_numpy()
    return Recommendation(
        method=decide.method,
        budget=decide.budget,
        n_features=n_features,
        measure=measure,
        value=float(chosen.mean()),
        std_error=_std_error(chosen),
        best_method=decide.best[0],
        best_budget=decide.best[1],
        best_value=float(decide.best_values.mean()),
        reference_value=reference,
        more_may_help=decide.more_may_help(reference),
        n_methods=len(decide.at_budget),
        verdicts=decide.verdicts(margin),
        margin=margin,
        n_splits=len(chosen),
        n_planned=n_planned,
        fewer=decide.fewer(),
        n_cut=n_cut,
        **paid,
        **decide.against_random(),
    )


def _judged(results: Results) -> tuple[Results, int]:
    """Without the methods that were cut too early to be judged; how many those are."""
    tasks = results.tasks[~results.tasks["method"].isin([RANDOM, ALL_FEATURES])]
    cut = set(tasks.loc[tasks["status"] == "cut", "method"])
    if not cut:
        return results, 0
    done = tasks[tasks["status"] == "done"].groupby("method")["split"].nunique()
    enough = min(enough_splits(tasks["split"].nunique()), done.max())
    early = cut - set(done.index[done >= enough])
    names = set(results.values["method"])
    return results.where(method=sorted(names - early)), len(early)


def enough_splits(splits: int) -> int:
    """On how many splits a method is measured before it may be recommended."""
    return max(2, math.ceil(splits / 2))


def _on_same_splits(table: pd.DataFrame) -> pd.DataFrame:
    """The rows and splits that keep the most values of methods."""
    measured = table.notna()
    controls = table.index.get_level_values("method").isin([RANDOM, ALL_FEATURES])
    patterns = measured[~controls].drop_duplicates()
    if patterns.empty:
        return table[~controls]

    def usable(pattern: NDArray[Any]) -> int:
        covered = measured[~controls].to_numpy()[:, pattern].all(axis=1)
        return int(pattern.sum() * covered.sum())

    ordered = sorted(patterns.to_numpy().tolist(), reverse=True)
    splits = max((np.array(pattern) for pattern in ordered), key=usable)
    part = table.loc[:, table.columns[splits]]
    return part[part.notna().all(axis=1)]


def _std_error(values: NDArray[Any], n_planned: int = 0) -> float:
    """Of the mean of the values, or of as many more as were planned."""
    if len(values) == 1:
        return math.nan
    return float(values.std(ddof=1) / math.sqrt(max(len(values), n_planned)))


def _unsettled(
    candidates: pd.DataFrame, best: NDArray[Any], n_planned: int
) -> pd.Series:
    """How far the planned splits that are missing may lower each mean below the best's.

    By a one-sided bound of 95 %: the mean of n paired differences is off that of all N
    planned ones by their standard deviation times sqrt(1/n - 1/N), in Student's t.
    """
    n = len(best)
    deviation = (candidates - best).std(axis=1, ddof=1).fillna(0.0)
    reach = float(student.ppf(1.0 - ALPHA, max(1, n - 1)))
    return reach * deviation * math.sqrt(1.0 / n - 1.0 / max(n, n_planned))


class _Decision:
    """The steps of ``recommend`` over one table of (method, budget) by split."""

    def __init__(
        self,
        table: pd.DataFrame,
        candidates: pd.DataFrame,
        sign: float,
        ratio: float | None,
        n_planned: int,
    ) -> None:
        self.table, self.candidates = table, candidates
        self.sign, self.ratio = sign, ratio
        means = sign * candidates.mean(axis=1)
        # Of equally good pairs, the one with fewer features.
        method, budget = max(means.index, key=lambda pair: (means[pair], -pair[1]))
        self.best = str(method), plain_number(budget)
        self.best_values = candidates.loc[(method, budget)].to_numpy()
        error = _std_error(self.best_values, n_planned)
        bar = means.max() - (0.0 if math.isnan(error) else error)
        spare = _unsettled(candidates, self.best_values, n_planned)
        self.means, self.good = means, (means - spare >= bar) | (means == means.max())
        self.budget = plain_number(min(budget for _, budget in means.index[self.good]))
        self.at_budget = candidates.xs(self.budget, level="budget")
        self.method = str((sign * self.at_budget.mean(axis=1)).idxmax())

    def all_features(self) -> tuple[int | None, float | None]:
        """Number of all features and their mean, where measured."""
        if ALL_FEATURES not in self.table.index.get_level_values("method"):
            return None, None
        rows = self.table.loc[ALL_FEATURES]
        return int(rows.index.max()), float(rows.loc[rows.index.max()].mean())

    def more_may_help(self, reference: float | None) -> bool:
        """Whether curves still rise where they end, and all features are better."""
        largest = self.candidates.index.get_level_values("budget").max()
        if reference is None or self.best[1] < largest:
            return False
        loss = self.sign * (reference - float(self.best_values.mean()))
        return loss > _std_error(self.best_values)

    def _random(self, budget: float) -> NDArray[Any] | None:
        place = (RANDOM, budget)
        return self.table.loc[place].to_numpy() if place in self.table.index else None

    def verdicts(self, margin: float) -> tuple[Verdict, ...]:
        """What the splits say of every other method, best first."""
        chosen = self.at_budget.loc[self.method]
        others = self.at_budget.drop(self.method)
        differences = {
            str(name): self.sign * (chosen - row).to_numpy()
            for name, row in others.iterrows()
        }
        return verdicts(differences, margin, self.ratio)

    def against_random(self) -> Mapping[str, Any]:
        """The fields that compare with the random ranking; none without it."""
        random = self._random(self.budget)
        if random is None:
            return {}
        p_values = holm(
            [
                corrected_resampled_t(
                    self.sign * (row.to_numpy() - random), self.ratio
                ).p_greater
                for _, row in self.at_budget.iterrows()
            ]
        )
        own = float(p_values[self.at_budget.index.get_loc(self.method)])
        return {
            "random_value": float(random.mean()),
            "random_p": own,
            "better_than_random": own <= ALPHA,
            "any_better_than_random": bool(p_values.min() <= ALPHA),
        }

    def fewer(self) -> FewerFeatures | None:
        """The smaller budget at which the method is most clearly better than random."""
        results = []
        for budget, row in self.candidates.loc[self.method].iterrows():
            random = self._random(plain_number(budget))
            if budget < self.budget and random is not None:
                values = row.to_numpy()
                test = corrected_resampled_t(self.sign * (values - random), self.ratio)
                p_value = test.p_greater * len(self.candidates)
                means = float(values.mean()), float(random.mean())
                results.append(FewerFeatures(plain_number(budget), *means, p_value))
        surest = min(results, key=lambda item: item.p_value, default=None)
        return surest if surest is not None and surest.p_value <= ALPHA else None
