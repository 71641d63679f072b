# SPDX-License-Identifier: BSD-3-Clause
"""How much memory reading a file may take: counted before it is taken.

Every reader states what a cell, a pair or a byte of its format costs at most, and
compares that with one bound: ``memory=`` of the readers, ``--memory`` of the commands.
"""

from pathlib import Path

from labelsift.core.memory_size import DEFAULT, Size, read_size, size_text

__all__ = [
    "COLUMN_BYTES",
    "DEFAULT",
    "Forecast",
    "MemoryBound",
    "MemoryBoundError",
    "Size",
    "read_size",
    "size_text",
    "unpacked_size",
]

# A column costs this, whatever it holds: its name, its score, its place in a result.
COLUMN_BYTES = 64


class MemoryBoundError(ValueError):
    """Reading a file would take more memory than is allowed."""


class MemoryBound:
    """The bound for one file.

    Parameters
    ----------
    path : Path
        The file, for the sentence.
    memory : int, str or None
        Bytes, or a size as "8G"; None: 2G.
    """

    def __init__(self, path: Path, memory: Size = None) -> None:
        self.path = path
        self.size = read_size(memory)

    def check(self, needed: float, what: str) -> None:
        """Raise where something needs more; ``what`` says what it is."""
        if needed > self.size:
            raise MemoryBoundError(
                f"{self.path}: {what} would take about {size_text(needed)} of memory, "
                f"and {size_text(self.size)} are allowed: say --memory "
                f"{size_text(needed)} (memory= in Python) if you trust the file."
            )


class Forecast:
    """What a text file will take, said from its first part on.

    Parameters
    ----------
    bound : MemoryBound
        The bound of the file.
    """

    # Unpacked bytes between two looks; the first part is as long.
    PART = 2**20

    def __init__(self, bound: MemoryBound) -> None:
        self._bound = bound
        self._next = self.PART

    def check(self, read: int, held: float, what: str = "its cells") -> None:
        """Raise where ``held`` bytes after ``read`` bytes of text promise too much."""
        if read >= self._next:
            self._next = read + self.PART
            expected = unpacked_size(self._bound.path)
            self._bound.check(held * max(1.0, expected / read), what)


def unpacked_size(path: Path) -> int:
    """Bytes of a file; of gzip what it claims to unpack to, which may be wrong."""
    size = path.stat().st_size
    with path.open("rb") as file:
        if file.read(2) != b"\x1f\x8b":
            return size
        file.seek(max(0, size - 4))
        return int.from_bytes(file.read(4), "little")
