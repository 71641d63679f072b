# SPDX-License-Identifier: BSD-3-Clause
"""Files of splits, which freeze a protocol: CSV or npz."""

import csv
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from labelsift.core.files import check_file
from labelsift.datasets.atomic import replacing
from labelsift.datasets.npz import read_arrays
from labelsift.datasets.npz_arrays import row_numbers
from labelsift.datasets.npz_arrays import rows as npz_rows
from labelsift.datasets.textfile import LineReader, shown

Split = tuple[NDArray[np.intp], NDArray[np.intp]]

SUFFIXES = (".csv", ".npz")
_PARTS = ("train", "test")
_FOLD = "fold"
_ARRAY = re.compile(r"(train|test)_(0|[1-9]\d{0,8})", flags=re.ASCII)
_NUMBER = re.compile(r"\d{1,18}", flags=re.ASCII)


def write_splits(splits: Iterable[tuple[Any, Any]], path: str | Path) -> None:
    """Write splits to a file that freezes a protocol.

    Parameters
    ----------
    splits : iterable of (train, test)
        Row indices, counted from 0.
    path : str or Path
        ``.csv`` with the columns split, part and row, or ``.npz`` with the arrays
        train_0, test_0, train_1, ..., of folds with the number of each row's fold; a
        file that exists is replaced.
    """
    path = _known_kind(path)
    pairs = as_splits(splits)
    parts = [
        (place, part, rows)
        for place, pair in enumerate(pairs)
        for part, rows in zip(_PARTS, pair, strict=True)
    ]
    with replacing(path) as target:
        if path.suffix == ".npz":
            with target.open("wb") as file:
                arrays = {f"{part}_{place}": rows for place, part, rows in parts}
                folds = _fold_of_each_row(pairs)
                if folds is not None:
                    arrays = {_FOLD: folds}
                np.savez_compressed(file, allow_pickle=False, **arrays)
        else:
            with target.open("w", newline="", encoding="utf-8") as text:
                writer = csv.writer(text, lineterminator="\n")
                writer.writerow(["split", "part", "row"])
                for place, part, rows in parts:
                    writer.writerows([place, part, row] for row in rows.tolist())


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
    path = _known_kind(path)
    check_file(path)
    parts = _npz_parts(path) if path.suffix == ".npz" else _csv_parts(path)
    numbers = sorted({number for number, _ in parts})
    for number in numbers:
        if (number, "train") not in parts or (number, "test") not in parts:
            raise ValueError(f"{path}: split {number} lacks its training or test part.")
    return [(parts[number, "train"], parts[number, "test"]) for number in numbers]


def _fold_of_each_row(splits: list[Split]) -> NDArray[Any] | None:
    """Where splits are folds: the number of the one in which a row is tested."""
    fold = np.zeros(sum(len(test) for _, test in splits), dtype=np.int32)
    for number, (_, test) in enumerate(splits):
        fold[test[test < len(fold)]] = number
    same = [
        np.array_equal(one, other)
        for pair, again in zip(splits, _splits_of(fold, len(splits)), strict=True)
        for one, other in zip(pair, again, strict=True)
    ]
    return fold if all(same) else None


def _splits_of(fold: NDArray[Any], count: int) -> list[Split]:
    return [
        (np.flatnonzero(fold != number), np.flatnonzero(fold == number))
        for number in range(count)
    ]


def _known_kind(path: str | Path) -> Path:
    path = Path(path)
    if path.suffix not in SUFFIXES:
        raise ValueError(f"{path} is no file of splits: use a name in .csv or .npz.")
    return path


def _npz_parts(path: Path) -> dict[tuple[int, str], NDArray[np.intp]]:
    arrays = read_arrays(path)
    parts = {}
    if [*arrays] == [_FOLD]:
        return _fold_parts(path, arrays)
    for name in arrays:
        known = _ARRAY.fullmatch(name)
        if known is None:
            raise ValueError(f"{path}: {shown(name)} is not train_N or test_N.")
        try:
            rows = npz_rows(arrays, name)
        except ValueError as error:
            raise ValueError(f"{path}: {error}") from None
        parts[int(known[2]), known[1]] = np.asarray(rows, dtype=np.intp)
    return parts


def _fold_parts(
    path: Path, arrays: dict[str, Any]
) -> dict[tuple[int, str], NDArray[np.intp]]:
    try:
        fold = row_numbers(arrays[_FOLD], _FOLD)
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from None
    count = int(fold.max(initial=-1)) + 1
    if count > len(fold):
        raise ValueError(f"{path}: a fold has no rows: number folds from 0.")
    return {
        (number, part): rows
        for number, pair in enumerate(_splits_of(fold, count))
        for part, rows in zip(_PARTS, pair, strict=True)
    }


def _csv_parts(path: Path) -> dict[tuple[int, str], NDArray[np.intp]]:
    rows: dict[tuple[int, str], list[int]] = {}
    lines = LineReader(path)
    table = csv.DictReader(lines)
    try:
        names = list(table.fieldnames or ())
        if not {"split", "part", "row"} <= set(names):
            raise ValueError(
                f"{path} needs the columns split, part and row; it has "
                f"{shown(', '.join(names))}."
            )
        for line in table:
            numbers = [line["split"], line["row"]]
            if not all(_NUMBER.fullmatch(text or "") for text in numbers):
                raise lines.error("split and row must be whole numbers from 0")
            if line["part"] not in _PARTS:
                written = shown(line["part"] or "")
                raise lines.error(f"part is {written}, write train or test")
            rows.setdefault((int(numbers[0]), line["part"]), []).append(int(numbers[1]))
    except csv.Error as error:
        raise lines.error(f"it is not CSV ({error})") from None
    return {key: np.array(values, dtype=np.intp) for key, values in rows.items()}


def as_splits(pairs: Iterable[Any]) -> list[Split]:
    """Pairs of row numbers as arrays."""
    splits = []
    for place, pair in enumerate(pairs):
        try:
            train, test = pair
        except (TypeError, ValueError):
            raise ValueError(
                f"Split {place} is not a pair: pass (train, test) for each."
            ) from None
        splits.append((_as_rows(place, train), _as_rows(place, test)))
    return splits


def _as_rows(place: int, part: Any) -> NDArray[np.intp]:
    rows = np.asarray(part)
    if rows.size == 0:
        return np.empty(0, dtype=np.intp)
    if rows.ndim != 1 or rows.dtype.kind not in "iu":
        raise ValueError(
            f"Split {place} holds {rows.ndim} dimensions of {rows.dtype.name}: "
            "pass lists of row numbers, of a mask np.flatnonzero(mask)."
        )
    return rows.astype(np.intp)
