# SPDX-License-Identifier: BSD-3-Clause
import json
from datetime import UTC, date, datetime

import numpy as np
import pandas as pd
import polars as pl
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.base import clone
from sklearn.pipeline import make_pipeline

from labelsift.classification import BinaryRidge
from labelsift.prepare import TablePreparation
from prepare.tables import FLAVOURS, mixed
from reference.table_preparation import category_column, number_column

EACH = pytest.mark.parametrize("flavour", FLAVOURS)
USED = ["size", "count", "age", "plan", "vip", "flag"]


@EACH
def test_every_kind_is_found_and_every_column_left_out_says_why(flavour):
    made = TablePreparation().fit(FLAVOURS[flavour](mixed()))
    assert made.group_names_ == USED
    left_out = {c["name"]: c["why"] for c in made.columns_ if c["kind"] == "drop"}
    assert left_out == {
        "key": "text", "row": "id", "day": "date", "same": "constant",
        "empty": "missing",
    }  # fmt: skip
    assert sorted(made.get_feature_names_out()) == [
        "age", "age is missing", "count", "flag", "plan = free", "plan = pro",
        "plan = team", "size", "vip = yes",
    ]  # fmt: skip
    assert [len(group) for group in made.groups_] == [1, 1, 2, 3, 1, 1]


@EACH
def test_equal_to_the_reference_on_rows_not_seen(flavour):
    columns = mixed()
    train = {name: cells[:200] for name, cells in columns.items()}
    frame, rest = FLAVOURS[flavour](train), FLAVOURS[flavour](columns)
    made = TablePreparation(kinds={"row": "drop"}).fit(frame)
    out = made.transform(rest)
    places = dict(zip(made.group_names_, made.groups_, strict=True))
    for name in ("size", "count", "age", "flag"):
        expected = number_column(train[name], columns[name])
        np.testing.assert_allclose(out[:, places[name]].T, expected, err_msg=name)
    for name in ("plan", "vip"):
        kept, expected = category_column(train[name], columns[name])
        entry = next(c for c in made.columns_ if c["name"] == name)
        assert entry["values"] == kept
        np.testing.assert_allclose(out[:, places[name]].T, expected, err_msg=name)


def test_all_flavours_learn_the_same():
    documents = [
        TablePreparation().fit(make(mixed())).to_document()
        for make in FLAVOURS.values()
    ]
    assert all(document == documents[0] for document in documents)


@pytest.mark.parametrize("fitted", FLAVOURS)
@pytest.mark.parametrize("flavour", FLAVOURS)
def test_a_frame_of_another_library_gives_the_same_numbers(fitted, flavour):
    made = TablePreparation().fit(FLAVOURS[fitted](mixed()))
    expected = made.transform(FLAVOURS[fitted](mixed()))
    np.testing.assert_array_equal(made.transform(FLAVOURS[flavour](mixed())), expected)


@EACH
def test_columns_are_found_by_name_in_any_order_with_others_between(flavour):
    columns = mixed()
    made = TablePreparation().fit(FLAVOURS[flavour](columns))
    turned = {"new": columns["size"], **dict(reversed(columns.items()))}
    del turned["key"], turned["same"]  # not used
    expected = made.transform(FLAVOURS[flavour](columns))
    np.testing.assert_array_equal(made.transform(FLAVOURS[flavour](turned)), expected)


@EACH
def test_only_looks_at_the_columns_that_it_names(flavour):
    columns = mixed()
    made = TablePreparation().fit(FLAVOURS[flavour](columns))
    whole = made.transform(FLAVOURS[flavour](columns))
    part = {name: columns[name] for name in ("plan", "age")}
    few = made.transform(FLAVOURS[flavour](part), only=["plan", "age"])
    np.testing.assert_array_equal(few, whole[:, 2:7])  # in the order of the table


def test_columns_that_are_not_used_cannot_be_asked_for():
    made = TablePreparation().fit(FLAVOURS["pandas"](mixed()))
    with pytest.raises(ValueError, match="only names the column 'key', which is not"):
        made.transform(FLAVOURS["pandas"](mixed()), only=["key"])


@EACH
@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"plan": None}, "The table has no column 'plan', which the selection needs"),
        (
            {"count": ["3"] * 16 + ["many"] + ["2"] * 283},
            "Column 'count' held numbers when the selection was made and holds 'many' "
            "in row 17: fix it",
        ),
    ],
)
def test_next_months_table_is_wrong(flavour, change, sentence):
    columns = mixed()
    made = TablePreparation().fit(FLAVOURS[flavour](columns))
    new = {k: v for k, v in (columns | change).items() if v is not None}
    with pytest.raises(ValueError, match=sentence):
        made.transform(FLAVOURS[flavour](new))


def test_text_of_numbers_is_numbers_and_gaps_have_many_names():
    cells = [" 1.5", "2e1 ", "NA", "n/a", "-", "?", "", "None", "null", "#N/A", "nan"]
    frame = pd.DataFrame({"x": cells * 5})
    made = TablePreparation(min_frequency=1).fit(frame)
    assert made.columns_[0]["kind"] == "number"
    assert made.get_feature_names_out().tolist() == ["x", "x is missing"]
    assert made.columns_[0]["gap_mean"] == pytest.approx(9 / 11)


@pytest.mark.parametrize(
    "cells", [[1, -9999, 2, 3.5] * 10, ["1", "-9999", "2", "x"] * 10]
)
def test_more_texts_can_stand_for_a_gap(cells):
    frame = pd.DataFrame({"x": cells * 10})
    made = TablePreparation(missing=["-9999", "X"]).fit(frame)
    assert made.columns_[0]["kind"] == "number"
    assert "gap_mean" in made.columns_[0]
    assert made.columns_[0]["fill"] < 3
    again = TablePreparation.from_document(made.to_document())
    np.testing.assert_array_equal(again.transform(frame), made.transform(frame))


def test_infinite_numbers_are_gaps():
    x = np.arange(40.0) ** 1.5
    x[[1, 5]] = np.inf, -np.inf
    out = TablePreparation().fit_transform(pd.DataFrame({"x": x}))
    assert np.isfinite(out).all()
    assert out[1, 0] == out[5, 0]


@EACH
def test_kinds_can_be_told(flavour):
    told = {
        "count": "category", "day": "date", "row": "number", "plan": "drop",
        "flag": "category", "same": "number",
    }  # fmt: skip
    made = TablePreparation(kinds=told).fit(FLAVOURS[flavour](mixed()))
    kinds = {c["name"]: c["kind"] for c in made.columns_}
    assert told.items() <= kinds.items()
    out = made.transform(FLAVOURS[flavour](mixed()))
    places = dict(zip(made.group_names_, made.groups_, strict=True))
    assert np.isfinite(out).all()
    np.testing.assert_array_equal(out[:, places["same"]], 0)
    assert next(c for c in made.columns_ if c["name"] == "count")["values"][0] == "0"
    rows = out[:, places["row"]].ravel()
    assert (np.diff(rows) > 0).all()


@pytest.mark.parametrize(
    ("kinds", "sentence"),
    [
        ({"pln": "category"}, r"the column 'pln', .*did you mean 'plan'\?.*spelling"),
        ({"plan": "colour"}, "kinds calls 'plan' 'colour': use number, category, date"),
        ({"plan": "number"}, "'plan' is told to hold numbers and holds .* in row"),
        ({"plan": "date"}, "'plan' is told to hold dates, as 2024-01-31, and holds"),
    ],
)
def test_kinds_that_cannot_be(kinds, sentence):
    with pytest.raises(ValueError, match=sentence):
        TablePreparation(kinds=kinds).fit(FLAVOURS["pandas"](mixed()))


def test_dates_of_all_sorts_are_left_out_or_seconds():
    days = [datetime(2024, 1, 1 + i % 28, 12) for i in range(60)]
    frame = pd.DataFrame(
        {
            "typed": days,
            "object": pd.Series([d.date() for d in days], dtype=object),
            "text": [d.isoformat() for d in days],
            "german": [d.strftime("%d.%m.%Y") for d in days],
            "slashes": [d.strftime("%m/%d/%Y %H:%M") for d in days],
        }
    )
    made = TablePreparation(min_frequency=1).fit(frame.assign(x=np.arange(60) % 7))
    assert made.group_names_ == ["x"]
    told = TablePreparation(kinds=dict.fromkeys(("typed", "object", "text"), "date"))
    out = told.fit_transform(frame)
    np.testing.assert_allclose(out[:, 0], out[:, 2])
    np.testing.assert_allclose(out[:, 0], out[:, 1])
    noon = datetime(2024, 1, 1, 12, tzinfo=UTC).timestamp()
    day = (told.columns_[0]["fill"] - noon) / 86_400
    assert day == np.median([d.day - 1 for d in days])
    polars = pl.DataFrame(
        {
            "typed": days,
            "object": [d.date() for d in days],
            "text": frame["text"].tolist(),
        }
    )
    np.testing.assert_array_equal(told.transform(polars), out)
    with pytest.raises(ValueError, match="'german' is told to hold dates"):
        TablePreparation(kinds={"german": "date"}).fit(frame)


def test_a_declared_category_is_one_whatever_its_values():
    frame = pd.DataFrame({"code": pd.Series([1, 2, 3] * 20).astype("category")})
    made = TablePreparation().fit(frame)
    assert made.get_feature_names_out().tolist() == ["code = 1", "code = 2", "code = 3"]
    plain = made.transform(pd.DataFrame({"code": [1.0, 2.0, 9.0]}))
    np.testing.assert_array_equal(plain[:2], made.transform(frame)[:2])


def test_rare_and_unseen_values_are_zeros_in_all_columns():
    frame = pd.DataFrame({"plan": ["a"] * 30 + ["b"] * 20 + ["c"] * 9})
    made = TablePreparation().fit(frame)
    assert made.columns_[0]["values"] == ["a", "b"]
    out = made.transform(pd.DataFrame({"plan": ["c", "new", None, "a"]}))
    zeros = -np.array(made.columns_[0]["mean"]) / made.columns_[0]["scale"]
    np.testing.assert_allclose(out[:3], [zeros] * 3)


def test_the_most_frequent_values_get_the_columns():
    frame = pd.DataFrame({"v": np.repeat([f"v{i}" for i in range(40)], range(11, 51))})
    made = TablePreparation(max_categories=5).fit(frame)
    assert made.columns_[0]["values"] == ["v39", "v38", "v37", "v36", "v35"]


def test_a_mark_and_blanks_are_a_category_and_constant_numbers_with_gaps_tell_by_them():
    frame = pd.DataFrame({"mark": ["X", ""] * 20, "one": [1.0, None] * 20})
    made = TablePreparation().fit(frame)
    assert made.get_feature_names_out().tolist() == [
        "mark = X",
        "one",
        "one is missing",
    ]
    np.testing.assert_array_equal(made.transform(frame)[:, 1], 0)


def test_parts_of_a_table_keep_the_kinds_of_the_whole():
    columns = mixed()
    frame = FLAVOURS["pandas"](columns)
    whole = TablePreparation().fit(frame)
    part = whole.with_kinds_told().fit(frame.iloc[:12].assign(count=3, vip="no"))
    assert part.group_names_ == whole.group_names_
    out = part.transform(frame)
    assert np.isfinite(out).all()
    # A column that is constant in the part gives zeros, whatever comes later.
    places = dict(zip(part.group_names_, part.groups_, strict=True))
    np.testing.assert_array_equal(out[:, places["count"]], 0)
    assert [len(group) for group in part.groups_] != [len(g) for g in whole.groups_]
    assert all(len(group) for group in part.groups_)


def test_a_part_without_a_filled_row_gives_zeros():
    frame = pd.DataFrame({"x": [np.nan] * 30 + list(range(30))})
    part = TablePreparation(kinds={"x": "number"}).fit(frame.iloc[:30])
    np.testing.assert_array_equal(part.transform(frame), 0)


@pytest.mark.parametrize("large", [1e308, 1e-308, 5e-324])
def test_numbers_of_any_size_stay_finite(large):
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(
        {
            "two": np.where(rng.random(60) < 0.5, -large, large),
            "rare": np.where(np.arange(60) == 7, large, 0.0),
            "many": rng.uniform(-1, 1, size=60) * large,
        }
    )
    made = TablePreparation().fit(frame.iloc[:40])
    assert np.isfinite(made.transform(frame)).all()
    json.dumps(made.to_document(), allow_nan=False)


@pytest.mark.parametrize("small", [5e-324, 1e-310, 1e-300])
def test_numbers_too_small_to_be_divided_by_are_constant(small):
    frame = pd.DataFrame({"x": np.arange(60) % 3 * small})
    X = TablePreparation().fit(frame).transform(frame)
    spread = X.std()
    assert spread == 0 if small < 1e-307 else spread == pytest.approx(1)
    assert (X == 0).all() or small > 1e-307


def test_transform_after_json_is_the_same_bit_by_bit():
    frame = FLAVOURS["pandas"](mixed())
    made = TablePreparation(kinds={"day": "date"}).fit(frame)
    text = json.dumps(made.to_document(), allow_nan=False)
    again = TablePreparation.from_document(json.loads(text))
    np.testing.assert_array_equal(again.transform(frame), made.transform(frame))
    few = TablePreparation.from_document(made.to_document(only=["plan", "age"]))
    assert few.group_names_ == ["age", "plan"]
    np.testing.assert_array_equal(
        few.transform(frame), made.transform(frame, only=["plan", "age"])
    )


def test_it_is_a_step_of_a_pipeline_that_can_be_cloned():
    frame = FLAVOURS["pandas"](mixed())
    Y = np.column_stack([frame["vip"] == "yes", frame["flag"]]).astype(int)
    model = clone(make_pipeline(TablePreparation(), BinaryRidge())).fit(frame, Y)
    assert (model.predict(frame) == Y).mean() > 0.99


@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_frames_come_out_where_they_are_asked_for(library):
    frame = FLAVOURS["pandas"](mixed() | {"plan = pro": [1, 2, 2] * 100})
    made = TablePreparation().set_output(transform=library).fit(frame)
    out = made.transform(frame)
    assert list(out.columns) == made.get_feature_names_out().tolist()
    assert out.shape[1] == len(set(out.columns))


def test_arrays_have_numbered_columns():
    X = np.random.default_rng(0).normal(size=(50, 3))
    made = TablePreparation().fit(X)
    assert made.group_names_ == ["x0", "x1", "x2"]
    named = TablePreparation().fit(pd.DataFrame(X, columns=list("abc")))
    np.testing.assert_array_equal(named.transform(X), made.transform(X))


@pytest.mark.parametrize(
    ("table", "error", "sentence"),
    [
        (sp.csr_array(np.eye(3)), TypeError, "Sparse data is no table"),
        (pd.DataFrame({"x": []}), ValueError, "no rows or no columns"),
        (pd.DataFrame([[1, 2]], columns=["x", "x"]), ValueError, "two columns called"),
    ],
)
def test_what_is_no_table_is_refused(table, error, sentence):
    with pytest.raises(error, match=sentence):
        TablePreparation().fit(table)


CELLS = st.one_of(
    st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=6),
    st.dates(), st.datetimes(), st.sampled_from(["", "NA", "1", "1.5", "yes", "no"]),
)  # fmt: skip


@settings(max_examples=200, deadline=None)
@given(st.lists(CELLS, min_size=1, max_size=60), st.integers(1, 60))
def test_any_column_whatsoever_gives_finite_numbers(cells, cut):
    frame = pd.DataFrame({"x": pd.Series(cells * 3, dtype=object), "y": 1.0})
    whole = TablePreparation(min_frequency=2, kinds={"y": "number"}).fit(frame)
    part = whole.with_kinds_told().fit(frame.iloc[:cut])
    out = part.transform(frame)
    assert np.isfinite(out).all()
    document = json.loads(json.dumps(part.to_document(), allow_nan=False))
    np.testing.assert_array_equal(
        TablePreparation.from_document(document).transform(frame), out
    )


def test_date_objects_compare_with_datetimes():
    cells = pd.Series([date(2024, 1, 2), datetime(2024, 1, 3)] * 10, dtype=object)
    made = TablePreparation(kinds={"d": "date"}).fit(pd.DataFrame({"d": cells}))
    assert made.columns_[0]["kind"] == "date"


def test_a_value_that_looks_like_a_number_is_a_value_in_any_part():
    """Rows that all hold 01 are no numbers where the column held text."""
    table = pd.DataFrame({"plan": ["01", "b", "c"] * 20})
    fitted = TablePreparation().fit(table)
    whole = fitted.transform(table)
    np.testing.assert_array_equal(
        fitted.transform(table[table["plan"] == "01"]), whole[::3]
    )
    told = TablePreparation(kinds={"n": "category"})
    numbers = pd.DataFrame({"n": ["01", "2", "1.0"] * 20})
    made = told.fit(numbers).transform(numbers)
    np.testing.assert_array_equal(made, told.transform(numbers.astype(float)))


def test_a_part_of_a_longer_table_tells_its_own_rows():
    table = pd.DataFrame({"n": np.arange(40.0) ** 2 % 7})
    fitted = TablePreparation(kinds={"n": "number"}).fit(table)
    later = table.astype(object)
    later.loc[30, "n"] = "many"
    with pytest.raises(ValueError, match="holds 'many' in row 31"):
        fitted.transform(later[25:])
