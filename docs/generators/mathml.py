# SPDX-License-Identifier: BSD-3-Clause
"""Formulas as MathML, which browsers draw by themselves: no script, no network."""

from docutils import nodes
from docutils.utils.math import MathError
from docutils.utils.math.latex2mathml import tex2mathml
from sphinx.errors import ExtensionError


def setup(app):
    """Register the renderer; conf.py chooses it as ``html_math_renderer``."""
    app.add_html_math_renderer("mathml", (_inline, None), (_block, None))
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def _inline(writer, node):
    writer.body.append(formula(node.astext(), as_block=False))
    raise nodes.SkipNode


def _block(writer, node):
    writer.body.append(writer.starttag(node, "div", CLASS="math"))
    writer.body.append(formula(node.astext(), as_block=True))
    writer.body.append("</div>\n")
    raise nodes.SkipNode


def formula(latex, *, as_block):
    """MathML of a formula; several lines (``\\\\``) are aligned at their ``&``."""
    latex = latex.strip()
    if "\\\\" in latex and "\\begin" not in latex:
        latex = rf"\begin{{aligned}}{latex}\end{{aligned}}"
    try:
        return tex2mathml(latex, as_block=as_block)
    except MathError as error:
        raise ExtensionError(
            f"The formula {latex!r} cannot be drawn: {error}"
        ) from error
