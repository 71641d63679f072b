# SPDX-License-Identifier: BSD-3-Clause
"""Our values beside the paper's: cell by cell, claim by claim."""

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from labelsift.bench.inputs import resolve_count
from labelsift.bench.methods import READOUTS
from labelsift.bench.suite import Suite
from labelsift.metrics import MEASURES
from labelsift.results import PublishedCell, published_cells
from labelsift.stats import statlog_ranks, wilcoxon_holm

Rows = Sequence[Mapping[str, Any]]
# Level of the tests behind claims.
LEVEL = 0.05


@dataclass(frozen=True)
class Beside:
    """A printed cell and our value for it.

    Parameters
    ----------
    cell : PublishedCell
        As printed.
    ours : float
        Mean in the paper's scale; NaN where there is none.
    std : float
        Over splits, or over budgets where there is one split.
    count : int
        Splits behind it.
    away : float
        Difference in printed standard deviations; NaN where none is printed.
    verdict : str
        "within", "better", "worse", "shown" (no deviation is printed), "data not
        present", "failed" or "not run".
    """

    cell: PublishedCell
    ours: float
    std: float
    count: int
    away: float
    verdict: str


@dataclass(frozen=True)
class Claim:
    """What a paper says and what our values say to it.

    Parameters
    ----------
    says : str
        The claim.
    verdict : str
        "holds", "the opposite holds", "not shown" or "not run".
    reason : str
        The test behind the word.
    """

    says: str
    verdict: str
    reason: str


def beside(
    suite: Suite, rows: Rows, absent: Iterable[str], failed: Iterable[tuple[str, str]]
) -> list[Beside]:
    """Every printed cell of a suite's table with our value.

    Parameters
    ----------
    suite : Suite
        Its paper and table.
    rows : sequence of mapping
        Tidy rows of the suite.
    absent : iterable of str
        Data sets that are not there.
    failed : iterable of (data, method)
        Whose tasks failed.

    Returns
    -------
    list of Beside
        In the order of the table; empty for a figure.
    """
    if not suite.table:
        return []
    groups: dict[tuple[str, str], list[Mapping[str, Any]]] = defaultdict(list)
    for row in rows:
        groups[row["data"], row["method"]].append(row)
    missing, broken = set(absent), set(failed)
    result = []
    for cell in published_cells(suite.paper):
        if cell.table != suite.table:
            continue
        values = _values(suite, cell, groups)
        if values:
            result.append(_compared(cell, values))
            continue
        verdict = "not run"
        if cell.data in missing:
            verdict = "data not present"
        elif (cell.data, cell.method) in broken:
            verdict = "failed"
        result.append(Beside(cell, math.nan, math.nan, 0, math.nan, verdict))
    return result


def _values(
    suite: Suite,
    cell: PublishedCell,
    groups: Mapping[tuple[str, str], Rows],
) -> dict[tuple[int, int], float]:
    """Our values for a cell, by split and budget."""
    if cell.measure == "rank":
        rank = _ranks(suite, cell, groups).get(cell.method)
        return {} if rank is None else {(0, 0): rank}
    readout = cell.setting if cell.setting in READOUTS else suite.readouts[0]
    measure = "fit_seconds" if cell.measure == "seconds" else cell.measure
    found = {
        (row["split"], row["budget"]): row["value"]
        for row in groups[cell.data, cell.method]
        if row["measure"] == measure
        and row["readout"] in (readout, "self")
        and row["threshold"] in ("", suite.cut)
        and not math.isnan(row["value"])
    }
    if is_budget(cell.setting):
        wanted = _counts(cell.setting, groups[cell.data, cell.method])
        found = {key: value for key, value in found.items() if key[1] in wanted}
    return found


def is_budget(setting: str) -> bool:
    """Whether a printed setting is a number or share of features, not a read-out."""
    return bool(setting) and setting not in READOUTS


def _counts(setting: str, rows: Rows) -> set[int]:
    """How many features a printed budget is on this data."""
    sizes = [(row["share"], row["budget"]) for row in rows if row["share"]]
    if not sizes:
        return set()
    share, budget = max(sizes)  # the least rounded
    return {resolve_count(setting, round(budget / share))}


def _ranks(
    suite: Suite, cell: PublishedCell, groups: Mapping[tuple[str, str], Rows]
) -> dict[str, float]:
    """Average ranks over budgets and measures on a data set."""
    methods = [
        other.method
        for other in published_cells(suite.paper)
        if (other.table, other.data) == (cell.table, cell.data)
    ]
    values = {
        method: {
            (row["measure"], row["split"], row["budget"]): row["value"]
            for row in groups[cell.data, method]
            if row["measure"] in suite.measures and not math.isnan(row["value"])
        }
        for method in methods
    }
    blocks = set.intersection(*(set(of) for of in values.values()))
    if not blocks:
        return {}
    order = sorted(blocks)
    return statlog_ranks(
        {m: [of[block] for block in order] for m, of in values.items()}
    )


def _compared(cell: PublishedCell, values: Mapping[tuple[int, int], float]) -> Beside:
    by_split = defaultdict(list)
    for (split, _), value in values.items():
        by_split[split].append(value)
    splits = [float(np.mean(part)) for part in by_split.values()]
    spread = splits if len(splits) > 1 else list(values.values())
    ours = float(np.mean(splits)) * cell.scale
    std = float(np.std(spread)) * cell.scale
    away, verdict = _verdict(cell, ours)
    return Beside(cell, ours, std, len(splits), away, verdict)


def _verdict(cell: PublishedCell, ours: float) -> tuple[float, str]:
    if cell.std is None:
        return math.nan, "shown"
    difference = ours - cell.mean
    if cell.std == 0:
        away = 0.0 if abs(difference) < 5e-4 else math.copysign(math.inf, difference)
    else:
        away = difference / cell.std
    if abs(away) <= 1:
        return away, "within"
    gains = MEASURES[cell.measure].greater_is_better
    return away, "better" if (away > 0) == gains else "worse"


def claims(suite: Suite, rows: Rows) -> list[Claim]:
    """What our values say to the claims of a paper.

    A claim that one method is better than another is tested by Wilcoxon's signed ranks
    over all splits of all data sets. Splits of one data set share rows, so that the
    p-value is rather too small; data sets are too few to be tested alone.

    Parameters
    ----------
    suite : Suite
        With its claims.
    rows : sequence of mapping
        Tidy rows of the suite.

    Returns
    -------
    list of Claim
        One for each.
    """
    return [_claim(suite, claim, rows) for claim in suite.claims]


def _claim(suite: Suite, claim: Mapping[str, str], rows: Rows) -> Claim:
    better, worse, measure = claim["better"], claim["worse"], claim["measure"]
    values = {name: _blocks(suite, claim, name, rows) for name in (better, worse)}
    blocks = sorted(set(values[better]) & set(values[worse]))
    if not blocks:
        return Claim(claim["says"], "not run", "No values of both methods.")
    pair = {name: [of[block] for block in blocks] for name, of in values.items()}
    sign = 1 if MEASURES[measure].greater_is_better else -1
    gains = sign * np.subtract(pair[better], pair[worse])
    gain, wins, defeats = float(gains.mean()), (gains > 0).sum(), (gains < 0).sum()
    facts = (
        f"{measure} {'+' if gain >= 0 else '-'}{abs(gain):.4f} on average, better in "
        f"{wins} of {len(blocks)} blocks ({len({block[0] for block in blocks})} data "
        "sets)"
    )
    if pair[better] == pair[worse]:
        return Claim(claim["says"], "not shown", f"{facts}; equal everywhere.")
    if len(blocks) < 2:
        return Claim(claim["says"], "not shown", f"{facts}; one block is no test.")
    [test] = wilcoxon_holm(pair)
    verdict = "not shown"
    if test.p_value < LEVEL and gain > 0 and wins > defeats:
        verdict = "holds"
    elif test.p_value < LEVEL and gain < 0 and wins < defeats:
        verdict = "the opposite holds"
    return Claim(
        claim["says"], verdict, f"{facts}; signed ranks p = {test.p_value:.3g}."
    )


def _blocks(
    suite: Suite, claim: Mapping[str, str], method: str, rows: Rows
) -> dict[tuple[str, int], float]:
    """Values of a method by data set and split, mean over budgets."""
    found = defaultdict(list)
    for row in rows:
        if (row["method"], row["measure"]) != (method, claim["measure"]):
            continue
        if row["threshold"] not in ("", suite.cut) or math.isnan(row["value"]):
            continue
        if "readout" in claim and row["readout"] not in (claim["readout"], "self"):
            continue
        if "budget" in claim and row["budget"] not in _counts(claim["budget"], [row]):
            continue
        found[row["data"], row["split"]].append(row["value"])
    return {block: float(np.mean(values)) for block, values in found.items()}
