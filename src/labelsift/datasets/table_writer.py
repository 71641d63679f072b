# SPDX-License-Identifier: BSD-3-Clause
"""Writing CSV and Parquet files, through pandas and pyarrow (the extra ``frames``)."""

from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from typing import Any

import scipy.sparse as sp
from sklearn.utils import gen_batches

from labelsift.core.cells import take_rows
from labelsift.core.data import MultiLabelData
from labelsift.core.optional import import_extra
from labelsift.datasets.atomic import replacing
from labelsift.datasets.columns import check_unique

# Rows are written in blocks of this many cells: bounds the dense copy of sparse X.
_BLOCK_CELLS = 2**21


def write_csv(data: MultiLabelData, path: str | Path) -> None:
    """Write a CSV file, features first, then labels as 0/1.

    The rows of sparse X are made dense a block at a time. The published split is not
    kept. Cells are written as they are, so that they are read back as they were: one
    that begins with ``=``, ``+``, ``-`` or ``@`` is a formula to a spreadsheet.

    Parameters
    ----------
    data : MultiLabelData
        What to write.
    path : str or Path
        Where to (tabs for .tsv); an existing file is replaced when all is written.
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

    The rows of sparse X are made dense a block at a time. The published split is not
    kept.

    Parameters
    ----------
    data : MultiLabelData
        What to write.
    path : str or Path
        Where to; an existing file is replaced when all is written.
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
        labels = pandas.DataFrame(data.Y[rows], columns=list(data.label_names))
        yield pandas.concat([_features(pandas, data, rows), labels], axis=1)


def _features(pandas: Any, data: MultiLabelData, rows: slice) -> Any:
    """Some rows of the features; those of a table as they stand in it."""
    names = list(data.feature_names)
    if data.frame is None:
        X = data.X[rows]
        return pandas.DataFrame(X.toarray() if sp.issparse(X) else X, columns=names)
    part = take_rows(data.frame, range(*rows.indices(data.n_samples)))
    if hasattr(part, "iloc"):
        return part.set_axis(names, axis=1).reset_index(drop=True)
    return pandas.DataFrame({name: part[name].to_list() for name in names})
