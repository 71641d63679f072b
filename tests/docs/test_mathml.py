# SPDX-License-Identifier: BSD-3-Clause
"""Formulas are drawn as LaTeX would draw them."""

import re
import sys
from pathlib import Path

import pytest

pytest.importorskip("docutils", reason="the documentation needs labelsift[docs]")
pytest.importorskip("sphinx", reason="the documentation needs labelsift[docs]")
sys.path.insert(0, str(Path(__file__).parents[2] / "docs"))
from generators.mathml import formula


def _drawn(latex):
    """MathML without its frame, its attributes and its blanks."""
    inside = re.search(r"<math[^>]*>(.*)</math>", formula(latex, as_block=False), re.S)
    return re.sub(r"\s+", "", re.sub(r"<(\w+) [^>]*>", r"<\1>", inside[1]))


def test_a_fraction_takes_one_digit_each():
    assert "<mfrac><mn>1</mn><mn>2</mn></mfrac><mi>x" in _drawn(r"\tfrac12 x")


def test_an_apostrophe_is_a_prime_above():
    assert _drawn("X'") == "<msup><mi>X</mi><mi>′</mi></msup>"


def test_an_index_stands_beside_a_letter_with_a_bar():
    barred = "<mover><mi>y</mi><mo>ˉ</mo></mover>"
    assert _drawn(r"\bar y_i") == f"<msub>{barred}<mi>i</mi></msub>"


def test_lines_are_aligned():
    assert "<mtable" in formula(r"a &= b \\ c &= d", as_block=True)
