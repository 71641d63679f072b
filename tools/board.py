# SPDX-License-Identifier: BSD-3-Clause
"""Write the rows of the leaderboard from ledgers into ``docs/results/leaderboard``.

    python tools/board.py runs.sqlite [more.sqlite ...] [--suite leaderboard]
    python tools/board.py runs.sqlite --methods cmlfs [--suite leaderboard]

Only data sets of which every task has ended are written; ``about.json`` names the rest.
Those that the folder has from before stay, if their tasks are the ones of today. Tasks
of several ledgers are first put into the first one.

``--methods`` is for methods whose code gives other values than before and that were run
anew (``labelsift bench run SUITE --methods ...``): their rows on the data sets that the
folder has take the place of the old ones, and ``about.json`` says when.
"""

import argparse
import sqlite3
from contextlib import closing
from pathlib import Path

from labelsift.bench.board import Board, make_board
from labelsift.bench.plan import find_data, plan
from labelsift.bench.suite_file import read_suite
from labelsift.experiment.ledger import Ledger

RESULTS = Path(__file__).parents[1] / "docs" / "results"


def put_together(stores):
    """Copy the tasks that the first ledger lacks from the others into it."""
    with Ledger(stores[0]):  # no other driver may write now
        for store in stores[1:]:
            with closing(sqlite3.connect(stores[0])) as ledger:
                ledger.execute("ATTACH ? AS other", (str(store),))
                lacks = "WHERE key NOT IN (SELECT key FROM main.tasks)"
                for table in ("measured", "artifacts", "tasks"):
                    ledger.execute(
                        f"INSERT INTO main.{table} SELECT * FROM other.{table} {lacks}"
                    )
                ledger.commit()


def grown(suite, planned, ledger, out):
    """Data sets that are complete, and those of the folder that stay."""
    board = make_board(suite, planned, ledger)
    if not (out / "about.json").is_file():
        return board
    older = Board.read(out)
    board = board.grown_from(older, planned)
    lost = [name for name in older.about["complete"] if name in board.about["missing"]]
    if lost:
        print(f"Removed, as their code or data changed: {', '.join(lost)}.")
    return board


def remeasured(suite, planned, ledger, out, methods):
    """The folder with new rows of some methods; all their tasks must have ended."""
    older = Board.read(out)
    own = [
        item
        for item in planned
        if item.method in methods and item.data in older.about["complete"]
    ]
    ended = ledger.statuses()
    missing = sum(item.task.key not in ended for item in own)
    if missing or not own:
        raise SystemExit(
            f"{missing} of {len(own)} tasks of {', '.join(methods)} are not in the "
            f"ledger: labelsift bench run {suite.name} --methods {','.join(methods)}"
        )
    return older.remeasured(make_board(suite, own, ledger))


def main():
    parser = argparse.ArgumentParser(description="Write the rows of the leaderboard.")
    parser.add_argument("stores", nargs="+", type=Path)
    parser.add_argument("--suite", default="leaderboard")
    parser.add_argument("--methods", default="", help="only these, with commas")
    parser.add_argument("--out", type=Path)
    given = parser.parse_args()
    put_together(given.stores)
    suite = read_suite(given.suite)
    planned = plan(suite, find_data([suite])[0])
    out = given.out or RESULTS / given.suite
    methods = [name for name in given.methods.split(",") if name]
    with Ledger(given.stores[0], readonly=True) as ledger:
        if methods:
            board = remeasured(suite, planned, ledger, out, methods)
        else:
            board = grown(suite, planned, ledger, out)
    board.write(out)
    print(
        f"{len(board.rows)} rows of {len(board.about['complete'])} data sets in {out}"
    )


if __name__ == "__main__":
    main()
