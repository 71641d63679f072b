# SPDX-License-Identifier: BSD-3-Clause
"""What yields batches of rows: callables, and the files of a pyarrow.dataset."""

from collections.abc import Callable, Iterator, Sequence
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

import numpy as np

from labelsift.core.parquet_rows import open_parquet, parquet_batches

# Numbers of a batch.
_CELLS = 2**21

Batches = Callable[[], Iterator[Any]]


def as_batches(X: Any, y: Any) -> Batches | None:
    """A function that reads batches, where X stands for them; None: X holds rows."""
    if callable(X) and not hasattr(X, "__array__"):
        if y is not None:
            raise ValueError(
                "X is a function that yields batches (X, Y), and y was passed too: "
                "pass y=None."
            )
        return X
    if hasattr(X, "__next__"):
        raise ValueError(
            "X is an iterator, which can be read once only: pass the function that "
            "makes it (fit(read), where read() yields batches)."
        )
    if type(X).__module__.partition(".")[0] == "pyarrow" and hasattr(X, "files"):
        return lambda: dataset_batches(X, y)
    return None


def dataset_batches(dataset: Any, labels: Any) -> Iterator[Any]:
    """Features and labels of the files of a dataset, one file after the other.

    ``labels`` names the label columns by patterns; all others are features.
    """
    if dataset.format.default_extname != "parquet":
        raise ValueError(
            f"The dataset holds {dataset.format.default_extname} files: only Parquet "
            "is read in batches."
        )
    names = dataset.schema.names
    chosen = _matching(names, labels)
    features = [name for name in names if name not in chosen]
    if not features:
        raise ValueError("Every column of the dataset is a label: name fewer in y.")
    for path in dataset.files:
        file = open_parquet(Path(path))
        rows = max(1, _CELLS // len(names))
        tables = parquet_batches(file, [*features, *chosen], rows)
        for frame in map(_frame, tables):  # which holds no table any longer
            yield _matrix(frame, features), _matrix(frame, chosen)


def _matching(names: Sequence[str], labels: Any) -> list[str]:
    patterns = [labels] if isinstance(labels, str) else list(labels or ())
    if not patterns or not all(isinstance(pattern, str) for pattern in patterns):
        raise ValueError(
            "X is a pyarrow dataset: pass the label columns as y, a pattern as 'tag_*' "
            "or a list of them."
        )
    chosen = [n for n in names if any(n == p or fnmatchcase(n, p) for p in patterns)]
    if not chosen:
        raise ValueError(f"No column of the dataset matches y={labels!r}.")
    return chosen


def _frame(table: Any) -> Any:
    return table.to_pandas(ignore_metadata=True)


def _matrix(frame: Any, names: Sequence[str]) -> Any:
    """Some columns as a frame of numbers, so that their names travel."""
    frame = frame[list(names)]
    text = [name for name in names if frame[name].dtype.kind not in "biuf"]
    if text:
        raise ValueError(
            f"Column {text[0]!r} holds no numbers: make them by 'labelsift select' on "
            "the files, or by TablePreparation in a function that yields batches."
        )
    kinds = {frame[name].dtype for name in names}
    return frame if len(kinds) == 1 else frame.astype(np.float64)
