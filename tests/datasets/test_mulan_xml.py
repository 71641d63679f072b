# SPDX-License-Identifier: BSD-3-Clause
import pytest

from labelsift.datasets import mulan_xml
from labelsift.datasets.mulan_xml import read_label_names

BILLION_LAUGHS = """<?xml version="1.0"?>
<!DOCTYPE labels [
 <!ENTITY a "ha">
 <!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;">
 <!ENTITY c "&b;&b;&b;&b;&b;&b;&b;&b;&b;&b;">
]>
<labels><label name="&c;"/></labels>"""

EXTERNAL = """<?xml version="1.0"?>
<!DOCTYPE labels [<!ENTITY file SYSTEM "file:///etc/hostname">]>
<labels><label name="a">&file;</label></labels>"""

REMOTE_DTD = """<?xml version="1.0"?>
<!DOCTYPE labels SYSTEM "http://127.0.0.1:1/labels.dtd">
<labels><label name="a"/></labels>"""


def test_names_in_order_nested_ones_too(write):
    text = """<labels xmlns="http://mulan.sourceforge.net/labels">
    <label name="b"><label name="a &amp; c"/></label><label name="ж"></label>
    </labels>"""
    assert read_label_names(write("a.xml", text)) == ["b", "a & c", "ж"]


@pytest.mark.parametrize(
    "text", [BILLION_LAUGHS, EXTERNAL, REMOTE_DTD], ids=["expands", "file", "remote"]
)
def test_entities_are_refused(write, text):
    with pytest.raises(ValueError, match=r"a\.xml declares a DTD or an entity"):
        read_label_names(write("a.xml", text))


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        ("<labels>\n<label name='a'>\n", r"a\.xml, line 3: not XML"),
        ("", r"a\.xml, line 1: not XML"),
        ("<labels/>", "names no label"),
        ("<labels><label/></labels>", "names no label"),
        ("<l><label name='a'/><label name='a'/></l>", "has a duplicate label"),
        (b"<l><label name='\xe9'/></l>", r"line 1: not XML"),
        ("<?xml version='1.0' encoding='no-such'?><l/>", r"a\.xml"),
        ("<?xml version='1.0' encoding='shift_jis'?><l/>", r"a\.xml"),
    ],
)
def test_bad_files(write, content, sentence):
    with pytest.raises(ValueError, match=sentence):
        read_label_names(write("a.xml", content))


def test_a_file_that_is_too_large(write, monkeypatch):
    monkeypatch.setattr(mulan_xml, "_LARGEST", 10)
    with pytest.raises(ValueError, match="more than 10 bytes"):
        read_label_names(write("a.xml", "<labels><label name='a'/></labels>"))


def test_a_missing_file(tmp_path):
    with pytest.raises(FileNotFoundError, match="does not exist"):
        read_label_names(tmp_path / "a.xml")
