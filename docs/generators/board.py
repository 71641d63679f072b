# SPDX-License-Identifier: BSD-3-Clause
"""What pages say of the leaderboard: means, ranks and seconds, from its rows alone.

A method that failed or ran out of time on a data set stays in every table: it shares
the last rank there with the others that did.
"""

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np
import pandas as pd

from labelsift.bench.board import Board, at_share
from labelsift.experiment.catalogue import ALL_FEATURES, RANDOM
from labelsift.metrics import MEASURES

SHARES = ("1%", "2%", "5%", "10%", "20%", "50%")
FOREST_SHARES = ("2%", "10%", "20%")
READOUTS = {"ridge": "ridge", "knn": "ML-kNN", "forest": "random forest"}
CONTROLS = (RANDOM, ALL_FEATURES)
DIGITS = 5
FOLDER = Path(__file__).parents[1] / "results" / "leaderboard"


def shares_of(readout):
    """The budgets at which a read-out is trained."""
    return FOREST_SHARES if readout == "forest" else SHARES


@dataclass(frozen=True, eq=False)
class Summary:
    """Tables over the complete data sets of a board.

    Parameters
    ----------
    board : Board
        The rows.
    """

    board: Board

    @cached_property
    def data(self):
        """Names of the data sets, in the order of the suite."""
        return list(self.board.about["complete"])

    @cached_property
    def methods(self):
        """Names of the methods."""
        return list(dict.fromkeys(self.board.tasks["method"]))

    @cached_property
    def selectors(self):
        """The methods that choose features by what they see."""
        return [name for name in self.methods if name not in CONTROLS]

    @cached_property
    def _means(self):
        """Means over draws, then splits; of methods that ended on every split."""
        tasks = self.board.tasks
        ended = tasks.assign(ok=tasks["status"] == "done")
        whole = ended.groupby(["data", "method"])["ok"].all()
        parts = {}
        for share in SHARES:
            rows = at_share(self.board, share)
            place = ["readout", "data", "method"]
            splits = rows.groupby([*place, "split"])[self.board.measures].mean()
            means = splits.groupby(place).mean().reset_index()
            pairs = zip(means["data"], means["method"], strict=True)
            parts[share] = means[[whole[pair] for pair in pairs]]
        return parts

    def values(self, measure, readout, share):
        """Mean of a measure: a row per method, a column per data set; NaN: none."""
        part = self._means[share]
        part = part[part["readout"] == readout]
        table = part.pivot(index="method", columns="data", values=measure)
        return table.reindex(index=self.methods, columns=self.data)

    def ranks(self, measure, readout, share, among=None):
        """Ranks on each data set, 1 is the best; who has no value shares the last.

        Means are compared as the page shows them: beyond DIGITS they are equal.
        """
        table = self.values(measure, readout, share).round(DIGITS)
        table = table.loc[[*self.selectors, RANDOM] if among is None else among]
        sign = -1 if MEASURES[measure].greater_is_better else 1
        return (sign * table).fillna(np.inf).rank(axis=0, method="average")

    @cached_property
    def seconds(self):
        """Median processor seconds of a fit for all budgets, by method and data set."""
        rows = self.board.rows.groupby(["data", "method", "draw", "split"])
        fits = rows["processor_seconds"].sum().reset_index()
        table = fits.pivot_table(
            index="method", columns="data", values="processor_seconds", aggfunc="median"
        )
        return table.reindex(index=self.methods, columns=self.data)

    @cached_property
    def memory(self):
        """Largest peak of memory of a task in MiB, by method.

        A process that has freed memory need not ask for it again, so that most of the
        tasks seem to take none: the largest says what a method may need.
        """
        return self.board.tasks.groupby("method")["memory_mib"].max()

    @cached_property
    def endings(self):
        """How many data sets a method failed or ran out of time on."""
        tasks = self.board.tasks
        bad = tasks[tasks["status"] != "done"]
        return {
            method: {
                status: sorted(set(part.loc[part["status"] == status, "data"]))
                for status in ("timeout", "failed")
            }
            for method, part in bad.groupby("method")
        }

    @cached_property
    def stability(self):
        """Mean stability at 10 % of the features, by method."""
        sizes = self.board.rows.drop_duplicates("data").set_index("data")["n_features"]
        counts = {name: max(1, int(0.1 * size + 1e-9)) for name, size in sizes.items()}
        table = self.board.stability
        at = table[table["budget"] == table["data"].map(counts)]
        return at.groupby("method")["stability"].mean()

    def above_random(self, measure, readout, share):
        """On how many data sets a method is better than the mean random ranking."""
        table = self.values(measure, readout, share)
        sign = 1 if MEASURES[measure].greater_is_better else -1
        return (sign * table).gt(sign * table.loc[RANDOM], axis=1).sum(axis=1)


def read_summary(folder=FOLDER):
    """The summary of the committed rows; None where there are none."""
    if not (Path(folder) / "about.json").exists():
        return None
    board = Board.read(Path(folder))
    return Summary(board) if len(board.rows) else None


def table_lines(head, rows):
    """A table in Markdown, numbers to the right of names."""
    lines = [head, ["---", *["---:"] * (len(head) - 1)], *rows]
    return ["", *(f"| {' | '.join(map(str, line))} |" for line in lines), ""]


def as_json(summary):
    """What the page's script shows, in plain values."""

    def plain(table, digits):
        return [
            [None if pd.isna(x) else round(float(x), digits) for x in row]
            for row in table.to_numpy()
        ]

    return {
        "protocol": summary.board.about["protocol"],
        "data": summary.data,
        "methods": summary.methods,
        "controls": list(CONTROLS),
        "measures": {
            name: [MEASURES[name].title, MEASURES[name].greater_is_better]
            for name in summary.board.measures
        },
        "readouts": READOUTS,
        "shares": {readout: list(shares_of(readout)) for readout in READOUTS},
        "values": {
            measure: {
                readout: {
                    share: plain(summary.values(measure, readout, share), DIGITS)
                    for share in shares_of(readout)
                }
                for readout in READOUTS
            }
            for measure in summary.board.measures
        },
        "seconds": plain(summary.seconds, 4),
        "stability": {k: round(float(v), 3) for k, v in summary.stability.items()},
        "memory": {k: round(float(v), 1) for k, v in summary.memory.items()},
        "endings": summary.endings,
    }
