# SPDX-License-Identifier: BSD-3-Clause
"""Files that appear whole or not at all."""

import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


def write_text(text: str, path: Path) -> None:
    """Write a whole file as UTF-8 or none, and say in a sentence why not.

    Folders are made, an existing file is replaced.
    """
    try:
        with replacing(path) as part:
            part.write_text(text, encoding="utf-8", newline="\n")
    except OSError as error:
        raise OSError(
            f"{path} cannot be written ({error.strerror or error}): choose another "
            "place, or make room there."
        ) from error


@contextmanager
def replacing(target: Path) -> Iterator[Path]:
    """Give a new path beside the target that becomes the target if all goes well.

    Whatever is raised inside, the target stays as it was and the new file is removed.
    The folder is made where it is missing.
    """
    target.parent.mkdir(parents=True, exist_ok=True)
    part = target.with_name(f".{target.name}.{secrets.token_hex(8)}.part")
    try:
        yield part
        os.replace(part, target)
    finally:
        part.unlink(missing_ok=True)
