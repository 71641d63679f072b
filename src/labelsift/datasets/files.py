# SPDX-License-Identifier: BSD-3-Clause
"""Data files by suffix: which reader and which writer."""

from collections.abc import Callable
from pathlib import Path

from labelsift.core.data import MultiLabelData
from labelsift.core.files import check_file
from labelsift.datasets.arff import read_arff
from labelsift.datasets.arff_writer import write_arff
from labelsift.datasets.columns import (
    Patterns,
    as_patterns,
    keep_features,
    matching,
)
from labelsift.datasets.libsvm import read_libsvm
from labelsift.datasets.libsvm_writer import write_libsvm
from labelsift.datasets.npz import read_npz, write_npz
from labelsift.datasets.table import read_csv, read_parquet, write_csv, write_parquet

_LIBSVM = (".svm", ".libsvm", ".svmlight")
_TABLES = {".csv": read_csv, ".tsv": read_csv, ".parquet": read_parquet}

_WRITERS: dict[str, Callable[[MultiLabelData, Path], None]] = {
    ".arff": write_arff,
    ".csv": write_csv,
    ".npz": write_npz,
    ".parquet": write_parquet,
    ".tsv": write_csv,
    **dict.fromkeys(_LIBSVM, write_libsvm),
}

SUFFIXES = tuple(sorted(_WRITERS))


def data_suffix(path: Path) -> str | None:
    """The suffix of a known format, without .gz, or None."""
    suffix = Path(path.name.removesuffix(".gz")).suffix.lower()
    return suffix if suffix in _WRITERS else None


def read_file(
    path: Path, labels: Patterns | None = None, drop: Patterns = ()
) -> MultiLabelData:
    """Read a data file, perhaps gzip, in the format of its suffix.

    Tables need ``labels``; for ARFF, None means the XML file in its folder or MEKA's
    count; for LIBSVM they are the labels to read; npz has its own.
    """
    suffix = data_suffix(path)
    if suffix is not None:
        check_file(path)
    if suffix == ".arff":
        return read_arff(path, labels, drop=drop)
    if suffix in _TABLES:
        if labels is None:
            raise ValueError(
                f"{path} does not say which columns are labels: pass labels=, names or "
                "a pattern such as 'tag_*'."
            )
        return _TABLES[suffix](path, labels, drop=drop)
    if suffix in _LIBSVM:
        known = None if labels is None else as_patterns(labels)
        return without_features(read_libsvm(path, labels=known), drop)
    if suffix == ".npz":
        return without_features(own_labels(read_npz(path), labels), drop)
    raise ValueError(
        f"{path} has no suffix of a known format: use one of {', '.join(SUFFIXES)}."
    )


def read_unlabelled(path: Path, drop: Patterns = ()) -> MultiLabelData | None:
    """Read a table with every column as a feature; None for other formats."""
    suffix = data_suffix(path)
    if suffix not in _TABLES:
        return None
    check_file(path)
    return _TABLES[suffix](path, None, drop=drop)


def write_file(data: MultiLabelData, path: Path) -> None:
    """Write a data file in the format of its suffix, atomically."""
    writer = _WRITERS.get(path.suffix.lower())
    if writer is None:
        raise ValueError(
            f"{path} has no suffix of a format to write: use one of "
            f"{', '.join(SUFFIXES)}."
        )
    writer(data, path)


def own_labels(data: MultiLabelData, labels: Patterns | None) -> MultiLabelData:
    """Data whose labels are fixed, or an error where the user names others."""
    if labels is not None and as_patterns(labels):
        raise ValueError(
            f"{data.name} has its own {data.n_labels} labels: leave labels= out."
        )
    return data


def without_features(data: MultiLabelData, drop: Patterns) -> MultiLabelData:
    """Data without the features that are named."""
    dropped = set(matching(data.feature_names, drop, "drop=", data.name))
    if not dropped:
        return data
    remaining = [i for i in range(data.n_features) if i not in dropped]
    return keep_features(data, remaining)
