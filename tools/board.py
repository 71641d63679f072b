# SPDX-License-Identifier: BSD-3-Clause
"""Write the rows of the leaderboard from ledgers into ``docs/results/leaderboard``.

    python tools/board.py runs.sqlite [more.sqlite ...] [--suite leaderboard]

Only data sets of which every task has ended are written; ``about.json`` names the rest.
Those that the folder has from before stay, if their tasks are the ones of today. Tasks
of several ledgers are first put into the first one.
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


def main():
    parser = argparse.ArgumentParser(description="Write the rows of the leaderboard.")
    parser.add_argument("stores", nargs="+", type=Path)
    parser.add_argument("--suite", default="leaderboard")
    parser.add_argument("--out", type=Path)
    given = parser.parse_args()
    put_together(given.stores)
    suite = read_suite(given.suite)
    planned = plan(suite, find_data([suite])[0])
    with Ledger(given.stores[0], readonly=True) as ledger:
        board = make_board(suite, planned, ledger)
    out = given.out or RESULTS / given.suite
    if (out / "about.json").is_file():
        older = Board.read(out)
        board = board.grown_from(older, planned)
        lost = [
            name for name in older.about["complete"] if name in board.about["missing"]
        ]
        if lost:
            print(f"Removed, as their code or data changed: {', '.join(lost)}.")
    board.write(out)
    print(
        f"{len(board.rows)} rows of {len(board.about['complete'])} data sets in {out}"
    )


if __name__ == "__main__":
    main()
