# SPDX-License-Identifier: BSD-3-Clause
import re
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from sklearn.model_selection import (
    GroupKFold,
    KFold,
    LeaveOneGroupOut,
    StratifiedKFold,
    TimeSeriesSplit,
)

from labelsift.datasets import make_planted
from labelsift.model_selection import (
    IterativeStratifiedKFold,
    make_splits,
    write_splits,
)
from labelsift.model_selection.protocol import FORMS


@pytest.fixture(scope="module")
def data():
    return make_planted(40, 5, 3, n_relevant=2, random_state=0)


@pytest.fixture(scope="module")
def groups():
    """Twelve customers, some with many rows, in no order."""
    return np.random.default_rng(0).integers(12, size=40)


def same(found, expected):
    assert len(found) == len(expected)
    for pair, other in zip(found, expected, strict=True):
        for rows, wanted in zip(pair, other, strict=True):
            assert rows.dtype == np.intp
            np.testing.assert_array_equal(rows, wanted)


@pytest.mark.parametrize("cv", [4, "4", np.int64(4), "4x1"])
def test_folds_are_stratified_over_all_labels(data, cv):
    folds = IterativeStratifiedKFold(4, random_state=7)
    same(make_splits(cv, data, random_state=7), list(folds.split(data.X, data.Y)))


def test_repeated_folds_have_other_seeds(data):
    splits = make_splits("4x3", data, random_state=7)
    parts = [make_splits(4, data, random_state=seed) for seed in (7, 8, 9)]
    same(splits, [pair for part in parts for pair in part])
    assert len({tuple(test) for _, test in splits}) == 12


@pytest.mark.parametrize(
    ("cv", "count", "size"),
    [("holdout:0.3", 1, 12), ("holdout:.3x5", 5, 12), ("holdout:0.25x2", 2, 10)],
)
def test_held_out_parts_are_drawn(data, cv, count, size):
    splits = make_splits(cv, data)
    assert [len(test) for _, test in splits] == [size] * count
    assert all(len(train) == 40 - size for train, _ in splits)
    assert len({tuple(test) for _, test in splits}) == count
    same(make_splits(cv, data), splits)
    other = make_splits(cv, data, random_state=1)
    assert any((a[1] != b[1]).any() for a, b in zip(splits, other, strict=True))


@pytest.mark.parametrize(("cv", "count"), [("blocks", 5), ("blocks:3", 3)])
def test_blocks_are_neighbouring_rows(data, cv, count):
    splits = make_splits(cv, data)
    assert len(splits) == count
    np.testing.assert_array_equal(
        np.concatenate([test for _, test in splits]), np.arange(40)
    )
    assert all((np.diff(test) == 1).all() for _, test in splits)


def test_the_published_split(data):
    published = replace(data, train_idx=np.arange(30), test_idx=np.arange(30, 40))
    same(make_splits("published", published), [(np.arange(30), np.arange(30, 40))])
    with pytest.raises(ValueError, match="has no published split, use a number of f"):
        make_splits("published", data)


@pytest.mark.parametrize("suffix", [".csv", ".npz"])
@pytest.mark.parametrize("kind", [str, lambda path: path])
def test_a_file_of_splits(data, tmp_path, suffix, kind):
    splits = make_splits(3, data)
    path = tmp_path / f"frozen{suffix}"
    write_splits(splits, path)
    same(make_splits(kind(path), data), splits)


def test_splitters_of_scikit_learn_and_pairs(data):
    for splitter in (KFold(3), TimeSeriesSplit(3)):
        same(make_splits(splitter, data), list(splitter.split(data.X)))
    pairs = [([0, 1], [2]), (np.arange(5, dtype=np.uint8), np.array([[9, 8]])[0])]
    same(make_splits(pairs, data), [([0, 1], [2]), (range(5), [9, 8])])
    same(make_splits(iter(pairs), data), make_splits(pairs, data))
    halves = np.arange(8).reshape(2, 2, 2)
    same(make_splits(halves, data), [([0, 1], [2, 3]), ([4, 5], [6, 7])])


@pytest.mark.parametrize(
    "cv", [3, "3x4", "holdout:0.3x10", GroupKFold(3), LeaveOneGroupOut()], ids=str
)
def test_groups_are_never_split(data, groups, cv):
    for values in (groups, groups.tolist(), pd.Series(groups, index=range(40, 80))):
        for train, test in make_splits(cv, data, groups=values):
            assert not set(groups[train]) & set(groups[test])
            assert len(train) + len(test) == 40


def test_folds_of_groups_hold_every_row_out_once(data, groups):
    names = np.array([f"customer {group}" for group in groups], dtype=object)
    for given in (groups, names):
        splits = make_splits("4x2", data, groups=given)
        for repeat in (splits[:4], splits[4:]):
            rows = np.concatenate([test for _, test in repeat])
            np.testing.assert_array_equal(np.sort(rows), np.arange(40))
        assert {tuple(test) for _, test in splits[:4]} != {
            tuple(test) for _, test in splits[4:]
        }


@pytest.mark.parametrize("cv", ["blocks", KFold(4), "published", "file"])
@pytest.mark.filterwarnings("ignore:The groups parameter is ignored by KFold")
def test_splits_that_do_not_respect_groups_are_refused(data, groups, cv, tmp_path):
    data = replace(data, train_idx=np.arange(30), test_idx=np.arange(30, 40))
    if cv == "file":
        cv = tmp_path / "frozen.csv"
        write_splits(make_splits(3, data), cv)
    sentence = r"Split 0 of cv has rows of '\d+' in both parts: use a splitter that"
    with pytest.raises(ValueError, match=sentence):
        make_splits(cv, data, groups=groups)


def test_blocks_of_whole_groups_pass(data):
    splits = make_splits("blocks:4", data, groups=np.repeat(np.arange(4), 10))
    assert [len(test) for _, test in splits] == [10] * 4


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        (range(39), r"groups has the shape \(39,\) for 40 rows: pass one value"),
        (np.zeros((40, 1)), r"groups has the shape \(40, 1\) for 40 rows"),
        (3, r"groups has the shape \(\) for 40 rows"),
        ([None] + [1] * 39, "groups has no value for row 0: give each row without"),
        ([1.0, np.nan] + [1.0] * 38, "groups has no value for row 1"),
        (pd.Series([1, 2, pd.NA] + [1] * 37), "groups has no value for row 2"),
        (np.array(["2020", "NaT"] * 20, "datetime64[Y]"), "no value for row 1"),
    ],
)
def test_wrong_groups(data, wrong, sentence):
    with pytest.raises(ValueError, match=sentence):
        make_splits(3, data, groups=wrong)


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        (1, "cv=1: 1 folds cannot be formed from 40 rows, use from 2 to that many"),
        ("1x3", "cv='1x3': 1 folds cannot be formed from 40 rows"),
        (41, "cv=41: 41 folds cannot be formed from 40 rows"),
        ("blocks:1", "cv='blocks:1': 1 folds cannot be formed from 40 rows"),
        ("blocks:41", "cv='blocks:41': 41 folds cannot be formed"),
        ("3x0", "cv='3x0' has no split: pass at least one"),
        ("holdout:0.3x0", "has no split"),
        ([], r"cv=\[\] has no split"),
        ("holdout:0.0", "cv='holdout:0.0': 0 of the rows leave a part empty"),
        ("holdout:0.9999", "0.9999 of the rows leave a part empty, use another share"),
        ("2x999999999", "is not known: use a number"),  # before they are made
        ("holdout:0.3x999999999", "is not known: use a number"),
        ("9" * 5000, "is not known: use a number"),
        ("holdout:1.0", "cv='holdout:1.0' is not known: use a number of folds"),
        ("magic", f"cv='magic' is not known: use {re.escape(FORMS)}"),
        ("splits.txt", "cv='splits.txt' is not known"),
        (5.0, "cv=5.0 is not known"),
        (None, "cv=None is not known"),
        (True, "cv=True is not known"),
        (-3, "cv=-3 is not known"),
        (KFold, "cv=<class 'sklearn.* is not known"),
        ([1, 2], "Split 0 is not a pair: pass"),
        ([([0], [1]), ([0], [1], [2])], "Split 1 is not a pair"),
        ([([0.5], [1])], r"Split 0 holds 1 dimensions of float64: pass lists of row"),
        ([([True, False], [1])], r"of bool: .* of a mask np.flatnonzero\(mask\)"),
        ([([[0, 1]], [2])], "Split 0 holds 2 dimensions of int64"),
        ([(["a"], [2])], "Split 0 holds 1 dimensions of str"),
        ([([], [2])], "Split 0 of cv has an empty part: use fewer folds"),
        ([([0, 1], [2]), ([3], [])], "Split 1 of cv has an empty part"),
        ([([0, 1], [40])], r"names row 40, but there are 40 rows \(counted from 0\)"),
        ([([0, -1], [2])], "Split 0 of cv names row -1"),
        ([([0, 1], [1])], "has a row twice, or in both parts: the rows that judge"),
        ([([0, 0], [1])], "Split 0 of cv has a row twice"),
        (StratifiedKFold(2), "Supported target types are"),
        (GroupKFold(2), "'groups' parameter should not be None"),
    ],
)
def test_wrong_splits_are_told_in_one_sentence(data, wrong, sentence):
    with pytest.raises(ValueError, match=sentence):
        make_splits(wrong, data)


def test_more_folds_than_groups(data):
    sentence = "cv=5: 5 folds cannot be formed from 4 groups, use from 2 to that many"
    with pytest.raises(ValueError, match=sentence):
        make_splits(5, data, groups=np.arange(40) % 4)
    with pytest.raises(ValueError, match="leave a part empty"):
        make_splits("holdout:0.5", data, groups=np.zeros(40))


def test_a_missing_file(data, tmp_path):
    with pytest.raises(FileNotFoundError, match="does not exist: check the path"):
        make_splits(tmp_path / "none.csv", data)
