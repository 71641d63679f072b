# SPDX-License-Identifier: BSD-3-Clause
import pytest
from hypothesis import given
from hypothesis import strategies as st

from labelsift.core.text import clean, short


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("標籤 ж ‌ 🎼", "標籤 ж ‌ 🎼"),
        ("a\tb\nc\x00", "a\\tb\\nc\\x00"),
        ("\x1b[2J", "\\x1b[2J"),
        ("a\u2028b", "a\\u2028b"),
        ("\ud800", "\\ud800"),
        ("\u202eevil", "\\u202eevil"),
        (3, "3"),
    ],
)
def test_what_cannot_be_shown_is_written_out(text, shown):
    assert clean(text) == shown


@given(st.text(st.characters(), max_size=40))
def test_clean_text_is_one_line_that_encodes_and_stays_clean(text):
    shown = clean(text)
    shown.encode()
    assert len(shown.splitlines()) <= 1
    assert clean(shown) == shown


@given(st.text(st.characters(), max_size=40), st.integers(4, 20))
def test_short_text_is_short_and_encodes(text, width):
    shown = short(text, width)
    assert len(shown) <= width
    shown.encode()
    if len(clean(text)) <= width:
        assert shown == clean(text)


def test_short_text_has_its_head_and_its_tail():
    assert short("abcdefghij", 7) == "abcd…ij"
