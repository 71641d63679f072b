# SPDX-License-Identifier: BSD-3-Clause
"""Formulas as MathML, which browsers draw by themselves: no script, no network."""

from docutils import nodes
from docutils.utils.math import MathError
from docutils.utils.math.latex2mathml import tex2mathml
from sphinx.util.logging import getLogger

# Commands that docutils does not know, and what stands for them.
_INSTEAD = {r"\dots": r"\ldots", r"\mathbin": ""}


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
    for unknown, known in _INSTEAD.items():
        latex = latex.replace(unknown, known)
    if "\\\\" in latex and "\\begin" not in latex:
        latex = rf"\begin{{aligned}}{latex}\end{{aligned}}"
    return tex2mathml(latex, as_block=as_block)
