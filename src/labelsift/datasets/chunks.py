# SPDX-License-Identifier: BSD-3-Clause
"""Tables a part at a time: rows of the columns that are needed, in bounded memory."""

from collections.abc import Collection, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from labelsift.core.cells import MISSING
from labelsift.core.optional import import_extra
from labelsift.core.parquet_rows import open_parquet, parquet_batches
from labelsift.datasets.dialect import (
    Dialect,
    check_names,
    find_dialect,
    open_text,
    read_header,
)
from labelsift.datasets.files import data_suffix, read_unlabelled, refuse_options
from labelsift.datasets.memory import MemoryBound, Size
from labelsift.datasets.problems import TableError
from labelsift.datasets.table import separator_of
from labelsift.datasets.textfile import one_line

# Cells that are in memory at a time.
CELLS = 2**20
_TEXT = (".csv", ".tsv")


class TableParts:
    """A table of any size, read in parts.

    Text files and Parquet are read in parts; other tables at once.

    Parameters
    ----------
    path : Path
        The file.
    memory : int, str or None
        What a row, or a table that is read at once, may take.
    options : mapping
        Separator, decimal mark, encoding, lines to skip, sheet: as in ``open_data``.
    """

    def __init__(self, path: Path, *, memory: Size = None, **options: Any) -> None:
        self.path, self._options = path, options
        self._bound = MemoryBound(path, memory)
        self._suffix = data_suffix(path)
        self._dialect: Dialect | None = None
        self._whole: Any = None
        self.notes: tuple[str, ...] = ()
        if self._suffix in _TEXT:
            self.names = self._open_text()
        elif self._suffix == ".parquet":
            refuse_options(path, options)
            self.names = self._parquet().schema_arrow.names
        else:
            data = read_unlabelled(path, memory=memory, **options)
            assert data is not None
            self._whole, self.notes = data.frame, data.notes
            self.names = list(data.feature_names)

    @property
    def separator(self) -> str:
        """Between the cells of a text file; a comma for other tables."""
        return "," if self._dialect is None else self._dialect.separator

    def _open_text(self) -> list[str]:
        told = {key: value for key, value in self._options.items() if value}
        told.pop("label_missing", None)
        refuse_options(self.path, told, known=("sep", "decimal", "encoding", "skip"))
        self._skip = told.pop("skip", 0)
        separator = separator_of(self.path, told.get("sep"))
        decimal, encoding = told.get("decimal"), told.get("encoding")
        dialect = find_dialect(self.path, separator, decimal, encoding, self._skip)
        names, problems = read_header(
            self.path, dialect, self._skip, self._bound, whole=False
        )
        if problems:
            raise TableError(problems)
        self._dialect = dialect
        self.notes = (f"Read {dialect.words}.",)
        return check_names(names, self.path)[0]

    def _parquet(self) -> Any:
        pyarrow = import_extra("pyarrow", "Reading Parquet")
        if not self.path.exists():
            raise FileNotFoundError(f"{self.path} does not exist: check the path.")
        try:
            return open_parquet(self.path)
        except (pyarrow.ArrowException, OSError, ValueError) as error:
            raise ValueError(
                f"{self.path} cannot be read as Parquet ({one_line(error)}): write it "
                "again."
            ) from error

    def rows(
        self,
        columns: Sequence[str],
        numbers: Collection[str] = (),
        missing: Any = (),
        *,
        count: int | None = None,
    ) -> Iterator[Any]:
        """Parts of some columns as DataFrames, in order.

        Parameters
        ----------
        columns : sequence of str
            Which, in this order.
        numbers : collection of str
            Those of a text file that are read as numbers; others as they stand.
        missing : iterable of str
            Texts that stand for a missing number too.
        count : int or None
            Rows of a part; None: as many as hold a million cells.

        Yields
        ------
        DataFrame
            Whose index counts the rows of the file.
        """
        wanted = list(dict.fromkeys(columns))
        count = count or max(1, CELLS // max(1, len(wanted)))
        if self._whole is not None:
            yield self._whole[wanted]
        elif self._dialect is None:
            yield from self._batches(wanted, count)
        else:
            yield from self._text_rows(wanted, set(numbers), missing, count)

    def _batches(self, wanted: list[str], count: int) -> Iterator[Any]:
        pandas = import_extra("pandas", "Reading Parquet")
        start = 0
        try:
            tables = parquet_batches(self._parquet(), wanted, count)
            for frame in map(_frame, tables):  # which holds no table any longer
                frame.index = pandas.RangeIndex(start, start + len(frame))
                start += len(frame)
                yield frame
        # On untrusted bytes pyarrow may raise any exception.
        except Exception as error:
            raise ValueError(
                f"{self.path} cannot be read as Parquet beyond row {start} "
                f"({one_line(error)}): write it again."
            ) from error

    def parquet_sample(
        self, columns: Sequence[str], step: int, count: int
    ) -> Iterator[Any]:
        """Every so many rows of a Parquet file."""
        start = 0
        for table in parquet_batches(self._parquet(), columns, count):
            places = np.arange(-start % step, len(table), step)
            start += len(table)
            frame = _frame(table.take(places))
            del table
            yield frame

    def _text_rows(
        self, wanted: list[str], numbers: set[str], missing: Any, count: int
    ) -> Iterator[Any]:
        pandas = import_extra("pandas", "Reading CSV")
        assert self._dialect is not None
        gaps = {form(text) for text in MISSING for form in (str, str.upper, str.title)}
        gaps |= {"NaN", *missing}
        place = {name: i for i, name in enumerate(self.names)}
        as_text = [place[name] for name in wanted if name not in numbers]
        as_numbers = [place[name] for name in wanted if name in numbers]
        with open_text(self.path, self._dialect.encoding, self._skip) as file:
            parts = pandas.read_csv(
                file,
                sep=self._dialect.separator,
                decimal=self._dialect.decimal,
                header=0,
                names=range(len(self.names)),
                usecols=[place[name] for name in wanted],
                index_col=False,
                skipinitialspace=True,
                keep_default_na=False,
                na_values={i: gaps for i in as_numbers},
                dtype=dict.fromkeys(as_text, str),
                low_memory=False,
                chunksize=count,
            )
            for part in parts:
                yield part[[place[name] for name in wanted]].set_axis(wanted, axis=1)


def _frame(table: Any) -> Any:
    return table.to_pandas(ignore_metadata=True)
