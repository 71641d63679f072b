# SPDX-License-Identifier: BSD-3-Clause
import html
import json
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from labelsift.report.page_text import (
    brief,
    clean,
    embedded,
    figure_text,
    number,
    short,
)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("標籤 ж ‌ 🎼", "標籤 ж ‌ 🎼"),
        ("a\tb\nc\x00", "a\\tb\\nc\\x00"),
        ("\ud800", "\\ud800"),
        ("\u202eevil", "\\u202eevil"),
        (3, "3"),
    ],
)
def test_what_cannot_be_shown_is_written_out(text, shown):
    assert clean(text) == shown


@given(st.text(st.characters(), max_size=40), st.integers(4, 20))
def test_short_text_is_short_and_encodes(text, width):
    shown = short(text, width)
    assert len(shown) <= width
    shown.encode()
    if len(clean(text)) <= width:
        assert shown == clean(text)


@given(st.text(max_size=20))
def test_figure_text_holds_no_tag_and_reads_back(text):
    shown = figure_text(text, 1000)
    assert not set(shown) & set("<>$")
    assert html.unescape(shown) == clean(text) or "&" in clean(text)


@given(
    st.recursive(
        st.none() | st.booleans() | st.text() | st.integers() | st.floats(width=32),
        lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    )
)
def test_embedded_json_cannot_leave_its_script(value):
    text = embedded(value)
    assert not set(text) & set("<>&")
    text.encode()
    assert json.dumps(json.loads(text)) == json.dumps(_finite(value))


def _finite(value):
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, list):
        return [_finite(part) for part in value]
    if isinstance(value, dict):
        return {key: _finite(part) for key, part in value.items()}
    return value


def test_numbers():
    assert number(0.12345) == "0.123"
    assert number(None) == number(math.nan) == brief(None) == "–"
    assert (brief(1234.5), brief(0.012345)) == ("1,234", "0.0123")
