# SPDX-License-Identifier: BSD-3-Clause
"""Files that appear whole or not at all."""

import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


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
