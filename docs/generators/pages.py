# SPDX-License-Identifier: BSD-3-Clause
"""Every page that is made of results, written anew.

They are committed, so that links work on a code host, and a test asks whether they are
up to date; ``make docs`` writes them first, and so does::

    PYTHONPATH=docs python -m generators.pages
"""

from pathlib import Path

from generators.choosing import write_choosing
from generators.leaderboard import write_leaderboard
from generators.performance import write_performance

DOCS = Path(__file__).parents[1]
PAGES = ("choosing.md", "leaderboard.md", "performance.md")


def write_pages(folder=DOCS):
    """Write the pages into a folder, from the results in ``docs/results``."""
    results = DOCS / "results"
    board, static = results / "leaderboard", folder / "_static" / "leaderboard"
    write_choosing(board, folder / "choosing.md")
    write_leaderboard(board, folder / "leaderboard.md", static)
    write_performance(results / "perf", DOCS.parent / "perf", folder / "performance.md")


if __name__ == "__main__":
    write_pages()
