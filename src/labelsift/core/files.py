# SPDX-License-Identifier: BSD-3-Clause
"""Reading files of strangers: regular ones only, and small ones whole."""

from pathlib import Path

# Names, labels, settings and selections: what is read whole before it is understood.
LARGEST_DOCUMENT = 2**26


def check_file(path: Path) -> None:
    """Raise where a path names nothing, a folder, or a pipe or device without end."""
    if not path.exists():
        raise FileNotFoundError(f"{path} does not exist: check the path.")
    if not path.is_file():
        what = "a folder" if path.is_dir() else "a pipe or a device"
        raise ValueError(f"{path} is {what}: pass a regular file.")


def read_document(path: Path) -> bytes:
    """All bytes of a small file (JSON, XML, TOML)."""
    check_file(path)
    with path.open("rb") as file:
        content = file.read(LARGEST_DOCUMENT + 1)
    if len(content) > LARGEST_DOCUMENT:
        raise ValueError(
            f"{path} has more than {LARGEST_DOCUMENT} bytes, the limit for such a "
            "file: check that it is the right one."
        )
    return content
