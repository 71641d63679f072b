# SPDX-License-Identifier: BSD-3-Clause
"""Formulas as MathML, which browsers render without scripts."""

import re

from docutils import nodes
from docutils.utils.math import MathError
from docutils.utils.math.latex2mathml import tex2mathml
from sphinx.util.logging import getLogger

# Commands that docutils lacks or renders differently from LaTeX, and replacements: an
# apostrophe would not be raised, \tfrac12 would be 12 over what follows.
_INSTEAD = {
    r"\\dots\b": r"\\ldots",
    r"\\mathbin\b": "",
    r"\\[Bb]igl\b": r"\\left",
    r"\\[Bb]igr\b": r"\\right",
    r"\\([td]?frac)(\d)(?=\d)": r"\\\1{\2}",
    r"'": r"^\\prime ",
}
# docutils puts the index of a letter with a bar under the letter.
_BARRED = re.compile(
    r"<munderover>\s*(<mi>\w</mi>)\s*(<mi>\w</mi>)\s*(<mo[^>]*>ˉ</mo>)\s*</munderover>"
)


def setup(app):
    """Register the renderer; conf.py chooses it as ``html_math_renderer``."""
    app.add_html_math_renderer("mathml", (_inline, None), (_block, None))
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def _inline(writer, node):
    writer.body.append(_drawn(node, as_block=False))
    raise nodes.SkipNode


def _block(writer, node):
    writer.body.append(writer.starttag(node, "div", CLASS="math"))
    writer.body.append(_drawn(node, as_block=True))
    writer.body.append("</div>\n")
    raise nodes.SkipNode


def _drawn(node, *, as_block):
    try:
        return formula(node.astext(), as_block=as_block)
    except MathError as error:
        getLogger(__name__).warning(
            "The formula %r cannot be drawn: %s", node.astext(), error, location=node
        )
        return ""


def formula(latex, *, as_block):
    """MathML of a formula; several lines (``\\\\``) are aligned at their ``&``."""
    latex = latex.strip()
    for pattern, instead in _INSTEAD.items():
        latex = re.sub(pattern, instead, latex)
    if "\\\\" in latex and "\\begin" not in latex:
        latex = rf"\begin{{aligned}}{latex}\end{{aligned}}"
    drawn = tex2mathml(latex, as_block=as_block)
    return _BARRED.sub(r"<msub><mover>\1\3</mover>\2</msub>", drawn)
