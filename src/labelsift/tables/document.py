# SPDX-License-Identifier: BSD-3-Clause
"""A document of headings, sentences and tables as Markdown, LaTeX, CSV or HTML."""

import csv
import io
import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from labelsift.core.optional import import_extra


@dataclass(frozen=True)
class Cell:
    """A text that stands out in its row.

    Parameters
    ----------
    text : str
        What is shown.
    mark : {"", "best", "second"}
        Bold, underlined, or neither.
    """

    text: str
    mark: str = ""


@dataclass(frozen=True)
class Table:
    """A table of texts.

    Parameters
    ----------
    title : str
        Above the table.
    head : sequence of str
        Names of the columns.
    rows : sequence of sequence of str or Cell
        As long as the head, each.
    foot : sequence of sequence of str or Cell
        Further rows below a line: average ranks, say.
    numbers : int
        How many of the last columns hold numbers.
    """

    title: str
    head: Sequence[str]
    rows: Sequence[Sequence[str | Cell]]
    foot: Sequence[Sequence[str | Cell]] = ()
    numbers: int = 0

    @property
    def cells(self) -> list[list[Cell]]:
        """All rows, those of the foot last."""
        rows = [*self.rows, *self.foot]
        return [
            [cell if isinstance(cell, Cell) else Cell(cell) for cell in row]
            for row in rows
        ]


@dataclass(frozen=True)
class Section:
    """A part of a document.

    Parameters
    ----------
    title : str
        Its heading.
    text : sequence of str
        Paragraphs.
    tables : sequence of Table
        After the text.
    """

    title: str
    text: Sequence[str] = ()
    tables: Sequence[Table] = field(default_factory=tuple)


def as_markdown(title: str, sections: Sequence[Section]) -> str:
    """The document as Markdown."""
    lines = [f"# {title}", ""]
    for section in sections:
        lines += [f"## {section.title}", ""]
        for paragraph in section.text:
            lines += [paragraph.replace("<", "&lt;"), ""]
        for table in section.tables:
            lines += [*markdown_table(table), ""]
    return "\n".join(lines)


def markdown_table(table: Table) -> list[str]:
    """The lines of a table, its title first."""
    rows = [[Cell(name) for name in table.head], *table.cells]
    head, *body = ["| " + " | ".join(map(_markdown, row)) + " |" for row in rows]
    title = [f"**{table.title}**", ""] if table.title else []
    return [*title, head, "|" + "---|" * len(table.head), *body]


def _markdown(cell: Cell) -> str:
    """Text that stays in its cell, and is text: no second cell, line or HTML tag."""
    safe = cell.text.replace("\\", "\\\\").replace("|", "\\|").replace("<", "&lt;")
    text = " ".join(safe.split())
    if not text:
        return ""
    return {"best": f"**{text}**", "second": f"<u>{text}</u>"}.get(cell.mark, text)


def as_csv(title: str, sections: Sequence[Section]) -> str:
    """All tables one below the other; the first two columns say which."""
    rows = []
    for section in sections:
        for table in section.tables:
            head, *body = _texts(table)
            rows.append(["section", "table", *head])
            rows += [[section.title, table.title, *row] for row in body]
    return _comma_separated(rows)


def csv_table(table: Table) -> str:
    """A table without its title."""
    return _comma_separated(_texts(table))


def _texts(table: Table) -> list[list[str]]:
    return [list(table.head), *([cell.text for cell in row] for row in table.cells)]


def _comma_separated(rows: Sequence[Sequence[str]]) -> str:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerows([_no_formula(cell) for cell in row] for row in rows)
    return text.getvalue()


def _no_formula(cell: str) -> str:
    """Text that a spreadsheet would calculate gets an apostrophe before it."""
    formula = cell.startswith(_FORMULA) and not _NUMBER.fullmatch(cell)
    return f"'{cell}" if formula else cell


# What begins a formula in a spreadsheet; names of strangers may.
_FORMULA = ("=", "+", "-", "@", "\t", "\r")
_NUMBER = re.compile(r"[+-]?[\d.]+(e[+-]?\d+)?%?( ± [\d.]+)?")

_LATEX = {
    "\\": r"\textbackslash{}",
    "&": r"\&",
    "%": r"\%",
    "$": r"\$",
    "#": r"\#",
    "_": r"\_",
    "{": r"\{",
    "}": r"\}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    # In braces, or a row that begins so would be an option of the row before.
    "[": "{[}",
    "*": "{*}",
    "±": r"$\pm$",
    "↑": r"$\uparrow$",
    "↓": r"$\downarrow$",
    "–": "--",
}
_SPECIAL = re.compile("|".join(map(re.escape, _LATEX)))
# A table of more rows goes over several pages.
_LONG = 40
# A cell of more letters is a sentence.
_SENTENCE = 45


def _latex(cell: str | Cell) -> str:
    if isinstance(cell, str):
        return _SPECIAL.sub(lambda match: _LATEX[match[0]], " ".join(cell.split()))
    text = _latex(cell.text)
    command = {"best": r"\textbf", "second": r"\underline"}.get(cell.mark)
    return text if command is None else f"{command}{{{text}}}"


_PACKAGES = r"% needs \usepackage{booktabs,graphicx,longtable}"
# A table wider than the text becomes as wide as it; others stay as they are.
_FIT = r"\resizebox{\ifdim\width>\linewidth\linewidth\else\width\fi}{!}{%"


def as_latex(title: str, sections: Sequence[Section]) -> str:
    r"""The document as LaTeX, to be put into an article by ``\input``."""
    lines = [f"% {' '.join(title.split())}", _PACKAGES]
    for section in sections:
        lines += [rf"\section*{{{_latex(section.title)}}}"]
        lines += [f"{_latex(paragraph)}\n" for paragraph in section.text]
        for table in section.tables:
            lines += latex_table(table)
    return "\n".join(lines) + "\n"


def latex_table(table: Table) -> list[str]:
    """The lines of a table; a long one is a longtable, others float."""

    def line(cells: Sequence[str | Cell]) -> str:
        return " & ".join(map(_latex, cells)) + r" \\"

    columns = _columns(table)
    caption = [rf"\caption*{{{_latex(table.title)}}}\\"] if table.title else []
    body = [*map(line, table.rows)]
    body += [r"\midrule", *map(line, table.foot)] if table.foot else []
    if len(table.rows) > _LONG:
        start = [rf"\begin{{longtable}}{{{columns}}}", *caption, r"\toprule"]
        head = [line(table.head), r"\midrule\endhead"]
        return [*start, *head, *body, r"\bottomrule", r"\end{longtable}"]
    title = [rf"\caption{{{_latex(table.title)}}}"] if table.title else []
    return [
        r"\begin{table}[tbp]",
        r"\centering\small",
        *title,
        _FIT,
        rf"\begin{{tabular}}{{{columns}}}",
        r"\toprule",
        line(table.head),
        r"\midrule",
        *body,
        r"\bottomrule",
        r"\end{tabular}}",
        r"\end{table}",
    ]


def _columns(table: Table) -> str:
    """Numbers are centred, sentences broken into lines."""
    texts = len(table.head) - table.numbers
    lengths = [
        max((len(row[k].text) for row in table.cells), default=0) for k in range(texts)
    ]
    kinds = [r"p{0.3\linewidth}" if length > _SENTENCE else "l" for length in lengths]
    return "".join(kinds) + "c" * table.numbers


_TABLE = """<div class="scroll"><table>
{% if table.title %}<caption>{{ table.title }}</caption>{% endif %}
<thead><tr>{% for name in table.head %}<th>{{ name }}</th>{% endfor %}</tr></thead>
<tbody>{% for row in table.cells %}
<tr{% if loop.index0 == table.rows|length %} class="foot"{% endif %}>
{%- for cell in row -%}
<td{% if cell.text|length > 60 %} class="long"{% endif %}>
{%- if cell.mark == "best" %}<strong>{{ cell.text }}</strong>
{%- elif cell.mark == "second" %}<u>{{ cell.text }}</u>
{%- else %}{{ cell.text }}{% endif %}</td>
{%- endfor %}</tr>{% endfor %}
</tbody></table></div>
"""

_PAGE = (
    """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>{{ title }}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src \
'unsafe-inline'; base-uri 'none'; form-action 'none'">
<style>
:root { color-scheme: light dark; }
body { font: 15px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 75rem;
  padding: 0 1rem; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; margin: 0 0 1.5rem; font-size: 13px;
  font-variant-numeric: tabular-nums; }
caption { text-align: left; font-weight: 600; padding: .4rem 0; }
th, td { padding: .2rem .6rem; text-align: left; border-bottom: 1px solid #8884;
  white-space: nowrap; }
tr.foot td { border-top: 2px solid #8888; }
td.long { white-space: normal; min-width: 22rem; }
@media print { body { margin: 0; max-width: none; } .scroll { overflow: visible; } }
</style></head><body>
<h1>{{ title }}</h1>
{% for section in sections %}
<h2>{{ section.title }}</h2>
{% for paragraph in section.text %}<p>{% for part in paragraph.split("`") -%}
{% if loop.index0 % 2 %}<code>{{ part }}</code>{% else %}{{ part }}{% endif %}
{%- endfor %}</p>
{% endfor %}{% for table in section.tables %}
"""
    + _TABLE
    + """{% endfor %}{% endfor %}
</body></html>
"""
)


def as_html(title: str, sections: Sequence[Section]) -> str:
    """The document as one HTML page that needs nothing else."""
    return _rendered(_PAGE, title=title, sections=sections)


def html_table(table: Table) -> str:
    """A table as a piece of HTML, all text escaped."""
    return _rendered(_TABLE, table=table)


def _rendered(template: str, **values: object) -> str:
    jinja2 = import_extra("jinja2", "An HTML report")
    page = jinja2.Environment(autoescape=True).from_string(template)
    text: str = page.render(**values)
    return text


RENDER = {"md": as_markdown, "latex": as_latex, "csv": as_csv, "html": as_html}
