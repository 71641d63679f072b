# SPDX-License-Identifier: BSD-3-Clause
"""CSV and Parquet files, through pandas and pyarrow (the extra ``frames``)."""

import csv
import warnings
from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from typing import Any

import scipy.sparse as sp
from sklearn.utils import gen_batches

from labelsift.core.data import MultiLabelData
from labelsift.core.optional import import_extra
from labelsift.datasets.atomic import replacing
from labelsift.datasets.columns import Patterns, check_unique
from labelsift.datasets.frame import take_columns
from labelsift.datasets.textfile import LineReader, bare_stem, one_line, open_unpacked

# Rows are written in blocks of this many cells: bounds the dense copy of sparse X.
_BLOCK_CELLS = 2**21


def read_csv(
    path: str | Path, labels: Patterns | None, *, drop: Patterns = ()
) -> MultiLabelData:
    """Read a data set from a CSV file with a header; needs the extra ``frames``.

    Parameters
    ----------
    path : str or Path
        The file, optionally gzip; columns are separated by tabs where its name ends in
        .tsv, else by commas.
    labels, drop : str or iterable of str
        As in ``from_frame``.

    Returns
    -------
    MultiLabelData
        The data.
    """
    pandas = import_extra("pandas", "Reading CSV")
    path = Path(path)
    separator = "\t" if path.name.removesuffix(".gz").endswith(".tsv") else ","
    header = _csv_header(path, separator)
    with open_unpacked(path) as file, warnings.catch_warnings():
        # pandas only warns about a line that is longer than the header.
        warnings.simplefilter("error", pandas.errors.ParserWarning)
        try:
            frame = pandas.read_csv(
                file,
                sep=separator,
                index_col=False,
                encoding="utf-8",
                low_memory=False,
                **_exact_floats(pandas),
            )
        except (ValueError, pandas.errors.ParserWarning) as error:
            raise ValueError(
                f"{path} cannot be read as CSV ({one_line(error)}): fix it."
            ) from error
    if len(header) != frame.shape[1]:
        raise ValueError(
            f"{path} has {frame.shape[1]} columns but its first line names "
            f"{len(header)}: name every column."
        )
    frame.columns = header
    return take_columns(frame, labels, drop, bare_stem(path), where=str(path))


def _exact_floats(pandas: Any) -> dict[str, str]:
    """Options with which pandas reads floats exactly: none from 3.1 on."""
    version = tuple(map(int, pandas.__version__.split(".")[:2]))
    return {} if version >= (3, 1) else {"float_precision": "round_trip"}


def _csv_header(path: Path, separator: str) -> list[str]:
    """Names of the columns; pandas would rename those that occur twice."""
    lines = LineReader(path)
    try:
        rows = csv.reader((f"{line}\n" for line in lines), delimiter=separator)
        header = next((row for row in rows if row), [])
    except csv.Error as error:
        raise lines.error(f"the header cannot be read ({error})") from None
    for i, name in enumerate(header):
        if not name.strip():
            raise lines.error(f"column {i + 1} has no name: add one")
    check_unique(header, str(path))
    return header


def read_parquet(
    path: str | Path, labels: Patterns | None, *, drop: Patterns = ()
) -> MultiLabelData:
    """Read a data set from a Parquet file; needs the extra ``frames``.

    Parameters
    ----------
    path : str or Path
        The file.
    labels, drop : str or iterable of str
        As in ``from_frame``.

    Returns
    -------
    MultiLabelData
        The data.
    """
    import_extra("pandas", "Reading Parquet")
    pyarrow = import_extra("pyarrow", "Reading Parquet")
    parquet = import_extra("pyarrow.parquet", "Reading Parquet")
    path = Path(path)
    if not path.exists():
        raise FileNotFoundError(f"{path} does not exist: check the path.")
    try:
        # Type metadata written by pandas is not trusted.
        frame = parquet.read_table(path).to_pandas(ignore_metadata=True)
    except (pyarrow.ArrowException, OSError, ValueError) as error:
        raise ValueError(
            f"{path} cannot be read as Parquet ({one_line(error)}): write it again."
        ) from error
    return take_columns(frame, labels, drop, bare_stem(path), where=str(path))


def write_csv(data: MultiLabelData, path: str | Path) -> None:
    """Write a CSV file, features first, then labels as 0/1.

    The rows of sparse X are densified a block at a time. The published split is not
    written.

    Parameters
    ----------
    data : MultiLabelData
        The data to write.
    path : str or Path
        The file (tabs for .tsv); an existing one is replaced only when complete.
    """
    path = Path(path)
    separator = "\t" if path.suffix == ".tsv" else ","
    with (
        replacing(path) as part,
        part.open("w", encoding="utf-8", newline="") as file,
    ):
        for i, block in enumerate(_blocks(data, "Writing CSV")):
            block.to_csv(file, sep=separator, header=i == 0, index=False)


def write_parquet(data: MultiLabelData, path: str | Path) -> None:
    """Write a Parquet file, features first, then labels as 0/1.

    The rows of sparse X are densified a block at a time. The published split is not
    written.

    Parameters
    ----------
    data : MultiLabelData
        The data to write.
    path : str or Path
        The file; an existing one is replaced only after a complete write.
    """
    pyarrow = import_extra("pyarrow", "Writing Parquet")
    parquet = import_extra("pyarrow.parquet", "Writing Parquet")
    tables = (pyarrow.Table.from_pandas(b) for b in _blocks(data, "Writing Parquet"))
    first = next(tables)
    with (
        replacing(Path(path)) as part,
        parquet.ParquetWriter(part, first.schema) as writer,
    ):
        for table in chain([first], tables):
            writer.write_table(table)


def _blocks(data: MultiLabelData, purpose: str) -> Iterator[Any]:
    """The data as DataFrames of some rows each."""
    pandas = import_extra("pandas", purpose)
    check_unique((*data.feature_names, *data.label_names), data.name)
    width = data.n_features + data.n_labels
    for rows in gen_batches(data.n_samples, max(1, _BLOCK_CELLS // width)):
        X = data.X[rows]
        yield pandas.concat(
            [
                pandas.DataFrame(
                    X.toarray() if sp.issparse(X) else X, columns=data.feature_names
                ),
                pandas.DataFrame(data.Y[rows], columns=data.label_names),
            ],
            axis=1,
        )
