# SPDX-License-Identifier: BSD-3-Clause
"""Atomic writing of files."""

import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


def write_text(text: str, path: Path) -> None:
    """Write a UTF-8 file atomically; an OSError explains a failure.

    Folders are created, an existing file is replaced.
    """
    try:
        with replacing(path) as part:
            part.write_text(text, encoding="utf-8", newline="\n")
    except OSError as error:
        raise OSError(
            f"{path} cannot be written ({error.strerror or error}): choose another "
            "place, or free some space."
        ) from error


@contextmanager
def replacing(target: Path) -> Iterator[Path]:
    """Yield a temporary path in the target's folder, renamed to the target on success.

    On any error the target is unchanged and the temporary file is removed. A missing
    folder is created.
    """
    target.parent.mkdir(parents=True, exist_ok=True)
    part = target.with_name(f".{target.name}.{secrets.token_hex(8)}.part")
    try:
        yield part
        os.replace(part, target)
    finally:
        part.unlink(missing_ok=True)
