# SPDX-License-Identifier: BSD-3-Clause
"""From measured rows to one answer: which method, how many features, what is lost."""

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from labelsift.results.recommendation import (
    FewerFeatures,
    LevelMethod,
    Recommendation,
)
from labelsift.stats.resampled_t import ResampledTest, corrected_resampled_t
from labelsift.stats.wilcoxon_holm import holm

ALPHA = 0.05

# (method, budget) -> one value per split
Cells = dict[tuple[str, int], NDArray[Any]]


def recommend(
    rows: Iterable[Mapping[str, Any]],
    *,
    measure: str,
    higher_is_better: bool,
    reference: str = "all-features",
    chance: str = "random-ranking",
    title: str | None = None,
    test_over_train: float | None = None,
) -> Recommendation:
    """Choose a method and a number of features by the one-standard-error rule.

    The best mean over all methods and budgets is found first. The smallest budget at
    which some method comes within one standard error of it is recommended, with the
    method of the best mean at that budget. The standard error is the plain one of the
    best mean over its splits (Breiman's rule), not that of paired differences: it asks
    what could be measured again, and so prefers fewer features.

    At that budget every other method is compared with the recommended one by the
    corrected resampled t-test of Nadeau and Bengio with Holm's adjustment; a method
    whose p value is above 0.05 is *level*: the splits do not tell the two apart, which
    does not show that they are equal. (A signed-rank test of five folds can never
    reach 0.05 and is not used.) In the same way each method is compared with the
    random ranking of that size.

    All means are over the same splits: those by which most values can be used, which
    are all of them when nothing is missing. A (method, budget) pair that was not
    measured on each of them takes no part.

    Parameters
    ----------
    rows : iterable of mappings
        With keys method, budget, measure, split and value; several values of one cell
        (seeds of a random ranking) are averaged, values that are None or NaN ignored.
    measure : str
        Which rows to judge by.
    higher_is_better : bool
        Direction of the measure.
    reference, chance : str
        Names of the rows of all features and of the random ranking.
    title : str, optional
        The measure in words; made from its name by default.
    test_over_train : float, optional
        Test rows over training rows of a split; None: cross-validation in as many
        folds as there are splits.

    Returns
    -------
    Recommendation
        The answer, with ``sentence``.

    References
    ----------
    L. Breiman, J. Friedman, R. Olshen, C. Stone (1984), Classification and Regression
    Trees, section 3.4.3 (the one-standard-error rule).

    Examples
    --------
    >>> from labelsift.results import recommend
    >>> values = {("a", 5): 0.8, ("a", 9): 0.9, ("all-features", 20): 0.9}
    >>> rows = [
    ...     {"method": m, "budget": k, "measure": "macro_auc", "split": s,
    ...      "value": value + s / 100}
    ...     for (m, k), value in values.items() for s in range(5)
    ... ]
    >>> recommend(rows, measure="macro_auc", higher_is_better=True).budget
    9
    """
    sign = 1.0 if higher_is_better else -1.0
    cells = _on_same_splits(_cells(rows, measure), (reference, chance))
    candidates = {k: v for k, v in cells.items() if k[0] not in (reference, chance)}
    if not candidates:
        raise ValueError(
            f"There are no values of {measure!r} of any method: nothing can be "
            "recommended."
        )
    best = _best(candidates, sign)
    budget = _smallest_budget(candidates, best, sign)
    there = {m: values for (m, k), values in candidates.items() if k == budget}
    method = max(there, key=lambda name: sign * there[name].mean())
    n_features, reference_value = _everything(cells, reference)
    value = float(there[method].mean())
    return Recommendation(
        method=method,
        budget=budget,
        n_features=n_features,
        measure=measure,
        title=title or in_words(measure),
        value=value,
        std_error=_std_error(there[method]),
        best_method=best[0],
        best_budget=best[1],
        best_value=float(candidates[best].mean()),
        reference_value=reference_value,
        share_kept=_share(value, reference_value) if higher_is_better else None,
        more_may_help=_more_may_help(candidates, best, sign, reference_value),
        n_methods=len(there),
        level=_level(there, method, sign, test_over_train),
        n_splits=len(there[method]),
        fewer=_fewer(
            cells, candidates, (method, budget), chance, sign, test_over_train
        ),
        **_against_random(
            there, method, cells.get((chance, budget)), sign, test_over_train
        ),
    )


def _fewer(
    cells: Cells,
    candidates: Cells,
    chosen: tuple[str, int],
    chance: str,
    sign: float,
    ratio: float | None,
) -> FewerFeatures | None:
    """The smaller budget at which a method is most surely better than chance."""
    method, budget = chosen
    found = []
    for (name, k), values in candidates.items():
        random = cells.get((chance, k))
        if name == method and k < budget and random is not None:
            test = corrected_resampled_t(sign * (values - random), ratio)
            means = float(values.mean()), float(random.mean())
            found.append(FewerFeatures(k, *means, test.p_greater * len(candidates)))
    surest = min(found, key=lambda item: item.p_value, default=None)
    return surest if surest is not None and surest.p_value <= ALPHA else None


def in_words(measure: str) -> str:
    """A measure's name as words: ``macro_auc`` is macro AUC."""
    return measure.replace("_", " ").replace("auc", "AUC").replace("f1", "F1")


def _cells(rows: Iterable[Mapping[str, Any]], measure: str) -> dict[Any, Any]:
    """(method, budget) -> {split: mean value}."""
    found: dict[Any, dict[int, list[float]]] = defaultdict(lambda: defaultdict(list))
    for row in rows:
        value = row["value"]
        if row["measure"] == measure and value is not None and math.isfinite(value):
            found[str(row["method"]), int(row["budget"])][row["split"]].append(value)
    return {
        key: {split: float(np.mean(values)) for split, values in sorted(by.items())}
        for key, by in found.items()
    }


def _on_same_splits(
    cells: dict[Any, dict[int, float]], beside: tuple[str, str]
) -> Cells:
    """Values on the splits by which most values of methods can be used."""
    found = [set(by) for (method, _), by in cells.items() if method not in beside]
    distinct = [set(kind) for kind in {frozenset(splits) for splits in found}]
    splits = max(
        sorted(distinct, key=sorted),
        key=lambda some: len(some) * sum(some <= other for other in found),
        default=set(),
    )
    return {
        key: np.array([by[split] for split in sorted(splits)])
        for key, by in cells.items()
        if splits <= set(by)
    }


def _everything(cells: Cells, reference: str) -> tuple[int | None, float | None]:
    """Number and mean of all features, where they were measured."""
    found = {k: values for (m, k), values in cells.items() if m == reference}
    if not found:
        return None, None
    count = max(found)
    return count, float(found[count].mean())


def _best(candidates: Cells, sign: float) -> tuple[str, int]:
    """The pair of the best mean; of equal ones that of fewer features."""
    return max(candidates, key=lambda key: (sign * candidates[key].mean(), -key[1]))


def _smallest_budget(candidates: Cells, best: tuple[str, int], sign: float) -> int:
    error = _std_error(candidates[best])
    slack = 0.0 if math.isnan(error) else error
    bar = sign * float(candidates[best].mean()) - slack
    return min(k for (_, k), v in candidates.items() if sign * v.mean() >= bar)


def _more_may_help(
    candidates: Cells, best: tuple[str, int], sign: float, whole: float | None
) -> bool:
    """Whether curves still rise where they end, and all features are better."""
    if whole is None or best[1] < max(k for _, k in candidates):
        return False
    loss = sign * (whole - float(candidates[best].mean()))
    return loss > _std_error(candidates[best])


def _std_error(values: NDArray[Any]) -> float:
    if len(values) == 1:
        return math.nan
    return float(values.std(ddof=1) / math.sqrt(len(values)))


def _share(value: float, reference_value: float | None) -> float | None:
    if reference_value is None or reference_value <= 0 or value <= 0:
        return None
    return value / reference_value


def _level(
    there: Mapping[str, NDArray[Any]], method: str, sign: float, ratio: float | None
) -> tuple[LevelMethod, ...]:
    tests = {
        other: corrected_resampled_t(sign * (there[method] - values), ratio)
        for other, values in there.items()
        if other != method
    }
    if not tests:
        return ()
    adjusted = map(float, holm([test.p_value for test in tests.values()]))
    level = [
        LevelMethod(other, test.difference, test.std_error, p)
        for (other, test), p in zip(tests.items(), adjusted, strict=True)
        if p > ALPHA
    ]
    return tuple(sorted(level, key=lambda found: found.difference))


def _against_random(
    there: Mapping[str, NDArray[Any]],
    method: str,
    random: NDArray[Any] | None,
    sign: float,
    ratio: float | None,
) -> dict[str, Any]:
    """The fields that compare with the random ranking."""
    if random is None:
        names = (
            "random_value", "random_p", "better_than_random", "any_better_than_random",
        )  # fmt: skip
        return dict.fromkeys(names)
    tests: list[ResampledTest] = [
        corrected_resampled_t(sign * (values - random), ratio)
        for values in there.values()
    ]
    p_values = map(float, holm([test.p_greater for test in tests]))
    adjusted = dict(zip(there, p_values, strict=True))
    return {
        "random_value": float(random.mean()),
        "random_p": adjusted[method],
        "better_than_random": adjusted[method] <= ALPHA,
        "any_better_than_random": min(adjusted.values()) <= ALPHA,
    }
