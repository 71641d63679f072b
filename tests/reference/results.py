# SPDX-License-Identifier: BSD-3-Clause
"""Summaries of measured values by plain loops over rows (dicts)."""

import math
from statistics import fmean, stdev

CELL = ("suite", "data", "method", "readout", "threshold", "budget", "measure")


def where(rows, **wanted):
    """Rows in which each named column has one of its wanted values."""
    return [
        row
        for row in rows
        if all(row[name] in allowed for name, allowed in wanted.items())
    ]


def mean_over_splits(rows, *more):
    """{cell: (mean, std, standard error, n_splits)} in the order of appearance."""
    cells = {}
    for row in rows:
        if not math.isnan(row["value"]):
            cell = tuple(row[name] for name in (*CELL, *more))
            draws = cells.setdefault(cell, {}).setdefault(row["split"], [])
            draws.append(row["value"])
    summary = {}
    for cell, splits in cells.items():
        values = [fmean(draws) for draws in splits.values()]
        std = stdev(values) if len(values) > 1 else math.nan
        error = std / math.sqrt(len(values))
        summary[cell] = (fmean(values), std, error, len(values))
    return summary


def curve(rows, measure):
    """{(budget, method): mean over read-outs and data sets of the means of cells}."""
    means = {}
    of_measure = [row for row in rows if row["measure"] == measure]
    for cell, (mean, *_) in mean_over_splits(of_measure).items():
        named = dict(zip(CELL, cell, strict=True))
        means.setdefault((named["budget"], named["method"]), []).append(mean)
    return {place: fmean(values) for place, values in means.items()}


def by_block(rows, measure, block="data"):
    """{(block, method): mean over cells of means over splits of means over draws}."""
    blocks = {}
    for row in rows:
        if row["measure"] == measure and not math.isnan(row["value"]):
            cells = blocks.setdefault((row[block], row["method"]), {})
            splits = cells.setdefault(tuple(row[name] for name in CELL), {})
            splits.setdefault(row["split"], []).append(row["value"])
    return {
        place: fmean(
            fmean(fmean(draws) for draws in splits.values())
            for splits in cells.values()
        )
        for place, cells in blocks.items()
    }
