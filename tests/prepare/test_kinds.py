# SPDX-License-Identifier: BSD-3-Clause
import numpy as np
import pandas as pd
import pytest

from labelsift.core.cells import read_cells
from labelsift.prepare.kinds import (
    are_dates,
    counts_rows,
    decide,
    is_number,
    missing_texts,
    settled,
)


def kind(cells, min_frequency=10):
    return decide(settled(read_cells(pd.Series(cells)), missing_texts()), min_frequency)


@pytest.mark.parametrize("text", ["1", "-1.5", "+2", ".5", "5.", "1e3", "1E-3", "007"])
def test_numbers(text):
    assert is_number(text)


@pytest.mark.parametrize(
    "text", ["", "1,5", "1_000", "inf", "nan", "0x1", "1 2", "5%", "٣", "1e", "--1"]
)
def test_what_is_no_number(text):
    assert not is_number(text)


@pytest.mark.parametrize(
    "text",
    [
        "2024-01-31",
        "2024-01-31 12:00",
        "2024-01-31T12:00:05.25Z",
        "31.01.2024",
        "1/31/2024 1:05 PM",
        "2024/1/31",
    ],
)
def test_dates(text):
    assert are_dates((text,))


@pytest.mark.parametrize(
    "text", ["2024", "1.5", "01.02", "2024-01", "10:00", "1-2/2024"]
)
def test_what_is_no_date(text):
    assert not are_dates((text,))


@pytest.mark.parametrize(
    ("cells", "expected"),
    [
        ([1.5, 2.5] * 20, ("number", "")),
        (list(range(40)), ("drop", "id")),
        (list(range(40, 0, -1)), ("drop", "id")),
        ([str(i) for i in range(40)], ("drop", "id")),
        (list(np.random.default_rng(0).permutation(40) + 7.0), ("drop", "id")),
        (list(np.random.default_rng(0).integers(0, 9999, 40)), ("number", "")),
        (list(range(19)), ("number", "")),  # too few rows to tell
        ([i // 2 for i in range(80)], ("number", "")),  # it repeats
        ([i + 0.5 for i in range(40)], ("number", "")),
        ([True, False] * 10, ("number", "")),
        ([3] * 40, ("drop", "constant")),
        (["a"] * 40, ("drop", "constant")),
        (["a"] * 39 + [None], ("drop", "constant")),
        (["a"] * 30 + [None] * 10, ("category", "")),
        ([1] + [None] * 39, ("drop", "missing")),
        ([None] * 40, ("drop", "missing")),
        ([f"w{i}" for i in range(40)], ("drop", "text")),
        ([f"w{i % 21}" for i in range(40)], ("drop", "text")),
        ([f"w{i % 20}" for i in range(40)], ("drop", "rare")),
        ([f"w{i % 4}" for i in range(40)], ("category", "")),
        (["2024-01-01", "2024-01-02"] * 20, ("date", "date")),
    ],
)
def test_kinds(cells, expected):
    assert kind(cells) == expected


def test_whole_numbers_beyond_floats_are_told_apart():
    assert counts_rows(np.arange(40) + 2**62)
    assert not counts_rows(np.repeat(np.arange(20), 2) + 2**62)
