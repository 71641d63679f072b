# SPDX-License-Identifier: BSD-3-Clause
"""Downloads: atomic, with checksum, size and time limits."""

import hashlib
import time
from collections.abc import Iterator
from http.client import HTTPException
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit
from urllib.request import Request, urlopen

from labelsift.datasets.atomic import replacing
from labelsift.datasets.textfile import one_line

_CHUNK = 2**16


def download(
    url: str,
    target: Path,
    *,
    sha256: str,
    max_bytes: int = 2**31,
    timeout: float = 30.0,
    deadline: float = 3600.0,
) -> None:
    """Download a file over HTTP(S), verify its checksum and store it.

    The target appears only after a complete download with the right checksum;
    otherwise nothing is written. Each read is limited to ``timeout`` seconds and the
    whole body to ``deadline``, so that a very slow transfer ends too.
    """
    if urlsplit(url).scheme not in ("http", "https"):
        raise ValueError(f"{url} is not an http or https address: correct it.")
    digest = hashlib.sha256()
    with replacing(target) as part:
        try:
            with part.open("wb") as file:
                for chunk in _body(url, max_bytes, timeout, deadline):
                    digest.update(chunk)
                    file.write(chunk)
        except (OSError, HTTPException, ValueError) as error:
            raise ValueError(
                f"{url} was not downloaded ({one_line(error)}): try again, or put the "
                f"file at {target} yourself."
            ) from error
        if digest.hexdigest() != sha256.lower():
            raise ValueError(
                f"{url} has the sha256 {digest.hexdigest()} and not {sha256}: the file "
                "was changed or damaged in transit and was not stored."
            )


def _body(url: str, max_bytes: int, timeout: float, deadline: float) -> Iterator[bytes]:
    """The bytes of the response, checked against its Content-Length."""
    end = time.monotonic() + deadline
    request = Request(url, headers={"User-Agent": "labelsift"})
    with urlopen(request, timeout=timeout) as answer:
        promised = _length(answer)
        received = 0
        # read1 returns what has arrived: read would wait for a whole chunk.
        while chunk := answer.read1(_CHUNK):
            received += len(chunk)
            if received > max_bytes or (promised or 0) > max_bytes:
                raise ValueError(f"it has more than {max_bytes} bytes, the limit")
            if time.monotonic() > end:
                raise ValueError(f"it took more than {deadline:g} seconds")
            yield chunk
    if promised is not None and received != promised:
        raise ValueError(f"only {received} of {promised} bytes were received")


def _length(answer: Any) -> int | None:
    value = answer.headers.get("Content-Length")
    return int(value) if value is not None and value.isdecimal() else None


def file_sha256(path: Path) -> str:
    """The checksum of a file, in hexadecimal."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
