# SPDX-License-Identifier: BSD-3-Clause
"""The guide "choosing a method", made from measured results and nothing else.

``docs/results/SUITE.csv`` hold one value a line, with the columns suite, data, method,
readout, threshold, budget, share, params, n_train, split, measure and value, as
``labelsift bench export`` writes them with ``machine.json``, which says where and when
they were measured. Every sentence of the page is a count or a mean over these lines.
"""

import csv
import json
import math
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean, median, stdev

from labelsift.metrics import MEASURES

COLUMNS = (
    "suite", "data", "method", "readout", "threshold", "budget", "share", "params",
    "n_train", "split", "measure", "value",
)  # fmt: skip
RANDOM = "random"
OWN = "self"  # a method's own prediction
# A suite is judged by the first of these that it has.
PREFERRED = ("macro_auc", "micro_f1", "macro_f1", *MEASURES)
BANDS = (("up to 5 %", 0.05), ("above 5 % to 20 %", 0.20), ("above 20 %", 0.9999))


@dataclass(frozen=True)
class Block:
    """What may be compared: one data set, read-out, threshold, budget and measure."""

    suite: str
    data: str
    readout: str
    threshold: str
    share: float
    measure: str
    values: dict  # method -> {split: value}

    def mean(self, method):
        return fmean(self.values[method].values())

    def gain(self, method, other):
        """How much better a method is than another, split by split."""
        one, two = self.values[method], self.values[other]
        sign = 1 if MEASURES[self.measure].greater_is_better else -1
        return [sign * (one[split] - two[split]) for split in one if split in two]

    @property
    def best(self):
        sign = 1 if MEASURES[self.measure].greater_is_better else -1
        return max(sorted(self.values), key=lambda method: sign * self.mean(method))

    def among_the_best(self, method):
        """Best, or behind the best by no more than a standard error of the gap."""
        behind = self.gain(self.best, method)
        if len(behind) < 2:
            return method == self.best
        return fmean(behind) <= stdev(behind) / math.sqrt(len(behind))


def read_results(folder):
    """All lines of the result files.

    Parameters
    ----------
    folder : Path
        With the CSV files.

    Returns
    -------
    list of dict
        ``value`` and ``share`` as numbers, lines without a value left out.
    """
    rows = []
    for path in sorted(Path(folder).glob("*.csv")):
        with path.open(newline="") as file:
            reader = csv.DictReader(file)
            missing = [
                name for name in COLUMNS if name not in (reader.fieldnames or ())
            ]
            if missing:
                raise ValueError(
                    f"{path} lacks the column {missing[0]!r}: it must have "
                    f"{', '.join(COLUMNS)}."
                )
            rows += [row for row in reader if row["value"]]
    for row in rows:
        row["value"], row["share"] = float(row["value"]), float(row["share"] or "nan")
    return [row for row in rows if math.isfinite(row["value"])]


def blocks_of(rows):
    """The blocks of the preferred measure of each suite, and how many are left out.

    A block in which a method stands with several settings for one split (a study of
    sensitivity) compares no methods; nor does one with a single method.
    """
    preferred = _preferred(rows)
    with_own = {row["suite"] for row in rows if row["readout"] == OWN}
    groups, twice = defaultdict(lambda: defaultdict(dict)), set()
    for row in rows:
        if row["measure"] != preferred.get(row["suite"]) or math.isnan(row["share"]):
            continue
        # Methods that predict stand beside controls that need a read-out.
        readout = OWN if row["suite"] in with_own else row["readout"]
        key = (row["suite"], row["data"], readout, row["threshold"], row["share"],
               row["measure"], row["n_train"])  # fmt: skip
        if row["split"] in groups[key][row["method"]]:
            twice.add(key)
        groups[key][row["method"]][row["split"]] = row["value"]
    kept = [
        Block(*key[:-1], dict(values))
        for key, values in groups.items()
        if key not in twice and len(values) > 1
    ]
    return kept, len(groups) - len(kept)


def _preferred(rows):
    """The first measure of PREFERRED that a suite has."""
    measures = defaultdict(set)
    for row in rows:
        measures[row["suite"]].add(row["measure"])
    return {
        suite: next(name for name in PREFERRED if name in found)
        for suite, found in measures.items()
        if found & set(PREFERRED)
    }


@dataclass(frozen=True)
class Standing:
    """How a method fared over some blocks."""

    method: str
    n_blocks: int
    n_best: int
    n_against_random: int
    n_above_random: int


def standings(blocks):
    """One Standing per method, those most often among the best first."""
    found = []
    for method in sorted({method for block in blocks for method in block.values}):
        mine = [block for block in blocks if method in block.values]
        beside = [block for block in mine if RANDOM in block.values]
        above = [
            b for b in beside if (gain := b.gain(method, RANDOM)) and fmean(gain) > 0
        ]
        best = sum(block.among_the_best(method) for block in mine)
        found.append(Standing(method, len(mine), best, len(beside), len(above)))
    return sorted(found, key=lambda s: (-s.n_best / s.n_blocks, s.method))


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
        lines += _short("## In short", chosen) + _bands(chosen) + _data_sets(chosen)
        lines += _short("## With all features, nothing selected", whole)
        lines += _seconds(rows) + _suites(blocks)
    else:
        lines += [
            "This page is a summary of measured results, and `docs/results/` holds "
            "none. `labelsift bench run` makes them.",
        ]
    text = "\n".join(lines) + "\n"
    if not page.exists() or page.read_text() != text:
        page.write_text(text)


def _link(method):
    page = Path(__file__).parents[1] / "methods" / f"{method}.md"
    return f"[{method}](methods/{method}.md)" if page.exists() else f"`{method}`"


def _table(head, rows):
    lines = [head, ["---", *["---:"] * (len(head) - 1)], *rows]
    return ["", *(f"| {' | '.join(map(str, line))} |" for line in lines), ""]


def _origin(rows, blocks, left_out, machine):
    suites = sorted({block.suite for block in blocks})
    versions = ", ".join(f"{name} {v}" for name, v in machine["versions"].items())
    place = ", ".join(f"{name} {value}" for name, value in machine["machine"].items())
    return [
        "Every number and sentence here is counted from the files in `docs/results/` "
        "by `docs/generators/choosing.py`; nothing else went into it.",
        "",
        f"{len(rows)} values of {len(suites)} suites ({', '.join(suites)}), measured "
        f"until {machine['date']} ({place}; {versions}).",
        "",
        "A *block* is one data set with one read-out at one budget, judged by one "
        "measure; a value is the mean over its splits. A method is *among the best* of "
        "a block where it has the best mean, or is behind it by no more than one "
        "standard error of the difference split by split. "
        f"{left_out} blocks hold one method only or several settings of a method, and "
        "are left out.",
        "",
    ]


def _of(part, whole):
    return f"{part} of {whole}" if whole else "not beside it"


def _short(title, blocks):
    if not blocks:
        return []
    found = standings(blocks)
    rows = [
        (_link(s.method), _of(s.n_best, s.n_blocks),
         "" if s.method == RANDOM else _of(s.n_above_random, s.n_against_random))
        for s in found
    ]  # fmt: skip
    weak = [
        _link(s.method)
        for s in found
        if s.method != RANDOM and s.n_above_random * 2 < s.n_against_random
    ]
    lines = [title, *_table(["method", "among the best", "above random"], rows)]
    if weak:
        lines += [
            "Above a random ranking in less than half of the blocks: "
            f"{', '.join(weak)}."
        ]
    return [*lines, ""]


def _bands(blocks):
    rows, low = [], 0.0
    for name, high in BANDS:
        inside = [block for block in blocks if low < block.share <= high]
        low = high
        if inside:
            first = [
                f"{_link(s.method)} ({s.n_best}/{s.n_blocks})"
                for s in standings(inside)[:3]
            ]
            rows.append((name, len(inside), ", ".join(first)))
    head = ["share of the features", "blocks", "most often among the best"]
    return ["## By budget", *_table(head, rows)]


def _data_sets(blocks):
    rows = []
    for data in sorted({block.data for block in blocks}):
        mine = [block for block in blocks if block.data == data]
        first = [
            f"{_link(s.method)} ({s.n_best}/{s.n_blocks})" for s in standings(mine)[:3]
        ]
        rows.append((data, len(mine), ", ".join(first)))
    return [
        "## By data set",
        *_table(["data", "blocks", "most often among the best"], rows),
    ]


def _seconds(rows):
    times = defaultdict(list)
    for row in rows:
        if row["measure"] == "fit_seconds":
            times[row["method"], row["data"]].append(row["value"])
    if not times:
        return []
    data = sorted({name for _, name in times})
    methods = sorted({method for method, _ in times})
    cells = [
        [_link(method), *(
            f"{median(times[method, name]):.3g}" if (method, name) in times else ""
            for name in data
        )]
        for method in methods
    ]  # fmt: skip
    return [
        "## Seconds",
        "",
        "Median over the fits.",
        *_table(["method", *data], cells),
    ]


def _suites(blocks):
    """For each suite and read-out the means over the budgets that all methods share."""
    lines = ["## Suite by suite", ""]
    groups = defaultdict(list)
    for block in blocks:
        groups[block.suite, block.readout, block.threshold, block.measure].append(block)
    for (suite, readout, threshold, measure), mine in sorted(groups.items()):
        data = sorted({block.data for block in mine})
        methods = sorted({method for block in mine for method in block.values})
        cells = [
            [_link(method), *(_mean_cell(mine, method, name) for name in data)]
            for method in methods
        ]
        better = "larger" if MEASURES[measure].greater_is_better else "smaller"
        label = (
            ", ".join(part for part in (readout, threshold) if part) or "no read-out"
        )
        lines += [
            f"### {suite}: {label}",
            "",
            f"`{measure}` ({better} is better), mean over the splits and over the "
            "budgets at which the method was run.",
            *_table(["method", *data], cells),
        ]
    return lines


def _mean_cell(blocks, method, data):
    means = [b.mean(method) for b in blocks if b.data == data and method in b.values]
    return f"{fmean(means):.3f}" if means else ""
