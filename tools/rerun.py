# SPDX-License-Identifier: BSD-3-Clause
"""Run tasks of the leaderboard again: the same values, bit for bit?

    python tools/rerun.py [--suite leaderboard] [--tasks 200] [--seed 0] [--data traits]
        [--methods csfs,mdmr]
    python tools/rerun.py --confirm csfs,mdmr [--suite leaderboard]
    python tools/rerun.py --confirm all --drawn 2 [--seed 0] [--suite leaderboard]

Tasks that ended are drawn by the seed from ``docs/results/SUITE`` and run again by the
code of today. Every measure must be the same in every bit; seconds, memory and
time-outs may differ. The committed rows come from OpenBLAS's code for AVX-512: where
``labelsift doctor`` names another, set ``OPENBLAS_CORETYPE=SkylakeX``. Tasks whose
method or read-outs have other code than when they were measured are counted, too. Exit
code 1: a value differs.

``--confirm`` is for methods whose code is new but should give the same: the first split
of every data set is run again. Where all its values are the same, the rows of the
method on that data set stay, under the names of today's tasks, and ``about.json`` says
so; seconds are those of the older code. What failed has to fail with the same error,
and what ran out of time to do so again. The others have to be run anew (``labelsift
bench run SUITE --methods ... --data ...``, then ``tools/board.py``).

``--drawn N`` is for a change of code that all methods share and that should give the
same: N data sets of each method are drawn by the seed. One value that differs, and all
rows of its method have to be confirmed by themselves.
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
    at, rows, tasks = place_of(item), board.rows, board.tasks
    [before] = tasks[(tasks[PLACE] == list(at)).all(axis=1)].itertuples()
    if outcome.status != before.status:
        return [f"{at}: {outcome.status}, before {before.status}"]
    if before.status == "failed" and outcome.error != before.error:
        return [f"{at}: {outcome.error} Before: {before.error}"]
    if before.status != "done":
        return []
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


def confirm(board, planned, methods, drawn=0, seed=0):
    """The board with today's names of tasks where the first split gives the same."""
    todo = changed(board, planned, methods)
    ended = board.tasks.groupby(["data", "method"])["status"].nunique()
    mixed = {pair for pair in todo if ended[pair] > 1}  # of some splits, no values
    tried = draw(todo, drawn, seed) if drawn else list(todo)
    first = [todo[pair][0] for pair in tried if pair not in mixed]
    failed = {(item.data, item.method) for item in run_again(board, first)} | mixed
    if drawn:
        wrong = {method for _, method in failed}
        failed = {pair for pair in todo if pair[1] in wrong}
    same = [pair for pair in todo if pair not in failed]
    print(
        f"{len(same)} of {len(todo)} pairs of data set and method whose code is new "
        f"stay: {len(first)} tasks were run again."
    )
    for data, method in sorted(failed):
        print(f"to be run anew: {method} on {data}")
    names = {place_of(item): item.task.key for pair in same for item in todo[pair]}
    day = datetime.datetime.now(datetime.UTC).date().isoformat()
    return board.renamed(names, day, len(first) if drawn else 0), failed


def changed(board, planned, methods):
    """{(data, method): its tasks} for those whose code is new; no methods: all."""
    by_place = board.tasks.set_index(PLACE)["key"].to_dict()
    pairs = {}
    for item in planned:
        asked = not methods or item.method in methods
        if asked and by_place[place_of(item)] != item.task.key:
            pairs.setdefault((item.data, item.method), []).append(item)
    return pairs


def draw(pairs, count, seed):
    """So many data sets of each method, as pairs."""
    rng = np.random.default_rng(seed)
    by_method = {}
    for pair in pairs:
        by_method.setdefault(pair[1], []).append(pair)
    return [
        own[k] for own in by_method.values() for k in rng.permutation(len(own))[:count]
    ]


def main():
    parser = argparse.ArgumentParser(description="Run tasks of the leaderboard again.")
    parser.add_argument("--suite", default="leaderboard")
    parser.add_argument("--tasks", type=int, default=200)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--data", default="", help="only these, with commas")
    parser.add_argument("--methods", default="", help="only these, with commas")
    parser.add_argument("--confirm", default="", help="methods, with commas; or all")
    parser.add_argument("--drawn", type=int, default=0, help="data sets of a method")
    parser.add_argument("--board", type=Path, help="default: docs/results/SUITE")
    args = parser.parse_args()
    folder = args.board or RESULTS / args.suite
    board, suite = Board.read(folder), read_suite(args.suite)
    only = [name for name in args.data.split(",") if name]
    present, _ = find_data([suite], only or board.about["complete"])
    stored = board.tasks.set_index(PLACE)
    planned = [item for item in plan(suite, present) if place_of(item) in stored.index]
    if args.confirm:
        methods = [] if args.confirm == "all" else args.confirm.split(",")
        board, failed = confirm(board, planned, methods, args.drawn, args.seed)
        board.write(folder)
        sys.exit(1 if failed else 0)
    done = stored[stored["status"] == "done"]["key"].to_dict()
    asked = [name for name in args.methods.split(",") if name]
    planned = [
        item
        for item in planned
        if place_of(item) in done and (not asked or item.method in asked)
    ]
    drawn = np.random.default_rng(args.seed).permutation(len(planned))[: args.tasks]
    items = [planned[k] for k in sorted(drawn)]
    wrong = run_again(board, items)
    other = sum(done[place_of(item)] != item.task.key for item in items)
    print(
        f"{len(items)} tasks run again: {len(items) - len(wrong)} the same bit for "
        f"bit, {len(wrong)} not; {other} have other code than when measured."
    )
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
