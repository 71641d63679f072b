# SPDX-License-Identifier: BSD-3-Clause
"""The leaderboard as files: one row per fitted model, how tasks ended, stability.

``rows.csv.gz`` has the measures of each model as columns, ``tasks.csv.gz`` how every
task ended, ``stability.csv`` how much the splits agree, ``about.json`` protocol, date,
versions, data sets that are complete and those that are not run yet. A new board
retains data sets of an older one whose tasks have not changed since.
"""

import gzip
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from labelsift.bench.export import origin_now
from labelsift.bench.suite import Suite
from labelsift.core.budget import budget_count
from labelsift.datasets.atomic import replacing, write_text
from labelsift.experiment.catalogue import RANDOM
from labelsift.experiment.ledger import Ledger
from labelsift.experiment.results import NAMES, SIZES, STATUS, read_csv
from labelsift.experiment.task import Planned
from labelsift.metrics import stability

# Which version of the rules the rows follow; docs/leaderboard_rules.md has the log.
PROTOCOL = 2
MODEL = ["data", "method", "draw", "split", "n_train", "n_features", "readout"]
TASK = ["data", "method", "draw", "split", "status", "error", "seconds", "memory_mib"]
TIMES = ("fit_seconds", "processor_seconds", "readout_seconds")
_TYPES = NAMES | SIZES | STATUS | {"readout": str, "budget": int, "key": str}
_FILES = {
    "rows": "rows.csv.gz", "tasks": "tasks.csv.gz", "stability": "stability.csv",
}  # fmt: skip


@dataclass(frozen=True, eq=False)
class Board:
    """The rows of a leaderboard.

    Parameters
    ----------
    rows : DataFrame
        A row per fitted model: MODEL, budget, then measures and seconds.
    tasks : DataFrame
        How tasks ended: TASK, then key.
    stability : DataFrame
        data, method, budget and Nogueira's stability over the splits.
    about : dict
        Protocol, date, versions, complete and missing data sets, submissions; earlier:
        the same for data sets that were run before; confirmed: for each
        data set, the methods whose code has changed since, and when it gave the same;
        sampled: when code that all methods share gave the same, in how many tasks;
        remeasured: methods that were run anew since, and when.
    """

    rows: pd.DataFrame
    tasks: pd.DataFrame
    stability: pd.DataFrame
    about: dict[str, Any]

    @property
    def measures(self) -> list[str]:
        """The measures of quality."""
        return [name for name in self.rows if name not in {*MODEL, "budget", *TIMES}]

    def write(self, folder: Path) -> None:
        """Write the files; the same rows give the same bytes."""
        folder.mkdir(parents=True, exist_ok=True)
        for name, file in _FILES.items():
            text = getattr(self, name).to_csv(index=False, lineterminator="\n").encode()
            with replacing(folder / file) as path:
                packed = file.endswith(".gz")
                path.write_bytes(gzip.compress(text, mtime=0) if packed else text)
        write_text(json.dumps(self.about, indent=1) + "\n", folder / "about.json")

    @classmethod
    def read(cls, folder: Path) -> "Board":
        """Read what ``write`` wrote; all digits come back."""
        tables = {name: _read(folder / file) for name, file in _FILES.items()}
        about = json.loads((folder / "about.json").read_text(encoding="utf-8"))
        return cls(**tables, about=about)

    def merged(self, other: "Board") -> "Board":
        """With the methods of another board in place of those of the same name."""
        tables = {}
        for name in _FILES:
            own, new = getattr(self, name), getattr(other, name)
            again = set(zip(other.tasks["data"], other.tasks["method"], strict=True))
            pairs = zip(own["data"], own["method"], strict=True)
            stays = [pair not in again for pair in pairs]
            tables[name] = pd.concat([own[stays], new], ignore_index=True)
        return Board(**tables, about=self.about)

    def remeasured(self, again: "Board") -> "Board":
        """With the rows of methods that were run anew, in the same places.

        For a method whose code gives other values than before. Rows of all its tasks
        are needed: ``again`` has the same data sets and splits.
        """
        both, tables = self.merged(again), {}
        for name in _FILES:
            own, table = getattr(self, name), getattr(both, name)
            columns = [column for column in TASK[:4] if column in own]
            places = dict.fromkeys(own[columns].itertuples(index=False, name=None))
            position = {place: at for at, place in enumerate(places)}
            now = table[columns].itertuples(index=False, name=None)
            order = np.argsort([position[place] for place in now], kind="stable")
            tables[name] = table.iloc[order].reset_index(drop=True)
        methods = set(again.tasks["method"])
        confirmed = {
            data: {name: day for name, day in own.items() if name not in methods}
            for data, own in self.about.get("confirmed", {}).items()
        }
        days = dict.fromkeys(sorted(methods), again.about["date"])
        about = {
            "confirmed": confirmed,
            "remeasured": {**self.about.get("remeasured", {}), **days},
        }
        return Board(**tables, about=self.about | about)

    def renamed(
        self, keys: Mapping[tuple[Any, ...], str], day: str, drawn: int = 0
    ) -> "Board":
        """With other keys at some places (data, method, draw, split) of the tasks.

        For code that is new and gave the same values on this day: in each pair of data
        set and method, or, where all methods share it, in so many tasks ``drawn``.
        """
        places = zip(*(self.tasks[name] for name in TASK[:4]), strict=True)
        old = self.tasks["key"]
        new = [keys.get(at, key) for at, key in zip(places, old, strict=True)]
        if drawn:
            samples = [*self.about.get("sampled", []), {"date": day, "tasks": drawn}]
            about = self.about | {"sampled": samples}
        else:
            confirmed = {**self.about.get("confirmed", {})}
            for data, method in sorted({(data, method) for data, method, *_ in keys}):
                confirmed[data] = {**confirmed.get(data, {}), method: day}
            about = self.about | {"confirmed": confirmed}
        return replace(self, tasks=self.tasks.assign(key=new), about=about)

    def grown_from(self, older: "Board", planned: Sequence[Planned]) -> "Board":
        """With the complete data sets of an older board that this one lacks.

        Parameters
        ----------
        older : Board
            Of the same suite.
        planned : sequence of Planned
            All tasks of the suite today: a data set stays if it has exactly its tasks,
            which are named after code, data and settings.

        Returns
        -------
        Board
            Data sets in the order of the plan.
        """
        keys: dict[str, set[str]] = {}
        for item in planned:
            keys.setdefault(item.data, set()).add(item.task.key)
        had = older.tasks.groupby("data")["key"].agg(set)
        own = self.about["complete"]
        stays = {
            name
            for name in older.about["complete"]
            if name not in own and name in keys and had.get(name) == keys[name]
        }
        tables = {}
        for name in _FILES:
            old, new = getattr(older, name), getattr(self, name)
            both = pd.concat([old[old["data"].isin(stays)], new])
            order = both["data"].map({data: i for i, data in enumerate(keys)})
            at = order.argsort(kind="stable")
            tables[name] = both.iloc[at].reset_index(drop=True)
        about = self.about | {
            "complete": [name for name in keys if name in {*own, *stays}],
            "missing": [name for name in self.about["missing"] if name not in stays],
            "earlier": _earlier(older.about, stays),
            "confirmed": {
                name: methods
                for name, methods in older.about.get("confirmed", {}).items()
                if name in stays
            },
            "sampled": older.about.get("sampled", []) if stays else [],
            "remeasured": older.about.get("remeasured", {}) if stays else {},
        }
        return Board(**tables, about=about)


def _earlier(about: dict[str, Any], stays: set[str]) -> list[dict[str, Any]]:
    """When, with what and where data sets of an older board were run."""
    before = about.get("earlier", [])
    known = {name for part in before for name in part["data"]}
    last = {name: about[name] for name in ("date", "versions", "machine")}
    last["data"] = [name for name in about["complete"] if name not in known]
    parts = [
        part | {"data": [name for name in part["data"] if name in stays]}
        for part in [*before, last]
    ]
    return [part for part in parts if part["data"]]


def _read(path: Path) -> pd.DataFrame:
    """A table whose columns say their types by their names; others are measures."""
    names = pd.read_csv(path, nrows=0).columns
    return read_csv(path, {name: _TYPES.get(name, float) for name in names})


def make_board(
    suite: Suite, planned: Sequence[Planned], ledger: Ledger, *, whole: bool = True
) -> Board:
    """The rows of the data sets of which every planned task has ended.

    Parameters
    ----------
    suite : Suite
        The suite.
    planned : sequence of Planned
        Its tasks.
    ledger : Ledger
        Where they ended.
    whole : bool, default=True
        False: data sets of which some tasks are missing, too.

    Returns
    -------
    Board
        To be written, or merged into another one.
    """
    ended = ledger.statuses()
    lacking = {item.data for item in planned if item.task.key not in ended}
    left = [item for item in planned if not whole or item.data not in lacking]
    complete = list(dict.fromkeys(item.data for item in left))
    results = ledger.results(left, suite.name)
    values = results.values[results.values["readout"] != ""]
    rows = values.pivot_table(
        index=[*MODEL, "budget"], columns="measure", values="value", sort=False
    ).reset_index()
    columns = [*MODEL, "budget", *(m for m in suite.measures if m in rows), *TIMES]
    keys = {
        (item.data, item.method, item.draw, item.task.split): item.task.key
        for item in left
    }
    tasks = results.tasks[TASK].reset_index(drop=True)
    places = zip(*(tasks[name] for name in TASK[:4]), strict=True)
    about = origin_now() | {
        "protocol": PROTOCOL,
        "suite": suite.name,
        "complete": complete,
        "missing": [part.name for part in suite.data if part.name not in complete],
    }
    return Board(
        rows.reindex(columns=columns).rename_axis(columns=None),
        tasks.assign(key=[keys[place] for place in places]),
        _stability(ledger.artifacts(left), rows),
        about,
    )


def _stability(artifacts: pd.DataFrame, rows: pd.DataFrame) -> pd.DataFrame:
    """How much the chosen features of the splits agree, by number of features."""
    sizes = dict(zip(rows["data"], rows["n_features"], strict=True))
    chosen = artifacts[(artifacts["name"] == "chosen") & (artifacts["draw"] == 0)]
    rows = []
    for (data, method, budget), part in chosen.groupby(
        ["data", "method", "budget"], sort=False
    ):
        if method != RANDOM and len(part) > 1 and budget < sizes[data]:
            agreed = stability(part["value"].tolist(), sizes[data])
            rows.append((data, method, budget, agreed.index))
    return pd.DataFrame(rows, columns=["data", "method", "budget", "stability"])


def at_share(board: Board, share: str) -> pd.DataFrame:
    """The rows at a share of the features of their data set.

    A method that ranked fewer features stands with all it has; one that chooses none,
    with all features.
    """
    rows = board.rows
    wanted = rows["n_features"].map(
        {n: budget_count(share, n) for n in rows["n_features"].unique()}
    )
    place = ["data", "method", "draw", "split"]
    reached = rows.groupby(place)["budget"].transform("max")
    least = rows.groupby(place)["budget"].transform("min")
    at = np.maximum(np.minimum(wanted, reached), least)
    return rows[rows["budget"] == at]
