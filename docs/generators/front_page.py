# SPDX-License-Identifier: BSD-3-Clause
"""The picture and the output on the front page, from a real run.

::

    python docs/generators/front_page.py

writes the example table, compares all default methods on it, and stores what the
terminal shows (``docs/results/front_page.txt``) and the head of the page that it
writes (``docs/images/page.png``). It needs Debian's chromium.
"""

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import sync_playwright

DOCS = Path(__file__).parents[1]
COMMANDS = (
    "labelsift data example tickets.csv",
    "labelsift compare tickets.csv --labels 'tag_*' --drop closed_as,tag_privacy "
    "--missing -9999 --jobs 2 --out report.html",
)
_SIZE = {"width": 1120, "height": 1560}


def run(folder):
    """Standard output of the commands, each after a line that repeats it."""
    shown = []
    for command in COMMANDS:
        program = f"{Path(sys.executable).parent}/{command}"
        done = subprocess.run(
            program, shell=True, cwd=folder, capture_output=True, text=True, check=True
        )
        shown += [f"$ {command}", done.stdout.rstrip()]
    return "\n".join(shown) + "\n"


def take_picture(page, target):
    """The upper part of an HTML page as PNG."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium"), args=["--no-sandbox"]
        )
        view = browser.new_page(viewport=_SIZE, color_scheme="light")
        view.goto(page.as_uri())
        view.wait_for_load_state("networkidle")
        view.screenshot(path=target)
        browser.close()


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as name:
        output = run(name)
        (DOCS / "results" / "front_page.txt").write_text(output, encoding="utf-8")
        take_picture(Path(name, "report.html"), DOCS / "images" / "page.png")
    print(output, end="")
