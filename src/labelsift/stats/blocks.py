# SPDX-License-Identifier: BSD-3-Clause
"""Tests on results: methods that can be compared, with a data set as the block.

Splits of one data set share rows: its mean over them is one block, and so is a split
that was published, however often it is repeated. Only methods that were measured at the
same places (data sets, splits, read-outs, numbers of features) are compared; the others
are named, with the reason.
"""

from dataclasses import dataclass, replace
from itertools import combinations_with_replacement
from typing import TYPE_CHECKING, Any

import numpy as np

from labelsift.core.budget import budget_count
from labelsift.metrics import EVERY_MEASURE
from labelsift.stats.friedman import RankTest, average_ranks, friedman_nemenyi
from labelsift.stats.wilcoxon import PairedTest, wilcoxon_holm

if TYPE_CHECKING:
    from labelsift.experiment.results import Results

# Where a value was measured; methods are compared at the same places.
PLACE = ["data", "split", "readout", "budget"]
_LACKS = {
    "data": "no values on {}",
    "readout": "no values with the read-out {}",
    "budget": "no values at {} features",
}
# Numbers that are named where many are lacking.
_NAMED = 4


@dataclass(frozen=True, eq=False)
class MethodBlocks:
    """Values of methods that were measured at the same places.

    Parameters
    ----------
    values : DataFrame
        A row for each data set, a column for each method: means over draws, splits,
        read-outs and numbers of features.
    left_out : dict of str to str
        Methods that were measured elsewhere, and how that differs.
    """

    values: Any
    left_out: dict[str, str]


@dataclass(frozen=True, eq=False)
class MethodRanks:
    """Average ranks of methods over data sets.

    Parameters
    ----------
    ranks : dict of str to float
        Average rank of each method that can be compared; 1 is the best.
    n_blocks : int
        Data sets.
    test : RankTest or None
        Friedman's and Nemenyi's; None below three methods or two data sets, and where
        all methods are equal.
    left_out : dict of str to str
        Methods that are not ranked, and why.
    """

    ranks: dict[str, float]
    n_blocks: int
    test: RankTest | None
    left_out: dict[str, str]


def greater_is_better(measure: str) -> bool:
    """The direction of a measure; of seconds and gaps, less is better."""
    return measure in EVERY_MEASURE and EVERY_MEASURE[measure].greater_is_better


def at_budget(results: "Results", budget: str | int | None) -> "Results":
    """The part of results at a number or share of the features of its data set.

    Parameters
    ----------
    results : Results
        Of one or more data sets.
    budget : str, int or None
        "20", "5%"; None: all of it.

    Returns
    -------
    Results
        A method all of whose values are of all features stays: it has no budget.
    """
    if budget is None:
        return results
    values = results.values
    counts = {n: budget_count(str(budget), n) for n in values["n_features"].unique()}
    at_count = values["budget"] == values["n_features"].map(counts)
    hit = at_count | ~values["method"].isin(choosing(values))
    return replace(results, values=values[hit])


def choosing(values: Any) -> set[str]:
    """The methods that have values of fewer than all features."""
    some = (values["budget"] > 0) & (values["budget"] < values["n_features"])
    return set(values["method"][some].unique())


def method_blocks(
    results: "Results",
    measure: str,
    *,
    readout: str | None = None,
    budget: str | int | None = None,
    control: str | None = None,
) -> MethodBlocks:
    """Values of the methods that can be compared: a row a data set, a column a method.

    Draws are averaged within a split. The places (data set, split, read-out, number of
    features) are those that give most values: as many methods at as many places as
    possible, every method at every place. A method that lacks one of them is left out.

    Parameters
    ----------
    results : Results
        Of one or more data sets.
    measure : str
        A measure in the results.
    readout : str or None, default=None
        Only values with this read-out ("self": a method's own predictions); None: the
        mean over all, of methods that have all.
    budget : str, int or None, default=None
        A number ("20") or share ("5%") of the features; None: the mean over all.
    control : str or None, default=None
        A method that must be among them; None: any may be left out.

    Returns
    -------
    MethodBlocks
        Values, and who is left out.
    """
    known = at_budget(results.where(measure=measure), budget).values
    known = known[known["value"].notna()]
    part = known if readout is None else known[known["readout"] == readout]
    _check_threshold(part, measure)
    names = part["method"].unique()
    table = part.pivot_table(index=PLACE, columns="method", values="value", sort=False)
    table = table.reindex(columns=names)
    needed = [] if control is None else [_position(control, list(names), measure)]
    places = _most_places(table.notna().to_numpy(), needed)
    common = table.loc[places, table[places].notna().all()]
    elsewhere = known[~known["method"].isin(names)]
    left_out = {
        str(name): _lacking("readout", [str(readout)], set(rows["readout"]))
        for name, rows in elsewhere.groupby("method", sort=False)
    }
    chosen = choosing(part)
    for name in names:
        if name not in common:
            whole = name not in chosen and not chosen.isdisjoint(common)
            lack = _lack(table[name].dropna().index, common.index)
            left_out[str(name)] = "all features" if whole else lack
    return MethodBlocks(common.groupby("data", sort=False).mean(), left_out)


def _check_threshold(values: Any, measure: str) -> None:
    cuts = sorted(values["threshold"].unique())
    if len(cuts) > 1:
        raise ValueError(
            f"{measure} is measured at several thresholds ({', '.join(cuts)}): choose "
            "one, as in results.where(threshold=...)."
        )


def _position(control: str, names: list[str], measure: str) -> int:
    if control not in names:
        raise ValueError(
            f"control {control!r} has no values of {measure} here: choose one of "
            f"{', '.join(names)}."
        )
    return names.index(control)


def _most_places(measured: Any, needed: list[int]) -> Any:
    """The rows at which as many methods as possible have as many values as possible."""
    # Many methods are measured at the same places: each set of places is tried once.
    kinds = list({row.tobytes(): row for row in measured.T}.values())
    pairs = combinations_with_replacement(kinds, 2)

    def usable(places: Any) -> int:
        covering = measured[places].all(axis=0)
        return int(places.sum() * covering.sum() * covering[needed].all())

    nothing = np.zeros(len(measured), dtype=bool)
    return max((one & other for one, other in pairs), key=usable, default=nothing)


def _lack(own: Any, common: Any) -> str:
    """What a method lacks of the places of the others."""
    for level in _LACKS:
        mine = set(own.get_level_values(level))
        theirs = common.get_level_values(level).unique()
        lacking = [str(value) for value in theirs if value not in mine]
        if lacking:
            return _lacking(level, lacking, mine)
    data, split, *_ = next(place for place in common if place not in own)
    return f"lacks values, as on split {split} of {data}"


def _lacking(level: str, values: list[str], own: set[Any]) -> str:
    if values == ["self"]:
        return "no predictions of its own"
    if own == {"self"}:
        return "its own predictions"
    more = ", ..." if len(values) > _NAMED else ""
    return _LACKS[level].format(", ".join(values[:_NAMED]) + more)


def rank_methods(
    results: "Results",
    measure: str,
    *,
    readout: str | None = None,
    budget: str | int | None = None,
) -> MethodRanks:
    """Rank methods over data sets; test whether they differ where that can be tested.

    Parameters
    ----------
    results : Results
        Of one or more data sets.
    measure : str
        A measure in the results.
    readout, budget : str or None, default=None
        As in ``method_blocks``.

    Returns
    -------
    MethodRanks
        Average ranks of the methods that were measured at the same places.
    """
    blocks = method_blocks(results, measure, readout=readout, budget=budget)
    table, gains = blocks.values, greater_is_better(measure)
    if table.empty:
        return MethodRanks({}, 0, None, blocks.left_out)
    ranks = average_ranks(table, greater_is_better=gains)
    test = None
    if len(table) > 1 and len(ranks) > 2 and len(set(ranks.values())) > 1:
        test = friedman_nemenyi(table, greater_is_better=gains)
    return MethodRanks(ranks, len(table), test, blocks.left_out)


def compare_methods(
    results: "Results",
    measure: str,
    *,
    readout: str | None = None,
    budget: str | int | None = None,
    control: str | None = None,
    confidence: float = 0.95,
) -> list[PairedTest]:
    """Compare methods in pairs over data sets: signed ranks, corrected by Holm.

    Parameters
    ----------
    results : Results
        Of two or more data sets.
    measure : str
        A measure in the results. Differences are gains: positive where the first
        method of a pair is better, also for a loss.
    readout, budget : str or None, default=None
        As in ``method_blocks``.
    control : str or None, default=None
        Compare every other method with this one; None compares all pairs.
    confidence : float in (0, 1), default=0.95
        Of the intervals.

    Returns
    -------
    list of PairedTest
        Empty with fewer than two methods or data sets that can be compared.
    """
    places: dict[str, Any] = dict(readout=readout, budget=budget, control=control)
    table = method_blocks(results, measure, **places).values
    if table.shape[0] < 2 or table.shape[1] < 2:
        return []
    gains = table if greater_is_better(measure) else -table
    return wilcoxon_holm(gains, control=control, confidence=confidence)
