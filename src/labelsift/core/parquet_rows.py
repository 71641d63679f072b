# SPDX-License-Identifier: BSD-3-Clause
"""Parquet files in batches of rows, in memory that does not grow with the file."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from labelsift.core.optional import import_extra

# Bytes of a column that are read ahead.
_BUFFER = 2**13
# Row groups of so many bytes together are unpacked at a time, some columns after the
# others: all columns at once would need a page, a dictionary and a buffer each.
_WHOLE, _COLUMNS = 100 * 2**20, 16


def open_parquet(path: Path) -> Any:
    """The file, whose columns are read as they are asked for."""
    parquet = import_extra("pyarrow.parquet", "Reading Parquet")
    return parquet.ParquetFile(path, pre_buffer=False, buffer_size=_BUFFER)


def parquet_batches(file: Any, columns: Sequence[str], rows: int) -> Iterator[Any]:
    """Tables of at most so many rows.

    ``pyarrow.dataset`` reads ahead without a bound, and so do threads. What a row group
    takes beyond its own size is bounded; one that is too large is read row by row.
    """
    pyarrow = import_extra("pyarrow", "Reading Parquet")
    wanted, pool = list(columns), pyarrow.default_memory_pool()
    for groups, size in _runs(file.metadata):
        if size > _WHOLE:
            yield from file.iter_batches(
                rows, row_groups=groups, columns=wanted, use_threads=False
            )
            continue
        table = _unpacked(pyarrow, file, groups, wanted)
        for start in range(0, table.num_rows, rows):
            yield table.slice(start, rows)
        del table  # before the next is read; a caller must not hold a part either
        pool.release_unused()


def _runs(metadata: Any) -> Iterator[tuple[list[int], int]]:
    """Row groups that are unpacked together, and their bytes."""
    run: list[int] = []
    held = 0
    for group in range(metadata.num_row_groups):
        size = int(metadata.row_group(group).total_byte_size)
        if run and held + size > _WHOLE:
            yield run, held
            run, held = [], 0
        run, held = [*run, group], held + size
    if run:
        yield run, held


def _unpacked(pyarrow: Any, file: Any, groups: list[int], columns: list[str]) -> Any:
    """Row groups as a table."""
    pool = pyarrow.default_memory_pool()
    arrays: list[Any] = []
    for start in range(0, len(columns), _COLUMNS):
        panel = columns[start : start + _COLUMNS]
        table = file.read_row_groups(groups, columns=panel, use_threads=False)
        arrays += [table[name] for name in panel]
        del table
        pool.release_unused()
    return pyarrow.Table.from_arrays(arrays, names=columns)
