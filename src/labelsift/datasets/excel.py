# SPDX-License-Identifier: BSD-3-Clause
"""Excel files, through openpyxl (extra ``excel``)."""

import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from labelsift.core.data import MultiLabelData
from labelsift.core.optional import import_extra
from labelsift.datasets.columns import Patterns
from labelsift.datasets.frame import from_columns
from labelsift.datasets.label_patterns import Labels
from labelsift.datasets.memory import MemoryBound, MemoryBoundError, Size
from labelsift.datasets.table import checked_names
from labelsift.datasets.textfile import bare_stem, one_line, shown, unpacked_limit

# What a cell takes at the most where something stands in it, and where nothing does.
_CELL_BYTES, _BLANK_BYTES = 128, 24


def read_excel(
    path: str | Path,
    labels: Labels,
    *,
    drop: Patterns = (),
    sheet: str | None = None,
    skip: int = 0,
    label_missing: str | None = None,
    target: str | None = None,
    memory: Size = None,
) -> MultiLabelData:
    """Read a data set from an Excel file (.xlsx); needs the extra ``excel``.

    The memory is at most 128 bytes a cell, 24 a blank one and 1 a letter.

    Parameters
    ----------
    path : str or Path
        The file; formulas count as the values that were saved with them.
    labels : str, iterable of str, mapping or None
        As in ``from_frame``.
    drop : str or iterable of str, default=()
        As in ``from_frame``.
    sheet : str or None, default=None
        Which sheet; None: the only one.
    skip : int, default=0
        Rows before the header.
    label_missing : {"no", "drop"} or None, default=None
        As in ``from_frame``.
    target : {"labels", "values"} or None, default=None
        As in ``from_frame``.
    memory : int, str or None, default=None
        What reading may take, in bytes or as "8G"; None: 2G. More is a ValueError.

    Returns
    -------
    MultiLabelData
        The data, with the table itself as ``frame``.
    """
    pandas = import_extra("pandas", "Reading Excel files")
    openpyxl = import_extra("openpyxl", "Reading Excel files")
    path = Path(path)
    rows, name = _sheet(openpyxl, path, sheet, skip, MemoryBound(path, memory))
    while rows and not any(cell is not None for cell in rows[-1]):
        rows.pop()
    if not rows:
        raise ValueError(f"{path}: sheet {shown(name)} is empty.")
    width = max(
        (i + 1 for row in rows for i, cell in enumerate(row) if cell is not None)
    )
    header = [("" if c is None else str(c)).strip() for c in rows[0][:width]]
    names, notes, _ = checked_names(header, labels, drop, path)
    cells = zip(*(row[:width] for row in rows[1:]), strict=True)
    columns = dict(zip(names, map(list, cells), strict=len(rows) > 1))
    frame = pandas.DataFrame(columns, columns=names, dtype=object).infer_objects()
    size = f"{len(frame):,} rows, {len(names):,} columns"
    return from_columns(
        frame,
        labels,
        drop,
        bare_stem(path),
        where=str(path),
        label_missing=label_missing,
        target=target,
        notes=[f"Read from sheet {shown(name)}: {size}", *notes],
    )


def _sheet(
    openpyxl: Any, path: Path, sheet: str | None, skip: int, bound: MemoryBound
) -> tuple[list[tuple[Any, ...]], str]:
    """The rows of a sheet, and its name."""
    if not path.exists():
        raise FileNotFoundError(f"{path} does not exist: check the path.")
    try:
        with zipfile.ZipFile(path) as archive:
            unpacked = sum(member.file_size for member in archive.infolist())
        if unpacked > unpacked_limit(path.stat().st_size):
            raise ValueError(f"it would unpack to {unpacked} bytes")
        book = openpyxl.load_workbook(path, read_only=True, data_only=True)
        names = [page.title for page in book.worksheets]
        rows = {
            page.title: page.iter_rows(values_only=True) for page in book.worksheets
        }
        if sheet is None and len(names) == 1:
            sheet = names[0]
        if sheet in names:
            found = list(_bounded(rows[sheet], bound))[skip:]
            book.close()
            return found, str(sheet)
    except MemoryBoundError:
        raise
    # A stranger's bytes make zipfile and openpyxl raise nearly anything.
    except Exception as error:
        raise ValueError(
            f"{path} cannot be read as an Excel file ({one_line(error)}): save it "
            "again as .xlsx."
        ) from error
    listed = ", ".join(shown(name) for name in names[:10])
    asked = "several sheets" if sheet is None else f"no sheet {shown(sheet)}"
    raise ValueError(f"{path} has {asked} (it has {listed}): say which with --sheet.")


def _bounded(
    rows: Iterator[tuple[Any, ...]], bound: MemoryBound
) -> Iterator[tuple[Any, ...]]:
    """The rows; a cell in the last corner of a sheet makes all others blank ones."""
    held = 0
    for row in rows:
        blank = row.count(None)
        texts = sum(len(cell) for cell in row if isinstance(cell, str))
        held += _BLANK_BYTES * blank + _CELL_BYTES * (len(row) - blank) + texts
        bound.check(held, "its cells")
        yield row
