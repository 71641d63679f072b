# SPDX-License-Identifier: BSD-3-Clause
"""Opening DATA as all commands do: a registered name or a file."""

from collections.abc import Sequence
from pathlib import Path

from labelsift.core.data import MultiLabelData
from labelsift.datasets.columns import Patterns, as_patterns
from labelsift.datasets.files import (
    READABLE,
    data_suffix,
    own_labels,
    read_file,
    refuse_options,
    without_features,
)
from labelsift.datasets.label_patterns import Labels
from labelsift.datasets.memory import Size
from labelsift.datasets.registry import load_dataset, prepared_file
from labelsift.datasets.weights import with_weights


def open_data(
    source: str | Path,
    *,
    labels: Labels = None,
    drop: Patterns = (),
    data_home: str | Path | None = None,
    sep: str | None = None,
    decimal: str | None = None,
    encoding: str | None = None,
    skip: int = 0,
    sheet: str | None = None,
    label_missing: str | None = None,
    target: str | None = None,
    weights: str | None = None,
    memory: Size = None,
) -> MultiLabelData:
    """Open a data set by registered name or from a file.

    A source with the suffix of a data format (``.arff``, ``.svm``, ``.csv``,
    ``.xlsx``, ``.parquet``, ``.npz``, ...; text formats optionally with ``.gz``) is a
    file; anything else is a name for ``load_dataset``.

    Parameters
    ----------
    source : str or Path
        A name or a path.
    labels : str, iterable of str, mapping or None, default=None
        Names or patterns of the label columns of a file; of a table also their forms,
        see ``from_frame``. Tables need them; ARFF files have them in an XML file or
        their header; named sets and npz have their own.
    drop : str or iterable of str, default=()
        Names or patterns of columns to leave out.
    data_home : str, Path or None, default=None
        A folder of data sets that is searched first.
    sep, decimal, encoding, skip, sheet, label_missing
        Of tables: as in ``read_csv`` and ``read_excel``.
    target : {"labels", "values"} or None, default=None
        Of tables and ARFF files: what the columns that ``labels`` names hold; None:
        labels.
    weights : str or None, default=None
        A column that says how often each row counts; no feature.
    memory : int, str or None, default=None
        What reading may take, in bytes or as "8G"; None: 2G. More is a ValueError
        before it is taken.

    Returns
    -------
    MultiLabelData
        The data.

    Examples
    --------
    >>> from labelsift.datasets import open_data
    >>> open_data("traits", drop="pixel_0_*").n_features
    56
    """
    path = Path(source)
    options = {
        "sep": sep,
        "decimal": decimal,
        "encoding": encoding,
        "skip": skip,
        "sheet": sheet,
        "label_missing": label_missing,
        "target": target,
    }
    if data_suffix(path) is not None:
        data = read_file(path, labels or None, drop, memory=memory, **options)
        return with_weights(data, weights)
    if path.is_file():
        raise ValueError(
            f"{path} has no suffix of a known format: rename it to one of "
            f"{', '.join(READABLE)}."
        )
    refuse_options(path, options)
    data = load_dataset(str(source), data_home, memory=memory)
    wanted = as_patterns(labels) if labels is not None else ()
    return with_weights(without_features(own_labels(data, wanted), drop), weights)


def source_files(
    source: str | Path, labels: Sequence[str] = (), data_home: str | Path | None = None
) -> list[Path]:
    """The existing files that ``open_data`` reads for a source.

    Parameters
    ----------
    source : str or Path
        A name or a path.
    labels : sequence of str, default=()
        As in ``open_data``; an XML file among them counts.
    data_home : str, Path or None, default=None
        A folder of data sets that is searched first.

    Returns
    -------
    list of Path
        Empty for a set that is embedded or not available.
    """
    path = Path(source)
    if data_suffix(path) is None:
        prepared = prepared_file(str(source), data_home)
        return [] if prepared is None else [prepared]
    xml = path.with_suffix(".xml")
    return [file for file in (path, xml, *map(Path, labels)) if file.is_file()]
