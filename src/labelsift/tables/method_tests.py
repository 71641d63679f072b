# SPDX-License-Identifier: BSD-3-Clause
"""Ranks and tests of methods over data sets as tables."""

import math
from collections.abc import Sequence

import pandas as pd

from labelsift.experiment.results import Results
from labelsift.stats.blocks import MethodRanks, rank_methods
from labelsift.stats.wilcoxon import PairedTest
from labelsift.tables.document import Table
from labelsift.tables.result_table import (
    LACKING,
    main_readout,
    measure_title,
)

# The row of a rank table whose values are means over all budgets.
ALL_BUDGETS = "mean"


def rank_frame(
    results: Results,
    measures: Sequence[str] = (),
    *,
    readouts: Sequence[str] = (),
    budgets: Sequence[str] = (),
) -> pd.DataFrame:
    """Average ranks of methods over data sets, for every measure and budget.

    Only methods that were measured on the same splits with the same read-out and
    numbers of features are ranked together.

    Parameters
    ----------
    results : Results
        Of one or more data sets, at one threshold.
    measures : sequence of str, default=()
        Which; empty: all that the results have.
    readouts : sequence of str, default=()
        Which; empty: that of most methods.
    budgets : sequence of str, default=()
        Numbers and shares of features, each ranked on its own after the mean over all.

    Returns
    -------
    DataFrame
        measure, readout, budget ("mean": over all), n_data, p_value (Friedman's; NaN
        where it cannot be tested), critical_difference (Nemenyi's), and a column for
        each method: its average rank, NaN where it is not ranked.
    """
    rows = []
    for measure in measures or results.values["measure"].unique():
        for readout in readouts or [main_readout(results.where(measure=measure))]:
            for budget in budgets if len(budgets) == 1 else (None, *budgets):
                ranked = rank_methods(results, measure, readout=readout, budget=budget)
                if ranked.n_blocks:
                    place = (measure, readout, budget or ALL_BUDGETS)
                    rows.append(_row(place, ranked))
    places = [*_PLACE, *_TEST]
    methods = [name for name in _methods(results) if any(name in row for row in rows)]
    return pd.DataFrame(rows, columns=[*places, *methods])


_PLACE = ("measure", "readout", "budget")
_TEST = ("n_data", "p_value", "critical_difference")


def _methods(results: Results) -> list[str]:
    return [str(name) for name in results.values["method"].unique()]


def _row(place: tuple[str, str, str], ranked: MethodRanks) -> dict[str, object]:
    test = ranked.test
    tested = (math.nan, math.nan)
    if test is not None:
        tested = (test.p_value, test.critical_difference)
    values = (*place, ranked.n_blocks, *tested)
    return dict(zip((*_PLACE, *_TEST), values, strict=True)) | ranked.ranks


def rank_table(ranks: pd.DataFrame) -> Table:
    """What ``rank_frame`` gives as a table of texts."""
    methods = [name for name in ranks if name not in (*_PLACE, *_TEST)]
    rows = [
        [
            measure_title(row["measure"]),
            "own" if row["readout"] == "self" else row["readout"],
            row["budget"],
            str(row["n_data"]),
            _p_value(row["p_value"]),
            _number(row["critical_difference"]),
            *(_number(row[name]) for name in methods),
        ]
        for row in ranks.to_dict("records")
    ]
    head = ["measure", "read-out", "features", "data sets", "Friedman's p"]
    title = "Average ranks over data sets"
    return Table(title, [*head, "CD", *methods], rows, numbers=len(methods) + 3)


def pair_table(tests: Sequence[PairedTest], measure: str, place: str = "") -> Table:
    """Pairs of methods: how often, by how much, how surely the first is better.

    Parameters
    ----------
    tests : sequence of PairedTest
        From ``compare_methods``: differences are gains.
    measure : str
        What was compared.
    place : str, default=""
        Read-out and budget in words, for the title.

    Returns
    -------
    Table
        A row for each pair.
    """
    rows = []
    for test in tests:
        shift = test.shift
        interval = LACKING
        if math.isfinite(shift.low):
            interval = f"{shift.low:+.4f} to {shift.high:+.4f}"
        rows.append(
            [
                f"{test.first} – {test.second}",
                f"{test.wins} / {test.losses} of {test.n_blocks}",
                f"{test.mean_difference:+.4f}",
                f"{shift.estimate:+.4f}",
                interval,
                f"{test.effect:+.2f}",
                _p_value(test.p_value),
                _p_value(test.adjusted),
            ]
        )
    share = f"{tests[0].shift.confidence:.0%}" if tests else "95%"
    head = ["pair", "better / worse", "mean gain", "shift", f"{share} interval"]
    head += ["r", "p", "p (Holm)"]
    parts = [f"Signed-rank tests over data sets: {measure_title(measure)}", place]
    return Table(", ".join(filter(None, parts)), head, rows, numbers=7)


def _p_value(value: float) -> str:
    return LACKING if math.isnan(value) else f"{value:.3g}"


def _number(value: float) -> str:
    return LACKING if math.isnan(value) else f"{value:.2f}"
