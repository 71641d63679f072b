# SPDX-License-Identifier: BSD-3-Clause
import math

import pytest

from labelsift.core import schema

RIGHT = [
    (schema.text, ["", "a"]),
    (schema.flag, [True, False]),
    (schema.number, [0, -1, 2.5, 10**300]),
    (schema.scalar, ["a", True, 3, 0.5]),
    (schema.whole(1, 3), [1, 2, 3]),
    (schema.listed(schema.text), [[], ["a", "b"]]),
    (schema.listed(schema.text, least=1), [["a"]]),
    (schema.named(schema.text), [{}, {"any name": "b"}]),
    (schema.table({"a": schema.text}, {"b": schema.flag}), [{"a": ""}]),
]
WRONG = [
    (schema.text, [1, None, b"a", ["a"]]),
    (schema.flag, [0, 1, "true", None]),
    (schema.number, [True, "1", math.nan, math.inf, 10**400, -(10**400), None]),
    (schema.scalar, [None, [], {}, 10**400, math.nan]),
    (schema.whole(1, 3), [0, 4, 1.0, True, "1", 10**400]),
    (schema.listed(schema.text), ["ab", ("a",), [1], {"a": "b"}]),
    (schema.listed(schema.text, least=1), [[]]),
    (schema.named(schema.text), [[], {"a": 1}, "a"]),
    (
        schema.table({"a": schema.text}, {"b": schema.flag}),
        [{}, {"a": 1}, {"a": "", "c": 1}, {"a": "", "b": 2}, [], None],
    ),
]


def test_what_is_right_passes():
    for check, values in RIGHT:
        for value in values:
            check(value, "here")


def test_what_is_wrong_is_one_short_sentence():
    for check, values in WRONG:
        for value in values:
            with pytest.raises(ValueError, match=r"^here.*\.$") as error:
                check(value, "here")
            assert len(str(error.value)) < 200


def test_the_place_is_named():
    check = schema.table({"a": schema.named(schema.listed(schema.text))}, {})
    with pytest.raises(ValueError, match=r"^T, a b c, item 2 must be text, got 3\.$"):
        check({"a": {"b c": ["x", 3]}}, "T")
