# SPDX-License-Identifier: BSD-3-Clause
"""Every example of the gallery runs by itself."""

import runpy
from pathlib import Path

import pytest

pytest.importorskip("matplotlib")
EXAMPLES = sorted((Path(__file__).parents[2] / "examples").glob("plot_*.py"))


@pytest.mark.slow  # make docs runs them all
@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_the_example_runs(path, tmp_path, monkeypatch):
    monkeypatch.setenv("MPLBACKEND", "agg")
    monkeypatch.chdir(tmp_path)
    runpy.run_path(str(path), run_name="__main__")


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_the_example_needs_no_download(path):
    text = path.read_text()
    assert "fetch_" not in text
    assert "LABELSIFT_DATA" not in text
