# SPDX-License-Identifier: BSD-3-Clause
"""One reading is taken, more than one is asked about: never a guess."""

import gzip

import pytest

from labelsift.datasets.dialect import Dialect, find_dialect

UTF8, WINDOWS = "utf-8-sig", "cp1252"
# The nine ways in which people write the same table.
NINE = {
    "commas": ("a,b,c\n1.5,2,x\n2.5,3,y\n", Dialect(UTF8, ",")),
    "semicolons": ("a;b;c\n1.5;2;x\n2.5;3;y\n", Dialect(UTF8, ";")),
    "decimal commas": ("a;b;c\n1,5;2;x\n2,5;3;y\n", Dialect(UTF8, ";", ",")),
    "commas in the header": (
        "Größe, cm;b;c\n1,5;2,5;x\n2,25;3;y\n",
        Dialect(UTF8, ";", ","),
    ),
    "latin": ("Größe;b\n1;2\n3;4\n".encode("latin-1"), Dialect(WINDOWS, ";")),
    "tabs": ("a\tb\tc\n1.5\t2\tx, y\n", Dialect(UTF8, "\t")),
    "bars": ("a|b\n1|2,5\n", Dialect(UTF8, "|", ",")),
    "line breaks": ('"a\nor, b","c\n;"\n1,2\n3,4\n', Dialect(UTF8, ",")),
    "byte order mark": (b"\xef\xbb\xbfa,b\r\n1,2\r\n", Dialect(UTF8, ",")),
}


@pytest.mark.parametrize("name", NINE)
def test_one_reading_is_taken(write, name):
    content, expected = NINE[name]
    assert find_dialect(write("a.csv", content)) == expected
    raw = content.encode() if isinstance(content, str) else content
    assert find_dialect(write("a.csv.gz", gzip.compress(raw))) == expected


def test_title_lines_are_asked_about_and_skipped(write):
    path = write("a.csv", "Report of May\nmade by me\na,b,c\n1,2,3\n4,5,6\n")
    with pytest.raises(ValueError, match=r"line 1 has 1 cell and most .*--skip N"):
        find_dialect(path)
    assert find_dialect(path, skip=2) == Dialect(UTF8, ",")


def test_utf_16_is_known_by_its_mark(write):
    path = write("a.csv", "a\tb\n1\t2\n".encode("utf-16"))
    assert find_dialect(path) == Dialect("utf-16", "\t")


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        ("a,b;c,d\n1,2;3,4\n", r"commas \(3 columns\) or semicolons \(2 columns\)"),
        ("abc\n123\n", "one cell in every line .* say --sep, or --skip N"),
        ("a;b\n1,5;2.5\n", r"with a comma \(1,5\) and with a point \(2.5\).*--decimal"),
        ("a;b\n1,500;2\n", r"numbers as 1,500, which may be .* thousands: say --decim"),
        ("a,b\n1,2\n3\n4,5\n", "with commas, line 3 has 1 cell and most have 2"),
    ],
)
def test_more_than_one_reading_is_asked_about(write, content, sentence):
    with pytest.raises(ValueError, match=sentence):
        find_dialect(write("a.csv", content))


def test_the_decimal_mark_is_looked_for_in_all_rows(write):
    rows = "".join(f"{i};{i}\n" for i in range(300_000))
    path = write("a.csv", f"a;b\n{rows}7,5;1\n")
    assert find_dialect(path).decimal == ","


@pytest.mark.parametrize(
    ("cell", "decimal"),
    [
        ("1,5", ","),
        ("-1,25", ","),
        ('"1,5"', ","),
        (" 1,5 ", ","),
        ("1.5", "."),
        ("x1,5", "."),
        ("1,5,6", "."),
        ("1,5 kg", "."),
        ("31.12.2024", "."),
    ],
)
def test_cells_that_tell_the_decimal_mark(write, cell, decimal):
    path = write("a.csv", f"a;b\n{cell};2\n3;4\n")
    assert find_dialect(path).decimal == decimal


def test_what_is_told_is_not_looked_for(write):
    path = write("a.csv", "a,b;c,d\n1,500;2.5\n")
    told = Dialect("latin-1", ";", ",")
    assert find_dialect(path, ";", ",", "latin-1") == told


def test_words():
    assert Dialect(UTF8, ";", ",").words == "with semicolons and decimal commas, UTF-8"
    words = "with tabs, Windows-1252 (it is not UTF-8)"
    assert Dialect(WINDOWS, "\t").words == words
    assert Dialect("koi8-r", "~").words == "with '~', koi8-r"
