# SPDX-License-Identifier: BSD-3-Clause
import csv
import io
import re

import pytest

from labelsift.bench.document import (
    RENDER,
    Section,
    Table,
    as_csv,
    as_html,
    as_latex,
    as_markdown,
)

TABLE = Table("A table", ["name", "value"], [["one", "1.0 ± 0.1"], ["two", "2"]])
SECTIONS = [Section("First", ["Some text."], [TABLE]), Section("Second", ["More."])]


def with_cell(text):
    return [Section("S", [], [Table("", ["a", "b"], [[text, "next"]])])]


@pytest.mark.parametrize("form", RENDER)
def test_every_form_has_all_cells_in_order(form):
    text = RENDER[form]("Title", SECTIONS)
    places = [text.index(word) for word in ("name", "one", "1.0", "two")]
    assert places == sorted(places)
    if form != "csv":
        for word in ("Title", "First", "Some text.", "A table", "Second", "More."):
            assert word in text


def test_markdown():
    assert as_markdown("Title", SECTIONS).splitlines() == [
        "# Title",
        "",
        "## First",
        "",
        "Some text.",
        "",
        "**A table**",
        "",
        "| name | value |",
        "|---|---|",
        "| one | 1.0 ± 0.1 |",
        "| two | 2 |",
        "",
        "## Second",
        "",
        "More.",
    ]


@pytest.mark.parametrize(
    ("cell", "written"),
    [
        ("a|b", r"a\|b"),
        ("a\\|b", r"a\\\|b"),
        ("a\nb", "a b"),
        ("<img src=x>", "&lt;img src=x>"),
    ],
)
def test_a_markdown_cell_stays_in_its_place(cell, written):
    row = as_markdown("T", with_cell(cell)).splitlines()[-1]
    assert row == f"| {written} | next |"
    assert len(re.findall(r"(?<!\\)(?:\\\\)*\|", row)) == 3


def test_markdown_text_is_no_html():
    text = as_markdown("T", [Section("S", ["TypeError: <class 'int'>"])])
    assert "&lt;class 'int'>" in text


@pytest.mark.parametrize(
    ("cell", "written"),
    [
        ("5% & more", r"5\% \& more"),
        ("a_b^c#d$e", r"a\_b\textasciicircum{}c\#d\$e"),
        ("{x}~y", r"\{x\}\textasciitilde{}y"),
        ("\\cmd{}", r"\textbackslash{}cmd\{\}"),
        ("1 ± 2", r"1 $\pm$ 2"),
        ("a<b>|", r"a\textless{}b\textgreater{}\textbar{}"),
        ("[2mm]", "{[}2mm]"),
        ("*", "{*}"),
    ],
)
def test_latex_specials_are_text(cell, written):
    assert f"{written} & next " + r"\\" in as_latex("T", with_cell(cell))


def test_a_latex_table_is_whole():
    text = as_latex("Title", SECTIONS)
    assert text.startswith("% Title\n")
    assert r"\section*{First}" in text
    table = text[text.index(r"\begin{longtable}") : text.index(r"\end{longtable}")]
    assert table.splitlines() == [
        r"\begin{longtable}{ll}",
        r"\caption*{A table}\\",
        r"\toprule",
        r"name & value \\",
        r"\midrule\endhead",
        r"one & 1.0 $\pm$ 0.1 \\",
        r"two & 2 \\",
        r"\bottomrule",
    ]
    assert r"\caption" not in as_latex("T", with_cell("a"))


def test_csv_is_read_again():
    odd = 'a, "b"\nc|d'
    text = as_csv("T", [*SECTIONS, *with_cell(odd)])
    rows = list(csv.reader(io.StringIO(text)))
    assert rows == [
        ["section", "table", "name", "value"],
        ["First", "A table", "one", "1.0 ± 0.1"],
        ["First", "A table", "two", "2"],
        ["section", "table", "a", "b"],
        ["S", "", odd, "next"],
    ]


def test_html_is_escaped_everywhere():
    evil = "<script>alert('x')</script> & \"q\""
    table = Table(evil, [evil], [[evil]])
    text = as_html(evil, [Section(evil, [evil], [table])])
    assert "<script" not in text
    assert text.count("&lt;script&gt;") == 7  # title twice
    assert "& " not in text.replace("&amp; ", "")


def test_html_needs_nothing_else():
    text = as_html("Title", SECTIONS)
    assert text.startswith("<!doctype html>")
    assert not re.search(r"https?://|src=|<link|@import", text)
    assert text.count("<tr>") == 3
    assert text.count("<td>") == 4
    assert "<caption>A table</caption>" in text
