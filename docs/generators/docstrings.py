# SPDX-License-Identifier: BSD-3-Clause
"""Escaping of docstrings: ``coef_`` in running text is a name, not a link."""

import re

# Literals and roles are unchanged; a word that ends in an underscore is escaped.
_NAME = re.compile(r"(`+).+?\1|\b(\w+)_(?=[\s,.:;)\]'-]|$)")
_PARAMETER = re.compile(r"\w[\w, ]* : ")


def setup(app):
    """Process docstrings before numpydoc does."""
    app.connect("autodoc-process-docstring", _escape_lines, priority=400)
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def _escape_lines(app, what, name, obj, options, lines):
    lines[:] = map(escaped, lines)


def escaped(line):
    """A line whose names in running text end in an escaped underscore."""
    if line.lstrip().startswith((">>>", "...")):
        return line
    head = _PARAMETER.match(line)
    start = head.end() if head else 0  # numpydoc reads the names of parameters itself
    return line[:start] + _NAME.sub(_escaped_name, line[start:])


def _escaped_name(match):
    return rf"{match[2]}\_" if match[2] else match[0]
