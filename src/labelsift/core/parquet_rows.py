# SPDX-License-Identifier: BSD-3-Clause
"""Parquet files in batches of rows, in memory that does not grow with the file."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from labelsift.core.optional import import_extra

# Bytes of a file that are read ahead.
_BUFFER = 2**16


def open_parquet(path: Path) -> Any:
    """The file, whose columns are read as they are asked for."""
    parquet = import_extra("pyarrow.parquet", "Reading Parquet")
    return parquet.ParquetFile(path, pre_buffer=False, buffer_size=_BUFFER)


def parquet_batches(file: Any, columns: Sequence[str], rows: int) -> Iterator[Any]:
    """Record batches of so many rows.

    ``pyarrow.dataset`` reads ahead without a bound, and so do threads.
    """
    yield from file.iter_batches(rows, columns=list(columns), use_threads=False)
