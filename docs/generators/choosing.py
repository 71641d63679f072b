# SPDX-License-Identifier: BSD-3-Clause
"""The guide "choosing a method", written from measured results and nothing else.

Every sentence of the page is a count or a mean over the values in ``docs/results``,
which ``labelsift bench export`` wrote.
"""

from pathlib import Path

import numpy as np
import pandas as pd

from labelsift.bench.export import PROVENANCE, read_provenance
from labelsift.experiment.catalogue import RANDOM
from labelsift.experiment.results import Results
from labelsift.metrics import MEASURES

BANDS = (("up to 5 %", 0.05), ("above 5 % to 20 %", 0.20), ("above 20 %", 0.9999))
OWN = "self"  # a method's own prediction
# A suite is judged by the first of these that it has.
PREFERRED = ("macro_auc", "micro_f1", "macro_f1", *MEASURES)
# What may be compared: methods on one data set with one read-out at one budget.
BLOCK = ["suite", "data", "readout", "threshold", "share", "measure"]


def write_choosing(results, page):
    """Write the page from the results.

    Parameters
    ----------
    results : Path
        A folder that ``labelsift bench export`` wrote, or one without results.
    page : Path
        Markdown file to write.
    """
    nothing = [
        "This page is a summary of measured results, and `docs/results/` holds none. "
        "`labelsift bench run` measures, `labelsift bench export` stores them.",
    ]
    lines = ["# Choosing a method", "", *(_guide(Path(results)) or nothing)]
    text = "\n".join(lines) + "\n"
    if not page.exists() or page.read_text() != text:
        page.write_text(text)


def read_values(folder):
    """All values of an export that are defined, with the share of the features."""
    suites = read_provenance(folder)["suites"].values()
    files = sorted({suite["values"] for suite in suites})
    values = pd.concat([Results.read(folder / file).values for file in files])
    values = values[np.isfinite(values["value"])]
    # Draws of a random ranking are one value of their split.
    place = [name for name in values if name not in ("draw", "value")]
    values = values.groupby(place, sort=False)["value"].mean().reset_index()
    return values.assign(share=values["budget"] / values["n_features"])


def judged_blocks(values):
    """Methods in the blocks of the preferred measure of each suite.

    A block in which a method has several settings for one split (a study of
    sensitivity) compares no methods; nor does one with a single method.

    Parameters
    ----------
    values : DataFrame
        From ``read_values``.

    Returns
    -------
    judged : DataFrame
        A row for a method in a block: the columns of BLOCK, method, mean, best (whether
        it is among the best), against_random, above_random.
    left_out : int
        How many blocks compare no methods.
    """
    measures = values.groupby("suite")["measure"].unique()
    preferred = measures.map(lambda own: next((m for m in PREFERRED if m in own), ""))
    readouts = values.groupby("suite")["readout"].unique()
    with_own = readouts.index[readouts.map(_is_one_kind)]
    values = values[values["measure"] == values["suite"].map(preferred)]
    # Methods that predict are compared with controls that need a read-out.
    own = values["suite"].isin(with_own)
    values = values.assign(readout=values["readout"].mask(own, OWN))
    judged, n_blocks = [], 0
    for key, block in values.groupby(BLOCK):
        n_blocks += 1
        twice = block.duplicated(["method", "split", "n_train"]).any()
        if not twice and block["method"].nunique() > 1:
            judged.append(_judged(block).assign(**dict(zip(BLOCK, key, strict=True))))
    if not judged:
        return pd.DataFrame(columns=[*BLOCK, "method"]), n_blocks
    return pd.concat(judged, ignore_index=True), n_blocks - len(judged)


def _is_one_kind(readouts):
    """Whether a suite has predictions of methods and at most one read-out as well."""
    return OWN in readouts and len({*readouts} - {OWN, ""}) <= 1


def _judged(block):
    """A row for each method of a block; gains are paired split by split."""
    sign = 1 if MEASURES[block["measure"].iloc[0]].greater_is_better else -1
    scores = sign * block.pivot(
        index=["split", "n_train"], columns="method", values="value"
    )
    best = scores.mean().idxmax()
    behind = scores.rsub(scores[best], axis=0)
    # Level with the best: behind by no more than a standard error.
    level = behind.mean() <= behind.sem()
    above = pd.Series(False, scores.columns)
    if RANDOM in scores:
        above = scores.sub(scores[RANDOM], axis=0).mean() > 0
    rows = pd.DataFrame({"mean": sign * scores.mean(), "above_random": above})
    rows["best"] = level | (rows.index == best)
    return rows.assign(against_random=RANDOM in scores).reset_index()


def _guide(folder):
    """The text; empty without methods to compare."""
    if not (folder / PROVENANCE).exists():
        return []
    values = read_values(folder)
    judged, left_out = judged_blocks(values)
    if judged.empty:
        return []
    chosen, whole = judged[judged["share"] < 1], judged[judged["share"] == 1]
    return [
        *_origin(values, judged, left_out, read_provenance(folder)),
        *_short(chosen),
        *_bands(chosen),
        *_data_sets(chosen),
        *_whole(whole),
        *_seconds(values),
        *_suites(judged),
    ]


def _link(method):
    page = Path(__file__).parents[1] / "methods" / f"{method}.md"
    return f"[{method}](methods/{method}.md)" if page.exists() else f"`{method}`"


def _table(head, rows, align="---:"):
    lines = [head, ["---", *[align] * (len(head) - 1)], *rows]
    return ["", *(f"| {' | '.join(map(str, line))} |" for line in lines), ""]


def _origin(values, judged, left_out, provenance):
    suites = sorted(set(judged["suite"]))
    versions = ", ".join(f"{name} {v}" for name, v in provenance["versions"].items())
    machine = provenance["machine"].items()
    place = ", ".join(f"{name} {value}" for name, value in machine)
    return [
        "Every number and sentence here is counted from the files in `docs/results/` "
        "by `docs/generators/choosing.py`; nothing else went into it.",
        "",
        f"{len(values)} values of the suites {', '.join(suites)}, measured "
        f"until {provenance['date']} ({place}; {versions}).",
        "",
        "A *block* is one data set with one read-out at one budget, judged by one "
        "measure; a value is the mean over its splits. A method is *among the best* of "
        "a block where it has the best mean, or is behind it by no more than one "
        "standard error of the difference split by split. "
        f"Blocks that hold one method only, or several settings of one: {left_out}; "
        "they are left out.",
        "",
    ]


def _counts(judged):
    """Counts of each method over its blocks, those most often among the best first."""
    names = ["best", "against_random", "above_random"]
    counts = judged.groupby("method")[names].sum()
    counts["blocks"] = judged.groupby("method").size()
    order = (-counts["best"] / counts["blocks"]).sort_values(kind="stable").index
    return counts.loc[order].reset_index()


def _short(judged):
    counts = _counts(judged)
    rows = [
        (
            _link(s.method),
            f"{s.best} of {s.blocks}",
            f"{s.above_random} of {s.against_random}" if s.method != RANDOM else "",
        )
        for s in counts.itertuples()
    ]
    weak = [
        _link(s.method)
        for s in counts.itertuples()
        if s.method != RANDOM and s.above_random * 2 < s.against_random
    ]
    lines = ["## In short", *_table(["method", "among the best", "above random"], rows)]
    if weak:
        lines += [
            "Above a random ranking in less than half of the blocks: "
            f"{', '.join(weak)}.",
            "",
        ]
    return lines


def _first(judged):
    """Up to three methods that are most often among the best."""
    counts = _counts(judged)
    first = counts[counts["best"] > 0][:3].itertuples()
    return ", ".join(f"{_link(s.method)} ({s.best} of {s.blocks})" for s in first)


def _bands(judged):
    rows, low = [], 0.0
    for name, high in BANDS:
        inside = judged[(judged["share"] > low) & (judged["share"] <= high)]
        low = high
        if len(inside):
            rows.append((name, _first(inside)))
    head = ["share of the features", "most often among the best"]
    return ["## By budget", *_table(head, rows, "---")]


def _data_sets(judged):
    rows = [(name, _first(part)) for name, part in judged.groupby("data")]
    head = ["data", "most often among the best"]
    return ["## By data set", *_table(head, rows, "---")]


def _whole(judged):
    if judged.empty:
        return []
    counts = _counts(judged).itertuples()
    rows = [(_link(s.method), f"{s.best} of {s.blocks}") for s in counts]
    head = ["method", "among the best"]
    return ["## With all features, nothing selected", *_table(head, rows)]


def _seconds(values):
    """A fit that serves several budgets counts once: its budgets are added up."""
    names = ["method", "data", "suite", "params", "n_train", "split"]
    times = values[values["measure"] == "fit_seconds"]
    fits = times.groupby(names)["value"].sum().reset_index()
    if fits.empty:
        return []
    return [
        "## Seconds of a fit",
        "",
        "For all budgets of a suite together, median over splits and suites.",
        *_cells(fits, "value", "median", "{:.2g}"),
    ]


def _suites(judged):
    """For each suite and read-out the means over splits and budgets."""
    lines = ["## Suite by suite", ""]
    place = ["suite", "readout", "threshold", "measure"]
    for (suite, readout, threshold, measure), part in judged.groupby(place):
        better = "larger" if MEASURES[measure].greater_is_better else "smaller"
        own = "own prediction, controls by ridge"
        parts = filter(None, (own if readout == OWN else readout, threshold))
        lines += [
            f"### {suite}: {', '.join(parts)}",
            "",
            f"`{measure}` ({better} is better), mean over the splits and over the "
            "budgets at which the method was run.",
            *_cells(part, "mean", "mean", "{:.3f}"),
        ]
    return lines


def _cells(table, values, summary, form):
    """A table of methods by data sets."""
    grid = table.pivot_table(
        index="method", columns="data", values=values, aggfunc=summary
    )
    rows = [
        [_link(method), *("" if np.isnan(x) else form.format(x) for x in row)]
        for method, *row in grid.itertuples()
    ]
    return _table(["method", *grid.columns], rows)
