# SPDX-License-Identifier: BSD-3-Clause
"""Hours that the leaderboard was expected to take, and those that it took.

    LABELSIFT_DATA=FOLDER python perf/plan_estimates.py [leaderboard leaderboard-wide]

``labelsift bench run`` says before it starts how long it will take. Here that is
compared, data set by data set, with the seconds of the committed tasks, some of which
were measured with other work beside them; tasks that failed or ran out of time are left
out. The last three columns are of methods whose fits take next to no time: read-outs,
thresholds and measures.
"""

import sys
from pathlib import Path

from labelsift.bench.board import Board
from labelsift.bench.estimate import expected_seconds
from labelsift.bench.plan import find_data, plan
from labelsift.bench.suite_file import read_suite

RESULTS = Path(__file__).parents[1] / "docs" / "results"
PLACE = ["data", "method", "draw", "split"]
QUICK = ("fisher", "hsic", "ppt", "random")


def main(names):
    print("hours of one core             all tasks         quick methods")
    print("data                 expected  took ratio  expected  took ratio")
    for name in names or ["leaderboard", "leaderboard-wide"]:
        board, suite = Board.read(RESULTS / name), read_suite(name)
        took = board.tasks[board.tasks["status"] == "done"]
        took = took.set_index(PLACE)["seconds"].to_dict()
        present, _ = find_data([suite], board.about["complete"])
        sums = {}
        for item in plan(suite, present):
            at = item.data, item.method, item.draw, item.task.split
            if at not in took:
                continue
            both = sums.setdefault(item.data, [0.0] * 4)
            quick = item.method in QUICK
            for place, seconds in enumerate((expected_seconds(item.task), took[at])):
                both[place] += seconds / 3600
                both[place + 2] += seconds / 3600 * quick
        for data, (expected, real, quick, quick_real) in sums.items():
            print(
                f"{data:20}{expected:9.2f}{real:6.2f}{expected / real:6.1f}"
                f"{quick:10.2f}{quick_real:6.2f}{quick / quick_real:6.1f}",
                flush=True,
            )


if __name__ == "__main__":
    main(sys.argv[1:])
