# SPDX-License-Identifier: BSD-3-Clause
"""Run tasks of the leaderboard again: the same values, bit for bit?

    python tools/rerun.py [--tasks 200] [--seed 0] [--data traits]

Tasks that ended are drawn by the seed from ``docs/results/leaderboard`` and run again
by the code of today. Every measure must be the same in every bit; seconds, memory and
time-outs may differ. Tasks whose method or read-outs have other code than when they
were measured are counted, too. Exit code 1: a value differs.
"""

import argparse
import sys
from pathlib import Path

import numpy as np

from labelsift.bench.board import Board
from labelsift.bench.plan import find_data, plan
from labelsift.bench.suite_file import read_suite
from labelsift.experiment.run import run_task

BOARD = Path(__file__).parents[1] / "docs" / "results" / "leaderboard"
PLACE = ["data", "method", "draw", "split"]


def differences(board, item, outcome):
    """Measures of one task that are not the same as in the rows."""
    at = (item.data, item.method, item.draw, item.task.split)
    rows = board.rows
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


def main():
    parser = argparse.ArgumentParser(description="Run tasks of the leaderboard again.")
    parser.add_argument("--tasks", type=int, default=200)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--data", default="", help="only these, with commas")
    parser.add_argument("--board", type=Path, default=BOARD)
    args = parser.parse_args()
    board, suite = Board.read(args.board), read_suite("leaderboard")
    only = [name for name in args.data.split(",") if name]
    present, _ = find_data([suite], only or board.about["complete"])
    stored = board.tasks[board.tasks["status"] == "done"]
    places = zip(*(stored[name] for name in PLACE), strict=True)
    keys = dict(zip(places, stored["key"], strict=True))
    planned = [
        item
        for item in plan(suite, present)
        if (item.data, item.method, item.draw, item.task.split) in keys
    ]
    drawn = np.random.default_rng(args.seed).permutation(len(planned))[: args.tasks]
    same, changed, wrong = 0, 0, []
    for k in sorted(drawn):
        item = planned[k]
        at = (item.data, item.method, item.draw, item.task.split)
        found = differences(board, item, run_task(item.task))
        same += not found
        changed += keys[at] != item.task.key
        wrong += found
        for line in found:
            print(f"differs: {line}", flush=True)
    print(
        f"{len(drawn)} tasks run again: {same} the same bit for bit, "
        f"{len(drawn) - same} not; {changed} have other code than when measured."
    )
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
