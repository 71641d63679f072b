# SPDX-License-Identifier: BSD-3-Clause
"""The one table of results: one row per measured value, with its full context.

Runs write it, the ledger stores it, exports contain it, and statistics, tables and
pages read it. Grouping and pivoting are left to pandas.
"""

import textwrap
import traceback
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Self

import numpy as np
import pandas as pd
from pandas.api.types import pandas_dtype

from labelsift.datasets.atomic import replacing

# Characters of an error message that are stored.
MOST_LETTERS = 400
# The type of text in this version of pandas.
_TEXT = pd.Series(dtype=str).dtype
# Columns that name a planned task, with their types.
NAMES = {"suite": str, "data": str, "method": str, "draw": int, "split": int}
# Facts about a task that are known once it has run.
SIZES = {"n_train": int, "n_features": int}
# What a run measures: one value, and which model it belongs to.
MEASURED = {
    "params": str,
    "readout": str,
    "threshold": str,
    "budget": int,
    "measure": str,
    "value": float,
}
VALUES = NAMES | SIZES | MEASURED
STATUS = {
    "status": str,
    "error": str,
    "seconds": float,
    "memory_mib": float,
    "warnings": str,
}
TASKS = NAMES | SIZES | STATUS
# What is stored with the values of a model, such as the chosen features.
ARTIFACTS = {"readout": str, "budget": int, "name": str, "value": object}
# A cell of a table: everything but the split, the draw and the chosen parameters.
CELL = ("suite", "data", "method", "readout", "threshold", "budget", "measure")


def frame(rows: Iterable[Any], columns: Mapping[str, type]) -> pd.DataFrame:
    """Rows as a DataFrame with the given columns and types.

    Its columns get their types here: pandas takes five times as long to guess them.
    """
    lists = list(zip(*rows, strict=True)) or [()] * len(columns)
    parts = zip(columns.items(), lists, strict=True)
    table = pd.DataFrame({name: _typed(cells, kind) for (name, kind), cells in parts})
    whole = all(table[k].dtype == int for k, kind in columns.items() if kind is int)
    return table if whole else checked(table, columns, "rows")


def _typed(cells: Sequence[Any], kind: type) -> Any:
    """A column; what should be whole numbers is as it is, unless there are none."""
    if kind is str:
        return pd.array(cells, dtype=_TEXT)
    if kind is object:
        return pd.Series(cells, dtype=object)
    return np.array(cells, dtype=None if kind is int and cells else kind)


def checked(
    table: pd.DataFrame, columns: Mapping[str, type], name: str
) -> pd.DataFrame:
    """The table with exactly these columns and types, or a ValueError."""
    missing = [column for column in columns if column not in table]
    if missing:
        raise ValueError(
            f"{name} has no column {missing[0]!r}: it needs {', '.join(columns)}."
        )
    types = dict(columns)
    if columns.get("budget") is int and _fractional(table["budget"]):
        types["budget"] = float  # total costs
    table = table[list(columns)]
    # Casting copies even where nothing changes, and tables of a task are many.
    types = {k: t for k, t in types.items() if table[k].dtype != pandas_dtype(t)}
    try:
        return table.astype(types) if types else table
    except (TypeError, ValueError, OverflowError) as error:
        raise ValueError(f"{name} has a value of the wrong type: {error}.") from error


def _fractional(budgets: pd.Series) -> bool:
    """Whether budgets are numbers of which one is not whole."""
    if budgets.dtype.kind == "i":
        return False
    numbers = pd.to_numeric(budgets, errors="coerce")
    return bool(numbers.notna().all() and (numbers % 1 != 0).any())


def read_csv(path: str | Path, columns: Mapping[str, type]) -> pd.DataFrame:
    """A table that ``write_csv`` wrote: bitwise the same values.

    Cells are read as text, so that a name such as 007 stays as it is, and numbers by
    Python, which rounds correctly; the faster parsers of pandas may not.
    """
    table = pd.read_csv(path, dtype=str, keep_default_na=False)
    numbers = [name for name in table if columns.get(name) is float]
    table[numbers] = table[numbers].replace("", "nan")
    return checked(table, columns, str(path))


def write_csv(table: pd.DataFrame, path: str | Path) -> None:
    """Write a table with all digits, whole or not at all; NaN is empty."""
    with replacing(Path(path)) as part:
        table.to_csv(part, index=False, lineterminator="\n")


@dataclass(frozen=True, eq=False)
class Outcome:
    """Outcome of a task.

    Parameters
    ----------
    key, content : str
        Of the task.
    status : {"done", "failed", "timeout", "cut"}
        How it ended; cut: it had no time, and is not stored.
    measured, stored : sequence of tuples
        Rows of ``values`` and ``artifacts``; none unless done. They are what is sent
        and stored: a table of each takes longer than a small task.
    n_train, n_features : int
        Size of the training part; 0 where the task failed before.
    error : str
        One line; empty when done.
    seconds : float
        Total wall-clock time.
    memory_mib : float
        Peak above the memory in use before; NaN where the system does not report it.
    warnings : tuple of str
        Without duplicates.
    """

    key: str
    content: str
    status: str
    measured: Sequence[tuple[Any, ...]] = ()
    stored: Sequence[tuple[Any, ...]] = ()
    n_train: int = 0
    n_features: int = 0
    error: str = ""
    seconds: float = 0.0
    memory_mib: float = float("nan")
    warnings: tuple[str, ...] = ()

    @property
    def values(self) -> pd.DataFrame:
        """What was measured, with the columns MEASURED."""
        return frame(self.measured, MEASURED)

    @property
    def artifacts(self) -> pd.DataFrame:
        """What is stored with it, with the columns ARTIFACTS."""
        return frame(self.stored, ARTIFACTS)


def one_line(problem: Exception) -> str:
    """An error as the outcome of a task: its kind, text and place."""
    place = traceback.extract_tb(problem.__traceback__)[-1]
    text = textwrap.shorten(str(problem), MOST_LETTERS, placeholder=" ...")
    return f"{type(problem).__name__}: {text} ({place.name}, line {place.lineno})"


@dataclass(frozen=True, eq=False)
class Results:
    """Measured values, and the tasks that they come from.

    Parameters
    ----------
    values : DataFrame
        A row for every value: suite, data, method, draw (of a method that is repeated
        with other seeds), split, n_train, n_features, params (chosen from a grid),
        readout, threshold, budget, measure, value. A value that is not defined is NaN.
    tasks : DataFrame
        A row for every task that was run: suite, data, method, draw, split, n_train,
        n_features, status ("done", "failed", "timeout" or "cut": not run, for the
        reason in error), error, seconds, memory_mib, warnings (one a line).
    """

    values: pd.DataFrame
    tasks: pd.DataFrame = field(default_factory=lambda: frame([], TASKS))

    def __post_init__(self) -> None:
        object.__setattr__(self, "values", checked(self.values, VALUES, "values"))
        object.__setattr__(self, "tasks", checked(self.tasks, TASKS, "tasks"))

    @property
    def failed(self) -> pd.DataFrame:
        """The tasks that failed or ran out of time."""
        return self.tasks[self.tasks["status"].isin(["failed", "timeout"])]

    def where(self, **wanted: Any) -> Self:
        """The part in which columns have a wanted value, or one of several.

        Parameters
        ----------
        **wanted
            Column name to value, or to a list of values.

        Returns
        -------
        Results
            Tasks are cut by the columns that they have.

        Examples
        --------
        >>> results.where(measure="macro_auc", method=["fisher", "mdmr"])
        ... # doctest: +SKIP
        """
        values, tasks = self.values, self.tasks
        for column, value in wanted.items():
            if column not in VALUES:
                raise ValueError(
                    f"There is no column {column!r}: choose from {', '.join(VALUES)}."
                )
            allowed = [value] if pd.api.types.is_scalar(value) else list(value)
            values = values[values[column].isin(allowed)]
            if column in TASKS:
                tasks = tasks[tasks[column].isin(allowed)]
        return type(self)(values, tasks)

    def mean_over_splits(self, *more: str) -> pd.DataFrame:
        """Mean of every cell, its standard error and its number of splits.

        Draws are averaged within a split; undefined values do not count.

        Parameters
        ----------
        *more : str
            Further columns that distinguish cells, such as "params".

        Returns
        -------
        DataFrame
            Columns of a cell, then mean, std, std_error and n_splits. The standard
            error of one split is NaN.
        """
        cell = [*CELL, *more]
        known = self.values[self.values["value"].notna()]
        splits = known.groupby([*cell, "split"], sort=False)["value"].mean()
        cells = splits.groupby(cell, sort=False).agg(["mean", "std", "sem", "count"])
        names = {"sem": "std_error", "count": "n_splits"}
        return cells.rename(columns=names).reset_index()

    def curve(self, measure: str) -> pd.DataFrame:
        """Mean of a measure against the budget: a row per budget, a column per method.

        Parameters
        ----------
        measure : str
            Which one.

        Returns
        -------
        DataFrame
            NaN where a method was not measured; read-outs and data sets are averaged.
        """
        means = self.where(measure=measure).mean_over_splits()
        return means.pivot_table(index="budget", columns="method", values="mean")

    def by_split(self, measure: str) -> pd.DataFrame:
        """Finite values of a measure: a row per method and budget, a column per split.

        Parameters
        ----------
        measure : str
            Which one.

        Returns
        -------
        DataFrame
            Draws and read-outs are averaged; NaN where nothing was measured.
        """
        part = self.values[self.values["measure"] == measure]
        part = part[np.isfinite(part["value"])]
        return part.pivot_table(
            index=["method", "budget"], columns="split", values="value", sort=False
        ).sort_index(axis=1)

    def by_block(self, measure: str, block: str = "data") -> pd.DataFrame:
        """Mean of a measure by block: a row per block, a column per method.

        Draws are averaged within a split, splits within a cell, then cells: one that
        was measured more often weighs no more.

        Parameters
        ----------
        measure : str
            Which one.
        block : str, default="data"
            A column. Splits of one data set share rows and are not separate blocks.

        Returns
        -------
        DataFrame
            NaN where a method has no value in a block.
        """
        part = self.where(measure=measure).values
        part = part[part["value"].notna()]
        cell = list(dict.fromkeys([*CELL, block]))
        for place in (list(dict.fromkeys([*cell, "split"])), cell):
            part = part.groupby(place, sort=False)["value"].mean().reset_index()
        return part.pivot_table(index=block, columns="method", values="value")

    def write(self, path: str | Path) -> None:
        """Write the values to a CSV or Parquet file, with all digits.

        Parameters
        ----------
        path : str or Path
            Ends in ``.csv`` or ``.parquet``.
        """
        path = Path(path)
        if path.suffix == ".parquet":
            with replacing(path) as part:
                self.values.to_parquet(part, index=False)
        else:
            write_csv(self.values, path)

    @classmethod
    def read(cls, path: str | Path) -> Self:
        """Read values that ``write`` wrote.

        Parameters
        ----------
        path : str or Path
            A CSV or Parquet file.

        Returns
        -------
        Results
            Without tasks.
        """
        path = Path(path)
        if path.suffix == ".parquet":
            return cls(pd.read_parquet(path))
        return cls(read_csv(path, VALUES))
