# SPDX-License-Identifier: BSD-3-Clause
import csv
import io
import json
import math
import re
import time
from dataclasses import replace
from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st
from threadpoolctl import threadpool_info

from compare.page.pages import (
    HOSTILE,
    empty_page,
    hostile_page,
    large_page,
    made_up_page,
    page_of,
    raw_page,
    small_comparison,
    traits_page,
    trusted_page,
    with_provenance,
)
from labelsift.compare.page import (
    curves_csv,
    embedded,
    methods_document,
    page_html,
    write_page,
)
from labelsift.compare.request import DEFAULT_MEASURES
from labelsift.metrics import MEASURES

# Every element that the template writes.
OURS = {
    "a", "aside", "bdi", "body", "button", "caption", "code", "dd", "details", "div",
    "dl", "dt", "em", "figure", "h1", "h2", "h3", "head", "header", "html", "label",
    "li", "line", "main", "meta", "nav", "noscript", "option", "p", "script", "section",
    "select", "small", "span", "strong", "style", "summary", "svg", "table", "tbody",
    "td", "th", "thead", "title", "tr", "ul",
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


@pytest.mark.parametrize("make", [traits_page, large_page])
def test_a_figure_has_its_height_before_it_is_drawn(make):
    """What is below it would move otherwise, under the pointer of the reader."""
    pattern = r'"canvas" style="height:(\d+)px"></div>\s*<script[^>]*>(.*?)</script>'
    drawn = re.findall(pattern, page_html(make()))
    assert len(drawn) > 4
    for height, figure in drawn:
        assert int(height) == json.loads(figure)["layout"]["height"]


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


def test_a_large_page_is_made_quickly():
    page = large_page()
    start = time.perf_counter()
    page_html(page)
    assert time.perf_counter() - start < 5  # about half a second, on a busy machine too


def test_thousands_of_features_with_long_names_stay_small():
    page = made_up_page(
        [f"m{i}" for i in range(20)],
        [f"{i} {'ж' * 300}" for i in range(2000)],
        ["a", "b", "c"],
        [100, 1000],
        budget=1000,
    )
    assert len(page_html(page).encode()) < 8e6


def words(page):
    """The text of a page, every gap one space."""
    return " ".join(" ".join(read(page).text).split())


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


def test_hostile_titles_of_measures_are_text(monkeypatch):
    hostile = replace(MEASURES["macro_auc"], title=HOSTILE[2])
    monkeypatch.setitem(MEASURES, "macro_auc", hostile)
    reader = read(hostile_page())
    assert {tag for tag, _ in reader.tags} <= OURS
    tabs = [names for _, names in reader.tags if names.get("role") == "tab"]
    assert len(tabs) == len(hostile_page().measures)
    assert HOSTILE[2] in " ".join(reader.text)


def test_the_answer_comes_first_and_every_section_is_there():
    page = traits_page()
    reader = read(page)
    text = words(page)
    assert page.answer.headline in text
    assert page.answer.detail in text
    ids = [attributes.get("id") for tag, attributes in reader.tags if tag == "section"]
    assert ids == [
        "answer", "curves", "features", "overlap", "labels", "costs", "provenance",
    ]  # fmt: skip
    targets = {names["href"] for tag, names in reader.tags if tag == "a"}
    assert targets == {f"#{name}" for name in ids}
    headings = [tag for tag, _ in reader.tags if re.fullmatch(r"h\d", tag)]
    assert headings[0] == "h1"
    assert headings.count("h1") == 1
    assert text.index(page.answer.headline) < text.index("Take away")


def test_doubts_come_before_the_answer_with_their_remedies():
    page = raw_page()
    reader, text = read(page), words(page)
    codes = [doubt.code for doubt in page.doubts]
    assert codes[:4] == ["leak", "outliers", "id", "rare-label"]
    ids = [names.get("id") for _, names in reader.tags]
    assert ids.index("doubts") < ids.index("answer")
    box = "".join(text[: text.index(page.answer.headline)].split())
    for doubt in page.doubts:
        assert "".join(doubt.sentence.split()) in box
        assert not doubt.remedy or box.count("".join(doubt.remedy.split())) == 1
    for name, why in page.provenance["columns_left_out"]:
        assert f"{name} : {why}" in text
    assert {name for name, _ in page.provenance["columns_left_out"]} == {
        "key", "row", "day",
    }  # fmt: skip


def test_without_doubts_there_is_no_box():
    ids = [names.get("id") for _, names in read(large_page()).tags]
    assert "doubts" not in ids


def test_the_label_that_is_served_worst_stands_beside_the_mean():
    page = traits_page()
    aucs = page.label_auc.loc[(page.answer.method, page.answer.budget)]
    label, lowest = page.data.label_names[aucs.idxmin()], f"{aucs.min():.3f}"
    text = words(page)
    assert f"worst label, {label} {lowest} AUC; " in text
    assert text.index(f"worst label, {label}") < text.index("with all features")


def test_at_most_eight_methods_are_drawn_first_the_best_ones():
    def pressed(page):
        chips = [names for _, names in read(page).tags if names.get("class") == "chip"]
        return {c["data-method"] for c in chips if c["aria-pressed"] == "true"}

    controls = {"random", "all-features"}
    best = {f"method-{i}" for i in range(8)}
    assert pressed(large_page()) == best | controls
    small = traits_page()
    assert pressed(small) == set(small.methods)


def test_what_went_wrong_is_said():
    page = with_provenance(
        traits_page(),
        warnings=["a label is constant"],
        left_out=[("mifs", "it would take an hour")],
        failed=[("rlefs", "negative values")],
        n_done=20,
        n_planned=25,
    )
    text = words(page)
    for said in (
        "Unfinished:", "20 of 25 tasks", "a label is constant", "mifs : it would take",
        "rlefs : negative values", "1 method failed:",
    ):  # fmt: skip
        assert said in text
    assert "Unfinished" not in words(traits_page())
    assert "failed" not in words(traits_page())


def test_provenance_is_on_the_page():
    page = traits_page()
    text = words(with_provenance(page, command="labelsift compare traits --cv 5"))
    for said in (
        "labelsift compare traits --cv 5",
        page.provenance["date"],
        f"sha256 {page.data.checksum}",
        "Splits 5, seed 0",
        "Read-out ridge",
        "65 of 65 tasks",
        f"numpy {page.provenance['versions']['numpy']}",
        "Warnings none",
    ):
        assert said in text


def test_an_empty_page_says_so():
    text = words(empty_page())
    assert "Nothing was measured, so nothing can be recommended." in text
    assert "No method was fitted on all rows." in text
    assert "Unfinished: 0 of 65 tasks were done" in text


def test_the_old_page_stays_when_the_new_one_cannot_be_written(tmp_path):
    path = tmp_path / "report.html"
    write_page(traits_page(), path)
    before = path.read_bytes()
    with pytest.raises(OSError, match=r"cannot be written .*: choose another place"):
        write_page(traits_page(), path / "x.html")
    assert path.read_bytes() == before
    assert [p.name for p in tmp_path.iterdir()] == ["report.html"]


def exported(page, name):
    """An export as the page carries it."""
    pattern = rf'<script type="application/json" data-file="{name}">(.*?)</script>'
    [text] = re.findall(pattern, page_html(page), flags=re.DOTALL)
    return json.loads(text)


def test_the_curves_are_all_there():
    page = traits_page()
    text = curves_csv(page)
    assert exported(page, "curves.csv") == text
    rows = list(csv.DictReader(io.StringIO(text)))
    assert len(rows) == len(page.curves) == len(DEFAULT_MEASURES) * (5 * 10 + 1)
    for row in rows:
        point = page.curve(row["measure"], row["method"]).loc[int(row["budget"])]
        assert float(row["mean"]) == pytest.approx(point["mean"])
        assert float(row["std_error"]) == pytest.approx(point["std_error"])
        assert int(row["n_splits"]) == 5


def test_the_selection_is_all_there():
    page = traits_page()
    document = methods_document(page)
    assert exported(page, "methods.json") == document
    assert document["recommended"] == {
        "method": page.answer.method,
        "n_features": page.answer.budget,
    }
    assert document["checksum"] == page.data.checksum
    rfs, selection = document["methods"]["rfs"], page.selections["rfs"]
    assert rfs["weights_of_labels"] == page.frequent_labels
    assert rfs["features"][3] == {
        "rank": 4,
        "index": selection.order[3],
        "name": selection.names[3],
        "gain": selection.gain[3],
        "weights": selection.weights[3],
    }
    assert [f["index"] for f in rfs["features"]] == selection.order
    cut = methods_document(page, 2)["methods"]["rfs"]
    assert (len(cut["features"]), cut["n_selected"]) == (2, page.budget)


def test_a_selection_without_weights_or_gains_has_none():
    page = traits_page()
    bare = replace(page.selections["rfs"], gain=[], weights=[])
    page = replace(page, selections=dict(page.selections) | {"rfs": bare})
    document = methods_document(page)["methods"]["rfs"]
    assert document["weights_of_labels"] is None
    assert set(document["features"][0]) == {"rank", "index", "name"}
    assert "rfs" in page_html(page)


def test_a_large_selection_is_cut_on_the_page_and_says_so():
    """A million bytes of it; what a method chose is counted in full."""
    page = made_up_page(
        [f"m{i}" for i in range(20)],
        [f"{i} {'x' * 200}" for i in range(1000)],
        [f"label {i}" for i in range(40)],
        [500, 900],
        budget=900,
    )
    document = exported(page, "methods.json")
    assert len(embedded(document).encode()) < 1.2e6
    for chosen in document["methods"].values():
        assert chosen["n_selected"] == 900
        assert 1 <= len(chosen["features"]) < 900


def test_hostile_names_can_be_exported():
    page = hostile_page()
    methods = {row["method"] for row in csv.DictReader(io.StringIO(curves_csv(page)))}
    assert "<script>alert(1)</script>" in methods
    labels = methods_document(page)["labels"]
    assert "tab\\tnewline\\nnull\\x00 lone \\ud800" in labels
    assert exported(page, "methods.json")["data"] == HOSTILE[0]


@given(
    st.recursive(
        st.none() | st.booleans() | st.text() | st.integers() | st.floats(width=32),
        lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    )
)
def test_embedded_json_cannot_leave_its_script(value):
    text = embedded(value)
    assert not set(text) & set("<>&")
    text.encode()
    assert json.dumps(json.loads(text)) == json.dumps(_finite(value))


def _finite(value):
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, list):
        return [_finite(part) for part in value]
    if isinstance(value, dict):
        return {key: _finite(part) for key, part in value.items()}
    return value


def test_the_page_says_which_features_can_be_trusted():
    page = trusted_page()
    html = page_html(page)
    assert page.trust.meaning in html
    for head in ("chosen again", "splits that agree", "stands for", "serves"):
        assert f">{head}</th>" in html
    assert 'id="contributions"' in html


def test_features_are_examined_in_one_thread(monkeypatch):
    """Like every task of a comparison: threads of small fits mostly wait."""
    seen = []
    comparison = small_comparison()
    monkeypatch.setattr(
        type(comparison.setup),
        "examined",
        lambda *_: seen.extend(pool["num_threads"] for pool in threadpool_info()) or "",
    )
    page_of(comparison)
    assert set(seen) == {1}


def test_what_would_take_long_is_not_examined():
    setup, page = small_comparison().setup, trusted_page()
    note = setup.examined("fisher", [0, 1], 1.0)
    assert note.endswith("labelsift select with --explain does it.")
    assert setup.examined("fisher", [0, 1], math.nan) == note
    html = page_html(replace(page, trust=note))
    assert note in html
    assert 'id="contributions"' not in html
    assert 'id="trust"' not in page_html(replace(page, trust=""))
