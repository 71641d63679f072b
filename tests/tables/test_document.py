# SPDX-License-Identifier: BSD-3-Clause
import csv
import io
import re
import shutil
import subprocess

import pytest

from labelsift.tables.document import (
    RENDER,
    Cell,
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
    table = text[text.index(r"\begin{table}") : text.index(r"\end{table}")]
    assert table.splitlines() == [
        r"\begin{table}[tbp]",
        r"\centering\small",
        r"\caption{A table}",
        r"\resizebox{\ifdim\width>\linewidth\linewidth\else\width\fi}{!}{%",
        r"\begin{tabular}{ll}",
        r"\toprule",
        r"name & value \\",
        r"\midrule",
        r"one & 1.0 $\pm$ 0.1 \\",
        r"two & 2 \\",
        r"\bottomrule",
        r"\end{tabular}}",
    ]
    assert r"\caption" not in as_latex("T", with_cell("a"))


def test_a_long_latex_table_goes_over_pages():
    table = Table("Long", ["name", "value"], [["one", "1"]] * 41, numbers=1)
    text = as_latex("T", [Section("S", [], [table])])
    start = text[text.index(r"\begin{longtable}") :].splitlines()
    assert start[:5] == [
        r"\begin{longtable}{lc}",
        r"\caption*{Long}\\",
        r"\toprule",
        r"name & value \\",
        r"\midrule\endhead",
    ]
    assert r"\begin{table}" not in text


MARKED = Table(
    "Marks",
    ["data", "a", "b"],
    [["x", Cell("0.9 ± 0.1", "best"), Cell("0.8", "second")], ["y", "1", Cell("")]],
    foot=[["rank", Cell("1.0", "best"), "2.0"]],
    numbers=2,
)


def test_the_best_is_bold_and_the_second_underlined_in_every_form():
    sections = [Section("S", [], [MARKED])]
    markdown = as_markdown("T", sections).splitlines()
    assert "| x | **0.9 ± 0.1** | <u>0.8</u> |" in markdown
    assert markdown[-1] == "| rank | **1.0** | 2.0 |"
    latex = as_latex("T", sections)
    assert r"x & \textbf{0.9 $\pm$ 0.1} & \underline{0.8} \\" in latex
    assert "\\midrule\nrank & \\textbf{1.0} & 2.0 \\\\\n\\bottomrule" in latex
    html = as_html("T", sections)
    assert "<strong>0.9 ± 0.1</strong></td><td><u>0.8</u></td>" in html
    assert '<tr class="foot"><td>rank</td>' in html
    assert "x,0.9 ± 0.1,0.8\n" in as_csv("T", sections)


def test_a_mark_does_not_let_markup_through():
    evil = Table("", ["a"], [[Cell("<i>}\\x|", "best")]])
    sections = [Section("S", [], [evil])]
    assert "<i>" not in as_html("T", sections)
    assert r"**&lt;i>}\\x\|**" in as_markdown("T", sections)
    wanted = r"\textbf{\textless{}i\textgreater{}\}\textbackslash{}x\textbar{}}"
    assert wanted in as_latex("T", sections)


def test_long_sentences_are_broken_into_lines_in_latex():
    table = Table("", ["claim", "verdict"], [["A sentence " * 6, "holds"]])
    text = as_latex("T", [Section("S", [], [table])])
    assert r"\begin{tabular}{p{0.3\linewidth}l}" in text


SPECIALS = "Text: # $ % & _ { } ~ ^ \\ < > | [x] * ± ↑ ↓ –"
LATEX_SECTIONS = [
    *SECTIONS,
    Section("100 % & more_", [SPECIALS], [MARKED]),
    Section("Long", [], [Table("T|_", ["a", "b"], [["[1]", "*"]] * 60)]),
]


def test_latex_is_balanced():
    text = as_latex("Title\nwith a second line", LATEX_SECTIONS)
    opened = []
    for kind, name in re.findall(r"\\(begin|end)\{(\w+)\}", text):
        if kind == "begin":
            opened.append(name)
        else:
            assert opened.pop() == name
    assert opened == []
    depth = 0
    for brace in re.findall(r"(?<!\\)[{}]", text):
        depth += 1 if brace == "{" else -1
        assert depth >= 0
    assert depth == 0
    assert len(re.findall(r"(?<!\\)\$", text)) % 2 == 0
    comments = [line for line in text.splitlines() if re.search(r"(?<!\\)%", line)]
    assert [line for line in comments if not line.endswith("{%")] == comments[:2]
    assert comments[:2] == text.splitlines()[:2]
    assert text.isascii()


ENGINES = [name for name in ("tectonic", "lualatex", "pdflatex") if shutil.which(name)]


@pytest.mark.skipif(not ENGINES, reason="no LaTeX engine is installed")
def test_latex_compiles(tmp_path):
    (tmp_path / "tables.tex").write_text(as_latex("Title", LATEX_SECTIONS))
    (tmp_path / "paper.tex").write_text(
        "\\documentclass{article}\n\\usepackage{booktabs,graphicx,longtable}\n"
        "\\begin{document}\n\\input{tables.tex}\n\\end{document}\n"
    )
    options = [] if ENGINES[0] == "tectonic" else ["-interaction=nonstopmode"]
    command = [ENGINES[0], *options, "paper.tex"]
    subprocess.run(command, cwd=tmp_path, check=True, capture_output=True)
    assert (tmp_path / "paper.pdf").stat().st_size


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


FORMULAS = ["=1+1", "@SUM(A1)", "+cmd|' /C x'!A0", "-2+3+cmd|' /C x'!D2", "-x", "\t=1"]
NO_FORMULAS = ["-0.5", "+3", "-1e-05", "-0.1 ± 0.2", "a=1", ""]


@pytest.mark.parametrize("text", [*FORMULAS, *NO_FORMULAS])
def test_no_cell_of_a_csv_is_a_formula(text):
    rows = list(csv.reader(io.StringIO(as_csv("T", with_cell(text)))))
    assert rows[-1][-2] == (f"'{text}" if text in FORMULAS else text)


def test_a_page_asks_for_nothing_and_runs_nothing():
    page = as_html("T", SECTIONS)
    policy = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'"
    assert f'http-equiv="Content-Security-Policy" content="{policy}' in page
    assert "<script" not in page
