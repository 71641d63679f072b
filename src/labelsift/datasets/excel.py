# SPDX-License-Identifier: BSD-3-Clause
"""Excel files, through openpyxl (extra ``excel``)."""

import zipfile
from pathlib import Path
from typing import Any

from labelsift.core.data import MultiLabelData
from labelsift.core.optional import import_extra
from labelsift.datasets.columns import Patterns
from labelsift.datasets.frame import from_columns
from labelsift.datasets.label_patterns import Labels
from labelsift.datasets.table import checked_names
from labelsift.datasets.textfile import bare_stem, one_line, shown, unpacked_limit


def read_excel(
    path: str | Path,
    labels: Labels,
    *,
    drop: Patterns = (),
    sheet: str | None = None,
    skip: int = 0,
    label_missing: str | None = None,
) -> MultiLabelData:
    """Read a data set from an Excel file (.xlsx); needs the extra ``excel``.

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

    Returns
    -------
    MultiLabelData
        The data, with the table itself as ``frame``.
    """
    pandas = import_extra("pandas", "Reading Excel files")
    openpyxl = import_extra("openpyxl", "Reading Excel files")
    path = Path(path)
    rows, name = _sheet(openpyxl, path, sheet, skip)
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
        notes=[f"Read from sheet {shown(name)}: {size}", *notes],
    )


def _sheet(
    openpyxl: Any, path: Path, sheet: str | None, skip: int
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
            found = list(rows[sheet])[skip:]
            book.close()
            return found, str(sheet)
    # A stranger's bytes make zipfile and openpyxl raise nearly anything.
    except Exception as error:
        raise ValueError(
            f"{path} cannot be read as an Excel file ({one_line(error)}): save it "
            "again as .xlsx."
        ) from error
    listed = ", ".join(shown(name) for name in names[:10])
    asked = "several sheets" if sheet is None else f"no sheet {shown(sheet)}"
    raise ValueError(f"{path} has {asked} (it has {listed}): say which with --sheet.")
