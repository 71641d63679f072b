# SPDX-License-Identifier: BSD-3-Clause
from datetime import datetime

import pytest

from labelsift.datasets import excel, open_data, read_excel

openpyxl = pytest.importorskip("openpyxl")

ROWS = [
    ["id", "plan", "size", "day", "tag"],
    ["u", "free", 1.5, datetime(2024, 1, 1), "yes"],
    ["v", None, 2, datetime(2024, 1, 2), "no"],
    ["w", "pro", None, None, "no"],
]


@pytest.fixture
def book(tmp_path):
    """Write sheets of rows."""

    def make(**sheets):
        made = openpyxl.Workbook()
        made.remove(made.active)
        for name, rows in sheets.items():
            page = made.create_sheet(name)
            for row in rows:
                page.append(row)
        made.save(tmp_path / "a.xlsx")
        return tmp_path / "a.xlsx"

    return make


def test_one_sheet(book):
    data = read_excel(book(Data=ROWS), "tag")
    assert data.feature_names == ("id", "plan", "size", "day")
    assert data.Y.ravel().tolist() == [1, 0, 0]
    assert data.frame["size"].tolist()[:2] == [1.5, 2]
    assert data.notes == ("Read from sheet 'Data': 3 rows, 5 columns.",)
    assert open_data(book(Data=ROWS), labels="tag", drop="id").n_features == 3


def test_sheets_are_asked_about(book):
    path = book(May=ROWS, June=ROWS[:3])
    with pytest.raises(ValueError, match=r"several sheets .*'May', 'June'.* --sheet"):
        read_excel(path, "tag")
    assert read_excel(path, "tag", sheet="June").n_samples == 2
    with pytest.raises(ValueError, match="no sheet 'July'"):
        read_excel(path, "tag", sheet="July")


def test_title_rows_and_empty_rows_and_columns(book):
    rows = [["Report"], [], *[[*row, None, None] for row in ROWS], [None], []]
    with pytest.raises(ValueError, match=r"column 2 has no name.*--skip"):
        read_excel(book(Data=rows), "tag")
    data = read_excel(book(Data=rows), "tag", skip=2)
    assert (data.n_samples, data.n_features) == (3, 4)


@pytest.mark.parametrize("rows", [[], [[None]], [ROWS[0]]])
def test_empty_sheets(book, rows):
    with pytest.raises(ValueError, match="is empty"):
        read_excel(book(Data=rows), "tag")


def test_what_is_no_excel_file(write, monkeypatch, book):
    with pytest.raises(ValueError, match=r"cannot be read as an Excel file .* \.xlsx"):
        read_excel(write("b.xlsx", b"PK and more"), "tag")
    monkeypatch.setattr(excel, "unpacked_limit", lambda _: 10)
    with pytest.raises(ValueError, match="it would unpack to"):
        read_excel(book(Data=ROWS), "tag")


def test_a_missing_file(tmp_path):
    with pytest.raises(FileNotFoundError, match="does not exist"):
        read_excel(tmp_path / "c.xlsx", "tag")
