# SPDX-License-Identifier: BSD-3-Clause
import csv
import json

import pytest

from labelsift.report.page_curves import curves
from labelsift.report.page_exports import (
    selection_document,
    write_curves,
    write_figure,
    write_selection,
)
from report.pages import hostile_page, traits_page


def test_the_curves_are_all_there(tmp_path):
    page = traits_page()
    write_curves(page, tmp_path / "curves.csv")
    with (tmp_path / "curves.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    means = curves(page)
    assert len(rows) == sum(len(c) for by in means.values() for c in by.values())
    for row in rows:
        point = means[row["measure"]][row["method"]][int(row["budget"])]
        assert float(row["mean"]) == pytest.approx(point.mean)
        assert float(row["std_error"]) == pytest.approx(point.std_error)
        assert int(row["n_splits"]) == 5


def test_the_selection_is_all_there(tmp_path):
    page = traits_page()
    write_selection(page, tmp_path / "selection.json")
    document = json.loads((tmp_path / "selection.json").read_text())
    assert document == selection_document(page)
    assert document["recommended"]["n_features"] == page.recommendation.budget
    found = document["methods"]["rfs"]["features"]
    assert [f["index"] for f in found] == page.selections["rfs"]["order"]
    assert found[3]["weights"] == page.selections["rfs"]["weights"][3]
    cut = selection_document(page, 2)["methods"]["rfs"]
    assert (len(cut["features"]), cut["n_selected"]) == (2, 20)


def test_hostile_names_can_be_written(tmp_path):
    write_selection(hostile_page(), tmp_path / "x.json")
    write_curves(hostile_page(), tmp_path / "x.csv")
    with (tmp_path / "x.csv").open(newline="", encoding="utf-8") as file:
        methods = {row["method"] for row in csv.DictReader(file)}
    assert "<script>alert(1)</script>" in methods


@pytest.mark.filterwarnings("ignore:Glyph")  # the font, not the name, is at fault
@pytest.mark.parametrize("page", [traits_page, hostile_page])
def test_a_figure_is_drawn(page, tmp_path):
    write_figure(page(), "macro_auc", tmp_path / "x.svg")
    assert "<svg" in (tmp_path / "x.svg").read_text()


def test_a_measure_that_is_not_there():
    with pytest.raises(ValueError, match="no measure 'speed'"):
        write_figure(traits_page(), "speed", "unused.svg")
