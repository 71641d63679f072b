# SPDX-License-Identifier: BSD-3-Clause
"""Check a submission to the leaderboard, measure it, and put its rows to the others.

    python tools/submit.py NAME --ranking orders.csv [--data traits,emotions]
    python tools/submit.py NAME --class package.module:Class [--data ...]

A ranking file has the columns data, split and feature (a column of X, counted from 0),
the best feature of a split first; at least half of the features of every split of a
data set must be ranked, by the rows of its training part alone. A class is a selector,
or an estimator with importances. Read-outs, measures, budgets, limits and splits are
those of the suite, whatever is submitted. Exit code 2: the submission was refused.
"""

import argparse
import sys
import tempfile
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd

from labelsift.bench.board import Board, make_board
from labelsift.bench.plan import find_data, plan
from labelsift.bench.suite import MethodPart
from labelsift.bench.suite_file import read_suite
from labelsift.core.base import BaseSelector
from labelsift.core.result import Ranking
from labelsift.core.text import safe_name
from labelsift.experiment.inputs import prepared
from labelsift.experiment.ledger import Ledger
from labelsift.experiment.own import as_selector, load, own_spec
from labelsift.experiment.pool import run_tasks

BOARD = Path(__file__).parents[1] / "docs" / "results" / "leaderboard"
COLUMNS = ["data", "split", "feature"]


class GivenRanking(BaseSelector):
    """The features in the order that a file gives.

    Parameters
    ----------
    n_features_to_select : int, float or None, default=None
        As in every selector.
    order : sequence of int
        Columns of X, the best first.
    """

    def __init__(self, n_features_to_select=None, *, order=()):
        self.n_features_to_select = n_features_to_select
        self.order = order

    def _rank(self, X, Y):
        scores = np.zeros(X.shape[1])
        scores[np.asarray(self.order)] = np.arange(len(self.order), 0, -1)
        return Ranking.from_scores(scores)


def read_rankings(path, suite, present):
    """{(data, split): order} of a file; a ValueError where it breaks a rule."""
    table = pd.read_csv(path)
    missing = [name for name in COLUMNS if name not in table]
    if missing:
        raise ValueError(f"{path} has no column {missing[0]!r}: write {COLUMNS}.")
    known = [part.name for part in suite.data]
    orders = {}
    for (data, split), part in table.groupby(["data", "split"], sort=False):
        if data not in known:
            raise ValueError(f"{path} ranks {data!r}: choose from {', '.join(known)}.")
        if data not in present:
            raise ValueError(f"{data} is not present here: its order is not checked.")
        size = prepared(present[data]).n_features
        orders[data, split] = checked(part["feature"].to_numpy(), size, data, split)
    for data in {data for data, _ in orders}:
        for split in range(suite.splits):
            if (data, split) not in orders:
                raise ValueError(f"{data} has no order of split {split}: rank it too.")
    return orders


def checked(order, size, data, split):
    """The order of one split as a list of columns."""
    where = f"{data}, split {split}"
    if order.dtype.kind not in "iu" or order.min() < 0 or order.max() >= size:
        raise ValueError(f"{where}: features are whole numbers from 0 to {size - 1}.")
    if len(set(order.tolist())) < len(order):
        raise ValueError(f"{where}: a feature is ranked twice.")
    if len(order) < size // 2:
        raise ValueError(f"{where}: {len(order)} of {size} are ranked, half is needed.")
    return order.tolist()


def planned_tasks(name, suite, present, estimator, orders):
    """The tasks of a submission: those of the suite with another method."""
    base = as_selector(estimator) if estimator is not None else GivenRanking()
    spec = own_spec(estimator if estimator is not None else base)
    alone = replace(suite, methods=(MethodPart(name, spec, estimator=base),))
    for item in plan(alone, present):
        task = item.task
        if orders is not None:
            order = orders[item.data, task.split]
            spec = replace(task.method, params={"order": order})
            own = task.own | {"method": GivenRanking(order=order)}
            task = replace(task, method=spec, own=own)
        yield replace(item, task=task)


def submit(name, *, ranking=None, cls=None, data=(), out=BOARD, suite="leaderboard"):
    """Measure a submission and write its rows; how many there are."""
    suite, board = read_suite(suite), Board.read(Path(out))
    safe_name(name, "The submission")
    if name in {method.name for method in suite.methods}:
        raise ValueError(f"{name!r} is a method of labelsift: take another name.")
    present, _ = find_data([suite], data)
    complete = board.about["complete"]
    orders = estimator = None
    if ranking is not None:
        orders = read_rankings(ranking, suite, present)
        present = {key: it for key, it in present.items() if (key, 0) in orders}
    else:
        thing = load(cls)
        estimator = thing() if isinstance(thing, type) else thing
    present = {key: present[key] for key in present if key in complete}
    if not present:
        raise ValueError(f"Submit orders of complete data sets: {', '.join(complete)}.")
    planned = list(planned_tasks(name, suite, present, estimator, orders))
    with tempfile.TemporaryDirectory() as folder, Ledger(f"{folder}/runs.sqlite") as to:
        run_tasks([item.task for item in planned], to)
        new = make_board(suite, planned, to)
    note = {"name": name, "by": "ranking" if ranking else cls, "data": [*present]}
    others = [it for it in board.about.get("submissions", []) if it["name"] != name]
    merged = board.merged(new)
    about = board.about | {"submissions": [*others, note]}
    replace(merged, about=about).write(Path(out))
    return new


def main():
    parser = argparse.ArgumentParser(description="Submit to the leaderboard.")
    parser.add_argument("name")
    given = parser.add_mutually_exclusive_group(required=True)
    given.add_argument("--ranking", type=Path)
    given.add_argument("--class", dest="cls")
    parser.add_argument("--data", default="", help="only these, with commas")
    parser.add_argument("--out", type=Path, default=BOARD)
    args = parser.parse_args()
    sys.path.insert(0, ".")
    only = [name for name in args.data.split(",") if name]
    try:
        new = submit(
            args.name, ranking=args.ranking, cls=args.cls, data=only, out=args.out
        )
    except (ValueError, OSError) as error:
        print(f"Refused: {error}", file=sys.stderr)
        sys.exit(2)
    ended = new.tasks["status"].value_counts().to_dict()
    print(f"{len(new.rows)} rows of {args.name} in {args.out}; tasks: {ended}")


if __name__ == "__main__":
    main()
