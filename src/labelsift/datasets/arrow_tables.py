# SPDX-License-Identifier: BSD-3-Clause
"""Parquet and Feather files as Arrow tables: their size is known before they unpack.

Both formats write a hundred million equal values in a few bytes. Columns of lists and
records are not read: nothing is made of them, and each value would be an object.
"""

import struct
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from labelsift.core.optional import import_extra
from labelsift.datasets.memory import MemoryBound

# What a value and a byte of text take at the most, in the Arrow table, the DataFrame
# and the matrix.
_VALUE_BYTES, _TEXT_BYTES = 40, 3
_FEATHER = b"ARROW1"
# Places in the flat buffer of a message: its header, and in that of a batch of rows
# the buffers and how they are compressed; a dictionary holds such a batch.
_HEADER, _BUFFERS, _COMPRESSION, _DICTIONARY_ROWS = 2, 2, 3, 1


def parquet_table(path: Path, bound: MemoryBound) -> Any:
    """Read the plain columns of a Parquet file that promises less than the bound."""
    parquet = import_extra("pyarrow.parquet", "Reading Parquet")
    types = import_extra("pyarrow.types", "Reading Parquet")
    with parquet.ParquetFile(path) as file:
        plain = [field for field in file.schema_arrow if _is_plain(types, field.type)]
        held = sum(_width(types, field.type) for field in plain) * _n_rows(file)
        bound.check(held, "its cells")
    names = [field.name for field in plain]
    texts = [field.name for field in plain if _is_text(types, field.type)]
    if texts:
        with parquet.ParquetFile(path, read_dictionary=texts) as file:
            text_bytes = _TEXT_BYTES * _text_bytes(file, texts)
        bound.check(held + text_bytes, "its texts")
    return parquet.read_table(path, columns=names)


def _is_plain(types: Any, kind: Any) -> bool:
    """Whether values are single ones, no lists or records."""
    inner = getattr(kind, "value_type", kind)
    return not (types.is_nested(inner) or hasattr(inner, "storage_type"))


def _is_text(types: Any, kind: Any) -> bool:
    checks = (types.is_string, types.is_large_string, types.is_binary)
    return any(check(kind) for check in (*checks, types.is_large_binary))


def _width(types: Any, kind: Any) -> int:
    """What a value takes, its text not counted."""
    fixed = kind.byte_width if types.is_fixed_size_binary(kind) else 0
    return _VALUE_BYTES + _TEXT_BYTES * int(fixed)


def _n_rows(file: Any) -> int:
    metadata = file.metadata
    groups = [metadata.row_group(i).num_rows for i in range(metadata.num_row_groups)]
    return max(metadata.num_rows, sum(groups))


def _text_bytes(file: Any, names: list[str]) -> int:
    """The length of all texts, each counted as often as it stands there."""
    compute = import_extra("pyarrow.compute", "Reading Parquet")
    total = 0
    for i in range(file.num_row_groups):
        for column in file.read_row_group(i, columns=names).columns:
            for chunk in column.chunks:
                lengths = compute.binary_length(chunk.dictionary).to_numpy(False)
                places = chunk.indices.drop_null().to_numpy()
                counts = np.bincount(places, minlength=len(lengths))
                total += int(np.nan_to_num(lengths.astype(float)) @ counts)
    return total


def feather_table(path: Path, bound: MemoryBound) -> Any:
    """Read the plain columns of a Feather file that promises less than the bound."""
    pyarrow = import_extra("pyarrow", "Reading Feather")
    feather = import_extra("pyarrow.feather", "Reading Feather")
    with path.open("rb") as file:
        if file.read(len(_FEATHER)) != _FEATHER:  # the first version packs nothing
            return feather.read_table(path)
    with pyarrow.memory_map(str(path)) as mapped:  # a claimed size is not taken
        mapped.seek(8)
        messages = pyarrow.ipc.MessageReader.open_stream(mapped)
        held = sum(_unpacked(message) for message in messages)
    bound.check(_TEXT_BYTES * held, "its cells")
    with pyarrow.ipc.open_file(path) as reader:
        table = pyarrow.Table.from_batches(_batches(reader, bound), reader.schema)
    plain = [f.name for f in table.schema if _is_plain(pyarrow.types, f.type)]
    return table.select(plain)


def _batches(reader: Any, bound: MemoryBound) -> Iterator[Any]:
    """All batches; the list at the end of a file may name one of them often."""
    held = 0
    for i in range(reader.num_record_batches):
        batch = reader.get_batch(i)
        batch.validate(full=True)  # before anything follows its offsets
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
