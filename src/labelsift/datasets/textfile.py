# SPDX-License-Identifier: BSD-3-Clause
"""Opening untrusted text files: plain or gzip, size-limited, UTF-8."""

import gzip
import io
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any

from labelsift.core.text import short
from labelsift.datasets.memory import Forecast, MemoryBound, Size

# A gzip file may grow by this factor, and always to the floor. Text of numbers
# compresses 3 to 30 times; a decompression bomb about 1000 times.
_UNPACKED_RATIO = 100
_FLOOR = 2**26
# Bytes that a text file may imply without writing them (zeros of the label matrix).
_IMPLIED_RATIO = 16

# What parsing a line takes for each byte of it, in any of the text formats.
LINE_BYTES = 64

_LONGEST_SHOWN, _LONGEST_MESSAGE = 60, 300
_GZIP_MAGIC = b"\x1f\x8b"


def unpacked_limit(packed_bytes: int) -> int:
    """How many bytes a compressed file may grow to before it is rejected."""
    return max(_FLOOR, _UNPACKED_RATIO * packed_bytes)


def open_unpacked(path: Path) -> IO[bytes]:
    """Open a file for reading bytes; gzip is recognised by content and bounded.

    A gzip file that grows past ``unpacked_limit`` or is damaged raises ValueError
    while it is read. A plain file has no limit.
    """
    if not path.exists():
        raise FileNotFoundError(f"{path} does not exist: check the path.")
    file = path.open("rb")
    if file.peek(2)[:2] != _GZIP_MAGIC:
        return file
    return io.BufferedReader(_BoundedGzip(path, file))


class _BoundedGzip(io.RawIOBase):
    """The unpacked bytes of a gzip file, up to the limit."""

    def __init__(self, path: Path, packed: IO[bytes]) -> None:
        self._path = path
        self._packed = packed
        self._file = gzip.GzipFile(fileobj=packed)
        self._limit = unpacked_limit(path.stat().st_size)

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        try:
            count = self._file.readinto(buffer)
        except (EOFError, OSError, zlib.error) as error:
            raise ValueError(
                f"{self._path} is a damaged or truncated gzip file ({error}): "
                "fetch it again."
            ) from error
        if self._file.tell() > self._limit:
            raise ValueError(
                f"{self._path} unpacks to more than {self._limit} bytes, the limit for "
                "a gzip file of its size: unpack it yourself if you trust it."
            )
        return count

    def close(self) -> None:
        self._file.close()
        self._packed.close()
        super().close()


class LineReader:
    """The lines of a UTF-8 text file, plain or gzip, stripped."""

    def __init__(self, path: str | Path, memory: Size = None) -> None:
        self.path = Path(path)
        self.number = 0  # of the line returned last, from 1
        self.size = 0  # unpacked bytes read so far
        self.bound = MemoryBound(self.path, memory)
        self._forecast = Forecast(self.bound)

    def __iter__(self) -> Iterator[str]:
        longest = self.bound.size // LINE_BYTES
        with open_unpacked(self.path) as file:
            every = iter(lambda: file.readline(longest + 1), b"")
            for self.number, line in enumerate(every, start=1):
                self.size += len(line)
                if len(line) > longest:
                    self.bound.check(LINE_BYTES * len(line), f"line {self.number}")
                try:
                    text = line.decode("utf-8-sig" if self.number == 1 else "utf-8")
                except UnicodeDecodeError as error:
                    raise self.error(
                        f"byte {error.start + 1} is not UTF-8: convert the file, for "
                        "example with iconv -t UTF-8"
                    ) from None
                yield text.strip()

    def error(self, sentence: str, line: int | None = None) -> ValueError:
        """An error at the last line, or at another; ``sentence`` has no full stop."""
        return ValueError(f"{self.path}, line {line or self.number}: {sentence}.")

    def check_memory(self, held: float, what: str = "its cells") -> None:
        """Raise where what is held after this line promises too much for the file."""
        self._forecast.check(self.size, held, what)

    def check_implied(self, needed: int, what: str) -> None:
        """Reject arrays (zeros, say) that are much larger than the file itself."""
        if needed > _FLOOR + _IMPLIED_RATIO * self.size:
            raise ValueError(
                f"{self.path} has {self.size} bytes but its {what} would take {needed} "
                "bytes: keep fewer rows or columns."
            )


def bare_stem(path: Path) -> str:
    """File name without .gz and without its format's suffix."""
    name = path.name
    for suffix in (".gz", Path(name.removesuffix(".gz")).suffix):
        name = name.removesuffix(suffix) if suffix else name
    return name or path.name


def shown(text: str) -> str:
    """Untrusted text in quotes, shortened for an error message."""
    return (
        repr(text) if len(text) <= _LONGEST_SHOWN else f"{text[:_LONGEST_SHOWN]!r}..."
    )


def one_line(error: BaseException) -> str:
    """The message of another library's error on one line that is not too long."""
    message = " ".join(str(error).split()) or type(error).__name__
    return short(message, _LONGEST_MESSAGE)


def exact_text(value: float) -> str:
    """The shortest text that reads back as the same number."""
    return repr(value).removesuffix(".0")
