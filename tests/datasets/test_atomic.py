# SPDX-License-Identifier: BSD-3-Clause
import os
import resource
import stat
import subprocess
import sys
import threading
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace

import pytest

from labelsift.datasets.atomic import is_stream, replacing, write_text


def mode_of(path):
    return stat.S_IMODE(path.stat().st_mode)


@contextmanager
def umask(bits):
    before = os.umask(bits)
    try:
        yield
    finally:
        os.umask(before)


@pytest.fixture
def pipe(tmp_path):
    """A FIFO whose bytes are gathered while it is written."""
    path = tmp_path / "pipe"
    os.mkfifo(path)
    got = []
    reader = threading.Thread(target=lambda: got.append(path.read_bytes()), daemon=True)
    reader.start()
    yield SimpleNamespace(
        path=path, bytes=lambda: (reader.join(10), b"".join(got))[1], reader=reader
    )
    if reader.is_alive():  # nobody wrote: let the reader go
        os.close(os.open(path, os.O_WRONLY))


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


def test_a_disk_without_room_leaves_the_old_file(tmp_path):
    path = tmp_path / "x.txt"
    path.write_text("old")
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (4, before[1]))
    try:
        with pytest.raises(OSError, match=r"x\.txt cannot be written \(File too large"):
            write_text("newer", path)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert path.read_text() == "old"
    assert [p.name for p in tmp_path.iterdir()] == ["x.txt"]


def test_the_longest_name_that_a_disk_takes(tmp_path):
    path = tmp_path / ("x" * 255)
    write_text("new", path)
    assert path.read_text() == "new"


def test_a_pipe_is_written_to_and_stays_a_pipe(pipe):
    write_text("through", pipe.path)
    assert pipe.bytes() == b"through"
    assert stat.S_ISFIFO(pipe.path.stat().st_mode)
    assert [p.name for p in pipe.path.parent.iterdir()] == ["pipe"]


def test_nothing_goes_through_a_pipe_after_an_error(pipe):
    with pytest.raises(ValueError):  # noqa: PT011
        _write_half(pipe.path, ValueError)
    assert pipe.reader.is_alive()


def test_a_link_to_a_pipe(tmp_path, pipe):
    link = tmp_path / "link"
    link.symlink_to(pipe.path)
    write_text("through", link)
    assert pipe.bytes() == b"through"
    assert link.is_symlink()


def test_a_device_stays_a_device(tmp_path, monkeypatch):
    """Made here like /dev/null, never the real one; or a file that says it is one."""
    device = tmp_path / "null"
    try:
        os.mknod(device, stat.S_IFCHR | 0o666, os.makedev(1, 3))
        device.write_bytes(b"x")
    except PermissionError:
        device.unlink(missing_ok=True)
        device.write_text("")
        real = Path.stat

        def says_device(path, **options):
            found = real(path, **options)
            if path != device:
                return found
            return SimpleNamespace(st_mode=stat.S_IFCHR | 0o666)

        monkeypatch.setattr(Path, "stat", says_device)
    number = os.stat(device).st_ino
    assert is_stream(device)
    write_text("gone", device)
    assert os.stat(device).st_ino == number


def test_a_disk_is_refused(tmp_path, monkeypatch):
    path = tmp_path / "disk"
    path.write_text("all my files")
    disk = SimpleNamespace(st_mode=stat.S_IFBLK | 0o666)
    monkeypatch.setattr(Path, "stat", lambda path, **options: disk)
    with pytest.raises(ValueError, match="is a disk: name a file"):
        write_text("x", path)
    monkeypatch.undo()
    assert path.read_text() == "all my files"


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_a_full_device_is_a_sentence():
    with pytest.raises(OSError, match=r"/dev/full cannot be written \(No space left"):
        write_text("x" * 10**5, Path("/dev/full"))


SCRIPT = """
from pathlib import Path
from labelsift.datasets.atomic import write_text
print("before")
write_text("page\\n", Path({path!r}))
print("after")
"""


@pytest.mark.skipif(not Path("/dev/stdout").exists(), reason="needs /dev/stdout")
@pytest.mark.parametrize("path", ["/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"])
def test_standard_output_is_written_in_turn(tmp_path, path):
    command = [sys.executable, "-c", SCRIPT.format(path=path)]
    file = tmp_path / "out"
    with file.open("wb") as out:
        subprocess.run(command, stdout=out, check=True)
    assert file.read_text() == "before\npage\nafter\n"
    piped = subprocess.run(command, stdout=subprocess.PIPE, check=True)
    assert piped.stdout == b"before\npage\nafter\n"


def test_a_reader_that_has_gone_is_told_apart(tmp_path):
    read, write = os.pipe()
    os.close(read)
    with pytest.raises(BrokenPipeError):
        write_text("x", Path(f"/dev/fd/{write}"))
    os.close(write)


@pytest.mark.parametrize("exists", [True, False])
def test_a_link_stays_a_link(tmp_path, exists):
    real = tmp_path / "far" / "real.txt"
    link = tmp_path / "link.txt"
    if exists:
        real.parent.mkdir()
        real.write_text("old")
    link.symlink_to("far/real.txt")
    write_text("new", link)
    assert link.is_symlink()
    assert real.read_text() == "new"
    assert [p.name for p in real.parent.iterdir()] == ["real.txt"]


def test_a_link_to_itself_is_a_sentence(tmp_path):
    link = tmp_path / "link"
    link.symlink_to("link")
    with pytest.raises(OSError, match=r"link cannot be written \(Too many levels"):
        write_text("x", link)
    assert link.is_symlink()


@pytest.mark.parametrize("mode", [0o600, 0o640, 0o664, 0o444, 0o755])
def test_permissions_stay(tmp_path, mode):
    path = tmp_path / "x.txt"
    path.write_text("old")
    path.chmod(mode)
    with replacing(path) as part:
        assert mode_of(part) & ~mode & 0o077 == 0  # no one sees more on the way
        part.write_text("new")
    assert (mode_of(path), path.read_text()) == (mode, "new")


def test_a_new_file_has_the_permissions_of_the_process(tmp_path):
    for bits in (0o022, 0o077):
        with umask(bits):
            write_text("x", tmp_path / str(bits))
        assert mode_of(tmp_path / str(bits)) == 0o666 & ~bits


def test_data_is_on_the_disk_before_the_name_changes(tmp_path, monkeypatch):
    calls = []
    real_sync, real_replace = os.fsync, os.replace

    def fsync(number):
        calls.append(("sync", os.fstat(number).st_size))
        real_sync(number)

    def put(source, target):
        calls.append("replace")
        real_replace(source, target)

    monkeypatch.setattr(os, "fsync", fsync)
    monkeypatch.setattr(os, "replace", put)
    write_text("whole", tmp_path / "x.txt")
    assert calls == [("sync", 5), "replace"]
