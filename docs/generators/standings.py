# SPDX-License-Identifier: BSD-3-Clause
"""From kept results to what may be compared, and how methods fared in it.

``docs/results/SUITE.csv`` hold one value a line, as ``labelsift bench export`` writes
them.
"""

import csv
import math
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean, stdev

from labelsift.metrics import MEASURES

COLUMNS = (
    "suite", "data", "method", "readout", "threshold", "budget", "share", "params",
    "n_train", "split", "measure", "value",
)  # fmt: skip
RANDOM = "random"
OWN = "self"  # a method's own prediction
# A suite is judged by the first of these that it has.
PREFERRED = ("macro_auc", "micro_f1", "macro_f1", *MEASURES)


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
            missing = set(COLUMNS) - set(reader.fieldnames or ())
            if missing:
                raise ValueError(
                    f"{path} lacks the column {min(missing)!r}: it must have "
                    f"{', '.join(COLUMNS)}."
                )
            rows += [row for row in reader if row["value"]]
    for row in rows:
        row["value"], row["share"] = float(row["value"]), float(row["share"] or "nan")
    return [row for row in rows if math.isfinite(row["value"])]


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
        return [self._sign * (one[split] - two[split]) for split in one if split in two]

    @property
    def best(self):
        return max(sorted(self.values), key=lambda name: self._sign * self.mean(name))

    def among_the_best(self, method):
        """Best, or behind the best by no more than a standard error of the gap."""
        behind = self.gain(self.best, method)
        if len(behind) < 2:
            return method == self.best
        return fmean(behind) <= stdev(behind) / math.sqrt(len(behind))

    @property
    def _sign(self):
        return 1 if MEASURES[self.measure].greater_is_better else -1


def blocks_of(rows):
    """The blocks of the preferred measure of each suite, and how many are left out.

    A block in which a method stands with several settings for one split (a study of
    sensitivity) compares no methods; nor does one with a single method.
    """
    preferred = _preferred(rows)
    readouts = defaultdict(set)
    for row in rows:
        readouts[row["suite"]].add(row["readout"])
    with_own = {suite for suite, found in readouts.items() if _is_one_kind(found)}
    groups, twice = defaultdict(lambda: defaultdict(dict)), set()
    for row in rows:
        if row["measure"] != preferred.get(row["suite"]) or math.isnan(row["share"]):
            continue
        # Methods that predict stand beside controls that need a read-out.
        readout = OWN if row["suite"] in with_own else row["readout"]
        place = (row["suite"], row["data"], readout, row["threshold"])
        key = (*place, row["share"], row["measure"])
        split = (row["split"], row["n_train"])
        if split in groups[key][row["method"]]:
            twice.add(key)
        groups[key][row["method"]][split] = row["value"]
    kept = [
        Block(*key, dict(values))
        for key, values in groups.items()
        if key not in twice and len(values) > 1
    ]
    return kept, len(groups) - len(kept)


def _is_one_kind(readouts):
    """Whether a suite has predictions of methods and at most one read-out beside."""
    return OWN in readouts and len(readouts - {OWN, ""}) <= 1


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
    methods = {method for block in blocks for method in block.values}
    found = [_standing(method, blocks) for method in sorted(methods)]
    return sorted(found, key=lambda s: (-s.n_best / s.n_blocks, s.method))


def _standing(method, blocks):
    mine = [block for block in blocks if method in block.values]
    beside = [block for block in mine if RANDOM in block.values]
    gains = [block.gain(method, RANDOM) for block in beside]
    above = sum(fmean(gain) > 0 for gain in gains if gain)
    best = sum(block.among_the_best(method) for block in mine)
    return Standing(method, len(mine), best, len(beside), above)
