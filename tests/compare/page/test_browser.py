# SPDX-License-Identifier: BSD-3-Clause
"""The page in a browser: Debian's chromium, driven by playwright."""

import json
import shutil
import time
from dataclasses import replace

import numpy as np
import pytest

from compare.page.pages import (
    HOSTILE,
    costs_comparison,
    costs_page,
    empty_page,
    hostile_page,
    large_page,
    raw_page,
    traits_page,
)
from labelsift.compare.page import curves_csv, methods_document, write_page
from labelsift.compare.request import DEFAULT_MEASURES
from labelsift.metrics import MEASURES
from labelsift.model_selection import load_selection
from labelsift.prepare import Doubt
from labelsift.prepare.doubts.doubt import drop_option

CHROMIUM = shutil.which("chromium")
pytestmark = pytest.mark.skipif(
    CHROMIUM is None, reason="needs chromium on the path: apt-get install chromium"
)
sync_api = pytest.importorskip("playwright.sync_api", reason="needs playwright")

OPEN = "[role=tabpanel]:not([hidden])"
OUR_SCRIPTS = "script:not([type]), .plot > script, [data-file]"
PATIENCE = 120_000  # milliseconds: a machine may be busy
FLAGS = [
    "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-sync",
    "--disable-background-networking", "--disable-component-update",
]  # fmt: skip


@pytest.fixture(scope="module")
def browser():
    with sync_api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield browser
        browser.close()


@pytest.fixture
def show(browser, tmp_path):
    """Open a page; at the end nothing may have been asked for or complained of."""
    contexts, requests, complaints = [], [], []

    def note_request(route):
        requests.append(route.request.url)
        route.abort()

    def open_page(page, **options):
        path = tmp_path / "report.html"
        write_page(page, path)
        context = browser.new_context(**{"accept_downloads": True, **options})
        contexts.append(context)
        context.set_default_timeout(PATIENCE)
        tab = context.new_page()
        tab.route(
            lambda url: not url.startswith(("file:", "data:", "blob:")), note_request
        )
        tab.on("console", lambda said: complaints.append(f"{said.type}: {said.text}"))
        tab.on("pageerror", lambda error: complaints.append(f"error: {error}"))
        tab.on("dialog", lambda dialog: complaints.append(f"dialog: {dialog.message}"))
        start = time.perf_counter()
        tab.goto(path.as_uri())
        if len(page.curves):
            tab.locator(OPEN).scroll_into_view_if_needed()
            tab.locator(f"{OPEN} svg.main-svg").first.wait_for()
        print(f"opened and drawn after {time.perf_counter() - start:.2f} s")
        return tab

    yield open_page
    for context in contexts:
        context.close()
    assert not requests
    assert not complaints


def scroll_through(tab):
    """Bring every figure into view once, so that it is drawn."""
    for figure in tab.locator(".plot").filter(visible=True).all():
        figure.scroll_into_view_if_needed()
        figure.locator("svg.main-svg").first.wait_for()


def lines(tab):
    """Methods whose lines are drawn in the open tab."""
    return tab.evaluate(
        f"""() => {{
            const canvas = document.querySelector('{OPEN} .canvas');
            return canvas.data.filter((t) => t.visible === true && !t.meta.band)
                .map((t) => t.meta.method);
        }}"""
    )


@pytest.mark.parametrize(
    "make", [traits_page, raw_page, hostile_page, large_page, empty_page]
)
@pytest.mark.parametrize("width", [1280, 390])
def test_every_figure_is_drawn_and_nothing_sticks_out(show, make, width):
    tab = show(make(), viewport={"width": width, "height": 800})
    scroll_through(tab)
    assert tab.evaluate("document.documentElement.scrollWidth") <= width
    assert tab.locator("h1").count() == 1


def test_the_answer_is_seen_first(show):
    tab = show(traits_page(), viewport={"width": 1280, "height": 800})
    headline = tab.locator(".headline")
    assert headline.inner_text() == traits_page().answer.headline
    assert headline.bounding_box()["y"] < 400


@pytest.mark.parametrize("width", [1280, 390])
def test_doubts_stand_above_the_answer_and_their_options_can_be_copied(show, width):
    names = [f"a column with a long name, number {i}" for i in range(60)]
    long = Doubt("duplicates", (), (), 1.0, "Very many.", drop_option(names))
    page = replace(raw_page(), doubts=(*raw_page().doubts, long))
    tab = show(page, viewport={"width": width, "height": 800})
    box = tab.locator("#doubts")
    assert box.is_visible()
    assert box.get_by_role("listitem").count() == len(page.doubts)
    place = box.bounding_box()
    assert place["x"] >= 0
    assert place["x"] + place["width"] <= width
    assert place["y"] + place["height"] <= tab.locator(".headline").bounding_box()["y"]
    assert tab.evaluate("document.documentElement.scrollWidth") <= width
    options = box.locator("code.option")
    remedies = [doubt.remedy for doubt in page.doubts if doubt.remedy]
    assert options.all_inner_texts() == remedies
    for option, remedy in zip(options.all(), remedies, strict=True):
        option.click()  # one click takes all of it
        assert tab.evaluate("getSelection().toString()") == remedy


def test_tabs_open_one_measure_each(show):
    tab = show(traits_page())
    panels = tab.locator("[role=tabpanel]")
    assert panels.count() == len(DEFAULT_MEASURES)
    tab.get_by_role("tab", name="Hamming loss").click()
    assert tab.locator("[role=tabpanel]:not([hidden])").count() == 1
    title = tab.locator("[role=tabpanel]:not([hidden]) .ytitle")
    assert "Hamming loss (lower is better)" in title.text_content()
    tab.keyboard.press("ArrowRight")
    assert "accuracy" in title.text_content()
    assert tab.locator("[role=tab][aria-selected=true]").inner_text() == "accuracy"


def test_methods_are_shown_and_hidden_in_every_tab(show):
    tab = show(traits_page())
    assert "fisher" in lines(tab)
    tab.locator(".chip[data-method=fisher]").click()
    assert "fisher" not in lines(tab)
    tab.get_by_role("tab", name="coverage").click()
    assert "fisher" not in lines(tab)
    tab.locator("[data-show=none]").click()
    assert lines(tab) == []
    tab.locator("[data-show=all]").click()
    assert len(lines(tab)) == 6
    drawn = f"document.querySelectorAll('{OPEN} .fills path').length"
    assert tab.evaluate(drawn) == 5
    tab.locator("#bands").click()
    assert tab.evaluate(drawn) == 0


def test_of_many_methods_the_best_eight_are_drawn_first(show):
    tab = show(large_page())
    assert len(lines(tab)) == 10
    assert tab.locator(".chip").count() == 22


def test_another_method_shows_its_features(show):
    tab = show(traits_page())
    tab.locator("#method").select_option(label="fisher")
    shown = tab.locator(".choice:not([hidden])")
    assert shown.count() == 1
    assert "fisher chose them" in shown.locator(".note").first.inner_text()
    shown.locator(".plot svg.main-svg").first.wait_for()
    expected = traits_page().selections["fisher"].names[0]
    assert shown.locator("tbody tr").first.locator(".name").inner_text() == expected


def test_tables_sort_by_their_heads(show):
    tab = show(large_page())
    table = tab.locator("#labels table")
    heads = table.locator("th button")

    def column(place):
        return table.locator(f"tbody td:nth-child({place})").all_inner_texts()

    heads.nth(1).click()
    counts = [int(text) for text in column(2)]
    assert counts == sorted(counts, reverse=True)
    heads.nth(1).click()
    assert [int(text) for text in column(2)] == sorted(counts)
    assert table.locator("th").nth(1).get_attribute("aria-sort") == "ascending"
    heads.nth(0).click()
    assert column(1)[:3] == ["label 0", "label 1", "label 2"]
    heads.nth(5).click()
    assert column(6)[-1] == "–"
    heads.nth(5).click()
    assert column(6)[-1] == "–"


def colours(tab):
    return tab.evaluate(
        f"""() => [getComputedStyle(document.body).backgroundColor,
            document.querySelector('{OPEN} .canvas')._fullLayout.font.color]"""
    )


def test_light_and_dark(show):
    tab = show(traits_page(), color_scheme="dark")
    scroll_through(tab)
    dark = colours(tab)
    tab.locator("#theme").click()
    light = colours(tab)
    assert light[0] == "rgb(255, 255, 255)"
    assert dark[0] != light[0]
    assert dark[1] != light[1]
    tab.locator("#theme").click()
    assert colours(tab) == dark


def test_it_prints(show):
    tab = show(traits_page(), color_scheme="dark")
    printed = tab.pdf(format="A4")
    assert printed.startswith(b"%PDF")
    pages = printed.count(b"/Type /Page\n") + printed.count(b"/Type /Page ")
    assert 3 <= pages <= 14
    drawn = tab.evaluate(
        "[...document.querySelectorAll('.plot')].filter((f) => f.offsetParent)"
        ".every((f) => f.dataset.drawn)"
    )
    assert drawn
    assert colours(tab)[0] != "rgb(255, 255, 255)"


def test_hostile_names_are_text_in_figures_too(show, monkeypatch):
    hostile = replace(MEASURES["macro_auc"], title=HOSTILE[3])
    monkeypatch.setitem(MEASURES, "macro_auc", hostile)
    tab = show(hostile_page())
    scroll_through(tab)
    texts = tab.locator(".plot svg text").all_text_contents()
    assert any(text.startswith("<script>") for text in texts)
    assert any("<b>bold</b>" in text for text in texts)
    title = tab.locator(f"{OPEN} .ytitle").text_content()
    assert title.startswith("<b>bold</b> <a href=")
    assert tab.locator("[role=tab][aria-selected=true]").inner_text() == HOSTILE[3]
    assert tab.locator(".plot svg a, .plot svg tspan[style*=bold], img").count() == 0
    assert "<script>alert(1)</script>" in tab.locator("h1").inner_text()
    assert tab.evaluate("document.scripts.length") == tab.evaluate(
        f"document.querySelectorAll({OUR_SCRIPTS!r}).length"
    )


def saved(tab, click):
    with tab.expect_download() as download:
        click()
    with open(download.value.path(), "rb") as file:
        return download.value.suggested_filename, file.read()


def test_exports(show):
    page = traits_page()
    tab = show(page)
    name, content = saved(tab, tab.locator("[data-export='curves.csv']").click)
    assert name == "curves.csv"
    assert content.decode() == curves_csv(page)
    name, content = saved(tab, tab.locator("[data-export='methods.json']").click)
    assert name == "methods.json"
    assert json.loads(content) == methods_document(page)
    figure = tab.locator("#curve-1")
    name, content = saved(tab, figure.locator("[data-picture=svg]").click)
    assert name == "curve-1.svg"
    assert b"greedy-rls" in content
    name, content = saved(tab, figure.locator("[data-picture=png]").click)
    assert content.startswith(b"\x89PNG")


@pytest.mark.parametrize("width", [1280, 390])
def test_the_curve_over_costs_is_drawn_in_steps(show, width):
    page = costs_page()
    tab = show(page, viewport={"width": width, "height": 900})
    assert "Features for" in tab.locator(".headline").inner_text()
    cards = tab.locator(".cards").inner_text()
    assert f"{costs_comparison().total_cost():g} of 32" in " ".join(cards.split())
    axis = tab.locator(f"{OPEN} .xtitle").first
    assert axis.text_content() == "total cost"
    ticks = tab.locator(f"{OPEN} .xtick text").all_text_contents()
    assert "20" in ticks
    lines = tab.locator(f"{OPEN} .scatterlayer .js-line")
    paths = [line.get_attribute("d") or "" for line in lines.all()]
    assert sum("H" in path and "V" in path for path in paths) == 4
    assert tab.evaluate("document.documentElement.scrollWidth") <= width
    assert tab.get_by_text("What each method reaches for its money").is_visible()


def test_the_download_is_what_apply_takes(show, tmp_path):
    tab = show(costs_page())
    name, content = saved(tab, tab.locator("[data-export='selection.json']").click)
    assert name == "selection.json"
    file = tmp_path / name
    file.write_bytes(content)
    result = costs_comparison()
    found = load_selection(file)
    assert [found.feature_names[i] for i in found.order] == result.features()
    assert found.total_cost == result.total_cost()
    data = result.setup.data
    result.save(tmp_path / "saved.json")
    expected = load_selection(tmp_path / "saved.json")
    np.testing.assert_array_equal(
        found.decision_function(data.X), expected.decision_function(data.X)
    )
    assert found.predict(data.X).any()
