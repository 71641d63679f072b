# SPDX-License-Identifier: BSD-3-Clause
import json
import re
from dataclasses import replace
from html.parser import HTMLParser

import pytest

from labelsift.report.page import page_html, write_page
from report.pages import (
    empty_page,
    hostile_page,
    large_page,
    made,
    made_up_page,
    traits_page,
)

# Every element that the template writes.
OURS = {
    "a", "bdi", "body", "button", "caption", "code", "dd", "details", "div", "dl", "dt",
    "figure", "h1", "h2", "h3", "head", "header", "html", "label", "li", "line", "main",
    "meta", "nav", "noscript", "option", "p", "script", "section", "select", "small",
    "span", "strong", "style", "summary", "svg", "table", "tbody", "td", "th", "thead",
    "title", "tr", "ul",
}  # fmt: skip
PAGES = [traits_page, hostile_page, large_page, empty_page]


class Reader(HTMLParser):
    """Elements, their attributes and the text outside scripts and styles."""

    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.tags, self.text, self.scripts, self._open = [], [], [], []

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))
        self._open.append(tag)
        if tag == "script":
            self.scripts.append([dict(attrs).get("type"), ""])

    def handle_endtag(self, tag):
        if tag in self._open:
            while self._open.pop() != tag:
                pass

    def handle_data(self, data):
        if self._open[-1:] == ["script"]:
            self.scripts[-1][1] += data
        elif self._open[-1:] != ["style"]:
            self.text.append(data)


def read(page):
    reader = Reader()
    reader.feed(page_html(page))
    reader.close()
    return reader


@pytest.mark.parametrize("make", PAGES)
def test_the_page_is_whole_and_small(make, tmp_path):
    path = tmp_path / "report.html"
    write_page(make(), path)
    assert path.stat().st_size < 8e6
    text = path.read_text(encoding="utf-8")
    assert text.lstrip().startswith("<!doctype html>")
    assert text.rstrip().endswith("</html>")
    assert text.count("plotly.js v") == 1


@pytest.mark.parametrize("make", PAGES)
def test_nothing_is_loaded_and_nothing_foreign_runs(make):
    reader = read(make())
    scripts = [text for kind, text in reader.scripts if kind is None]
    assert len(scripts) == 2
    for kind, text in reader.scripts:
        if kind == "application/json":
            json.loads(text)
    for tag, attributes in reader.tags:
        assert tag in OURS
        assert not attributes.keys() & {"src", "onclick", "onerror", "onmouseover"}
        assert attributes.get("href", "#").startswith("#")


def test_thousands_of_features_with_long_names_stay_small():
    page = made_up_page(
        [f"m{i}" for i in range(20)],
        [f"{i} {'ж' * 300}" for i in range(2000)],
        ["a", "b", "c"],
        [100, 1000],
        measures_shown=("macro_auc",),
    )
    everything = replace(page.recommendation, budget=1000)
    assert len(page_html(replace(page, recommendation=everything)).encode()) < 8e6


def test_hostile_names_are_text():
    text = " ".join(read(hostile_page()).text)
    for name in (
        "<script>alert(1)</script>",
        "<!-- --><img src=x onerror=alert(3)>",
        "длинное имя " * 25,
        "標籤／特徴量 🎼",
        "tab\\tnewline\\nnull\\x00 lone \\ud800",
        "{{ 7*7 }}",
    ):
        assert name in text


def test_the_answer_comes_first_and_every_section_is_there():
    page = traits_page()
    reader = read(page)
    text = " ".join(" ".join(reader.text).split())
    assert page.recommendation.headline in text
    assert page.recommendation.detail in text
    ids = [attributes.get("id") for tag, attributes in reader.tags if tag == "section"]
    assert ids == ["answer", "curves", "features", "overlap", "labels", "costs", "made"]
    headings = [tag for tag, _ in reader.tags if re.fullmatch(r"h\d", tag)]
    assert headings[0] == "h1"
    assert headings.count("h1") == 1
    assert text.index(page.recommendation.headline) < text.index("Take away")


def test_what_went_wrong_is_said():
    page = replace(
        traits_page(),
        made=made(
            warnings=["a label is constant"],
            left_out=[{"method": "mifs", "why": "it would take an hour"}],
            failed=[{"method": "rlefs", "error": "negative values"}],
            finished="20 of 25 tasks",
        ),
    )
    text = " ".join(" ".join(read(page).text).split())
    for words in (
        "Unfinished:", "20 of 25 tasks", "a label is constant", "mifs : it would take",
        "rlefs : negative values", "1 method failed:",
    ):  # fmt: skip
        assert words in text
    assert "Unfinished" not in " ".join(read(traits_page()).text)


def test_an_empty_page_says_so():
    text = " ".join(read(empty_page()).text)
    assert "Nothing was measured, so nothing can be recommended." in text


def test_the_old_page_stays_when_the_new_one_cannot_be_written(tmp_path):
    path = tmp_path / "report.html"
    write_page(traits_page(), path)
    before = path.read_bytes()
    with pytest.raises(OSError, match=r"cannot be written .*: choose another place"):
        write_page(traits_page(), path / "x.html")
    assert path.read_bytes() == before
    assert [p.name for p in tmp_path.iterdir()] == ["report.html"]
