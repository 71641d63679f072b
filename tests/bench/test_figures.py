# SPDX-License-Identifier: BSD-3-Clause
"""Figures of suites as files."""

import re

import pytest

from bench.test_sections import own, result
from labelsift.bench.figures import write_figures

pytest.importorskip("matplotlib")


def test_ranks_and_curves_of_every_measure_and_readout(tmp_path):
    given = own(measures=("macro_f1",))
    paths = write_figures(given, tmp_path / "new", ["svg", "pdf"])
    assert {path.name for path in paths} == {
        f"mine-macro_f1-{readout}-{kind}.{form}"
        for readout in ("svm", "3nn")
        for kind in ("ranks", "curves")
        for form in ("svg", "pdf")
    }
    assert {path.parent for path in paths} == {tmp_path / "new"}
    for path in paths:
        start = {".svg": b"<?xml", ".pdf": b"%PDF"}[path.suffix]
        assert path.read_bytes().startswith(start)


def test_the_same_figure_has_the_same_bytes_and_letters_that_are_letters(tmp_path):
    given = own(measures=("macro_f1",), readouts=("svm",))
    for folder in ("one", "two"):
        write_figures(given, tmp_path / folder, ["svg", "pdf", "png"])
    for path in (tmp_path / "one").iterdir():
        assert path.read_bytes() == (tmp_path / "two" / path.name).read_bytes()
    text = (tmp_path / "one" / "mine-macro_f1-svm-ranks.svg").read_text("utf-8")
    assert re.search(r"<text[^>]*>[^<]*rlefs", text)
    assert "rlefs" in (tmp_path / "one" / "mine-macro_f1-svm-curves.svg").read_text(
        "utf-8"
    )
    pdf = (tmp_path / "one" / "mine-macro_f1-svm-ranks.pdf").read_bytes()
    assert b"/Type3" not in pdf


def test_what_cannot_be_drawn_is_no_file(tmp_path):
    one = result("naula-table2").only(data=["scene"], metrics=["macro_auc"])
    [path] = write_figures(one, tmp_path)
    assert path.name == "naula-table2-macro_auc-self-curves.svg"
    assert write_figures(result("ji-figure2"), tmp_path / "none") == []
    assert not (tmp_path / "none").exists()
