# SPDX-License-Identifier: BSD-3-Clause
"""Parquet and Feather files as Arrow tables: their size is known before they unpack.

Both formats write a hundred million equal values in a few bytes.
"""

import struct
from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np

from labelsift.core.optional import import_extra
from labelsift.datasets.memory import MemoryBound

# What a value takes at the most, in the Arrow table, the DataFrame and the matrix; a
# list is an object of its own. A byte of text is in two of them.
_VALUE_BYTES, _LIST_BYTES, _TEXT_BYTES = 40, 160, 3
_TEXT = ("BYTE_ARRAY", "FIXED_LEN_BYTE_ARRAY")
_FEATHER = b"ARROW1"
# Places in the flat buffer of a message: its header, and in that of a batch of rows
# the buffers and how they are compressed; a dictionary holds such a batch.
_HEADER, _BUFFERS, _COMPRESSION, _DICTIONARY_ROWS = 2, 2, 3, 1


def parquet_table(path: Path, bound: MemoryBound) -> Any:
    """Read a Parquet file whose footer promises less than the bound."""
    parquet = import_extra("pyarrow.parquet", "Reading Parquet")
    with parquet.ParquetFile(path) as file:
        bound.check(_promised(file.metadata), "its cells")
        texts = [leaf.path for leaf in file.schema if leaf.physical_type in _TEXT]
    if texts:
        with parquet.ParquetFile(path, read_dictionary=texts) as file:
            held = _promised(file.metadata) + _TEXT_BYTES * _text_bytes(file, texts)
            bound.check(held, "its texts")
    return parquet.read_table(path)


def _promised(metadata: Any) -> int:
    """What the values of all columns take, their texts not counted."""
    groups = [metadata.row_group(i) for i in range(metadata.num_row_groups)]
    columns = chain.from_iterable(
        (group.column(i) for i in range(group.num_columns)) for group in groups
    )
    nested = {leaf.path for leaf in metadata.schema if leaf.max_repetition_level}
    values = sum(
        (_LIST_BYTES if column.path_in_schema in nested else _VALUE_BYTES)
        * column.num_values
        for column in columns
    )
    return max(values, _VALUE_BYTES * metadata.num_rows * metadata.num_columns)


def _text_bytes(file: Any, names: list[str]) -> int:
    """The length of all texts, each counted as often as it stands there."""
    compute = import_extra("pyarrow.compute", "Reading Parquet")
    total = 0
    for i in range(file.num_row_groups):
        for column in file.read_row_group(i, columns=names).columns:
            for chunk in column.chunks:
                if not hasattr(chunk, "dictionary"):  # inside a list
                    total += chunk.nbytes
                    continue
                lengths = compute.binary_length(chunk.dictionary).to_numpy(False)
                places = chunk.indices.drop_null().to_numpy()
                counts = np.bincount(places, minlength=len(lengths))
                total += int(np.nan_to_num(lengths.astype(float)) @ counts)
    return total


def feather_table(path: Path, bound: MemoryBound) -> Any:
    """Read a Feather file whose messages promise less than the bound."""
    pyarrow = import_extra("pyarrow", "Reading Feather")
    feather = import_extra("pyarrow.feather", "Reading Feather")
    with path.open("rb") as file:
        if file.read(len(_FEATHER)) != _FEATHER:  # the first version packs nothing
            return feather.read_table(path)
        file.seek(8)
        messages = pyarrow.ipc.MessageReader.open_stream(file)
        held = sum(_unpacked(message) for message in messages)
    bound.check(_TEXT_BYTES * held, "its cells")
    with pyarrow.ipc.open_file(path) as reader:
        return pyarrow.Table.from_batches(_batches(reader, bound), reader.schema)


def _batches(reader: Any, bound: MemoryBound) -> Iterator[Any]:
    """All batches; the list at the end of a file may name one of them often."""
    held = 0
    for i in range(reader.num_record_batches):
        batch = reader.get_batch(i)
        cells = batch.num_rows * batch.num_columns
        held += max(_TEXT_BYTES * batch.nbytes, _VALUE_BYTES * cells)
        bound.check(held, "its cells")
        yield batch


def _unpacked(message: Any) -> int:
    """Bytes of the buffers of a message once they are unpacked."""
    flat, body = message.metadata.to_pybytes(), message.body
    if message.type not in ("record batch", "dictionary"):
        return 0
    header = _target(flat, _field(flat, _target(flat, 0), _HEADER))
    if message.type == "dictionary":
        header = _target(flat, _field(flat, header, _DICTIONARY_ROWS))
    start = _target(flat, _field(flat, header, _BUFFERS))
    (count,) = struct.unpack_from("<I", flat, start)
    places = np.frombuffer(flat, "<i8", 2 * count, start + 4).reshape(-1, 2)
    if not _field(flat, header, _COMPRESSION):
        return int(np.abs(places[:, 1]).sum())
    # A packed buffer begins with its size; -1: it is not packed.
    sizes = [
        struct.unpack("<q", body.slice(int(offset), 8).to_pybytes())[0]
        for offset, length in places
        if length >= 8
    ]
    return sum(map(abs, sizes)) + int(np.abs(places[:, 1]).sum())


def _target(flat: bytes, place: int) -> int:
    """Where an offset points to."""
    return int(place + struct.unpack_from("<I", flat, place)[0])


def _field(flat: bytes, table: int, slot: int) -> int:
    """Where a field of a table is; 0 where it is left out."""
    back = table - struct.unpack_from("<i", flat, table)[0]
    (size,) = struct.unpack_from("<H", flat, back)
    if 4 + 2 * slot >= size:
        return 0
    (offset,) = struct.unpack_from("<H", flat, back + 4 + 2 * slot)
    return int(table + offset) if offset else 0
