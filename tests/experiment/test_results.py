# SPDX-License-Identifier: BSD-3-Clause
"""The table of results against plain loops over its rows."""

import math
import struct

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from labelsift.experiment.results import (
    CELL,
    MEASURED,
    TASKS,
    VALUES,
    Outcome,
    Results,
    frame,
    read_csv,
    write_csv,
)
from reference import results as slow

FINITE = st.floats(-100, 100, allow_subnormal=False)
ROW = st.fixed_dictionaries(
    {
        "suite": st.just("s"),
        "data": st.sampled_from(["scene", "yeast"]),
        "method": st.sampled_from(["rfs", "csfs", "random"]),
        "draw": st.integers(0, 1),
        "split": st.integers(0, 2),
        "n_train": st.just(60),
        "n_features": st.just(12),
        "params": st.sampled_from(["{}", '{"gamma":1.0}']),
        "readout": st.sampled_from(["self", "ridge"]),
        "threshold": st.sampled_from(["", "zero"]),
        "budget": st.sampled_from([2, 5]),
        "measure": st.sampled_from(["macro_auc", "micro_f1"]),
        "value": FINITE | st.just(math.nan),
    }
).map(lambda row: {name: row[name] for name in VALUES})
ROWS = st.lists(ROW, max_size=40)
# Whatever a file can hold: names of strangers (a carriage return is a line break to
# readers of CSV), and every float but NaN's payloads.
NAME = st.text(
    st.characters(exclude_categories=["Cs"], exclude_characters="\x00\r"), max_size=8
)
ANY_ROW = st.tuples(
    NAME, NAME, NAME, st.integers(0, 9), st.integers(0, 9), st.integers(0, 10**9),
    st.integers(0, 10**9), NAME, NAME, NAME, st.integers(0, 10**9), NAME,
    st.floats(allow_nan=False) | st.just(math.nan),
)  # fmt: skip


def results_of(rows):
    return Results(frame([tuple(row.values()) for row in rows], VALUES))


def tasks_of(rows):
    """A finished task for every row."""
    names = ("suite", "data", "method", "draw", "split", "n_train", "n_features")
    return frame(
        [(*(row[name] for name in names), "done", "", 0.1, 1.0, "") for row in rows],
        TASKS,
    )


def records(table):
    return table.to_dict("records")


def assert_same_records(table, rows):
    assert repr(records(table)) == repr(rows)  # NaN is not equal to itself


@settings(max_examples=60, deadline=None)
@given(ROWS, st.lists(st.sampled_from(["rfs", "random", "other"]), max_size=2))
def test_where(rows, methods):
    results = Results(results_of(rows).values, tasks_of(rows))
    part = results.where(measure="macro_auc", method=methods, split=1)
    wanted = slow.where(rows, measure=["macro_auc"], method=methods, split=[1])
    assert_same_records(part.values, wanted)
    # A task has no measure: it is cut by the columns that it has.
    tasks = slow.where(records(results.tasks), method=methods, split=[1])
    assert_same_records(part.tasks, tasks)


def test_where_takes_one_value_or_several_of_any_kind():
    rows = [(*row, "v", 0.5) for row in [("s", "d", "m", 0, k, 1, 1, "", "", "", k)
                                         for k in range(4)]]  # fmt: skip
    results = Results(frame(rows, VALUES))
    for wanted in (2, np.int64(2), [2], np.array([2]), pd.Series([2]), {2}):
        assert results.where(budget=wanted).values["split"].tolist() == [2]
    assert results.where(budget=range(2)).values["split"].tolist() == [0, 1]
    assert results.where(value=0.5, data="d").values["split"].tolist() == [0, 1, 2, 3]
    assert results.where().values.equals(results.values)


def test_where_names_an_unknown_column():
    with pytest.raises(ValueError, match="There is no column 'metric': choose from su"):
        results_of([]).where(metric="macro_auc")


@settings(max_examples=60, deadline=None)
@given(ROWS, st.sampled_from([(), ("params",), ("n_train", "params")]))
def test_mean_over_splits(rows, more):
    table = results_of(rows).mean_over_splits(*more)
    assert list(table) == [*CELL, *more, "mean", "std", "std_error", "n_splits"]
    wanted = slow.mean_over_splits(rows, *more)
    cells = table[[*CELL, *more]].itertuples(index=False, name=None)
    assert list(cells) == list(wanted)
    numbers = table[["mean", "std", "std_error", "n_splits"]].to_numpy(float)
    expected = np.array(list(wanted.values()), dtype=float).reshape(-1, 4)
    np.testing.assert_allclose(numbers, expected, rtol=1e-9, atol=1e-9)


@settings(max_examples=60, deadline=None)
@given(ROWS, st.sampled_from(["macro_auc", "micro_f1"]))
def test_curve(rows, measure):
    table = results_of(rows).curve(measure)
    assert list(table.index) == sorted(table.index)
    assert_same_table(table, slow.curve(rows, measure))


@settings(max_examples=60, deadline=None)
@given(ROWS, st.sampled_from(["data", "readout", "split"]))
def test_by_block(rows, block):
    table = results_of(rows).by_block("macro_auc", block)
    assert_same_table(table, slow.by_block(rows, "macro_auc", block))


def test_a_draw_weighs_less_than_a_split_in_a_block():
    def row(draw, split, budget, value):
        name = ("s", "d", "random", draw, split, 1, 9)
        return (*name, "", "ridge", "", budget, "macro_auc", value)

    rows = [row(0, 0, 2, 0.0), row(1, 0, 2, 1.0), row(0, 1, 2, 1.0), row(0, 0, 5, 0.0)]
    block = Results(frame(rows, VALUES)).by_block("macro_auc")
    assert block.loc["d", "random"] == ((0.0 + 1.0) / 2 / 2 + 1.0 / 2 + 0.0) / 2


def assert_same_table(table, wanted):
    """Every wanted (row, column) and no other has its value."""
    stacked = table.stack()
    places = stacked[stacked.notna()].to_dict()
    assert places.keys() == wanted.keys()
    for place, value in wanted.items():
        assert places[place] == pytest.approx(value, rel=1e-9, abs=1e-9)


def bits(value):
    return struct.pack("d", value)


@settings(max_examples=50, deadline=None)
@given(st.lists(ANY_ROW, max_size=6))
@pytest.mark.parametrize("suffix", ["csv", "parquet"])
def test_values_come_back_bit_by_bit(tmp_path_factory, suffix, rows):
    path = tmp_path_factory.mktemp("values") / f"values.{suffix}"
    before = Results(frame(rows, VALUES))
    before.write(path)
    after = Results.read(path)
    assert after.values.dtypes.equals(before.values.dtypes)
    names = [name for name in VALUES if name != "value"]
    pd.testing.assert_frame_equal(after.values[names], before.values[names])
    pairs = zip(after.values["value"], before.values["value"], strict=True)
    assert all(bits(a) == bits(b) or (a != a and b != b) for a, b in pairs)
    assert after.tasks.empty


def test_a_file_has_all_digits_and_the_same_bytes_again(tmp_path):
    row = ("s", "d", "rfs, plain", 0, 1, 60, 12, '{"gamma":1.0}', "svm", "", 3, "m")
    results = Results(frame([(*row, 0.1 + 0.2), (*row, math.nan)], VALUES))
    results.write(tmp_path / "one.csv")
    results.write(tmp_path / "two.csv")
    text = (tmp_path / "one.csv").read_bytes()
    assert text == (tmp_path / "two.csv").read_bytes()
    assert text.decode().splitlines() == [
        ",".join(VALUES),
        's,d,"rfs, plain",0,1,60,12,"{""gamma"":1.0}",svm,,3,m,0.30000000000000004',
        's,d,"rfs, plain",0,1,60,12,"{""gamma"":1.0}",svm,,3,m,',
    ]
    assert b"\r" not in text


def test_names_that_look_like_numbers_or_nothing_stay_names(tmp_path):
    names = ["007", "1e5", "NA", "nan", "True", ""]
    rows = [("s", name, name, 0, 0, 1, 1, name, "", "", 1, "m", 1.0) for name in names]
    Results(frame(rows, VALUES)).write(tmp_path / "values.csv")
    values = Results.read(tmp_path / "values.csv").values
    assert values["data"].tolist() == values["params"].tolist() == names


def test_tasks_come_back_from_a_file(tmp_path):
    row = ("s", "d", "m", 0, 1, 60, 12)
    tasks = frame(
        [
            (*row, "done", "", 1.5, math.nan, "one\ntwo"),
            (*row, "failed", "ValueError: a, b", math.nan, 0.1, ""),
        ],
        TASKS,
    )
    write_csv(tasks, tmp_path / "tasks.csv")
    pd.testing.assert_frame_equal(read_csv(tmp_path / "tasks.csv", TASKS), tasks)


def test_a_table_without_a_column_is_refused():
    table = results_of([]).values.drop(columns="budget")
    with pytest.raises(ValueError, match="values has no column 'budget': it needs"):
        Results(table)
    with pytest.raises(ValueError, match="tasks has no column 'status'"):
        Results(results_of([]).values, frame([], TASKS).drop(columns="status"))


def test_a_file_without_a_column_is_refused(tmp_path):
    path = tmp_path / "values.csv"
    results_of([]).values.drop(columns="measure").to_csv(path, index=False)
    with pytest.raises(ValueError, match=r"values\.csv has no column 'measure'"):
        Results.read(path)


def test_a_value_of_the_wrong_type_is_refused(tmp_path):
    row = ("s", "d", "m", 0, 0, 1, 1, "", "", "", "many", "macro_auc", 1.0)
    with pytest.raises(ValueError, match=r"values has a value of the wrong type.*many"):
        Results(pd.DataFrame([row], columns=list(VALUES)))
    path = tmp_path / "values.csv"
    pd.DataFrame([row], columns=list(VALUES)).to_csv(path, index=False)
    with pytest.raises(ValueError, match=r"values\.csv has a value of the wrong type"):
        Results.read(path)


def test_more_columns_than_needed_are_left_out_and_the_order_is_fixed():
    table = results_of([]).values.assign(note="x")
    turned = table[list(reversed(list(table)))]
    assert list(Results(turned).values) == list(VALUES)


def test_results_are_compared_by_identity_and_not_by_tables():
    results = results_of([])
    assert results == results
    assert results != results_of([])


def test_an_outcome_without_values_has_empty_tables():
    outcome = Outcome("key", "{}", "failed", error="ValueError: no.")
    assert list(outcome.values) == list(MEASURED)
    assert outcome.values.empty
    assert outcome.artifacts.empty
    assert math.isnan(outcome.memory_mib)
