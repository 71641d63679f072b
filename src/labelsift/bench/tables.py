# SPDX-License-Identifier: BSD-3-Clause
"""Results of a suite as tables: with the paper's cells, or as curves of a figure."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

from labelsift.bench.comparison_with_paper import comparable, is_budget
from labelsift.bench.suite import Suite
from labelsift.bench.suite_result import SuiteResult
from labelsift.core.budget import parse_budget
from labelsift.tables.document import Table

MARKS = {"within": "=", "better": "+", "worse": "-"}
# Columns that a cell of a printed table is in.
PLACE = ["data", "measure", "setting"]


def cell_table(result: SuiteResult) -> Table:
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
    """Values of controls, and of all methods on data that the paper does not have."""
    suite, cells = result.suite, result.cells
    printed = [name for name in suite.measures if name in set(cells["measure"])]
    extra = [part.name for part in suite.data if part.extra]
    values = comparable(suite, result.results)
    values = values[
        values["measure"].isin(printed or suite.measures)
        & (values["method"].isin(controls) | values["data"].isin(extra))
    ]
    values = values.assign(setting=_settings(suite, values, cells["setting"]))
    means = _means(values, [*PLACE, "method"])
    scaled = means * cells["scale"].iloc[0]
    return scaled.map("{:.3f}".format).rename("text").reset_index()


def _means(values: pd.DataFrame, place: list[str]) -> pd.Series:
    """Means of places over splits; draws and budgets are averaged within a split."""
    splits = values.groupby([*place, "split"], sort=False)["value"].mean()
    return splits.groupby(place, sort=False).mean()


def _settings(suite: Suite, values: pd.DataFrame, printed: pd.Series) -> Any:
    """The printed names of settings: budgets, read-outs, or nothing."""
    if printed.isin(suite.readouts).any():
        return values["readout"].replace("self", suite.readouts[0])
    if not any(map(is_budget, printed)):
        return ""
    names = values["budget"].astype(str).to_numpy()
    budgets = [parse_budget(budget) for budget in suite.budgets]
    if budgets and all(isinstance(budget, float) for budget in budgets):
        shares = (values["budget"] / values["n_features"]).to_numpy()
        nearest = abs(shares[:, np.newaxis] - np.array(budgets)).argmin(axis=1)
        names = np.array(suite.budgets)[nearest]
    return np.where(values["budget"] < values["n_features"], names, "")


def curve_table(result: SuiteResult) -> Table:
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
    means = _means(values, [*place, "method"]).reset_index()
    order = [name for name in place if name != "params"]
    texts = means.sort_values(order, kind="stable").assign(
        text=lambda table: table["value"].map("{:.3f}".format)
    )
    names = [method.name for method in suite.methods]
    title = "Our values, mean over splits"
    return _by_method(title, texts, place, list(heads.values()), names)
