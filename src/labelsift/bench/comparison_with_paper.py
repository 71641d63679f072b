# SPDX-License-Identifier: BSD-3-Clause
"""Our values compared with the paper's: cell by cell, claim by claim."""

from collections.abc import Collection, Iterator, Mapping
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from labelsift.bench.published import published_cells
from labelsift.bench.suite import Suite
from labelsift.core.budget import budget_count
from labelsift.experiment.catalogue import READOUTS
from labelsift.experiment.results import Results
from labelsift.metrics import MEASURES
from labelsift.stats import PairedTest, statlog_ranks, wilcoxon_holm

# Level of the tests behind claims.
LEVEL = 0.05
# Where no spread is printed, a value that rounds to the printed one is equal to it.
EQUAL = 5e-4


def compare_cells(
    suite: Suite, results: Results, absent: Collection[str] = ()
) -> pd.DataFrame:
    """Join our values to the printed cells of a suite's table.

    Parameters
    ----------
    suite : Suite
        Its paper and table.
    results : Results
        Of the suite.
    absent : collection of str
        Data sets that are not present.

    Returns
    -------
    DataFrame
        The columns of ``published_cells`` and: ours (mean over splits, in the paper's
        scale), ours_std (over splits, or over budgets with a single split),
        n_splits, deviations (ours less printed, in printed standard deviations; NaN
        where none is printed) and verdict ("within", "better", "worse", "shown" where
        no deviation is printed, "data not present", "failed" or "not run"). No row for
        a figure.
    """
    cells = _printed(suite)
    values = _values_of_cells(suite, cells, results)
    splits = values.groupby(["cell", "split"])["value"].mean().groupby("cell")
    count = splits.count()
    spread = splits.std(ddof=0).where(
        count > 1, values.groupby("cell")["value"].std(ddof=0)
    )
    cells["ours"] = splits.mean() * cells["scale"]
    cells["ours_std"] = spread * cells["scale"]
    cells["n_splits"] = count.reindex(cells.index, fill_value=0)
    cells["deviations"] = _deviations(cells)
    cells["verdict"] = _verdicts(cells, results.tasks, absent)
    return cells


def _printed(suite: Suite) -> pd.DataFrame:
    """The cells of a suite's table that belong to its methods, data and measures."""
    cells = published_cells()
    settings = ["", *suite.readouts, *suite.all_budgets]
    settings += [budget for part in suite.data for budget in part.budgets]
    mine = (
        (cells["paper"] == suite.paper)
        & (cells["table"] == suite.table)
        & cells["data"].isin([part.name for part in suite.data])
        & cells["method"].isin([method.name for method in suite.methods])
        & cells["measure"].isin([*suite.measures, "rank", "seconds"])
        & cells["setting"].isin(settings)
    )
    return cells[mine].reset_index(drop=True)


def comparable(suite: Suite, results: Results) -> pd.DataFrame:
    """The values at the threshold that is compared with the paper's, as far as defined.

    Scores that are not cut have no threshold.
    """
    values = results.where(threshold=["", suite.cut]).values
    return values[values["value"].notna()]


def is_budget(setting: str) -> bool:
    """Whether a printed setting is a number or share of features, not a read-out."""
    return bool(setting) and setting not in READOUTS


def _values_of_cells(
    suite: Suite, cells: pd.DataFrame, results: Results
) -> pd.DataFrame:
    """A row for every value of ours that belongs to a cell, with the cell's number."""
    values = comparable(suite, results)
    values = pd.concat([values, *_ranks(suite, cells, values)])
    wanted = cells.rename_axis("cell").reset_index()
    wanted["measure"] = wanted["measure"].replace("seconds", "fit_seconds")
    pairs = wanted.merge(values, on=["data", "method", "measure"])
    setting = pairs["setting"]
    readout = setting.where(setting.isin(READOUTS), suite.readouts[0])
    same_readout = (pairs["readout"] == "self") | (pairs["readout"] == readout)
    return pairs[same_readout & _at_budget(pairs, setting)]


def _at_budget(values: pd.DataFrame, settings: pd.Series) -> pd.Series:
    """Whether values are those of a printed budget; true where none is printed."""
    sizes = zip(settings, values["budget"], values["n_features"], strict=True)
    hits = [
        not is_budget(setting) or budget == budget_count(setting, n_features)
        for setting, budget, n_features in sizes
    ]
    return pd.Series(hits, index=values.index, dtype=bool)


def _ranks(
    suite: Suite, cells: pd.DataFrame, values: pd.DataFrame
) -> Iterator[pd.DataFrame]:
    """Average ranks over budgets and measures on a data set, where they are printed."""
    for data, part in cells[cells["measure"] == "rank"].groupby("data"):
        ours = values[(values["data"] == data) & values["measure"].isin(suite.measures)]
        blocks = ours.pivot_table(
            index=["measure", "split", "budget"], columns="method", values="value"
        )
        blocks = blocks.reindex(columns=part["method"]).dropna()
        if len(blocks):
            ranked = ours.drop_duplicates("method").assign(measure="rank", split=0)
            ranks = ranked["method"].map(statlog_ranks(blocks))
            yield ranked.assign(value=ranks).dropna(subset="value")


def _deviations(cells: pd.DataFrame) -> pd.Series:
    difference = cells["ours"] - cells["mean"]
    equal = (cells["std"] == 0) & (difference.abs() < EQUAL)
    return (difference / cells["std"]).mask(equal, 0.0)


def _verdicts(
    cells: pd.DataFrame, tasks: pd.DataFrame, absent: Collection[str]
) -> list[str]:
    broken = tasks[tasks["status"] != "done"]
    failed = set(zip(broken["data"], broken["method"], strict=True))
    return [_verdict(cell, failed, absent) for cell in cells.itertuples()]


def _verdict(
    cell: Any, failed: Collection[tuple[str, str]], absent: Collection[str]
) -> str:
    if not cell.n_splits:
        if cell.data in absent:
            return "data not present"
        return "failed" if (cell.data, cell.method) in failed else "not run"
    if np.isnan(cell.deviations):
        return "shown"
    if abs(cell.deviations) <= 1:
        return "within"
    gains = MEASURES[cell.measure].greater_is_better
    return "better" if (cell.deviations > 0) == gains else "worse"


class Claim(NamedTuple):
    """A claim of a paper and whether our values support it.

    Parameters
    ----------
    claim : str
        The claim of the paper.
    verdict : str
        "holds", "the opposite holds", "not shown" or "not run".
    reason : str
        The test behind the verdict.
    """

    claim: str
    verdict: str
    reason: str


def judge_claims(suite: Suite, results: Results) -> list[Claim]:
    """Test the claims of a paper on our values.

    A claim that one method is better than another is tested by Wilcoxon's signed ranks
    over data sets: the mean over the splits (and budgets of the claim) of one is one
    block, for splits of one data set share rows. Fewer than six data sets cannot show
    a difference at level 0.05.

    Parameters
    ----------
    suite : Suite
        The suite, with its claims.
    results : Results
        Of the suite.

    Returns
    -------
    list of Claim
        One per claim.
    """
    values = comparable(suite, results)
    return [Claim(claim["says"], *_judge(claim, values)) for claim in suite.claims]


def _judge(claim: Mapping[str, str], values: pd.DataFrame) -> tuple[str, str]:
    """Verdict and reason."""
    measure, blocks = claim["measure"], _blocks(claim, values)
    if blocks.empty:
        return "not run", "No values of both methods."
    gains = blocks if MEASURES[measure].greater_is_better else -blocks
    if len(gains) < 2:
        gain = gains.iloc[0, 0] - gains.iloc[0, 1]
        return "not shown", f"{measure} {_signed(gain)}; one data set is no test."
    [test] = wilcoxon_holm(gains, confidence=1 - LEVEL)
    gain, wins, losses = test.mean_difference, test.wins, test.losses
    facts = (
        f"{measure} {_signed(gain)} on average, better on {wins} of {len(blocks)} data "
        "sets"
    )
    if not wins and not losses:
        return "not shown", f"{facts}; equal everywhere."
    verdict = "not shown"
    if test.p_value < LEVEL and gain > 0 and wins > losses:
        verdict = "holds"
    elif test.p_value < LEVEL and gain < 0 and wins < losses:
        verdict = "the opposite holds"
    return verdict, f"{facts}; {_evidence(test)}."


def _signed(value: float) -> str:
    return f"{'+' if value >= 0 else '-'}{abs(value):.4f}"


def _evidence(test: PairedTest) -> str:
    """Effect size, interval and p-value of a comparison in words."""
    shift = test.shift
    interval = (
        f"shift {_signed(shift.estimate)}, from {_signed(shift.low)} to "
        f"{_signed(shift.high)} at {shift.confidence:.0%}"
        if np.isfinite(shift.low)
        else "too few for an interval"
    )
    return (
        f"rank-biserial r = {test.effect:.2f}, {interval}, signed ranks p = "
        f"{test.p_value:.3g}"
    )


def _blocks(claim: Mapping[str, str], values: pd.DataFrame) -> pd.DataFrame:
    """Values of both methods by data set: means over draws, budgets, then splits.

    A split counts where both methods have it.
    """
    pair = [claim["better"], claim["worse"]]
    part = values[values["method"].isin(pair) & (values["measure"] == claim["measure"])]
    if "readout" in claim:
        part = part[part["readout"].isin([claim["readout"], "self"])]
    if "budget" in claim:
        part = part[_at_budget(part, pd.Series(claim["budget"], index=part.index))]
    place = ["data", "split", "readout", "budget"]
    table = part.pivot_table(index=place, columns="method", values="value", sort=False)
    splits = table.reindex(columns=pair).groupby(["data", "split"], sort=False).mean()
    return splits.dropna().groupby("data", sort=False).mean()
