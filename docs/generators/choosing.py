# SPDX-License-Identifier: BSD-3-Clause
"""The guide "choosing a method", made from measured results and nothing else.

Every sentence of the page is a count or a mean over the lines that ``standings`` reads;
``docs/results/machine.json`` says where and when they were measured.
"""

import json
from collections import defaultdict
from pathlib import Path
from statistics import fmean, median

from generators.standings import OWN, RANDOM, blocks_of, read_results, standings
from labelsift.metrics import MEASURES

BANDS = (("up to 5 %", 0.05), ("above 5 % to 20 %", 0.20), ("above 20 %", 0.9999))


def write_choosing(results, page):
    """Make the page from the results.

    Parameters
    ----------
    results : Path
        Folder of the CSV files and machine.json.
    page : Path
        Markdown file to write.
    """
    rows = read_results(results)
    blocks, left_out = blocks_of(rows)
    lines = ["# Choosing a method", ""]
    if blocks:
        machine = json.loads((Path(results) / "machine.json").read_text())
        chosen = [block for block in blocks if block.share < 1]
        whole = [block for block in blocks if block.share == 1]
        lines += _origin(rows, blocks, left_out, machine)
        lines += _short(chosen) + _bands(chosen) + _data_sets(chosen) + _whole(whole)
        lines += _seconds(rows) + _suites(blocks)
    else:
        lines += [
            "This page is a summary of measured results, and `docs/results/` holds "
            "none. `labelsift bench run` makes them, `labelsift bench export` keeps "
            "them.",
        ]
    text = "\n".join(lines) + "\n"
    if not page.exists() or page.read_text() != text:
        page.write_text(text)


def _link(method):
    page = Path(__file__).parents[1] / "methods" / f"{method}.md"
    return f"[{method}](methods/{method}.md)" if page.exists() else f"`{method}`"


def _table(head, rows, align="---:"):
    lines = [head, ["---", *[align] * (len(head) - 1)], *rows]
    return ["", *(f"| {' | '.join(map(str, line))} |" for line in lines), ""]


def _origin(rows, blocks, left_out, machine):
    suites = sorted({block.suite for block in blocks})
    versions = ", ".join(f"{name} {v}" for name, v in machine["versions"].items())
    place = ", ".join(f"{name} {value}" for name, value in machine["machine"].items())
    return [
        "Every number and sentence here is counted from the files in `docs/results/` "
        "by `docs/generators/choosing.py`; nothing else went into it.",
        "",
        f"{len(rows)} values of the suites {', '.join(suites)}, measured "
        f"until {machine['date']} ({place}; {versions}).",
        "",
        "A *block* is one data set with one read-out at one budget, judged by one "
        "measure; a value is the mean over its splits. A method is *among the best* of "
        "a block where it has the best mean, or is behind it by no more than one "
        "standard error of the difference split by split. "
        f"Blocks that hold one method only, or several settings of one: {left_out}; "
        "they are left out.",
        "",
    ]


def _short(blocks):
    found = standings(blocks)
    rows = [
        (
            _link(s.method),
            f"{s.n_best} of {s.n_blocks}",
            f"{s.n_above_random} of {s.n_against_random}" if s.method != RANDOM else "",
        )
        for s in found
    ]
    weak = [
        _link(s.method)
        for s in found
        if s.method != RANDOM and s.n_above_random * 2 < s.n_against_random
    ]
    lines = ["## In short", *_table(["method", "among the best", "above random"], rows)]
    if weak:
        lines += [
            "Above a random ranking in less than half of the blocks: "
            f"{', '.join(weak)}.",
            "",
        ]
    return lines


def _first(blocks):
    """Up to three methods that are most often among the best."""
    found = [s for s in standings(blocks) if s.n_best][:3]
    return ", ".join(f"{_link(s.method)} ({s.n_best} of {s.n_blocks})" for s in found)


def _bands(blocks):
    rows, low = [], 0.0
    for name, high in BANDS:
        inside = [block for block in blocks if low < block.share <= high]
        low = high
        if inside:
            rows.append((name, _first(inside)))
    head = ["share of the features", "most often among the best"]
    return ["## By budget", *_table(head, rows, "---")]


def _data_sets(blocks):
    names = sorted({block.data for block in blocks})
    rows = [(name, _first([b for b in blocks if b.data == name])) for name in names]
    head = ["data", "most often among the best"]
    return ["## By data set", *_table(head, rows, "---")]


def _whole(blocks):
    if not blocks:
        return []
    rows = [(_link(s.method), f"{s.n_best} of {s.n_blocks}") for s in standings(blocks)]
    head = ["method", "among the best"]
    return ["## With all features, nothing selected", *_table(head, rows)]


def _seconds(rows):
    """A fit that serves several budgets counts once: its budgets are added up."""
    fits = defaultdict(float)
    for row in rows:
        if row["measure"] == "fit_seconds":
            names = ("method", "data", "suite", "params", "n_train", "split")
            fits[tuple(row[name] for name in names)] += row["value"]
    times = defaultdict(list)
    for (method, data, *_), seconds in fits.items():
        times[method, data].append(seconds)
    if not times:
        return []
    return [
        "## Seconds of a fit",
        "",
        "For all budgets of a suite together, median over splits and suites.",
        *_cells(times, lambda seconds: f"{median(seconds):.2g}"),
    ]


def _suites(blocks):
    """For each suite and read-out the means over splits and budgets."""
    lines = ["## Suite by suite", ""]
    groups = defaultdict(lambda: defaultdict(list))
    for block in blocks:
        place = (block.suite, block.readout, block.threshold, block.measure)
        for method in block.values:
            groups[place][method, block.data].append(block.mean(method))
    for (suite, readout, threshold, measure), means in sorted(groups.items()):
        better = "larger" if MEASURES[measure].greater_is_better else "smaller"
        own = "own prediction, controls by ridge"
        parts = filter(None, (own if readout == OWN else readout, threshold))
        lines += [
            f"### {suite}: {', '.join(parts)}",
            "",
            f"`{measure}` ({better} is better), mean over the splits and over the "
            "budgets at which the method was run.",
            *_cells(means, lambda values: f"{fmean(values):.3f}"),
        ]
    return lines


def _cells(found, show):
    """A table of methods by data sets from {(method, data): values}."""
    methods, data = (sorted(set(names)) for names in zip(*found, strict=True))
    rows = [
        [_link(m), *(show(found[m, d]) if (m, d) in found else "" for d in data)]
        for m in methods
    ]
    return _table(["method", *data], rows)
