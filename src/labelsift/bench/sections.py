# SPDX-License-Identifier: BSD-3-Clause
"""Results of suites as sections of a document."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product

import pandas as pd

from labelsift.bench.comparison_with_paper import Claim
from labelsift.bench.published import PAPERS
from labelsift.bench.suite import Suite
from labelsift.bench.suite_result import SuiteResult
from labelsift.bench.tables import MARKS, cell_table, curve_table
from labelsift.tables.document import Section, Table
from labelsift.tables.method_tests import pair_table, rank_table
from labelsift.tables.protocol_words import Design, protocol_words, statistics_words
from labelsift.tables.result_table import (
    ResultTable,
    budget_words,
    left_out_words,
    readout_words,
)

LEGEND = (
    "A cell is ours / the paper's, and in brackets the difference in printed standard "
    "deviations with a mark: = within one, + better than that, - worse than that. "
    "Numbers without a second one are controls and data that the paper does not have."
)
CLAIM_HEAD = ["claim", "verdict here", "why"]


@dataclass(frozen=True)
class Wanted:
    """What a report shows beside what every report shows.

    Parameters
    ----------
    tables : bool
        Tables of means and deviations for a paper's suite too.
    budgets : tuple of str
        A table for each of them; empty: one of the means over all.
    control : str or None
        Signed-rank tests of every other method against this one.
    pairs : bool
        Signed-rank tests of all pairs.
    """

    tables: bool = False
    budgets: tuple[str, ...] = ()
    control: str | None = None
    pairs: bool = False


def report_sections(
    results: Sequence[SuiteResult], wanted: Wanted | None = None
) -> list[Section]:
    """All sections of a report: a summary of papers, the suites, and the tests used.

    Parameters
    ----------
    results : sequence of SuiteResult
        What to report.
    wanted : Wanted or None
        What to show beside; None: nothing.

    Returns
    -------
    list of Section
        No summary where no suite is a paper's.
    """
    wanted = wanted or Wanted()
    papers = paper_section(results)
    sections = [] if papers is None else [papers]
    sections += [suite_section(result, wanted) for result in results]
    return [*sections, Section("Statistics", [statistics_words()])]


def suite_section(result: SuiteResult, wanted: Wanted | None = None) -> Section:
    """The section of one suite."""
    wanted = wanted or Wanted()
    suite, cells = result.suite, result.cells
    text = [_headline(suite), protocol_words(_design(result)), *suite.notes]
    ranks = _rank_tables(result)
    shown = wanted.tables or suite.paper not in PAPERS
    text += [*_gaps(result), *([] if shown or not ranks else _not_ranked(result))]
    if len(cells):
        text += [_summary(cells), LEGEND]
    if result.absent:
        text.append("Data not present: " + ", ".join(result.absent) + ".")
    failed = result.failed.drop_duplicates(["data", "method", "error"])
    text += [
        f"Failed: {task.method} on {task.data}: {task.error}"
        for task in failed.itertuples()
    ]
    tables: list[Table] = []
    if suite.paper in PAPERS:
        tables.append(cell_table(result) if len(cells) else curve_table(result))
    if shown:
        own = list(_result_tables(result, wanted.budgets))
        text += list(dict.fromkeys(table.note for table in own))
        tables += [table.table() for table in own]
    tables += ranks
    tables += _test_tables(result, wanted)
    said = "The paper's claims" if suite.paper in PAPERS else "Claims"
    tables.append(Table(said, CLAIM_HEAD, list(result.claims)))
    return Section(suite.name, text, [table for table in tables if table.rows])


def _headline(suite: Suite) -> str:
    splits = max(protocol.splits for protocol in suite.protocols)
    settings = max((suite.most_settings(m) for m in suite.methods), default=1)
    return (
        f"{suite.title} (effort {suite.effort}: {suite.splits} of {splits} splits, at "
        f"most {settings} settings of a method)."
    )


def _design(result: SuiteResult) -> Design:
    """What the paragraph on the protocol states."""
    suite = result.suite
    present = [part for part in suite.data if part.name not in result.absent]
    return Design(
        data=[part.name for part in present],
        methods={
            method.name: 1 if method.spec.sweep else suite.most_settings(method)
            for method in suite.methods
        },
        measures=suite.measures,
        protocols=suite.protocols,
        splits=suite.splits,
        budgets=suite.all_budgets,
        readouts=suite.readouts,
        thresholds=suite.thresholds,
        tuning=suite.tuning,
        scales=[part.scale for part in present],
    )


def _gaps(result: SuiteResult) -> list[str]:
    """How far from their optimum fits with a certificate were left."""
    gaps = result.results.where(measure="dual_gap").values
    if gaps.empty:
        return []
    largest = gaps.groupby("method", sort=False)["value"].max()
    shown = ", ".join(f"{method} {gap:.0e}" for method, gap in largest.items())
    return [
        f"Largest duality gap of the final fits: {shown} (relative for the ranking "
        "machines; for mt-lasso in units of its objective)."
    ]


def _not_ranked(result: SuiteResult) -> list[str]:
    """Who is not ranked, and why."""
    measures, readouts = result.places
    text = []
    for readout in readouts:
        left_out: dict[str, str] = {}
        for measure in measures:
            left_out |= result.rank_test(measure, readout).left_out
        if left_out:
            where = readout_words(readout)
            text.append(f"Not ranked ({where}): {left_out_words(left_out)}.")
    return text


def _rank_tables(result: SuiteResult) -> list[Table]:
    """Average ranks for every measure and budget, where there are methods to rank."""
    measures, readouts = result.places
    frames = [
        result.ranks(measure, readout=readout)
        for measure in measures
        for readout in readouts
    ]
    frames = [frame for frame in frames if len(frame)]
    if not frames or max(frame["n_data"].max() for frame in frames) < 2:
        return []
    return [rank_table(pd.concat(frames, ignore_index=True))]


def _result_tables(
    result: SuiteResult, budgets: Sequence[str]
) -> Iterator[ResultTable]:
    """Means and deviations for every measure, read-out and budget that is asked for."""
    for measure, readout, budget in _places(result, budgets):
        yield result.table(measure, readout=readout, budget=budget)


def _places(
    result: SuiteResult, budgets: Sequence[str]
) -> Iterator[tuple[str, str, str | None]]:
    """Measures that have values, by read-out and budget."""
    known = set(result.compared.values["measure"])
    measures = [name for name in result.suite.measures if name in known]
    return product(measures, result.suite.readouts, budgets or (None,))


def _test_tables(result: SuiteResult, wanted: Wanted) -> Iterator[Table]:
    """Signed-rank tests against a control, and of all pairs."""
    controls = [wanted.control] if wanted.control else []
    for control in [*controls, *([None] if wanted.pairs else [])]:
        for measure, readout, budget in _places(result, wanted.budgets):
            place = {"readout": readout, "budget": budget}
            tests = result.tests(measure, control=control, **place)
            words = [readout_words(readout)]
            words += [budget_words(budget)] if budget else []
            yield pair_table(tests, measure, ", ".join(words))


def _summary(cells: pd.DataFrame) -> str:
    counts = Counter(cells["verdict"]).most_common()
    parts = ", ".join(f"{count} {verdict}" for verdict, count in counts)
    regenerated = (cells["n_splits"] > 0).sum()
    return f"{regenerated} of {len(cells)} printed cells regenerated ({parts})."


def paper_section(results: Sequence[SuiteResult]) -> Section | None:
    """One line per paper: cells and how many hold; then which claims hold, and why.

    Only papers that were asked for; None without any.
    """
    rows, said = [], []
    for paper, title in PAPERS.items():
        mine = [result for result in results if result.suite.paper == paper]
        if not mine:
            continue
        # Suites that view one run judge alike: said once, under the first of them.
        claims: dict[Claim, str] = {}
        for result in mine:
            for claim in result.claims:
                claims.setdefault(claim, result.suite.name)
        said += [[suite, *claim] for claim, suite in claims.items()]
        holding = sum(claim.verdict == "holds" for claim in claims)
        rows.append([title, *_cell_counts(mine), f"{holding} of {len(claims)}"])
    if not rows:
        return None
    head = ["paper", "cells regenerated", "within one std", "better by more"]
    counted = Table("", [*head, "worse by more", "claims that hold"], rows)
    claimed = Table("The papers' claims", ["suite", *CLAIM_HEAD], said)
    return Section("Summary", [], [counted, *([claimed] if said else [])])


def _cell_counts(results: Sequence[SuiteResult]) -> list[str]:
    """How many printed cells have a value of ours, and how those are judged."""
    verdicts = Counter(v for result in results for v in result.cells["verdict"])
    judged = sum(verdicts[verdict] for verdict in MARKS)
    regenerated = judged + verdicts["shown"]
    counts = [f"{verdicts[verdict]} of {judged}" for verdict in MARKS]
    return [f"{regenerated} of {verdicts.total()}", *counts]
