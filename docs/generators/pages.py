# SPDX-License-Identifier: BSD-3-Clause
"""Every page that is made of results, written anew.

They are committed, so that links work on a code host, and a test asks whether they are
up to date; ``make docs`` writes them first, and so does::

    PYTHONPATH=docs python -m generators.pages
"""

from pathlib import Path

from generators.board import read_summary
from generators.choosing import write_choosing
from generators.claims import filled
from generators.leaderboard import write_leaderboard
from generators.performance import write_performance

DOCS = Path(__file__).parents[1]
PAGES = ("choosing.md", "leaderboard.md", "performance.md")
# Written by hand, with sentences from the rows.
FILLED = (DOCS.parent / "README.md", DOCS / "learned.md")


def write_pages(folder=DOCS):
    """Write the pages into a folder, from the results in ``docs/results``."""
    results = DOCS / "results"
    board, static = results / "leaderboard", folder / "_static" / "leaderboard"
    write_choosing(board, folder / "choosing.md")
    write_leaderboard(board, folder / "leaderboard.md", static)
    write_performance(results / "perf", DOCS.parent / "perf", folder / "performance.md")


def fill_pages():
    """Write the marked sentences of pages that are written by hand."""
    summary = read_summary(DOCS / "results" / "leaderboard")
    for page in FILLED:
        page.write_text(filled(page.read_text(), summary))


if __name__ == "__main__":
    write_pages()
    fill_pages()
