# SPDX-License-Identifier: BSD-3-Clause
from pathlib import Path

import pytest

from labelsift.datasets.atomic import replacing, write_text


def test_the_target_appears_whole(tmp_path):
    target = tmp_path / "new" / "file.txt"
    with replacing(target) as part:
        part.write_text("all of it")
        assert not target.exists()
    assert target.read_text() == "all of it"
    assert list(target.parent.iterdir()) == [target]


def _write_half(target, error):
    with replacing(target) as part:
        part.write_text("half")
        raise error


@pytest.mark.parametrize("error", [ValueError, KeyboardInterrupt])
def test_nothing_is_left_after_an_error(tmp_path, error):
    target = tmp_path / "file.txt"
    target.write_text("before")
    with pytest.raises(error):
        _write_half(target, error)
    assert target.read_text() == "before"
    assert list(tmp_path.iterdir()) == [target]


def test_text_is_written_whole_or_a_sentence_says_why(tmp_path):
    path = tmp_path / "new" / "x.txt"
    write_text("жab\n", path)
    assert path.read_bytes() == "жab\n".encode()
    with pytest.raises(OSError, match=r"x.txt cannot be written \(.*\): choose"):
        write_text("ab", path / "x.txt")
    (tmp_path / "folder").mkdir()
    with pytest.raises(OSError, match=r"folder cannot be written"):
        write_text("ab", tmp_path / "folder")
    assert sorted(p.name for p in tmp_path.iterdir()) == ["folder", "new"]


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_a_full_disk_leaves_the_old_file(tmp_path, monkeypatch):
    path = tmp_path / "x.txt"
    path.write_text("old")
    # The file beside the target stands on a disk without room.
    monkeypatch.setattr("labelsift.datasets.atomic.secrets.token_hex", lambda _: "full")
    (tmp_path / ".x.txt.full.part").symlink_to("/dev/full")
    with pytest.raises(OSError, match="No space left"):
        write_text("new", path)
    assert path.read_text() == "old"
    assert [p.name for p in tmp_path.iterdir()] == ["x.txt"]
