# SPDX-License-Identifier: BSD-3-Clause
"""CSV, Parquet and Feather files, through pandas and pyarrow (extra ``frames``)."""

from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Any

from labelsift.core.cells import MISSING
from labelsift.core.data import MultiLabelData
from labelsift.core.files import check_file
from labelsift.core.optional import import_extra
from labelsift.datasets.arrow_tables import feather_table, parquet_table
from labelsift.datasets.columns import Patterns
from labelsift.datasets.dialect import (
    Dialect,
    check_names,
    find_dialect,
    open_text,
    read_header,
)
from labelsift.datasets.frame import from_columns
from labelsift.datasets.label_patterns import Labels, split_table
from labelsift.datasets.memory import MemoryBound, MemoryBoundError, Size
from labelsift.datasets.problems import TableError
from labelsift.datasets.textfile import bare_stem, one_line


def read_csv(
    path: str | Path,
    labels: Labels,
    *,
    drop: Patterns = (),
    sep: str | None = None,
    decimal: str | None = None,
    encoding: str | None = None,
    skip: int = 0,
    label_missing: str | None = None,
    target: str | None = None,
    memory: Size = None,
) -> MultiLabelData:
    """Read a data set from a CSV file with a header; needs the extra ``frames``.

    Separator, decimal mark and encoding are found where one reading is possible;
    otherwise the error asks. ``notes`` of the result says how the file was read. The
    memory is at most 24 bytes a cell and 3 a letter.

    Parameters
    ----------
    path : str or Path
        The file, optionally gzip.
    labels : str, iterable of str, mapping or None
        As in ``from_frame``.
    drop : str or iterable of str, default=()
        As in ``from_frame``.
    sep : {",", ";", "tab", "|"} or None, default=None
        Between cells; None: the one that gives the first 200 records the same number
        of cells, tabs where the name ends in .tsv.
    decimal : {".", ","} or None, default=None
        Within numbers; None: what all numbers agree on.
    encoding : str or None, default=None
        As Python names it; None: UTF-8 where the bytes are, else Windows-1252.
    skip : int, default=0
        Lines before the header.
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
    pandas = import_extra("pandas", "Reading CSV")
    path = Path(path)
    dialect = find_dialect(path, separator_of(path, sep), decimal, encoding, skip)
    bound = MemoryBound(path, memory)
    names, problems = read_header(path, dialect, skip, bound)
    names, notes, forms = checked_names(names, labels, drop, path, problems)
    forms = () if target == "values" else forms  # values are read as features are
    frame = _parsed(pandas, path, dialect, skip, len(names), forms)
    frame.columns = names
    size = f"{len(frame):,} rows, {len(names):,} columns"
    return from_columns(
        frame,
        labels,
        drop,
        bare_stem(path),
        where=str(path),
        label_missing=label_missing,
        target=target,
        notes=[f"Read {dialect.words}: {size}", *notes],
    )


def separator_of(path: Path, told: str | None) -> str | None:
    """The separator that is told or that the name of a file tells, if any."""
    if told is None and path.name.removesuffix(".gz").lower().endswith(".tsv"):
        return "\t"
    separator = {"tab": "\t", "\\t": "\t"}.get(told or "", told)
    if separator is not None and len(separator) != 1:
        raise ValueError(f"sep={told!r} is no separator: use , ; tab or |.")
    return separator


def checked_names(
    names: list[str],
    labels: Labels,
    drop: Patterns,
    path: Path,
    problems: Sequence[str] = (),
) -> tuple[list[str], list[str], Collection[int]]:
    """Names that can be used, what to announce of them, and where the labels are.

    Everything that is wrong with a file is told at once.
    """
    problems = list(problems)
    notes: list[str] = []
    forms: dict[int, str] = {}
    try:
        names, notes = check_names(names, path)
    except TableError as error:
        problems += error.problems
    try:
        forms = split_table(names, labels, drop, str(path))[1]
    except TableError as error:
        problems += error.problems
    if problems:
        raise TableError(problems)
    return names, notes, forms.keys()


def _parsed(
    pandas: Any,
    path: Path,
    dialect: Dialect,
    skip: int,
    width: int,
    labels: Collection[int],
) -> Any:
    """The cells below the header; those of labels as the text that stands there."""
    gaps = {form(text) for text in MISSING for form in (str, str.upper, str.title)}
    gaps.add("NaN")
    features = [i for i in range(width) if i not in labels]
    with open_text(path, dialect.encoding, skip) as file:
        try:
            return pandas.read_csv(
                file,
                sep=dialect.separator,
                decimal=dialect.decimal,
                header=0,
                names=range(width),
                index_col=False,
                skipinitialspace=True,
                keep_default_na=False,
                na_values={place: gaps for place in features},
                dtype=dict.fromkeys(labels, str),
                low_memory=False,
                **_exact_floats(pandas),
            )
        except ValueError as error:
            raise ValueError(
                f"{path} cannot be read as CSV ({one_line(error)}): fix it."
            ) from error


def _exact_floats(pandas: Any) -> dict[str, str]:
    """Options with which pandas reads floats exactly: none from 3.1 on."""
    version = tuple(map(int, pandas.__version__.split(".")[:2]))
    return {} if version >= (3, 1) else {"float_precision": "round_trip"}


def read_parquet(
    path: str | Path,
    labels: Labels,
    *,
    drop: Patterns = (),
    label_missing: str | None = None,
    target: str | None = None,
    memory: Size = None,
) -> MultiLabelData:
    """Read a data set from a Parquet file; needs the extra ``frames``.

    The memory is at most 40 bytes a value and 3 a byte of text; both are known before
    the file is unpacked.

    Parameters
    ----------
    path : str or Path
        The file.
    labels : str, iterable of str, mapping or None
        As in ``from_frame``.
    drop : str or iterable of str, default=()
        As in ``from_frame``.
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
    return _arrow(path, "Parquet", labels, drop, label_missing, target, memory)


def read_feather(
    path: str | Path,
    labels: Labels,
    *,
    drop: Patterns = (),
    label_missing: str | None = None,
    target: str | None = None,
    memory: Size = None,
) -> MultiLabelData:
    """Read a data set from a Feather file; needs the extra ``frames``.

    The memory is at most three times the unpacked file, or 40 bytes a value.

    Parameters
    ----------
    path : str or Path
        The file.
    labels : str, iterable of str, mapping or None
        As in ``from_frame``.
    drop : str or iterable of str, default=()
        As in ``from_frame``.
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
    return _arrow(path, "Feather", labels, drop, label_missing, target, memory)


def _arrow(
    path: str | Path,
    form: str,
    labels: Labels,
    drop: Patterns,
    label_missing: str | None,
    target: str | None,
    memory: Size,
) -> MultiLabelData:
    import_extra("pandas", f"Reading {form}")
    import_extra("pyarrow", f"Reading {form}")
    path = Path(path)
    check_file(path)
    bound = MemoryBound(path, memory)
    read = parquet_table if form == "Parquet" else feather_table
    try:
        table = read(path, bound)
        # What a stranger's pandas noted about the types is not trusted.
        frame = table.to_pandas(ignore_metadata=True)
    except MemoryBoundError:
        raise
    # On untrusted bytes pyarrow may raise any exception, for want of memory too.
    except Exception as error:
        raise ValueError(
            f"{path} cannot be read as {form} ({one_line(error)}): write it again."
        ) from error
    size = f"{len(frame):,} rows, {len(frame.columns):,} columns"
    return from_columns(
        frame,
        labels,
        drop,
        bare_stem(path),
        where=str(path),
        label_missing=label_missing,
        target=target,
        notes=[f"Read as {form}: {size}"],
    )
