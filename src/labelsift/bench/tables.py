# SPDX-License-Identifier: BSD-3-Clause
"""Results of suites as sections of a document."""

import json
import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from labelsift.bench.beside import Beside, Claim, beside, claims, is_budget
from labelsift.bench.ranks import rank_methods, rank_sentence
from labelsift.bench.suite import Suite
from labelsift.report.document import Section, Table
from labelsift.results import PAPERS

MARKS = {"within": "=", "better": "+", "worse": "-"}
LEGEND = (
    "A cell is ours / the paper's, and in brackets the difference in printed standard "
    "deviations with a mark: = within one, + better than that, - worse than that. "
    "Numbers without a second one are controls and data that the paper does not have."
)


CLAIM_HEAD = ["claim", "verdict here", "why"]


@dataclass(frozen=True)
class SuiteResult:
    """A suite with its values and what came of them.

    Parameters
    ----------
    suite : Suite
        The suite.
    rows : sequence of mapping
        Tidy rows.
    absent : mapping of str to str
        Data sets that are not there, and why.
    failed : sequence of (data, method, error)
        Tasks without values.
    """

    suite: Suite
    rows: Sequence[Mapping[str, Any]]
    absent: Mapping[str, str]
    failed: Sequence[tuple[str, str, str]] = ()

    @property
    def cells(self) -> list[Beside]:
        """Printed cells with our values."""
        broken = [(data, method) for data, method, _ in self.failed]
        return beside(self.suite, self.rows, self.absent, broken)

    @property
    def claims(self) -> list[Claim]:
        """The paper's claims with our verdicts."""
        return claims(self.suite, self.rows)


def suite_section(result: SuiteResult) -> Section:
    """The section of one suite."""
    suite, cells = result.suite, result.cells
    text = [
        f"{suite.title} (effort {suite.effort}: {suite.splits} of "
        f"{_all_splits(suite)} splits, at most {_most_settings(suite)} settings of a "
        "method).",
        *suite.notes,
        *_gaps(result.rows),
        *_ranks(result),
    ]
    if cells:
        text.append(_summary(cells))
        text.append(LEGEND)
    if result.absent:
        text.append("Data not present: " + ", ".join(result.absent) + ".")
    text += [  # splits that failed alike are told once
        f"Failed: {method} on {data}: {error}"
        for data, method, error in dict.fromkeys(result.failed)
    ]
    tables = [_beside_table(suite, cells, result.rows)] if cells else []
    tables += [_curve_table(suite, result.rows)] if not cells else []
    if suite.claims:
        tables.append(_claim_table(result.claims))
    return Section(suite.name, text, [table for table in tables if table.rows])


def _all_splits(suite: Suite) -> int:
    return max(protocol.splits for protocol in suite.protocols)


def _most_settings(suite: Suite) -> int:
    """Points of the largest grid that a method of the suite chooses from."""
    sizes = [1]
    for method in suite.methods:
        own = json.loads(method.spec.grid)
        for part in suite.data:
            grid = own | part.grids.get(method.spec.name, {})
            sizes.append(math.prod(map(len, grid.values())))
    return max(sizes)


def _gaps(rows: Sequence[Mapping[str, Any]]) -> list[str]:
    """How far from their optimum fits with a certificate were left."""
    gaps: dict[str, float] = {}
    for row in rows:
        if row["measure"] == "dual_gap":
            gaps[row["method"]] = max(gaps.get(row["method"], 0.0), row["value"])
    if not gaps:
        return []
    found = ", ".join(f"{method} {gap:.0e}" for method, gap in gaps.items())
    return [
        f"Largest duality gap of the final fits: {found} (relative for the ranking "
        "machines; for mt-lasso in units of its objective)."
    ]


def _ranks(result: SuiteResult) -> list[str]:
    test = rank_methods(result.suite, result.rows)
    return [] if test is None else [rank_sentence(result.suite, test)]


def _summary(cells: Sequence[Beside]) -> str:
    found = Counter(cell.verdict for cell in cells)
    made = [cell for cell in cells if cell.count]
    parts = ", ".join(f"{count} {verdict}" for verdict, count in found.most_common())
    return f"{len(made)} of {len(cells)} printed cells regenerated ({parts})."


def _beside_table(
    suite: Suite, cells: Sequence[Beside], rows: Sequence[Mapping[str, Any]]
) -> Table:
    """Printed cells as a table of data, measure and setting by method."""
    printed = list(dict.fromkeys(cell.cell.method for cell in cells))
    names = [part.spec.name for part in suite.methods]
    controls = [name for name in names if name not in printed]
    extra = [part.name for part in suite.data if part.extra]
    grid: dict[tuple[str, str, str], dict[str, str]] = defaultdict(dict)
    for cell in cells:
        place = (cell.cell.data, cell.cell.measure, cell.cell.setting)
        grid[place][cell.cell.method] = _cell_text(cell)
    for place, method, text in _control_cells(suite, cells, rows, controls, extra):
        grid[place][method] = text
    known = [*printed, *controls]
    return Table(
        "Ours beside the paper's",
        ["data", "measure", "setting", *known],
        [
            [*place, *(row.get(name, "") for name in known)]
            for place, row in grid.items()
        ],
    )


def _cell_text(cell: Beside) -> str:
    digits = 4 if abs(cell.cell.mean) < 1 and cell.cell.paper == "ji" else 3
    digits = 2 if abs(cell.cell.mean) >= 10 else digits
    printed = f"{cell.cell.mean:.{digits}f}"
    if not cell.count:
        return f"{cell.verdict} / {printed}"
    both = f"{cell.ours:.{digits}f} / {printed}"
    if cell.verdict not in MARKS:
        return both
    return f"{both} ({cell.away:+.1f} {MARKS[cell.verdict]})"


def _control_cells(
    suite: Suite,
    cells: Sequence[Beside],
    rows: Sequence[Mapping[str, Any]],
    controls: Sequence[str],
    extra: Sequence[str],
) -> Iterable[tuple[tuple[str, str, str], str, str]]:
    """Values of controls, and of all methods on data that the paper does not have."""
    printed = {cell.cell.measure for cell in cells} & set(suite.measures)
    wanted = printed or set(suite.measures)
    budgeted = any(is_budget(cell.cell.setting) for cell in cells)
    groups: dict[tuple[str, str, str, str], list[float]] = defaultdict(list)
    scale = cells[0].cell.scale
    for row in rows:
        if row["measure"] not in wanted or row["threshold"] not in ("", suite.cut):
            continue
        if row["method"] not in controls and row["data"] not in extra:
            continue
        setting = _setting(suite, row, budgeted)
        place = (row["data"], row["measure"], setting, row["method"])
        groups[place].append(row["value"])
    for (data, measure, setting, method), values in groups.items():
        text = f"{scale * float(np.mean(values)):.3f}"
        yield (data, measure, setting), method, text


def _setting(suite: Suite, row: Mapping[str, Any], budgeted: bool) -> str:
    """The printed name of a row's setting: its budget, its read-out, or nothing."""
    if len(suite.readouts) > 1:
        return str(row["readout"]) if row["readout"] != "self" else suite.readouts[0]
    if budgeted and row["share"] < 1:
        shares = {budget: float(budget.rstrip("%")) / 100 for budget in suite.budgets}
        if all(budget.endswith("%") for budget in suite.budgets):
            return min(shares, key=lambda name: abs(shares[name] - row["share"]))
        return str(row["budget"])
    return ""


def _curve_table(suite: Suite, rows: Sequence[Mapping[str, Any]]) -> Table:
    """Our values of a figure: data, training size, budget and measure by method."""
    sweeps = {part.spec.name for part in suite.methods if part.spec.sweep}
    shown = {*suite.measures}
    if len(suite.protocols) > 1:
        shown |= {"fit_seconds", "tune_seconds"}
    groups: dict[tuple[Any, ...], dict[str, list[float]]] = defaultdict(
        lambda: defaultdict(list)
    )
    for row in rows:
        if row["measure"] not in shown or row["threshold"] not in ("", suite.cut):
            continue
        setting = row["params"] if row["method"] in sweeps else ""
        place = (
            row["data"],
            row["n_train"],
            row["measure"],
            row["readout"] if len(suite.readouts) > 1 else "",
            row["budget"] if suite.budgets or _own_budgets(suite) else "",
            setting,
        )
        groups[place][row["method"]].append(row["value"])
    names = [part.spec.name for part in suite.methods]
    head = ["data", "training rows", "measure", "read-out", "features", "parameters"]
    body = [
        [*map(str, place), *(_mean_text(of.get(name)) for name in names)]
        for place, of in sorted(groups.items(), key=lambda item: item[0][:5])
    ]
    used = [k for k in range(len(head)) if any(row[k] for row in body)]
    kept = [*used, *range(len(head), len(head) + len(names))]
    return Table(
        "Our values, mean over splits",
        [[*head, *names][k] for k in kept],
        [[row[k] for k in kept] for row in body],
    )


def _own_budgets(suite: Suite) -> bool:
    return any(part.budgets for part in suite.data)


def _mean_text(values: Sequence[float] | None) -> str:
    if not values or math.isnan(float(np.mean(values))):
        return ""
    return f"{float(np.mean(values)):.3f}"


def _claim_table(found: Sequence[Claim]) -> Table:
    return Table(
        "The paper's claims",
        CLAIM_HEAD,
        [[claim.says, claim.verdict, claim.reason] for claim in found],
    )


def paper_section(results: Sequence[SuiteResult]) -> Section:
    """One line per paper: cells and how many hold; then which claims hold, and why."""
    rows, said = [], []
    for paper, title in PAPERS.items():
        mine = [result for result in results if result.suite.paper == paper]
        cells = [cell for result in mine for cell in result.cells]
        made = [cell for cell in cells if cell.count]
        good = [cell for cell in made if cell.verdict in ("within", "better")]
        judged = [cell for cell in made if cell.verdict != "shown"]
        # Suites that view one run judge alike: said once, under the first of them.
        judgements: dict[Claim, str] = {}
        for result in mine:
            for claim in result.claims:
                judgements.setdefault(claim, result.suite.name)
        holding = [claim for claim in judgements if claim.verdict == "holds"]
        said += [[of, c.says, c.verdict, c.reason] for c, of in judgements.items()]
        rows.append(
            [
                title,
                f"{len(made)} of {len(cells)}",
                f"{len(good)} of {len(judged)}",
                f"{len(holding)} of {len(judgements)}",
            ]
        )
    head = [
        "paper",
        "cells regenerated",
        "within one std or better",
        "claims that hold",
    ]
    claimed = Table("The papers' claims", ["suite", *CLAIM_HEAD], said)
    return Section("Summary", [], [Table("", head, rows), *([claimed] if said else [])])
