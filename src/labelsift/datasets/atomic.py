# SPDX-License-Identifier: BSD-3-Clause
"""Files that appear whole or not at all; devices and pipes are written to."""

import errno
import os
import re
import secrets
import shutil
import stat
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

_DESCRIPTOR = re.compile(r"/dev/std(?:(out)|err)|/(?:dev|proc/self)/fd/(\d{1,6})")


def write_text(text: str, path: Path) -> None:
    """Write a whole file as UTF-8 or none; as ``replacing`` in all else."""
    with replacing(path) as part:
        part.write_text(text, encoding="utf-8", newline="\n")


@contextmanager
def replacing(target: Path) -> Iterator[Path]:
    """Give a path to write to, whose content becomes the target's if all goes well.

    A file appears or is replaced in one step, with its data on the disk and the
    permissions of the file it replaces; a link stays a link to it. Folders are made. A
    pipe, a device or an open descriptor (/dev/stdout) is written to and stays what it
    is. Whatever is raised inside, the target stays as it was.
    """
    try:
        with _copied(target) if is_stream(target) else _renamed(target) as part:
            yield part
    except BrokenPipeError:  # the reader has gone: not a fault of the place
        raise
    except OSError as error:
        raise OSError(
            f"{target} cannot be written ({error.strerror or error}): choose another "
            "place, or make room there."
        ) from error


def is_stream(target: Path) -> bool:
    """Whether a path names a pipe, a device or an open descriptor, and no file."""
    if _descriptor(target) is not None:
        return True
    mode = target.stat().st_mode if target.exists() else stat.S_IFREG
    if stat.S_ISBLK(mode):
        raise ValueError(f"{target} is a disk: name a file.")
    return not (stat.S_ISREG(mode) or stat.S_ISDIR(mode))


@contextmanager
def _copied(target: Path) -> Iterator[Path]:
    """A file elsewhere, whose bytes go into the stream when it is whole."""
    with TemporaryDirectory(prefix="labelsift-") as folder:
        part = Path(folder, "part")
        yield part
        sys.stdout.flush()
        own = _descriptor(target)
        stream = os.open(target, os.O_WRONLY) if own is None else os.dup(own)
        with part.open("rb") as content, os.fdopen(stream, "wb") as sink:
            shutil.copyfileobj(content, sink)


@contextmanager
def _renamed(target: Path) -> Iterator[Path]:
    """A file in the folder of the target, which takes its place."""
    place = Path(os.path.realpath(target))
    if place.is_symlink():
        raise OSError(errno.ELOOP, os.strerror(errno.ELOOP))
    place.parent.mkdir(parents=True, exist_ok=True)
    mode = stat.S_IMODE(place.stat().st_mode) if place.exists() else None
    part = place.with_name(f".labelsift-{secrets.token_hex(8)}.part")
    try:
        # Nobody who may not read the old file may read the new one on its way.
        part.touch(0o666 if mode is None else mode & 0o666 | stat.S_IWUSR, False)
        yield part
        _to_disk(part)
        if mode is not None:
            part.chmod(mode)
        os.replace(part, place)
    finally:
        part.unlink(missing_ok=True)


def _to_disk(path: Path) -> None:
    """Wait until the bytes of a file would survive a loss of power."""
    with path.open("rb+") as file:
        os.fsync(file.fileno())


def _descriptor(target: Path) -> int | None:
    """Number of the open file that a path such as /dev/stdout or /dev/fd/3 names."""
    match = _DESCRIPTOR.fullmatch(str(target))
    if match is None:
        return None
    return int(match[2]) if match[2] else 1 if match[1] else 2
