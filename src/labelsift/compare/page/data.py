# SPDX-License-Identifier: BSD-3-Clause
"""The content of a comparison's page as plain data: its only input."""

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd

from labelsift.compare.answer import Recommendation
from labelsift.compare.setup import Setup
from labelsift.core.budget import plain_number
from labelsift.core.data import MultiLabelData
from labelsift.core.provenance import versions
from labelsift.core.text import clean
from labelsift.core.threads import limited_threads
from labelsift.experiment.catalogue import ALL_FEATURES, RANDOM
from labelsift.experiment.results import Results
from labelsift.model_selection.target_kind import KINDS, TargetKind
from labelsift.model_selection.trust import Trust
from labelsift.prepare import Doubt
from labelsift.prepare.doubts.folds import WorstLabel

# Labels in the picture of co-occurrence, and weights in that of the chosen features.
MOST_LABELS = 40


@dataclass(frozen=True)
class Selection:
    """The features a method chose: on all rows, and in each split at the same size.

    Parameters
    ----------
    order, names : list
        Feature indices, best first, and their names.
    gain : list of float
        Of each step; empty where unknown.
    weights : list of list of float
        Per feature, or per column made of it, one value per label of
        ``PageData.frequent_labels``; empty where the read-out has none.
    splits : list of list of int
        Feature indices chosen in each split.
    costs : list of float
        Of the features; empty: all the same.
    weight_names : list of str
        What the weights belong to, where a table was prepared; empty: the features.
    """

    order: list[int]
    names: list[str]
    gain: list[float]
    weights: list[list[float]]
    splits: list[list[int]]
    costs: list[float]
    weight_names: list[str] = field(default_factory=list)


_NONE = Selection([], [], [], [], [], [])


@dataclass(frozen=True)
class PageData:
    """Everything on the page of a comparison.

    Names of features, labels and methods are untrusted; the page escapes them.

    Parameters
    ----------
    data : MultiLabelData
        The data.
    answer : Recommendation or None
        None where nothing was measured.
    measures : tuple of str
        In the order of their tabs; the answer is about the first.
    curves : DataFrame
        measure, method, budget, mean, std_error and n_splits.
    methods : tuple of str
        In the order in which they are shown; the controls are the last.
    selections : mapping of str to Selection
        By method.
    label_auc : DataFrame
        Mean AUC of every label (columns) by method and budget; of values R².
    costs : DataFrame
        By method: seconds (all budgets of one split, on average), memory_mib (the most
        of a split) and fits (how many splits).
    readouts : DataFrame
        Mean of the first measure by method and read-out at the shown budget; empty
        where there is one read-out only.
    provenance : mapping
        command, date, versions, seed, cv, readout, weights, warnings, left_out
        (method, why), columns_left_out (name, why), failed (method, error), cut
        (methods, why), within (seconds that were promised), running, n_done and
        n_planned.
    saved : mapping or None
        The recommended selection as ``labelsift apply`` takes it.
    doubts : tuple of Doubt
        What comes before the answer.
    worst_label : WorstLabel or None
        The label that the recommended features serve worst.
    trust : Trust or str
        How far the recommended features can be trusted; or why that is not known.
    """

    data: MultiLabelData
    answer: Recommendation | None
    measures: tuple[str, ...]
    curves: pd.DataFrame
    methods: tuple[str, ...]
    selections: Mapping[str, Selection]
    label_auc: pd.DataFrame
    costs: pd.DataFrame
    readouts: pd.DataFrame
    provenance: Mapping[str, Any]
    saved: Mapping[str, Any] | None = None
    doubts: tuple[Doubt, ...] = ()
    worst_label: WorstLabel | None = None
    trust: Trust | str = ""

    @property
    def title(self) -> str:
        """Title of the page."""
        return f"Which features of {clean(self.data.name)}, and how many"

    @property
    def kind(self) -> TargetKind:
        """What follows from what Y holds: labels or values."""
        return KINDS[self.data.kind]

    @property
    def candidates(self) -> list[str]:
        """The methods without the controls."""
        return [m for m in self.methods if m not in (RANDOM, ALL_FEATURES)]

    @property
    def budget(self) -> float:
        """The recommended budget, or the largest that was measured; 0 without any."""
        if self.answer is not None:
            return self.answer.budget
        budgets = self.curves.loc[self.curves["method"] != ALL_FEATURES, "budget"]
        return plain_number(budgets.max()) if len(budgets) else 0

    @property
    def by_cost(self) -> bool:
        """Whether budgets are totals of cost."""
        return self.answer is not None and bool(self.answer.purchases)

    @property
    def total_cost(self) -> float | None:
        """What the recommended features cost, chosen on all rows."""
        if self.answer is None or not self.by_cost:
            return None
        costs = self.selections.get(self.answer.method, _NONE).costs
        return math.fsum(costs) if costs else None

    @property
    def most(self) -> int | None:
        """How many features of a selection are shown; None: all that were bought."""
        return None if self.by_cost else int(self.budget)

    @property
    def size(self) -> str:
        """The shown budget in words."""
        if self.by_cost:
            return f"features for {self.budget:,g}"
        return f"{int(self.budget):,} features"

    @cached_property
    def frequent_labels(self) -> list[int]:
        """Indices of at most MOST_LABELS labels, the most frequent, or targets."""
        if self.kind.name == "values":
            return list(range(self.data.n_labels))[:MOST_LABELS]
        counts = (self.data.Y == 1).sum(axis=0)
        indices: list[int] = np.argsort(-counts, kind="stable")[:MOST_LABELS].tolist()
        return indices

    @cached_property
    def image_shape(self) -> tuple[int, int] | None:
        """Rows and columns of pixels, where features are called pixel_ROW_COLUMN."""
        return image_shape(self.data.feature_names)

    def curve(self, measure: str, method: str) -> pd.DataFrame:
        """Mean, std_error and n_splits of a method by budget, budgets increasing."""
        nothing = self.curves[:0].set_index("budget")
        return self._curves.get((measure, method), nothing)

    @cached_property
    def _curves(self) -> dict[tuple[str, str], pd.DataFrame]:
        table = self.curves.set_index("budget").sort_index()
        parts = table.groupby(["measure", "method"], sort=False)
        return {(str(measure), str(method)): part for (measure, method), part in parts}

    def mean(self, measure: str, method: str) -> float:
        """Mean of a method at the shown budget, of all features; NaN without one."""
        curve = self.curve(measure, method)["mean"]
        if method == ALL_FEATURES:
            return float(curve.iloc[0]) if len(curve) else float("nan")
        return float(curve.get(self.budget, float("nan")))


def page_data(
    setup: Setup,
    results: Results,
    artifacts: pd.DataFrame,
    final: pd.DataFrame,
    answer: Recommendation | None,
    command: str = "",
    doubts: Sequence[Doubt] = (),
    running: str = "",
) -> PageData:
    """Everything that the page shows of a comparison; see Comparison for the parts."""
    measures = tuple(sorted(setup.measures, key=lambda name: name != setup.metric))
    whole, results = results, results.where(readout=setup.readout)
    means = results.where(measure=measures).mean_over_splits()
    measured = set(means["method"])
    methods = [m for m in (*setup.methods, RANDOM, ALL_FEATURES) if m in measured]
    page = PageData(
        data=setup.data,
        answer=answer,
        measures=measures,
        curves=means[["measure", "method", "budget", "mean", "std_error", "n_splits"]],
        methods=tuple(methods),
        selections={},
        label_auc=_label_auc(artifacts),
        costs=_costs(results),
        readouts=pd.DataFrame(),
        provenance=_provenance(setup, results, command) | {"running": running},
        doubts=tuple(doubts),
        worst_label=setup.worst_label(artifacts, answer),
    )
    selections = {
        name: _selection(page, setup, name, artifacts, final)
        for name in page.candidates
    }
    readouts = _readouts(whole, setup, page.budget)
    page = replace(page, selections=selections, readouts=readouts)
    if answer is not None and page.selections.get(answer.method, _NONE).order:
        saved, trust = setup.saved(final, answer.method), _trust(page, setup, answer)
        page = replace(page, saved=saved, trust=trust)
    return page


def _trust(page: PageData, setup: Setup, answer: Recommendation) -> Trust | str:
    """What is known of the recommended features beyond that they were chosen."""
    method = answer.method
    seconds = float(page.costs["seconds"].get(method, float("nan")))
    with limited_threads(1):  # as in a task: threads of small fits mostly wait
        return setup.examined(method, page.selections[method].order, seconds)


def image_shape(names: Sequence[str]) -> tuple[int, int] | None:
    """Rows and columns of pixels, where features are called pixel_ROW_COLUMN."""
    places = [re.fullmatch(r"pixel_(\d+)_(\d+)", name) for name in names]
    if not all(places):
        return None
    pixels = [(int(place[1]), int(place[2])) for place in places if place]
    height, width = (1 + max(pixel[k] for pixel in pixels) for k in (0, 1))
    expected = [(row, column) for row in range(height) for column in range(width)]
    return (height, width) if pixels == expected else None


def _selection(
    page: PageData,
    setup: Setup,
    method: str,
    artifacts: pd.DataFrame,
    final: pd.DataFrame,
) -> Selection:
    on_all_rows = final[final["method"] == method].set_index("name")["value"]
    order = list(on_all_rows.get("order", []))
    chosen = artifacts[
        (artifacts["method"] == method)
        & (artifacts["name"] == "order")
        & (artifacts["budget"] <= page.budget)
    ]
    # A method may stop before its budget: the largest selection of each split up to it.
    chosen = chosen.sort_values(["split", "budget"])
    chosen = chosen.drop_duplicates("split", keep="last")
    units = setup.units
    shares = units.column_costs() if units is not None and units.costs else []
    return Selection(
        order=order,
        names=[setup.data.feature_names[i] for i in order],
        gain=list(on_all_rows.get("gain", [])),
        weights=[
            [row[label] for label in page.frequent_labels]
            for row in on_all_rows.get("weights", [])
        ],
        splits=chosen["value"].tolist(),
        costs=[shares[i] for i in order] if shares else [],
        weight_names=list(on_all_rows.get("columns", [])),
    )


def _label_auc(artifacts: pd.DataFrame) -> pd.DataFrame:
    """Mean over the splits; NaN where a label has none."""
    rows = artifacts[artifacts["name"] == "label_auc"]
    index = pd.MultiIndex.from_frame(rows[["method", "budget"]])
    table = pd.DataFrame(rows["value"].tolist(), index=index, dtype=float)
    return table.groupby(level=["method", "budget"]).mean()


def _readouts(results: Results, setup: Setup, budget: float) -> pd.DataFrame:
    """Mean by method and read-out at a budget, and with all features."""
    if len(setup.readouts) == 1:
        return pd.DataFrame()
    means = results.where(measure=setup.metric).mean_over_splits()
    shown = (means["budget"] == budget) | (means["method"] == ALL_FEATURES)
    table = means[shown].pivot_table(index="method", columns="readout", values="mean")
    return table.reindex(columns=list(setup.readouts))


def _costs(results: Results) -> pd.DataFrame:
    fits = results.values[results.values["measure"] == "fit_seconds"]
    table = fits.groupby("method").agg(
        total=("value", "sum"), fits=("split", "nunique")
    )
    done = results.tasks[results.tasks["status"] == "done"]
    table["seconds"] = table["total"] / table["fits"]
    table["memory_mib"] = done.groupby("method")["memory_mib"].max()
    return table.drop(index=[RANDOM, ALL_FEATURES], errors="ignore")


def cut_by_why(tasks: pd.DataFrame) -> list[tuple[list[str], str]]:
    """The methods that a promised time had no room for, by the reason."""
    cut = tasks[tasks["status"] == "cut"].drop_duplicates(["method", "error"])
    parts = cut.groupby("error", sort=False)["method"]
    return [(names.tolist(), str(why)) for why, names in parts]


def _provenance(setup: Setup, results: Results, command: str) -> dict[str, Any]:
    tasks = results.tasks
    failed = results.failed.drop_duplicates("method", keep="last")
    affected = tasks[tasks["warnings"] != ""]
    warned = [
        f"{method}: {line}"
        for method, lines in zip(affected["method"], affected["warnings"], strict=True)
        for line in lines.splitlines()
    ]
    return {
        "command": command or "labelsift.compare.compare",
        "date": datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC"),
        "versions": versions(),
        "seed": setup.protocol.seed,
        "cv": setup.cv,
        "readout": setup.readout,
        "weights": _weights_told(setup.data.weights),
        "warnings": list(dict.fromkeys(warned)),
        "left_out": [(item.method, item.why) for item in setup.left_out],
        "columns_left_out": list(setup.columns_left_out),
        "failed": list(zip(failed["method"], failed["error"], strict=True)),
        "cut": cut_by_why(tasks),
        "within": setup.within,
        "n_done": int((tasks["status"] == "done").sum()),
        "n_planned": len(setup.tasks()),
    }


def _weights_told(weights: Any) -> str:
    """How much rows count, in words; empty: all the same."""
    if weights is None:
        return ""
    return f"from {weights.min():g} to {weights.max():g}, {weights.sum():g} in all"
