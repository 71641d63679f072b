# SPDX-License-Identifier: BSD-3-Clause
import pytest

from labelsift.datasets.atomic import replacing


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
