# SPDX-License-Identifier: BSD-3-Clause
"""Many tables with the same columns, read one after the other in bounded memory."""

from collections.abc import Collection, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from labelsift.core.memory_size import Size, read_size
from labelsift.core.optional import import_extra
from labelsift.core.parquet_rows import open_parquet
from labelsift.datasets.chunks import TableParts
from labelsift.datasets.columns import Patterns
from labelsift.datasets.files import data_suffix
from labelsift.datasets.label_patterns import Labels, split_table

# Rows of the sample that kinds of columns and scales are learned from.
SAMPLE_ROWS = 200_000
# Bytes that a cell takes on its way: as it is read, as a frame, as a number, centred.
_CELL_BYTES = 64
_FEWEST_CELLS, _MOST_CELLS = 2**16, 2**22
_PATTERN = frozenset("*?[")


def find_files(source: str) -> list[Path] | None:
    """The files that a pattern or a folder of Parquet files names, sorted.

    None: the source is neither, but one file or a name.
    """
    path = Path(source)
    if path.is_dir():
        files = sorted(path.glob("*.parquet"))
    elif _PATTERN.intersection(source) and not path.exists():
        anchor = Path(path.anchor or ".")
        pattern = str(path.relative_to(path.anchor) if path.anchor else path)
        files = sorted(file for file in anchor.glob(pattern) if file.is_file())
    else:
        return None
    if not files:
        raise FileNotFoundError(f"{source} names no file: check the pattern.")
    strange = [
        file for file in files if data_suffix(file) not in (".parquet", ".csv", ".tsv")
    ]
    if strange:
        raise ValueError(
            f"{strange[0]} is no Parquet or text table, which are read in parts: "
            "name such files only."
        )
    return files


class TableFiles:
    """Tables with the same columns.

    Parameters
    ----------
    paths : sequence of Path
        The files, in the order of their rows.
    labels : str, iterable of str or mapping
        Names or patterns of the label columns.
    drop : str or iterable of str, default=()
        Names or patterns of columns to leave out.
    memory : int, str or None, default=None
        What reading may take; None: 2G. A batch takes at most an eighth.
    options : mapping
        As for ``TableParts``.
    """

    def __init__(
        self,
        paths: Sequence[Path],
        labels: Labels,
        drop: Patterns = (),
        *,
        memory: Size = None,
        **options: Any,
    ) -> None:
        self._parts = [TableParts(path, memory=memory, **options) for path in paths]
        self.paths, names = list(paths), self._parts[0].names
        for parts in self._parts[1:]:
            if sorted(parts.names) != sorted(names):
                odd = sorted(set(parts.names) ^ set(names))[:1]
                raise ValueError(
                    f"{parts.path} and {paths[0]} have different columns ({odd[0]!r} "
                    "for one): read tables with the same columns."
                )
        features, forms = split_table(names, labels, drop, str(paths[0]))
        expanded = [names[i] for i, form in forms.items() if form]
        if expanded:
            raise ValueError(
                f"Column {expanded[0]!r} holds lists or classes, whose labels are "
                "known when all rows are read: write one column of 0/1 per label."
            )
        self.features = [names[i] for i in features]
        self.labels = [names[i] for i in forms]
        width = len(self.features) + len(self.labels)
        size = read_size(memory)
        cells = int(np.clip(size // (8 * _CELL_BYTES), _FEWEST_CELLS, _MOST_CELLS))
        self.batch_rows = max(1, cells // width)
        self.sample_rows = min(SAMPLE_ROWS, max(1000, size // (16 * 8 * width)))

    @property
    def n_rows(self) -> int | None:
        """Rows of all files, where they say so: text files do not."""
        if any(path.suffix != ".parquet" for path in self.paths):
            return None
        return sum(int(open_parquet(path).metadata.num_rows) for path in self.paths)

    def batches(
        self, numbers: Collection[str] = (), missing: Any = ()
    ) -> Iterator[tuple[Any, Any]]:
        """Features and labels as frames, in the order of the files.

        Parameters
        ----------
        numbers, missing
            As for ``TableParts.rows``.

        Yields
        ------
        tuple of DataFrame
            Features and labels of the same rows.
        """
        wanted, numbers = [*self.features, *self.labels], {*numbers, *self.labels}
        for parts in self._parts:
            for frame in parts.rows(wanted, numbers, missing, count=self.batch_rows):
                yield frame[self.features], frame[self.labels]

    def sample(self, missing: Any = ()) -> tuple[Any, Any]:
        """Rows that are spread evenly over all files, as frames.

        Parameters
        ----------
        missing : iterable of str
            As for ``TableParts.rows``.

        Returns
        -------
        tuple of DataFrame
            Features and labels.
        """
        pandas = import_extra("pandas", "Reading tables")
        wanted = [*self.features, *self.labels]
        total = self.n_rows
        if total is None:
            sampled = self._thinned(wanted, missing)
        else:
            step = max(1, -(-total // self.sample_rows))
            sampled = [
                frame
                for parts in self._parts
                for frame in parts.parquet_sample(wanted, step, self.batch_rows)
            ]
        whole = pandas.concat(sampled, ignore_index=True)
        return whole[self.features], whole[self.labels]

    def _thinned(self, wanted: list[str], missing: Any) -> list[Any]:
        """Every row of text files, then every second, then every fourth ..."""
        sampled: list[Any] = []
        start, step = 0, 1
        for parts in self._parts:
            rows = parts.rows(wanted, self.labels, missing, count=self.batch_rows)
            for frame in rows:
                frame.index = range(start, start + len(frame))
                start += len(frame)
                sampled.append(frame[frame.index % step == 0].copy())
                if sum(map(len, sampled)) > self.sample_rows:
                    step *= 2
                    sampled = [part[part.index % step == 0].copy() for part in sampled]
        return sampled
