# SPDX-License-Identifier: BSD-3-Clause
"""Ways to split rows into training and test parts: as text, splitter or file."""

import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.model_selection import GroupKFold, GroupShuffleSplit, KFold, ShuffleSplit

from labelsift.core.data import MultiLabelData
from labelsift.model_selection.split_file import SUFFIXES, Split, as_splits, read_splits
from labelsift.model_selection.target_kind import KINDS, strata

# Numbers are bounded: all splits are made before the first is used.
_FOLDS = re.compile(r"(\d{1,9})(?:x(\d{1,4}))?")
_HOLDOUT = re.compile(r"holdout:(0?\.\d{1,9})(?:x(\d{1,4}))?")
_BLOCKS = re.compile(r"blocks(?::(\d{1,9}))?")
# A protocol in words whose number of splits needs no data.
CV = rf"^({_FOLDS.pattern}|{_HOLDOUT.pattern}|{_BLOCKS.pattern})$"
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
        A number of folds (5), stratified over all labels, folds repeated with other
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
    >>> len(splits)
    10
    """
    groups = _read_groups(groups, data.n_samples)
    splits = as_splits(_pairs(cv, data, groups, random_state))
    if not splits:
        raise ValueError(f"cv={cv!r} has no split: pass at least one.")
    for place, split in enumerate(splits):
        _check(place, split, data.n_samples, groups)
    return splits


def count_splits(cv: str) -> int:
    """How many splits "5x4", "holdout:0.3x10" or "blocks:5" has."""
    if folds := _FOLDS.fullmatch(cv):
        return int(folds[1]) * int(folds[2] or 1)
    if holdout := _HOLDOUT.fullmatch(cv):
        return int(holdout[2] or 1)
    if blocks := _BLOCKS.fullmatch(cv):
        return int(blocks[1] or 5)
    raise ValueError(f"cv={cv!r} does not say how many splits it has: use {FORMS}.")


def _read_groups(groups: Any, n_samples: int) -> NDArray[Any] | None:
    """Groups as an array; the values are compared, so that none may be missing."""
    if groups is None:
        return None
    groups = np.asarray(groups)
    if groups.shape != (n_samples,):
        raise ValueError(
            f"groups has the shape {groups.shape} for {n_samples} rows: pass one value "
            "for each row."
        )
    for row, value in enumerate(groups.tolist()):
        if _is_missing(value):
            raise ValueError(
                f"groups has no value for row {row}: give each row without a group a "
                "value of its own."
            )
    return groups


def _is_missing(value: Any) -> bool:
    try:
        return bool(value is None or value != value)
    except TypeError:  # pandas.NA
        return True


def _pairs(cv: Any, data: MultiLabelData, groups: Any, seed: int) -> Iterable[Any]:
    if hasattr(cv, "split") and not isinstance(cv, str | type):
        return cv.split(data.X, data.Y, groups)
    if isinstance(cv, Iterable) and not isinstance(cv, str):
        return cv
    text = str(cv)
    if folds := _FOLDS.fullmatch(text):
        return _folds(cv, data, groups, int(folds[1]), int(folds[2] or 1), seed)
    if holdout := _HOLDOUT.fullmatch(text):
        return _holdout(cv, data, groups, float(holdout[1]), int(holdout[2] or 1), seed)
    if blocks := _BLOCKS.fullmatch(text):
        count = int(blocks[1] or 5)
        _check_count(cv, count, data.n_samples, "rows")
        return KFold(count).split(data.Y)
    if text == "published":
        if data.train_idx is None or data.test_idx is None:
            raise ValueError(
                f"cv='published': {data.name} has no published split, use a number of "
                "folds."
            )
        return [(data.train_idx, data.test_idx)]
    if Path(text).suffix in SUFFIXES:
        return read_splits(text)
    raise ValueError(f"cv={cv!r} is not known: use {FORMS}.")


def _folds(
    cv: Any, data: MultiLabelData, groups: Any, count: int, repeats: int, seed: int
) -> Iterable[Any]:
    if groups is None:
        _check_count(cv, count, data.n_samples, "rows")
    else:
        _check_count(cv, count, len(set(groups.tolist())), "groups")
    for repeat in range(repeats):
        if groups is None:
            folds = KINDS[data.kind].folds(count, seed + repeat)
            yield from folds.split(data.X, strata(data))
        else:
            by_group = GroupKFold(count, shuffle=True, random_state=seed + repeat)
            yield from by_group.split(data.Y, groups=groups)


def _check_count(cv: Any, count: int, available: int, what: str) -> None:
    if not 2 <= count <= available:
        raise ValueError(
            f"cv={cv!r}: {count} folds cannot be formed from {available} {what}, use "
            "from 2 to that many."
        )


def _holdout(
    cv: Any, data: MultiLabelData, groups: Any, share: float, repeats: int, seed: int
) -> Iterable[Any]:
    kind = ShuffleSplit if groups is None else GroupShuffleSplit
    parts = kind(repeats, test_size=share, random_state=seed)
    try:
        yield from parts.split(data.Y, groups=groups)
    except ValueError:
        raise ValueError(
            f"cv={cv!r}: {share:g} of the rows leave a part empty, use another share."
        ) from None


def _check(place: int, split: Split, n_samples: int, groups: Any) -> None:
    train, test = split
    rows = np.concatenate(split)
    if not len(train) or not len(test):
        raise ValueError(f"Split {place} of cv has an empty part: use fewer folds.")
    outside = rows[(rows < 0) | (rows >= n_samples)]
    if len(outside):
        raise ValueError(
            f"Split {place} of cv names row {outside[0]}, but there are {n_samples} "
            "rows (counted from 0): was it written for other data?"
        )
    if len(np.unique(rows)) < len(rows):
        raise ValueError(
            f"Split {place} of cv has a row twice, or in both parts: the rows that "
            "judge must have no part in training."
        )
    if groups is not None:
        shared = set(groups[train].tolist()) & set(groups[test].tolist())
        if shared:
            raise ValueError(
                f"Split {place} of cv has rows of {min(map(str, shared))!r} in both "
                "parts: use a splitter that respects groups."
            )
