# SPDX-License-Identifier: BSD-3-Clause
"""Ways to split rows into training and test parts: written as text, made or stored."""

import csv
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.model_selection import GroupKFold, GroupShuffleSplit, KFold, ShuffleSplit

from labelsift.core.data import MultiLabelData
from labelsift.model_selection.split import IterativeStratifiedKFold

Split = tuple[NDArray[np.intp], NDArray[np.intp]]

_FOLDS = re.compile(r"(\d+)(?:x(\d+))?")
_HOLDOUT = re.compile(r"holdout:(0?\.\d+)(?:x(\d+))?")
_BLOCKS = re.compile(r"blocks(?::(\d+))?")
FORMS = (
    "a number of folds (5), repeated folds (5x4), holdout:0.3x10, blocks or blocks:5, "
    "published, or a file of splits (.csv, .npz)"
)


def make_splits(
    cv: Any, data: MultiLabelData, *, groups: Any = None, random_state: int = 0
) -> list[Split]:
    """Training and test rows of every split.

    Parameters
    ----------
    cv : int, str, splitter or iterable
        A number of folds, stratified over all labels (5), folds repeated with other
        seeds ("5x4"), random test parts ("holdout:0.3x10"), folds of neighbouring rows
        ("blocks", "blocks:5"), the split published with the data ("published"), a file
        that ``write_splits`` wrote, a scikit-learn splitter, or (train, test) pairs.
    data : MultiLabelData
        The data.
    groups : array-like of shape (n_samples,), optional
        Rows with the same value are never split between the two parts.
    random_state : int, default=0
        Seed.

    Returns
    -------
    list of (train, test)
        Row indices; every part has rows, and no row is in both.

    Examples
    --------
    >>> from labelsift.datasets import load_dataset
    >>> from labelsift.model_selection import make_splits
    >>> splits = make_splits("5x2", load_dataset("traits"))
    >>> len(splits), len(splits[0][1])
    (10, 360)
    """
    if groups is not None and len(groups) != data.n_samples:
        raise ValueError(
            f"groups has {len(groups)} values for {data.n_samples} rows: pass one for "
            "each row."
        )
    splits = [
        (np.asarray(train, dtype=np.intp), np.asarray(test, dtype=np.intp))
        for train, test in _pairs(cv, data, groups, random_state)
    ]
    _check(splits, data.n_samples, groups, cv)
    return splits


def _pairs(
    cv: Any, data: MultiLabelData, groups: Any, seed: int
) -> Iterable[tuple[Any, Any]]:
    if hasattr(cv, "split") and not isinstance(cv, str):
        return list(cv.split(data.X, data.Y, groups))
    if not isinstance(cv, str | int | np.integer | Path):
        return list(cv)
    text = str(cv)
    if folds := _FOLDS.fullmatch(text):
        return _folds(data, groups, int(folds[1]), int(folds[2] or 1), seed)
    if holdout := _HOLDOUT.fullmatch(text):
        parts = {"test_size": float(holdout[1]), "n_splits": int(holdout[2] or 1)}
        kind = ShuffleSplit if groups is None else GroupShuffleSplit
        return kind(**parts, random_state=seed).split(data.Y, groups=groups)
    if blocks := _BLOCKS.fullmatch(text):
        return KFold(int(blocks[1] or 5)).split(data.Y)
    if text == "published":
        if data.train_idx is None or data.test_idx is None:
            raise ValueError(f"cv='published': {data.name} has no published split.")
        return [(data.train_idx, data.test_idx)]
    if Path(text).suffix in (".csv", ".npz"):
        return read_splits(text)
    raise ValueError(f"cv={text!r} is not known: use {FORMS}.")


def _folds(
    data: MultiLabelData, groups: Any, count: int, repeats: int, seed: int
) -> list[tuple[Any, Any]]:
    if not 2 <= count <= data.n_samples:
        raise ValueError(
            f"cv={count} folds cannot be formed from {data.n_samples} rows: use from 2 "
            "to that many."
        )
    pairs: list[tuple[Any, Any]] = []
    for repeat in range(repeats):
        if groups is None:
            folds = IterativeStratifiedKFold(count, random_state=seed + repeat)
            pairs += folds.split(data.X, data.Y)
        else:
            by_group = GroupKFold(count, shuffle=True, random_state=seed + repeat)
            pairs += by_group.split(data.Y, groups=groups)
    return pairs


def _check(splits: list[Split], n_samples: int, groups: Any, cv: Any) -> None:
    if not splits:
        raise ValueError(f"cv={cv!r} has no split: pass at least one.")
    for place, (train, test) in enumerate(splits):
        rows = np.concatenate([train, test])
        if not len(train) or not len(test):
            raise ValueError(f"Split {place} of cv has an empty part: use fewer folds.")
        if rows.min() < 0 or rows.max() >= n_samples:
            raise ValueError(
                f"Split {place} of cv names row {rows.max()}, but there are "
                f"{n_samples} rows (counted from 0): was it written for other data?"
            )
        if len(np.unique(rows)) < len(rows):
            raise ValueError(
                f"Split {place} of cv has a row twice, or in both parts: the rows that "
                "judge must have no part in training."
            )
        if groups is not None:
            shared = set(np.asarray(groups)[train]) & set(np.asarray(groups)[test])
            if shared:
                raise ValueError(
                    f"Split {place} of cv has rows of {sorted(map(str, shared))[0]!r} "
                    "in both parts: use a splitter that respects groups."
                )


def write_splits(splits: Iterable[tuple[Any, Any]], path: str | Path) -> None:
    """Write splits to a file that freezes a protocol.

    Parameters
    ----------
    splits : iterable of (train, test)
        Row indices, counted from 0.
    path : str or Path
        ``.csv`` with the columns split, part and row, or ``.npz`` with the arrays
        train_0, test_0, train_1, ...
    """
    path = Path(path)
    pairs = list(splits)
    if path.suffix == ".npz":
        arrays: dict[str, Any] = {
            f"{part}_{place}": np.asarray(rows, dtype=np.int64)
            for place, pair in enumerate(pairs)
            for part, rows in zip(("train", "test"), pair, strict=True)
        }
        np.savez_compressed(path, **arrays)
        return
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["split", "part", "row"])
        for place, pair in enumerate(pairs):
            for part, rows in zip(("train", "test"), pair, strict=True):
                writer.writerows([place, part, int(row)] for row in rows)


def read_splits(path: str | Path) -> list[Split]:
    """Read splits that ``write_splits`` wrote.

    Parameters
    ----------
    path : str or Path
        A CSV file with the columns split, part and row, or an npz file.

    Returns
    -------
    list of (train, test)
        In the order of their numbers.
    """
    path = Path(path)
    if not path.is_file():
        raise ValueError(f"There is no file of splits {path}.")
    parts = _npz_parts(path) if path.suffix == ".npz" else _csv_parts(path)
    numbers = sorted({number for number, _ in parts})
    for number in numbers:
        if (number, "train") not in parts or (number, "test") not in parts:
            raise ValueError(f"{path}: split {number} lacks its training or test part.")
    return [(parts[number, "train"], parts[number, "test"]) for number in numbers]


def _npz_parts(path: Path) -> dict[tuple[int, str], NDArray[np.intp]]:
    parts = {}
    with np.load(path, allow_pickle=False) as arrays:
        for name in arrays.files:
            kind, _, number = name.partition("_")
            rows = arrays[name]
            if kind not in ("train", "test") or not number.isdecimal():
                raise ValueError(f"{path}: {name!r} is not train_N or test_N.")
            if rows.ndim != 1 or rows.dtype.kind not in "iu":
                raise ValueError(f"{path}: {name!r} must be a list of row numbers.")
            parts[int(number), kind] = rows.astype(np.intp)
    return parts


def _csv_parts(path: Path) -> dict[tuple[int, str], NDArray[np.intp]]:
    rows: dict[tuple[int, str], list[int]] = {}
    with path.open(newline="", encoding="utf-8-sig") as file:
        reader = csv.DictReader(file)
        if not {"split", "part", "row"} <= set(reader.fieldnames or ()):
            raise ValueError(
                f"{path} needs the columns split, part and row; it has "
                f"{', '.join(reader.fieldnames or ['none'])}."
            )
        for line in reader:
            try:
                place, row = int(line["split"]), int(line["row"])
            except (TypeError, ValueError):
                raise ValueError(
                    f"{path}, line {reader.line_num}: split and row must be numbers."
                ) from None
            if line["part"] not in ("train", "test"):
                raise ValueError(
                    f"{path}, line {reader.line_num}: part is {line['part']!r}: write "
                    "train or test."
                )
            rows.setdefault((place, line["part"]), []).append(row)
    return {key: np.array(values, dtype=np.intp) for key, values in rows.items()}
