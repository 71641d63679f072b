# SPDX-License-Identifier: BSD-3-Clause
"""Results of suites as sections of a document."""

from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

from labelsift.bench.average_ranks import rank_methods, rank_sentence
from labelsift.bench.comparison_with_paper import Claim, comparable, is_budget
from labelsift.bench.document import Section, Table
from labelsift.bench.published import PAPERS
from labelsift.bench.suite import Suite
from labelsift.bench.suite_result import SuiteResult
from labelsift.core.budget import parse_budget

MARKS = {"within": "=", "better": "+", "worse": "-"}
LEGEND = (
    "A cell is ours / the paper's, and in brackets the difference in printed standard "
    "deviations with a mark: = within one, + better than that, - worse than that. "
    "Numbers without a second one are controls and data that the paper does not have."
)
CLAIM_HEAD = ["claim", "verdict here", "why"]
# Columns that a cell of a printed table is in.
PLACE = ["data", "measure", "setting"]


def suite_section(result: SuiteResult) -> Section:
    """The section of one suite."""
    suite, cells = result.suite, result.cells
    all_splits = max(protocol.splits for protocol in suite.protocols)
    text = [
        f"{suite.title} (effort {suite.effort}: {suite.splits} of {all_splits} splits, "
        f"at most {suite.most_settings} settings of a method).",
        *suite.notes,
        *_gaps(result),
        *_ranks(result),
    ]
    if len(cells):
        text += [_summary(cells), LEGEND]
    if result.absent:
        text.append("Data not present: " + ", ".join(result.absent) + ".")
    failed = result.failed.drop_duplicates(["data", "method", "error"])
    text += [
        f"Failed: {task.method} on {task.data}: {task.error}"
        for task in failed.itertuples()
    ]
    tables = [_cell_table(result) if len(cells) else _curve_table(result)]
    tables.append(Table("The paper's claims", CLAIM_HEAD, list(result.claims)))
    return Section(suite.name, text, [table for table in tables if table.rows])


def _gaps(result: SuiteResult) -> list[str]:
    """Largest duality gaps of the fits that have one."""
    gaps = result.results.where(measure="dual_gap").values
    if gaps.empty:
        return []
    largest = gaps.groupby("method", sort=False)["value"].max()
    shown = ", ".join(f"{method} {gap:.0e}" for method, gap in largest.items())
    return [
        f"Largest duality gap of the final fits: {shown} (relative for the ranking "
        "machines; for mt-lasso in units of its objective)."
    ]


def _ranks(result: SuiteResult) -> list[str]:
    test = rank_methods(result.suite, result.results)
    return [] if test is None else [rank_sentence(result.suite, test)]


def _summary(cells: pd.DataFrame) -> str:
    counts = Counter(cells["verdict"]).most_common()
    parts = ", ".join(f"{count} {verdict}" for verdict, count in counts)
    regenerated = (cells["n_splits"] > 0).sum()
    return f"{regenerated} of {len(cells)} printed cells regenerated ({parts})."


def _cell_table(result: SuiteResult) -> Table:
    """Printed cells as a table of data, measure and setting by method."""
    printed = result.cells.assign(
        text=[_cell_text(cell) for cell in result.cells.to_dict("records")]
    )
    methods = list(dict.fromkeys(printed["method"]))
    controls = [m.name for m in result.suite.methods if m.name not in methods]
    texts = pd.concat([printed, _without_printed(result, controls)])
    return _by_method(
        "Our values and the paper's", texts, PLACE, PLACE, [*methods, *controls]
    )


def _by_method(
    title: str,
    texts: pd.DataFrame,
    place: list[str],
    head: list[str],
    methods: Sequence[str],
) -> Table:
    """A row for every place, in the order of the texts, and a column for a method."""
    rows = pd.MultiIndex.from_frame(texts[place]).unique()
    grid = texts.pivot(index=place, columns="method", values="text")
    grid = grid.reindex(index=rows, columns=list(methods), fill_value="").fillna("")
    body = [[*map(str, row[0]), *row[1:]] for row in grid.itertuples(name=None)]
    return Table(title, [*head, *methods], body)


def _cell_text(cell: dict[str, Any]) -> str:
    digits = 4 if abs(cell["mean"]) < 1 and cell["paper"] == "ji" else 3
    digits = 2 if abs(cell["mean"]) >= 10 else digits
    printed = f"{cell['mean']:.{digits}f}"
    verdict = cell["verdict"]
    if not cell["n_splits"]:
        return f"{verdict} / {printed}"
    both = f"{cell['ours']:.{digits}f} / {printed}"
    if verdict not in MARKS:
        return both
    return f"{both} ({cell['deviations']:+.1f} {MARKS[verdict]})"


def _without_printed(result: SuiteResult, controls: Sequence[str]) -> pd.DataFrame:
    """Values of controls, and of all methods on data that are not in the paper."""
    suite, cells = result.suite, result.cells
    printed = [name for name in suite.measures if name in set(cells["measure"])]
    extra = [part.name for part in suite.data if part.extra]
    values = comparable(suite, result.results)
    values = values[
        values["measure"].isin(printed or suite.measures)
        & (values["method"].isin(controls) | values["data"].isin(extra))
    ]
    budgeted = any(map(is_budget, cells["setting"]))
    values = values.assign(setting=_settings(suite, values, budgeted))
    means = values.groupby([*PLACE, "method"], sort=False)["value"].mean()
    scaled = means * cells["scale"].iloc[0]
    return scaled.map("{:.3f}".format).rename("text").reset_index()


def _settings(suite: Suite, values: pd.DataFrame, budgeted: bool) -> Any:
    """The printed names of settings: budgets, read-outs, or nothing."""
    if len(suite.readouts) > 1:
        return values["readout"].replace("self", suite.readouts[0])
    if not budgeted:
        return ""
    names = values["budget"].astype(str).to_numpy()
    budgets = [parse_budget(budget) for budget in suite.budgets]
    if budgets and all(isinstance(budget, float) for budget in budgets):
        shares = (values["budget"] / values["n_features"]).to_numpy()
        nearest = abs(shares[:, np.newaxis] - np.array(budgets)).argmin(axis=1)
        names = np.array(suite.budgets)[nearest]
    return np.where(values["budget"] < values["n_features"], names, "")


def _curve_table(result: SuiteResult) -> Table:
    """Our values of a figure: data, training size, budget and measure by method."""
    suite = result.suite
    shown = [*suite.measures]
    if len(suite.protocols) > 1:
        shown += ["fit_seconds", "tune_seconds"]
    values = comparable(suite, result.results)
    values = values[values["measure"].isin(shown)]
    sweeps = [method.name for method in suite.methods if method.spec.sweep]
    values = values.assign(
        params=values["params"].where(values["method"].isin(sweeps), "")
    )
    heads = {
        "data": "data",
        "n_train": "training rows",
        "measure": "measure",
        "readout": "read-out",
        "budget": "features",
        "params": "parameters",
    }
    if len(suite.readouts) < 2:
        del heads["readout"]
    if not suite.budgets and not any(part.budgets for part in suite.data):
        del heads["budget"]
    if not sweeps:
        del heads["params"]
    place = list(heads)
    means = values.groupby([*place, "method"], sort=False)["value"].mean().reset_index()
    order = [name for name in place if name != "params"]
    texts = means.sort_values(order, kind="stable").assign(
        text=lambda table: table["value"].map("{:.3f}".format)
    )
    names = [method.name for method in suite.methods]
    title = "Our values, mean over splits"
    return _by_method(title, texts, place, list(heads.values()), names)


def paper_section(results: Sequence[SuiteResult]) -> Section:
    """One line per paper: cells and how many hold; then which claims hold, and why."""
    rows, judged = [], []
    for paper, title in PAPERS.items():
        ours = [result for result in results if result.suite.paper == paper]
        # Suites that share a run have the same verdicts, listed once.
        claims: dict[Claim, str] = {}
        for result in ours:
            for claim in result.claims:
                claims.setdefault(claim, result.suite.name)
        judged += [[suite, *claim] for claim, suite in claims.items()]
        holding = sum(claim.verdict == "holds" for claim in claims)
        rows.append([title, *_cell_counts(ours), f"{holding} of {len(claims)}"])
    head = [
        "paper",
        "cells regenerated",
        "within one std or better",
        "claims that hold",
    ]
    table = Table("The papers' claims", ["suite", *CLAIM_HEAD], judged)
    return Section("Summary", [], [Table("", head, rows), *([table] if judged else [])])


def _cell_counts(results: Sequence[SuiteResult]) -> tuple[str, str]:
    """How many printed cells have a value of ours, and how many of those agree."""
    verdicts = pd.Series(
        [v for result in results for v in result.cells["verdict"]], dtype=str
    )
    judged = verdicts.isin(MARKS).sum()
    good = verdicts.isin(["within", "better"]).sum()
    regenerated = judged + (verdicts == "shown").sum()
    return f"{regenerated} of {len(verdicts)}", f"{good} of {judged}"
