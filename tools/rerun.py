# SPDX-License-Identifier: BSD-3-Clause
"""Run tasks of the leaderboard again: the same values, bit for bit?

    python tools/rerun.py [--suite leaderboard] [--tasks 200] [--seed 0] [--data traits]
    python tools/rerun.py --confirm csfs,mdmr [--suite leaderboard]

Tasks that ended are drawn by the seed from ``docs/results/SUITE`` and run again by the
code of today. Every measure must be the same in every bit; seconds, memory and
time-outs may differ. Tasks whose method or read-outs have other code than when they
were measured are counted, too. Exit code 1: a value differs.

``--confirm`` is for methods whose code is new but should give the same: the first split
of every data set is run again. Where all its values are the same, the rows of the
method on that data set stay, under the names of today's tasks, and ``about.json`` says
so; seconds are those of the older code. The others have to be run anew (``labelsift
bench run SUITE --methods ... --data ...``, then ``tools/board.py``).
"""

import argparse
import datetime
import sys
from pathlib import Path

import numpy as np

from labelsift.bench.board import Board
from labelsift.bench.plan import find_data, plan
from labelsift.bench.suite_file import read_suite
from labelsift.experiment.run import run_task

RESULTS = Path(__file__).parents[1] / "docs" / "results"
PLACE = ["data", "method", "draw", "split"]


def place_of(item):
    """Where the values of a planned task are in a board."""
    return item.data, item.method, item.draw, item.task.split


def differences(board, item, outcome):
    """Measures of one task that are not the same as in the rows."""
    at, rows = place_of(item), board.rows
    own = rows[(rows[PLACE] == list(at)).all(axis=1)]
    old = own.set_index(["readout", "budget"])[board.measures].stack()
    new = outcome.values[outcome.values["measure"].isin(board.measures)]
    new = new.set_index(["readout", "budget", "measure"])["value"].dropna()
    if sorted(old.index) != sorted(new.index):
        return [f"{at}: other models"]
    old = old.sort_index().to_numpy()
    names = new.sort_index().index
    unequal = np.flatnonzero(old != new.sort_index().to_numpy())
    return [f"{at}, {', '.join(map(str, names[k]))}" for k in unequal]


def run_again(board, items):
    """The tasks whose values are not the same; what differs is printed."""
    wrong = []
    for item in items:
        found = differences(board, item, run_task(item.task))
        wrong += [item] if found else []
        for line in found:
            print(f"differs: {line}", flush=True)
    return wrong


def confirm(board, planned, methods):
    """The board with today's names of tasks where the first split gives the same."""
    ended = dict(zip(*(board.tasks[name] for name in ("key", "status")), strict=True))
    by_place = board.tasks.set_index(PLACE)["key"].to_dict()
    todo = {}
    for item in planned:
        if item.method in methods and by_place[place_of(item)] != item.task.key:
            todo.setdefault((item.data, item.method), []).append(item)
    failed = {
        pair
        for pair, items in todo.items()
        if any(ended[by_place[place_of(item)]] != "done" for item in items)
    }
    first = [items[0] for pair, items in todo.items() if pair not in failed]
    failed |= {(item.data, item.method) for item in run_again(board, first)}
    same = [pair for pair in todo if pair not in failed]
    names = {place_of(item): item.task.key for pair in same for item in todo[pair]}
    day = datetime.datetime.now(datetime.UTC).date().isoformat()
    print(
        f"{len(same)} of {len(todo)} pairs of data set and method whose code is new "
        "gave the same bit for bit."
    )
    for data, method in sorted(failed):
        print(f"to be run anew: {method} on {data}")
    return board.renamed(names, day), failed


def main():
    parser = argparse.ArgumentParser(description="Run tasks of the leaderboard again.")
    parser.add_argument("--suite", default="leaderboard")
    parser.add_argument("--tasks", type=int, default=200)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--data", default="", help="only these, with commas")
    parser.add_argument("--confirm", default="", help="methods, with commas")
    parser.add_argument("--board", type=Path, help="default: docs/results/SUITE")
    args = parser.parse_args()
    folder = args.board or RESULTS / args.suite
    board, suite = Board.read(folder), read_suite(args.suite)
    only = [name for name in args.data.split(",") if name]
    present, _ = find_data([suite], only or board.about["complete"])
    stored = board.tasks.set_index(PLACE)
    planned = [item for item in plan(suite, present) if place_of(item) in stored.index]
    if args.confirm:
        board, failed = confirm(board, planned, args.confirm.split(","))
        board.write(folder)
        sys.exit(1 if failed else 0)
    done = stored[stored["status"] == "done"]["key"].to_dict()
    planned = [item for item in planned if place_of(item) in done]
    drawn = np.random.default_rng(args.seed).permutation(len(planned))[: args.tasks]
    items = [planned[k] for k in sorted(drawn)]
    wrong = run_again(board, items)
    changed = sum(done[place_of(item)] != item.task.key for item in items)
    print(
        f"{len(items)} tasks run again: {len(items) - len(wrong)} the same bit for "
        f"bit, {len(wrong)} not; {changed} have other code than when measured."
    )
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
