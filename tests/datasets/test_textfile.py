# SPDX-License-Identifier: BSD-3-Clause
import gzip

import pytest

from labelsift.datasets import textfile
from labelsift.datasets.textfile import (
    LineReader,
    bare_stem,
    exact_text,
    open_unpacked,
)


def read(path):
    with open_unpacked(path) as file:
        return file.read()


def test_plain_and_gzip_give_the_same_bytes(write):
    content = b"one\ntwo\n"
    assert read(write("a.txt", content)) == content
    assert read(write("b.txt", gzip.compress(content))) == content


def test_lines_are_stripped_and_numbered(write):
    lines = LineReader(write("a.txt", b"\xef\xbb\xbfone \r\n\r\ntwo"))
    seen = [(lines.number, line) for line in lines]
    assert seen == [(1, "one"), (2, ""), (3, "two")]
    assert lines.size == 14


def test_a_gzip_bomb_is_refused_before_it_is_unpacked(write, monkeypatch):
    monkeypatch.setattr(textfile, "_FLOOR", 2**16)
    bomb = write("bomb.gz", gzip.compress(b"0" * 2**24))
    assert bomb.stat().st_size < 2**15
    with pytest.raises(ValueError, match=r"bomb\.gz unpacks to more than \d+ bytes"):
        read(bomb)


def test_a_bomb_in_one_line_is_refused_too(write):
    bomb = write("bomb.gz", gzip.compress(b"0" * (textfile._FLOOR + 1)))
    with pytest.raises(ValueError, match="unpack it yourself if you trust it"):
        list(LineReader(bomb, memory="1T"))
    with pytest.raises(ValueError, match=r"line 1 would take about 2\.1G of"):
        list(LineReader(bomb))


@pytest.mark.parametrize(
    "damage",
    [
        lambda packed: packed[:-5],
        lambda packed: packed[: len(packed) // 2],
        lambda packed: packed[:3],
        lambda packed: packed[:20] + bytes(20) + packed[40:],
        lambda packed: packed[:-8] + bytes(8),
        lambda packed: packed + b"trailing",
    ],
)
def test_damaged_gzip(write, rng, damage):
    packed = gzip.compress(rng.bytes(200))
    with pytest.raises(ValueError, match=r"a\.gz is a damaged or truncated gzip"):
        read(write("a.gz", damage(packed)))


def test_text_that_is_not_utf8_names_line_and_byte(write):
    with pytest.raises(ValueError, match=r"a\.txt, line 2: byte 3 is not UTF-8"):
        list(LineReader(write("a.txt", "fine\nna\xefve\n".encode("latin-1"))))


def test_a_missing_file(tmp_path):
    with pytest.raises(FileNotFoundError, match="does not exist: check the path"):
        list(LineReader(tmp_path / "nowhere.arff"))


@pytest.mark.parametrize(
    ("name", "stem"),
    [("a.arff", "a"), ("a.arff.gz", "a"), ("a.b.csv", "a.b"), ("a", "a")],
)
def test_bare_stem(tmp_path, name, stem):
    assert bare_stem(tmp_path / name) == stem


@pytest.mark.parametrize("value", [0.1, 1.0, -3.0, 1e-300, 1 / 3, 5e22])
def test_exact_text_reads_back(value):
    assert float(exact_text(value)) == value
