# SPDX-License-Identifier: BSD-3-Clause
import csv

import numpy as np
import pytest

from labelsift.bench import published
from labelsift.bench.published import PAPERS, published_cells
from labelsift.metrics import MEASURES
from labelsift.selection import METHODS

COUNTS = {
    ("gu", "table2"): 8 * 3 * 6,
    ("ji", "table3"): 6 * 3 * 6,
    ("ji", "table4"): 6 * 3 * 5,
    ("jian", "table2"): 5 * 4,
    ("jian", "table3"): 5 * 4,
    ("rlefs", "table2"): 7 * 10,
    ("rlefs", "table3"): 7 * 10,
    ("rlefs", "table4"): 7 * 10,
    ("rlefs", "table5"): 7 * 10,
    ("naula", "table2"): 7 * 7 * 5,
    ("naula", "table3"): 7 * 3 * 2,
}
NOT_SELECTORS = {
    *("svm", "svm-c1", "cca-svm", "cca-ridge", "fisher-svm", "ppt-mi", "ppt-chi2"),
    *("aso", "mlls", "mlknn", "larank-svm", "clarank-svm"),
}
AT_HAND = {
    *("scene", "yeast", "emotions", "CAL500", "enron", "flags", "rcv1-subset1"),
    *("yahoo-arts", "yahoo-education", "yahoo-reference", "yahoo-science"),
    *("yahoo-arts-full", "yahoo-education-full", "yahoo-reference-full"),
    "yahoo-science-full",
}
ABSENT = {
    *("mediamill", "delicious", "tmc2007", "rcv1-regions", "rcv1-industries"),
    *("yahoo-entertainment", "yahoo-social", "yahoo-society"),
    *("yahoo-business-full", "yahoo-computers-full", "yahoo-entertainment-full"),
    *("yahoo-health-full", "yahoo-recreation-full", "yahoo-social-full"),
    "yahoo-society-full",
}
# The row "Average" of each table of rlefs, which is not among the cells.
AVERAGES = {
    "table2": (0.111, 0.113, 0.129, 0.137, 0.14, 0.134, 0.177),
    "table3": (0.296, 0.285, 0.292, 0.323, 0.326, 0.288, 0.386),
    "table4": (0.156, 0.155, 0.168, 0.178, 0.179, 0.161, 0.2),
    "table5": (0.342, 0.331, 0.342, 0.363, 0.364, 0.338, 0.401),
}


NAMES = ["paper", "table", "data", "method", "measure", "setting"]


def wins(cells, measure):
    """How often each method is the best on a data set."""
    part = cells[cells["measure"] == measure].reset_index(drop=True)
    best = part.loc[part.groupby("data")["mean"].idxmax()]
    return best["method"].value_counts().to_dict()


def test_every_printed_cell_is_listed_once():
    cells = published_cells()
    assert cells.groupby(["paper", "table"]).size().to_dict() == COUNTS
    assert len(cells) == len(cells[NAMES].drop_duplicates()) == 949


def test_cells_are_those_of_the_files_bit_by_bit():
    for paper in PAPERS:
        path = next(iter(published.__path__)) + f"/{paper}.csv"
        with open(path, newline="", encoding="utf-8") as file:
            rows = list(csv.DictReader(file))
        cells = published_cells(paper)
        assert cells["mean"].tolist() == [float(row["mean"]) for row in rows]
        stds = [float(row["std"]) if row["std"] else None for row in rows]
        assert [None if std != std else std for std in cells["std"]] == stds
        assert cells[NAMES].to_dict("records") == [
            {name: row[name] for name in NAMES} for row in rows
        ]


@pytest.mark.parametrize(("paper", "table"), COUNTS)
def test_every_name_in_a_table_has_as_many_cells(paper, table):
    cells = published_cells(paper)
    cells = cells[cells["table"] == table]
    for field in ("data", "method", "measure"):
        filled = cells.groupby(field).size().to_dict()
        if paper == "naula" and field == "method":
            filled["mlknn"] *= 3 if table == "table2" else 1  # at one budget: all
        assert len(set(filled.values())) == 1, field


def test_names_are_ours():
    cells = published_cells()
    assert set(cells["method"]) <= METHODS.keys() | NOT_SELECTORS
    assert set(cells["measure"]) <= MEASURES.keys() | {"seconds", "rank"}
    assert set(cells["data"]) == AT_HAND | ABSENT
    settings = {"", "10%", "45%", "80%", "100", "50", "svm", "3nn"}
    assert set(cells["setting"]) == settings


def test_sets_called_at_hand_are(data_home):
    assert all((data_home / name / "data.npz").exists() for name in AT_HAND)


def test_numbers_are_in_range():
    for cell in published_cells().to_dict("records"):
        top = {"seconds": 1e5, "rank": 5, "coverage": 983}.get(cell["measure"], 1)
        assert 0 < cell["mean"] / cell["scale"] <= top, cell
        if cell["measure"] in ("seconds", "rank"):
            assert np.isnan(cell["std"])
        else:
            assert 0 <= cell["std"] < max(cell["mean"], 0.01), cell


def test_percentages_are_those_of_one_paper():
    cells = published_cells()
    assert set(cells[cells["paper"] == "gu"]["scale"]) == {100.0}
    assert set(cells[cells["paper"] != "gu"]["scale"]) == {1.0}


def test_a_cell_of_each_table_as_printed():
    printed = published_cells().set_index(NAMES)
    for cell, value in {
        ("gu", "table2", "yahoo-health-full", "cmlfs", "macro_f1", ""): (62.1, 1.47),
        ("ji", "table3", "yahoo-health-full", "svm", "micro_f1", ""): (0.6773, 0.0051),
        ("ji", "table4", "yahoo-society-full", "svm", "micro_f1", ""): (0.4801, 0.0127),
        ("jian", "table2", "rcv1-industries", "mifs", "rank", ""): (1.75, None),
        ("jian", "table3", "rcv1-industries", "mifs", "seconds", ""): (5532.39, None),
        ("rlefs", "table2", "yahoo-social", "rlefs", "macro_f1", "svm"): (0.103, 0.039),
        ("rlefs", "table3", "yahoo-social", "rlefs", "micro_f1", "svm"): (0.498, 0.142),
        ("rlefs", "table4", "enron", "ppt-chi2", "macro_f1", "3nn"): (0.074, 0.012),
        ("rlefs", "table5", "yahoo-social", "rlefs", "micro_f1", "3nn"): (0.491, 0.081),
        ("naula", "table2", "mediamill", "mlknn", "macro_auc", ""): (0.823, 0.004),
        ("naula", "table2", "CAL500", "mt-lasso", "coverage", "80%"): (75.18, 1.181),
        ("naula", "table3", "delicious", "mt-lasso", "coverage", "100"): (540.8, 1.736),
        ("naula", "table3", "tmc2007", "greedy-rls", "accuracy", "50"): (0.486, 0.003),
    }.items():
        mean, std = printed.loc[cell, "mean"], printed.loc[cell, "std"]
        assert (mean, None if np.isnan(std) else std) == value, cell


@pytest.mark.parametrize("table", AVERAGES)
def test_columns_of_rlefs_have_the_printed_averages(table):
    cells = published_cells("rlefs")
    cells = cells[cells["table"] == table]
    means = cells.groupby("method", sort=False)["mean"].mean()
    np.testing.assert_allclose(means, AVERAGES[table], atol=0.00051)


def test_what_the_papers_say_of_their_tables_holds():
    ji = published_cells("ji")
    assert wins(ji, "macro_f1") == {"mlls": 11}
    assert wins(ji, "macro_auc") == {"mlls": 9, "svm": 1, "svm-c1": 1}
    assert wins(ji, "micro_f1") == {"mlls": 10, "cca-ridge": 1}
    assert wins(published_cells("gu"), "macro_auc") == {"cmlfs": 6}


def test_ranks_of_jian_are_means_over_ten_budgets_and_two_measures():
    cells = published_cells("jian")
    ranks = cells[cells["measure"] == "rank"]["mean"]
    np.testing.assert_allclose(np.multiply(ranks, 20) % 1, 0, atol=1e-9)


def test_an_unknown_paper_is_named():
    with pytest.raises(ValueError, match="no paper 'Gu': use gu, ji"):
        published_cells("Gu")
