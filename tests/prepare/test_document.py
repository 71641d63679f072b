# SPDX-License-Identifier: BSD-3-Clause
"""A stranger's preparation: refused in a sentence, or harmless."""

import copy
import json

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from labelsift.prepare import TablePreparation
from labelsift.prepare.document import MOST_VALUES
from prepare.tables import mixed

FRAME = pd.DataFrame(mixed(100))


def good():
    made = TablePreparation(missing=["x"]).fit(FRAME)
    return json.loads(json.dumps(made.to_document()))


def entry(document, kind):
    return next(c for c in document["columns"] if c["kind"] == kind)


def changed(which, /, **fields):
    document = good()
    entry(document, which).update(fields)
    return document


WRONG = {
    "list": [],
    "nothing": {},
    "no columns": {"missing": [], "columns": []},
    "missing": good() | {"missing": [1]},
    "no name": changed("number", name=1),
    "twice": changed("number", name="plan"),
    "kind": changed("number", kind="colour"),
    "kind list": changed("number", kind=["number"]),
    "fill": changed("number", fill="1"),
    "bool": changed("number", fill=True),
    "nan": changed("number", mean=float("nan")),
    "inf": changed("number", low=float("-inf")),
    "one bound": changed("number", low=None),
    "bounds turned": changed("number", low=2.0, high=1.0),
    "zero": changed("number", scale=0.0),
    "negative": changed("number", scale=-1.0),
    "denormal": changed("number", scale=1e-320),
    "half a gap": changed("number", gap_mean=0.1),
    "gap": changed("number", gap_mean=0.1, gap_scale=0),
    "gap of text": changed("category", gap_mean=0.1, gap_scale=0.1),
    "more": changed("number", run="rm"),
    "huge": changed("number", fill=10**400),
    "lengths": changed("category", mean=[0.1]),
    "values": changed("category", values=["a", "a", "b"]),
    "not text": changed("category", values=[1, 2, 3]),
    "scales": changed("category", scale=[1.0, 1.0, -1.0]),
    "why": changed("drop", why="because"),
    "why list": changed("drop", why=["id"]),
}


@pytest.mark.parametrize("name", WRONG)
def test_what_is_wrong_is_refused_in_a_sentence(name):
    with pytest.raises(ValueError, match=r"reparation .*: save the selection again"):
        TablePreparation.from_document(WRONG[name])


def test_a_million_values_are_refused_before_anything_is_built():
    many = [f"v{i}" for i in range(MOST_VALUES)]
    document = changed("category", values=many, mean=many, scale=many)
    with pytest.raises(ValueError, match="more than 1000000 values: it is not used"):
        TablePreparation.from_document(document)


def test_what_is_right_is_taken_and_not_shared():
    document = good()
    made = TablePreparation.from_document(document)
    before = copy.deepcopy(made.columns_)
    document["columns"][0]["name"] = "other"
    assert made.columns_ == before
    assert made.missing == ("x",)


JUNK = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=4),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(
        st.sampled_from(["name", "kind", "fill", "values", "why"]), inner, max_size=3
    ),
    max_leaves=5,
)  # fmt: skip


@settings(max_examples=300, deadline=None)
@given(st.data())
def test_any_change_is_refused_or_gives_finite_numbers(data):
    document = good()
    column = data.draw(st.sampled_from(document["columns"]))
    field = data.draw(st.sampled_from(sorted(column)))
    column[field] = data.draw(JUNK)
    try:
        made = TablePreparation.from_document(document)
    except ValueError:
        return
    if set(made.group_names_) <= set(FRAME.columns):
        try:
            out = made.transform(FRAME)
        except ValueError as error:
            sentence = str(error)
        else:
            sentence = "" if np.isfinite(out).all() else "not finite"
        assert not sentence or "when the selection was made" in sentence
