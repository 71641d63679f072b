# SPDX-License-Identifier: BSD-3-Clause
"""Results as a table of a paper: data sets by methods, the best marked, ranks below."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import pandas as pd

from labelsift.experiment.results import Results
from labelsift.metrics import EVERY_MEASURE
from labelsift.stats.blocks import (
    MethodRanks,
    at_budget,
    choosing,
    greater_is_better,
    rank_methods,
)
from labelsift.tables.document import (
    Cell,
    Table,
    csv_table,
    html_table,
    latex_table,
    markdown_table,
)

# Where there is no value.
LACKING = "–"


@dataclass(frozen=True, eq=False)
class ResultTable:
    """Means and deviations of a measure: a row a data set, a column a method.

    ``str(table)`` is Markdown; notebooks show it as HTML.

    Parameters
    ----------
    measure, readout : str
        What was measured, and what was trained on the chosen features.
    budget : str
        How many features, in words; empty where nothing is chosen.
    mean, std, n_splits : DataFrame
        Over splits, draws averaged within each; NaN where there is no value. The
        deviation of one split is NaN.
    ranks : MethodRanks
        Of the methods that can be compared; the others have columns after them.
    """

    measure: str
    readout: str
    budget: str
    mean: pd.DataFrame
    std: pd.DataFrame
    n_splits: pd.DataFrame
    ranks: MethodRanks

    @property
    def title(self) -> str:
        """Measure, direction, read-out and budget in words."""
        direction = "higher" if greater_is_better(self.measure) else "lower"
        measure = f"{measure_title(self.measure)} ({direction} is better)"
        parts = (measure, readout_words(self.readout), self.budget)
        return ", ".join(part for part in parts if part)

    @property
    def note(self) -> str:
        """What the cells are, and who is not compared."""
        deviations = self.n_splits.to_numpy() > 1
        cells = "Mean ± standard deviation over splits" if deviations.any() else "Means"
        text = f"{cells}; best in bold, second underlined."
        left_out = left_out_words(self.ranks.left_out)
        return f"{text} Shown and not compared: {left_out}." if left_out else text

    def frame(self) -> pd.DataFrame:
        """The texts as a DataFrame, average ranks in the last row.

        Returns
        -------
        DataFrame
            A row for each data set, a column for each method.
        """
        table = self.table()
        rows = [[cell.text for cell in row] for row in table.cells]
        texts = pd.DataFrame(rows, columns=[str(name) for name in table.head])
        return texts.set_index(table.head[0])

    def table(self) -> Table:
        """The table as part of a document."""
        methods = [str(name) for name in self.mean]
        rows = [[Cell(str(data)), *self._cells(data)] for data in self.mean.index]
        shown = [self.ranks.ranks.get(name) for name in methods]
        ranks = [LACKING if rank is None else f"{rank:.2f}" for rank in shown]
        foot = [[Cell("average rank"), *_marked(shown, ranks, greater=False)]]
        return Table(self.title, ["data", *methods], rows, foot, len(methods))

    def _cells(self, data: Any) -> list[Cell]:
        """The cells of a data set; the best are marked among those that compare."""
        digits = (
            EVERY_MEASURE[self.measure].digits if self.measure in EVERY_MEASURE else 3
        )
        means, stds = self.mean.loc[data], self.std.loc[data]
        texts = []
        for mean, std in zip(means, stds, strict=True):
            text = LACKING if math.isnan(mean) else f"{mean:.{digits}f}"
            texts.append(text if math.isnan(std) else f"{text} ± {std:.{digits}f}")
        compared = [
            mean if name in self.ranks.ranks and not math.isnan(mean) else None
            for name, mean in means.items()
        ]
        return _marked(compared, texts, greater=greater_is_better(self.measure))

    def to_markdown(self) -> str:
        """The table in Markdown; best bold, second underlined."""
        return "\n".join([*markdown_table(self.table()), "", self.note, ""])

    def to_latex(self) -> str:
        """The table in LaTeX; it needs the package booktabs."""
        return "\n".join([*latex_table(self.table()), ""])

    def to_csv(self) -> str:
        """The texts with commas between them."""
        return csv_table(self.table())

    def to_html(self) -> str:
        """The table as a piece of HTML."""
        return html_table(self.table())

    def __str__(self) -> str:
        return self.to_markdown()

    def _repr_html_(self) -> str:
        return self.to_html()


def result_table(
    results: Results,
    measure: str,
    *,
    readout: str | None = None,
    budget: str | int | None = None,
) -> ResultTable:
    """Lay results out as the table of a paper.

    Parameters
    ----------
    results : Results
        Of one or more data sets, at one threshold.
    measure : str
        Which measure.
    readout : str or None, default=None
        What was trained on the chosen features; None: the only one. Methods that were
        not measured with it are shown with what they have, and not compared.
    budget : str, int or None, default=None
        A number ("20") or share ("5%") of the features; None: the mean over all.

    Returns
    -------
    ResultTable
        With ``to_markdown``, ``to_latex``, ``to_csv``, ``to_html`` and ``frame``.
    """
    part = results.where(measure=measure)
    if not part.values["value"].notna().any():
        known = ", ".join(results.values["measure"].unique()) or "none: nothing was run"
        raise ValueError(f"There are no values of {measure!r}: choose from {known}.")
    readout = readout or main_readout(part)
    shown = _shown(at_budget(part, budget), readout)
    ranks = rank_methods(shown, measure, readout=readout)
    order = sorted(
        shown.values["method"].unique(), key=lambda name: name in ranks.left_out
    )
    cells = _cells(shown).unstack("method")
    data = shown.values["data"].unique()
    mean, std, count = (
        cells[name].reindex(index=data, columns=order) for name in _AGGREGATES
    )
    words = _words(shown.where(method=list(ranks.ranks)), budget)
    return ResultTable(measure, readout, words, mean, std, count, ranks)


def _words(compared: Results, budget: str | int | None) -> str:
    """How many features the methods have that are compared."""
    values = compared.values
    if not choosing(values):
        return ""
    if budget is not None:
        return budget_words(str(budget))
    several = values.groupby("data")["budget"].nunique().max() > 1
    return "mean over numbers of features" if several else ""


_AGGREGATES = ("mean", "std", "count")


def _cells(shown: Results) -> pd.DataFrame:
    """Mean, deviation and number of splits: over draws, then budgets, then splits."""
    values = shown.values
    place = ["data", "method", "split"]
    draws = values.groupby([*place, "readout", "budget"], sort=False)["value"].mean()
    splits = draws.groupby(place, sort=False).mean()
    cells = splits.groupby(["data", "method"], sort=False).agg(list(_AGGREGATES))
    return pd.DataFrame(cells)


def _shown(part: Results, readout: str) -> Results:
    """Values with a read-out, and of methods without it what they have."""
    values = part.values[part.values["value"].notna()]
    own = values["readout"] == readout
    others = ~values["method"].isin(values["method"][own])
    return Results(values[own | others], part.tasks)


def main_readout(results: Results) -> str:
    """The read-out of most methods; a ValueError where several would do."""
    methods = results.values.groupby("readout", sort=False)["method"].nunique()
    counts = {str(name): int(count) for name, count in methods.items() if name}
    fitted = [name for name in counts if name != "self"]
    if len(fitted) > 1:
        raise ValueError(
            f"There are several read-outs ({', '.join(fitted)}): choose one with "
            "readout."
        )
    return max([*fitted, *counts], key=lambda name: counts[name], default="self")


def _marked(
    values: list[float | None], texts: list[str], *, greater: bool
) -> list[Cell]:
    """Texts with the best and the second best of the values marked."""
    sign = -1 if greater else 1
    ordered = sorted({sign * value for value in values if value is not None})
    marks = dict(zip(ordered[:2], ("best", "second"), strict=False))
    if len(ordered) < 2:
        marks = {}  # where all are equal, none is the best
    return [
        Cell(text, "" if value is None else marks.get(sign * value, ""))
        for value, text in zip(values, texts, strict=True)
    ]


def left_out_words(left_out: Mapping[str, str]) -> str:
    """Methods that are not compared, by reason."""
    by_reason: dict[str, list[str]] = {}
    for name, why in left_out.items():
        by_reason.setdefault(why, []).append(name)
    return "; ".join(f"{', '.join(names)} ({why})" for why, names in by_reason.items())


def measure_title(measure: str) -> str:
    """What a measure is called in tables."""
    known = EVERY_MEASURE.get(measure)
    return measure.replace("_", " ") if known is None else known.title


def readout_words(readout: str) -> str:
    """What was trained on the chosen features, in words."""
    return "own predictions" if readout == "self" else f"read-out {readout}"


def budget_words(budget: str) -> str:
    """How many features, in words."""
    share = budget.endswith("%") or "." in budget
    return f"{budget} of the features" if share else f"{budget} features"
