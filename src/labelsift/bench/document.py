# SPDX-License-Identifier: BSD-3-Clause
"""A document of headings, sentences and tables as Markdown, LaTeX, CSV or HTML."""

import csv
import io
import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from labelsift.core.optional import import_extra


@dataclass(frozen=True)
class Table:
    """A table of texts.

    Parameters
    ----------
    title : str
        Caption of the table.
    head : sequence of str
        Names of the columns.
    rows : sequence of sequence of str
        Each as long as the head.
    """

    title: str
    head: Sequence[str]
    rows: Sequence[Sequence[str]]


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
            lines += [f"**{table.title}**", ""] if table.title else []
            lines.append(_markdown_row(table.head))
            lines.append("|" + "---|" * len(table.head))
            lines += [_markdown_row(row) for row in table.rows]
            lines.append("")
    return "\n".join(lines)


def _markdown_row(cells: Sequence[str]) -> str:
    return "| " + " | ".join(map(_markdown_cell, cells)) + " |"


def _markdown_cell(text: str) -> str:
    """Escape text, so that it cannot add a cell, a line or an HTML tag."""
    safe = text.replace("\\", "\\\\").replace("|", "\\|").replace("<", "&lt;")
    return " ".join(safe.split())


def as_csv(title: str, sections: Sequence[Section]) -> str:
    """All tables one below the other; the first two columns name each."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    for section in sections:
        for table in section.tables:
            writer.writerow(["section", "table", *table.head])
            for row in table.rows:
                writer.writerow([section.title, table.title, *row])
    return text.getvalue()


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
    # In braces, or a row that begins with [ would be an option of the row before.
    "[": "{[}",
    "*": "{*}",
    "±": r"$\pm$",
}
_SPECIAL = re.compile("|".join(map(re.escape, _LATEX)))


def _latex(text: str) -> str:
    return _SPECIAL.sub(lambda match: _LATEX[match[0]], text)


def as_latex(title: str, sections: Sequence[Section]) -> str:
    """The document as LaTeX, for an article with ``longtable``."""
    lines = [f"% {title}", r"% needs \usepackage{longtable,booktabs}"]
    for section in sections:
        lines += [rf"\section*{{{_latex(section.title)}}}"]
        lines += [f"{_latex(paragraph)}\n" for paragraph in section.text]
        for table in section.tables:
            lines += _latex_table(table)
    return "\n".join(lines) + "\n"


def _latex_table(table: Table) -> list[str]:
    def line(cells: Sequence[str]) -> str:
        return " & ".join(map(_latex, cells)) + r" \\"

    columns = "l" * len(table.head)
    caption = [rf"\caption*{{{_latex(table.title)}}}\\"] if table.title else []
    return [
        rf"\begin{{longtable}}{{{columns}}}",
        *caption,
        r"\toprule",
        line(table.head),
        r"\midrule\endhead",
        *map(line, table.rows),
        r"\bottomrule",
        r"\end{longtable}",
    ]


_PAGE = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>{{ title }}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
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
<div class="scroll"><table>
{% if table.title %}<caption>{{ table.title }}</caption>{% endif %}
<thead><tr>{% for name in table.head %}<th>{{ name }}</th>{% endfor %}</tr></thead>
<tbody>{% for row in table.rows %}
<tr>{% for cell in row -%}
<td{% if cell|length > 60 %} class="long"{% endif %}>{{ cell }}</td>
{%- endfor %}</tr>{% endfor %}
</tbody></table></div>
{% endfor %}{% endfor %}
</body></html>
"""


def as_html(title: str, sections: Sequence[Section]) -> str:
    """The document as one self-contained HTML page."""
    jinja2 = import_extra("jinja2", "An HTML report")
    page = jinja2.Environment(autoescape=True).from_string(_PAGE)
    text: str = page.render(title=title, sections=sections)
    return text


RENDER = {"md": as_markdown, "latex": as_latex, "csv": as_csv, "html": as_html}
