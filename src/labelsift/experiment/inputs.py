# SPDX-License-Identifier: BSD-3-Clause
"""Data for a task: read, prepared, split and scaled; the last data sets are cached."""

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

import joblib
import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray
from sklearn.model_selection import KFold, train_test_split

from labelsift.core.data import MultiLabelData
from labelsift.datasets import (
    join_parts,
    keep_features,
    keep_frequent_words,
    prepare_text,
)
from labelsift.datasets.source import open_data, source_files
from labelsift.experiment.task import DataSpec, Protocol
from labelsift.model_selection import (
    IterativeStratifiedKFold,
    LabelCoverageSplit,
    make_splits,
    read_splits,
)
from labelsift.model_selection.saved_readout import ridge_readout
from labelsift.model_selection.target_kind import strata
from labelsift.prepare.array_scaling import SCALES, default_scale, learned, scaled
from labelsift.prepare.parts import (
    Part,
    from_parameters_text,
    split_table_rows,
    usable,
)
from labelsift.prepare.scaling import affine_preparation, scaler_numbers

Rows = NDArray[Any]


def opened(spec: DataSpec) -> MultiLabelData:
    """Data as read, before any preparation; opened once per process.

    A file whose size or modification time has changed is opened again.
    """
    plain = replace(spec, checksum="", prepare=(), preparation="")
    return _opened(plain, _signature(spec))


@lru_cache(maxsize=2)
def _opened(spec: DataSpec, signature: Any) -> MultiLabelData:
    if _mapped and (file := _mapped_file(_mapped, spec, signature)).exists():
        data: MultiLabelData = joblib.load(file, mmap_mode="r")
        return data
    parts = [
        open_data(
            source,
            labels=spec.labels or None,
            drop=spec.drop,
            data_home=spec.data_home or None,
            **dict(spec.reading),
        )
        for source in (spec.source, spec.test)
        if source
    ]
    return parts[0] if len(parts) == 1 else join_parts(*parts)


# Where the driver of this process leaves data for all its workers; None: nowhere.
_mapped: Path | None = None


def look_in(folder: str | Path) -> None:
    """Let data be read from memory-mapped files in a folder where it has them."""
    global _mapped
    _mapped = Path(folder)


def leave_in(folder: Path, spec: DataSpec) -> None:
    """Leave data in a folder, for processes that share its memory; replaces others."""
    plain = replace(spec, checksum="", prepare=(), preparation="")
    file = _mapped_file(folder, plain, _signature(spec))
    if not file.exists():
        for other in folder.iterdir():
            other.unlink(missing_ok=True)
        joblib.dump(opened(spec), file)


def _mapped_file(folder: Path, spec: DataSpec, signature: Any) -> Path:
    name = hashlib.sha256(repr((spec, signature)).encode()).hexdigest()
    return folder / f"{name[:32]}.joblib"


def _signature(spec: DataSpec) -> tuple[tuple[str, int, int], ...]:
    """Name, size and modification time of the files of a spec."""
    files = [
        file
        for source in (spec.source, spec.test)
        if source
        for file in source_files(source, spec.labels, spec.data_home or None)
    ]
    states = [(str(file), file.stat()) for file in files]
    return tuple((name, state.st_size, state.st_mtime_ns) for name, state in states)


def with_checksum(spec: DataSpec) -> DataSpec:
    """A spec with the checksum of its data, cached longer than the data."""
    plain = replace(spec, checksum="", prepare=(), preparation="")
    return replace(spec, checksum=_checksum(plain, _signature(spec)))


@cache
def _checksum(spec: DataSpec, signature: Any) -> str:
    return _opened(spec, signature).checksum


def prepared(spec: DataSpec) -> MultiLabelData:
    """Read and prepare data, of a table the columns that are used.

    A ValueError where the data has changed since the plan.
    """
    return _prepared(spec)[0]


@lru_cache(maxsize=2)
def _prepared(spec: DataSpec) -> tuple[MultiLabelData, Any]:
    """Data, and what prepares parts of a table; cached for the tasks of a worker."""
    data = opened(spec)
    if spec.checksum and data.checksum != spec.checksum:
        raise ValueError(
            f"{spec.source} has changed since the run was planned: its checksum is "
            f"{data.checksum[:12]}, not {spec.checksum[:12]}; plan again."
        )
    for name, _, argument in (step.partition(":") for step in spec.prepare):
        data = PREPARE[name](data, argument)
    if spec.preparation:
        return usable(data, from_parameters_text(spec.preparation))[:2]
    return data, None


def split_rows(spec: DataSpec, split: Any, train: Rows, test: Rows) -> Part:
    """Training and test part; of a table prepared, and cached for other methods.

    ``split`` says which rows these are.
    """
    if not spec.preparation:
        data = prepared(spec)
        return Part(data.X[train], data.X[test], None)
    if _last_part.get("of") != (spec, split):
        _last_part.clear()
        part = split_table_rows(*_prepared(spec), train, test)
        _last_part.update(of=(spec, split), part=part)
    part = _last_part["part"]
    return part


_last_part: dict[str, Any] = {}


def every_row(data: MultiLabelData, preparation: str) -> Part:
    """All rows as numbers; ``preparation`` as in a DataSpec."""
    rows = np.arange(data.n_samples)
    if not preparation:
        return Part(data.X, data.X[:0], None)
    used, made, _ = usable(data, from_parameters_text(preparation))
    return split_table_rows(used, made, rows, rows[:0])


def _without_rare_labels(data: MultiLabelData, least: str) -> MultiLabelData:
    """Labels of this many rows or more; no row is dropped."""
    frequent = np.flatnonzero(data.Y.sum(axis=0, dtype=np.int64) >= int(least))
    names = tuple(data.label_names[i] for i in frequent)
    return replace(data, Y=data.Y[:, frequent], label_names=names)


def _first_rows_alive(data: MultiLabelData, count: str) -> MultiLabelData:
    """Columns with a nonzero value in the first rows."""
    first = sp.csc_array(data.X[: int(count)])
    return keep_features(data, np.diff(first.indptr) > 0)


def _split_after(data: MultiLabelData, count: str) -> MultiLabelData:
    """The first rows as training part of a published split, the rest as test part."""
    rows = np.arange(data.n_samples)
    return replace(data, train_idx=rows[: int(count)], test_idx=rows[int(count) :])


PREPARE: dict[str, Callable[[MultiLabelData, str], MultiLabelData]] = {
    "text": lambda data, _: prepare_text(data),
    "min-label-rows": _without_rare_labels,
    "min-word-rows": lambda data, least: keep_frequent_words(data, int(least)),
    "alive-in-first": _first_rows_alive,
    "split-first": _split_after,
}


@lru_cache(maxsize=4)
def splits(spec: DataSpec, protocol: Protocol) -> list[tuple[Rows, Rows]]:
    """All training and test parts of a protocol."""
    data = prepared(spec)
    if protocol.kind in SPLITS:
        return SPLITS[protocol.kind](data, protocol)
    if protocol.kind != FILE:
        return make_splits(protocol.kind, data, random_state=protocol.seed)
    parts = make_splits(spec.splits, data)
    if digest_of(parts) != protocol.digest:
        raise ValueError(
            f"{spec.splits} has changed since the run was planned: plan again."
        )
    return parts


# The kind of a protocol whose splits are in a file of each data set.
FILE = "file"


def file_protocol(path: str, protocol: Protocol, digest: str = "") -> Protocol:
    """The protocol with the digest of a file of splits, which must be that given."""
    parts = read_splits(path)
    if digest and digest_of(parts) != digest:
        raise ValueError(
            f"{path} has other splits than those that were frozen: their digest is "
            f"{digest_of(parts)[:12]}, not {digest[:12]}; restore the file."
        )
    if len(parts) != protocol.splits:
        raise ValueError(
            f"{path} has {len(parts)} splits, the protocol {protocol.splits}: write "
            "the number that all files have."
        )
    return replace(protocol, digest=digest_of(parts))


def digest_of(parts: Sequence[tuple[Rows, Rows]]) -> str:
    """The sha256 of the rows of all splits."""
    digest = hashlib.sha256(repr(len(parts)).encode())
    for part in (part for pair in parts for part in pair):
        digest.update(repr(len(part)).encode())
        digest.update(part.astype(np.int64).data)
    return digest.hexdigest()


def _folds(data: MultiLabelData, protocol: Protocol) -> list[tuple[Rows, Rows]]:
    folds = KFold(protocol.splits, shuffle=True, random_state=protocol.seed)
    return list(folds.split(data.Y))


def _stratified(data: MultiLabelData, protocol: Protocol) -> list[tuple[Rows, Rows]]:
    folds = IterativeStratifiedKFold(protocol.splits, random_state=protocol.seed)
    return list(folds.split(data.X, strata(data)))


def _sample(data: MultiLabelData, protocol: Protocol) -> list[tuple[Rows, Rows]]:
    splitter = LabelCoverageSplit(
        protocol.splits, train_size=protocol.train_size, random_state=protocol.seed
    )
    return list(splitter.split(data.X, data.Y))


def _published(data: MultiLabelData, protocol: Protocol) -> list[tuple[Rows, Rows]]:
    if data.train_idx is None or data.test_idx is None:
        raise ValueError(
            f"{data.name} has no published split: choose another kind of protocol."
        )
    size, whole = protocol.train_size, len(data.train_idx)
    if size >= whole and protocol.splits > 1:
        raise ValueError(
            f"{data.name} has {whole} published training rows, so that "
            f"{protocol.splits} samples of {size} would be one and the same: choose a "
            "smaller train_size."
        )
    if not size or size >= whole:
        return [(data.train_idx, data.test_idx)] * protocol.splits
    rng = np.random.default_rng(protocol.seed)
    return [
        (np.sort(rng.choice(data.train_idx, size, replace=False)), data.test_idx)
        for _ in range(protocol.splits)
    ]


def _all(data: MultiLabelData, protocol: Protocol) -> list[tuple[Rows, Rows]]:
    rows = np.arange(data.n_samples)
    return [(rows, rows[:0])]


SPLITS: dict[str, Callable[[MultiLabelData, Protocol], list[tuple[Rows, Rows]]]] = {
    "folds": _folds,
    "stratified": _stratified,
    "sample": _sample,
    "published": _published,
    "all": _all,
}


def inner_folds(Y: NDArray[Any], folds: int, seed: int) -> list[tuple[Rows, Rows]]:
    """Parts of the training part: folds, or one quarter held out."""
    if folds > 1:
        splitter = IterativeStratifiedKFold(folds, random_state=seed)
        return list(splitter.split(np.empty((len(Y), 1)), Y))
    rows = np.arange(len(Y))
    train, test = train_test_split(rows, test_size=0.25, random_state=seed)
    return [(train, test)]


def scaled_rows(
    spec: DataSpec,
    split: Any,
    train: Rows,
    test: Rows,
    how: str,
    weights: NDArray[Any] | None = None,
) -> tuple[Part, Any, Any]:
    """Training and test part, and both scaled: once for the methods of a split.

    Weights are those of the training rows, which belong to the data.
    """
    if _last_scaled.get("of") != (spec, split):
        _last_scaled.clear()
        _last_scaled.update(of=(spec, split), part=split_rows(spec, split, train, test))
    part = _last_scaled["part"]
    if how not in _last_scaled:
        _last_scaled[how] = scaled(part.X, part.X_test, how, weights)
    return part, *_last_scaled[how]


_last_scaled: dict[str, Any] = {}


def saved_readout(
    data: MultiLabelData,
    part: Part,
    Y: NDArray[Any],
    features: NDArray[Any],
    fit: Callable[[Any, NDArray[Any], Any], dict[str, Any]] = ridge_readout,
    weights: NDArray[Any] | None = None,
) -> dict[str, Any]:
    """A ridge read-out of some features in plain values, for a selection file.

    It sees what is made of the features by the preparation of a table, or by the usual
    scaling of an array, whatever scaling the method needs.
    """
    places = np.sort(features)
    names = [data.feature_names[i] for i in places]
    if part.preparation is not None:
        assert part.groups is not None
        made = part.preparation.to_document(only=names)
        return {
            "preparation": made,
            **fit(part.X[:, part.groups.outputs(places)], Y, weights),
        }
    X, how = part.X[:, places], default_scale(data)
    [scaler] = SCALES[how](sp.issparse(X))
    seen = learned(scaler, X, weights).transform(X)
    made = affine_preparation(names, *scaler_numbers(scaler, len(places)))
    return {"preparation": made.to_document(), **fit(seen, Y, weights)}
