# SPDX-License-Identifier: BSD-3-Clause
"""Data files by suffix: which reader and which writer."""

from collections.abc import Callable, Collection, Mapping
from inspect import signature
from pathlib import Path
from typing import Any

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
from labelsift.datasets.excel import read_excel
from labelsift.datasets.frame import as_numbers
from labelsift.datasets.label_patterns import Labels
from labelsift.datasets.libsvm import read_libsvm
from labelsift.datasets.libsvm_writer import write_libsvm
from labelsift.datasets.memory import Size
from labelsift.datasets.npz import read_npz, write_npz
from labelsift.datasets.table import read_csv, read_feather, read_parquet
from labelsift.datasets.table_writer import write_csv, write_parquet
from labelsift.datasets.weights import with_weights

_LIBSVM = (".svm", ".libsvm", ".svmlight")
_TABLES: dict[str, Callable[..., MultiLabelData]] = {
    ".csv": read_csv,
    ".feather": read_feather,
    ".parquet": read_parquet,
    ".tsv": read_csv,
    ".xlsx": read_excel,
}

_WRITERS: dict[str, Callable[[MultiLabelData, Path], None]] = {
    ".arff": write_arff,
    ".csv": write_csv,
    ".npz": write_npz,
    ".parquet": write_parquet,
    ".tsv": write_csv,
    **dict.fromkeys(_LIBSVM, write_libsvm),
}

SUFFIXES = tuple(sorted(_WRITERS))
READABLE = tuple(sorted({*_WRITERS, *_TABLES}))


def data_suffix(path: Path) -> str | None:
    """The suffix of a known format, without .gz, or None."""
    suffix = Path(path.name.removesuffix(".gz")).suffix.lower()
    return suffix if suffix in READABLE else None


def read_file(
    path: Path,
    labels: Labels = None,
    drop: Patterns = (),
    *,
    memory: Size = None,
    **options: Any,
) -> MultiLabelData:
    """Read a data file, perhaps gzip, in the format of its suffix.

    Tables need ``labels`` and take ``options`` of their reader; for ARFF, None means
    the XML file in its folder or MEKA's count; for LIBSVM they are the labels to read;
    npz has its own.
    """
    suffix = data_suffix(path)
    if suffix is not None and suffix not in _TABLES:
        check_file(path)
    if suffix in _TABLES:
        if labels is None:
            raise ValueError(
                f"{path} does not say which columns are labels: pass labels=, names or "
                "a pattern such as 'tag_*'."
            )
        return _read_table(path, labels, drop, {**options, "memory": memory})
    patterns = None if labels is None else as_patterns(labels)
    if suffix == ".arff":
        target = options.pop("target", None)
        refuse_options(path, options)
        return read_arff(path, patterns, drop=drop, target=target, memory=memory)
    refuse_options(path, options)
    if suffix in _LIBSVM:
        data = read_libsvm(path, labels=patterns, memory=memory)
        return without_features(data, drop)
    if suffix == ".npz":
        data = own_labels(read_npz(path, memory=memory), patterns)
        return without_features(data, drop)
    raise ValueError(
        f"{path} has no suffix of a known format: use one of {', '.join(READABLE)}."
    )


def _read_table(
    path: Path, labels: Labels, drop: Patterns, options: Mapping[str, Any]
) -> MultiLabelData:
    """Read a table with those options that are given and that its format has."""
    check_file(path)
    read = _TABLES[data_suffix(path) or ""]
    given = {name: value for name, value in options.items() if value}
    refuse_options(path, given, known=signature(read).parameters)
    return read(path, labels, drop=drop, **given)


def refuse_options(
    path: Path, options: Mapping[str, Any], known: Collection[str] = ()
) -> None:
    """An option that a format does not have must not be passed over."""
    for name, value in options.items():
        if value and name not in known:
            option = "--targets" if name == "target" else f"--{name.replace('_', '-')}"
            raise ValueError(f"{path}: {option} means nothing there: leave it out.")


def is_table(path: Path) -> bool:
    """Whether a file is a table, by its suffix."""
    return data_suffix(path) in _TABLES


def read_unlabelled(
    path: Path, drop: Patterns = (), **options: Any
) -> MultiLabelData | None:
    """Read a table with every column as a feature; None for other formats."""
    if data_suffix(path) not in _TABLES:
        return None
    weights = options.pop("weights", None)
    return with_weights(_read_table(path, None, drop, options), weights)


def write_file(data: MultiLabelData, path: Path) -> None:
    """Write a data file in the format of its suffix, atomically."""
    writer = _WRITERS.get(path.suffix.lower())
    if writer is None:
        raise ValueError(
            f"{path} has no suffix of a format to write: use one of "
            f"{', '.join(SUFFIXES)}."
        )
    if data.frame is not None and path.suffix.lower() in (".arff", *_LIBSVM):
        data = as_numbers(data)
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
