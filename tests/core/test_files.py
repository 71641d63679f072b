# SPDX-License-Identifier: BSD-3-Clause
import os
import stat

import pytest

from labelsift.core import files
from labelsift.core.files import check_file, read_document


def test_a_document_is_read_whole(tmp_path):
    path = tmp_path / "a"
    path.write_bytes(b"all of it")
    check_file(path)
    assert read_document(path) == b"all of it"


def test_what_is_no_file_is_a_sentence(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    (tmp_path / "link").symlink_to(pipe)
    cases = [
        ("none", "does not exist: check the path"),
        (".", "is a folder: pass a regular file"),
        ("pipe", "is a pipe or a device: pass a regular file"),
        ("link", "is a pipe or a device: pass a regular file"),
    ]
    for name, sentence in cases:
        for read in (check_file, read_document):
            with pytest.raises((ValueError, OSError), match=sentence):
                read(tmp_path / name)
    assert stat.S_ISFIFO(pipe.stat().st_mode)


def test_a_document_has_a_limit(tmp_path, monkeypatch):
    path = tmp_path / "a"
    path.write_bytes(b"12345")
    monkeypatch.setattr(files, "LARGEST_DOCUMENT", 5)
    assert read_document(path) == b"12345"
    monkeypatch.setattr(files, "LARGEST_DOCUMENT", 4)
    with pytest.raises(ValueError, match="has more than 4 bytes, the limit for such"):
        read_document(path)
