# SPDX-License-Identifier: BSD-3-Clause
from pathlib import PurePosixPath, PureWindowsPath

import pytest
from hypothesis import given
from hypothesis import strategies as st

from labelsift.core.text import clean, safe_name, short


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


@pytest.mark.parametrize("name", ["a", "rlefs-table2", "μ 2.1+b", "a.csv", "x_"])
def test_a_safe_name_stays_as_it_is(name):
    assert safe_name(name, "The suite") == name


HOSTILE = [
    "", ".", "..", "../x", "/etc/passwd", "a/b", "a\\b", "C:x", ".hidden", "a.", "a ",
    " a", "a\nb", "a\x00", "\x1b[2J", "\u202ea", "a\u2028b", "~", "-rf", "*", "nul",
    "CON.csv", "com1", "a" * 101, ["a"], "\ud800", "a:stream", "$(x)",
]  # fmt: skip


@pytest.mark.parametrize("name", HOSTILE)
def test_a_name_that_leaves_its_folder_is_refused_in_one_sentence(name):
    with pytest.raises(
        ValueError, match=r"^The suite .* cannot name a file: "
    ) as error:
        safe_name(name, "The suite")
    sentence = str(error.value)
    assert sentence.isprintable()
    assert len(sentence) < 200


@given(st.text(st.characters(), max_size=12))
def test_a_file_of_a_safe_name_is_a_child_of_its_folder(text):
    try:
        name = safe_name(text, "The suite")
    except ValueError:
        return
    assert PurePosixPath("/a", name).parent == PurePosixPath("/a")
    assert PureWindowsPath("C:/a", name).parent == PureWindowsPath("C:/a")
    assert not PureWindowsPath(name).is_reserved()
