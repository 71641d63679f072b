# SPDX-License-Identifier: BSD-3-Clause
"""The leaderboard's page in a browser, from the committed rows, without a server."""

import re
import shutil
import sys
from decimal import ROUND_HALF_UP, Decimal
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "docs"))
from generators.board import FOLDER, read_summary  # noqa: E402
from generators.leaderboard import write_leaderboard  # noqa: E402

CHROMIUM = shutil.which("chromium")
needs_browser = pytest.mark.skipif(CHROMIUM is None, reason="needs chromium")
STATIC = ROOT / "docs" / "_static"
RAW = re.compile(r"```\{raw\} html\n(.*?)```", flags=re.DOTALL)
PATIENCE = 120_000  # milliseconds: a machine may be busy


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """The page as a browser gets it, without the theme."""
    folder = tmp_path_factory.mktemp("page")
    page = folder / "leaderboard.md"
    write_leaderboard(FOLDER, page, folder / "_static" / "leaderboard")
    shutil.copy(STATIC / "leaderboard.js", folder / "_static")
    body = "\n".join(RAW.findall(page.read_text()))
    html = f"<!doctype html><meta charset='utf-8'><title>t</title>{body}"
    (folder / "leaderboard.html").write_text(html)
    return folder


def test_what_the_page_offers_is_there(folder):
    text = (folder / "leaderboard.html").read_text()
    for link in re.findall(r'(?:href|src)="(_static/[^"]+)"', text):
        assert (folder / link).stat().st_size > 0, link
    summary = read_summary()
    page = (folder / "leaderboard.md").read_text()
    for name in [*summary.data, *summary.board.about["missing"]]:
        assert name in page
    pandas = pytest.importorskip("pandas")
    pytest.importorskip("pyarrow")
    stored = pandas.read_parquet(folder / "_static" / "leaderboard" / "rows.parquet")
    assert len(stored) == len(summary.board.rows)


@pytest.fixture
def tab(folder):
    sync_api = pytest.importorskip("playwright.sync_api", reason="needs playwright")
    complaints = []
    with sync_api.sync_playwright() as playwright:
        flags = ["--no-sandbox", "--disable-gpu"]
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=flags)
        tab = browser.new_page()
        tab.set_default_timeout(PATIENCE)
        tab.on("console", lambda said: complaints.append(said.text))
        tab.on("pageerror", lambda error: complaints.append(str(error)))
        tab.goto((folder / "leaderboard.html").as_uri())
        yield tab
        browser.close()
    assert complaints == []


def _cells(tab, column):
    rows = tab.locator("#board-table tbody tr").all_inner_texts()
    return [row.split("\t")[column].strip() for row in rows]


def _as_browser(value):
    """Two decimals as toFixed writes them: 29.625 is 29.63, not the even 29.62."""
    return str(Decimal(float(value)).quantize(Decimal("0.01"), ROUND_HALF_UP))


@needs_browser
def test_the_table_shows_what_the_rows_say_and_filters_work(tab):
    summary = read_summary()
    ranks = summary.ranks("macro_auc", "ridge", "10%").mean(axis=1)
    shown = dict(zip(_cells(tab, 0), _cells(tab, 1), strict=True))
    for name in summary.selectors:
        assert shown[name] == _as_browser(ranks[name])
    assert not tab.locator("#board-static").is_visible()
    assert len(shown) == len(summary.methods)

    tab.select_option("#board-measure", "ranking_loss")
    tab.select_option("#board-readout", "forest")
    options = tab.locator("#board-share option").all_inner_texts()
    assert options == ["2%", "10%", "20%"]
    tab.select_option("#board-share", "2%")
    tab.uncheck(f"input[value='{summary.data[0]}']")
    ranks = summary.ranks("ranking_loss", "forest", "2%")[summary.data[1:]]
    shown = dict(zip(_cells(tab, 0), _cells(tab, 1), strict=True))
    mean = ranks.mean(axis=1)["greedy-rls"]
    assert shown["greedy-rls"] == _as_browser(mean)
    count = len(summary.data) - 1
    assert f"on {count} data set" in tab.inner_text("#board-said")

    tab.fill("#board-search", "anova")
    found = {"anova", "anova-max", "anova-robin", "random ranking", "all features"}
    assert set(_cells(tab, 0)) == found
    tab.click("#board-table thead button >> text=method")
    assert _cells(tab, 0) == sorted(found, key=lambda it: it.replace(" ", "-"))
    assert tab.locator("#board-curves polyline").count() > 2
    assert tab.locator("#board-pareto .best").count() > 0
    assert tab.inner_text("#board-front").startswith("On the front, fastest first: ")
