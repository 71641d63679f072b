# SPDX-License-Identifier: BSD-3-Clause
import gzip
import zipfile

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from labelsift.model_selection import read_splits, write_splits

SPLITS = [([0, 1, 5], [2, 3]), ([2, 3], [0, 1, 5]), ([10**12], [4])]
HEAD = "split,part,row\n"
SUFFIXES = pytest.mark.parametrize("suffix", [".csv", ".npz"])


def same(found, expected):
    assert len(found) == len(expected)
    for pair, other in zip(found, expected, strict=True):
        for rows, wanted in zip(pair, other, strict=True):
            assert rows.dtype == np.intp
            np.testing.assert_array_equal(rows, wanted)


@SUFFIXES
def test_what_is_written_is_read(tmp_path, suffix):
    path = tmp_path / "new" / f"splits{suffix}"
    write_splits(SPLITS, path)
    same(read_splits(path), SPLITS)
    same(read_splits(str(path)), SPLITS)
    write_splits(iter(SPLITS[:1]), str(path))
    same(read_splits(path), SPLITS[:1])


@SUFFIXES
def test_many_splits_come_back_in_order(tmp_path, suffix, rng):
    splits = [np.split(rng.permutation(30), [rng.integers(1, 29)]) for _ in range(12)]
    path = tmp_path / f"splits{suffix}"
    write_splits(splits, path)
    same(read_splits(path), splits)


def test_the_csv_is_for_people(tmp_path):
    path = tmp_path / "splits.csv"
    write_splits([([3, 1], [0]), ([0], [1])], path)
    lines = "0,train,3\n0,train,1\n0,test,0\n1,train,0\n1,test,1\n"
    assert path.read_bytes() == (HEAD + lines).encode()


def test_the_npz_has_an_array_for_each_part(tmp_path):
    path = tmp_path / "splits.npz"
    write_splits(SPLITS[:2], path)
    with np.load(path) as arrays:
        assert set(arrays.files) == {"train_0", "test_0", "train_1", "test_1"}
        np.testing.assert_array_equal(arrays["test_1"], [0, 1, 5])


def test_a_csv_from_a_spreadsheet(tmp_path):
    """A byte order mark, other columns, spaces, empty lines and gaps in the numbers."""
    path = tmp_path / "splits.csv"
    text = "row,who,part,split\r\n7,ann,test,9\r\n\r\n1,bob,train,9 \r\n2,,train,3\r\n"
    path.write_bytes(("\ufeff" + text + "0,x,test,3\r\n").encode())
    same(read_splits(path), [([2], [0]), ([1], [7])])


@SUFFIXES
def test_a_failed_write_leaves_the_old_file(tmp_path, suffix):
    path = tmp_path / f"splits{suffix}"
    write_splits(SPLITS, path)
    before = path.read_bytes()

    def endless():
        yield [0], [1]
        raise RuntimeError("no more rows")

    with pytest.raises(RuntimeError, match="no more rows"):
        write_splits(endless(), path)
    with pytest.raises(ValueError, match="Split 0 holds 1 dimensions of float64"):
        write_splits([([0.5], [1])], path)
    assert path.read_bytes() == before
    assert [file.name for file in tmp_path.iterdir()] == [path.name]


@pytest.mark.parametrize(
    "name", ["splits.txt", "splits", "splits.CSV", "splits.csv.gz"]
)
def test_other_endings_are_refused(tmp_path, name):
    with pytest.raises(ValueError, match=f"{name} is no file of splits: use a name in"):
        write_splits(SPLITS, tmp_path / name)
    with pytest.raises(ValueError, match="is no file of splits"):
        read_splits(tmp_path / name)


@SUFFIXES
def test_a_file_that_does_not_exist(tmp_path, suffix):
    with pytest.raises(FileNotFoundError, match="does not exist: check the path"):
        read_splits(tmp_path / f"none{suffix}")
    (tmp_path / f"folder{suffix}").mkdir()
    with pytest.raises(ValueError, match="is a folder: pass a regular file"):
        read_splits(tmp_path / f"folder{suffix}")


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"", "needs the columns split, part and row; it has ''"),
        (b"split;part;row\n0;train;1\n", "it has 'split;part;row'"),
        (b"a" * 10**5, "it has 'a{60}'"),
        (b"split,part,row\n0,train\n", "line 2: split and row must be whole numbers"),
        (
            b"split,part,row\n0,train,1.5\n",
            "line 2: split and row must be whole numbers",
        ),
        (b"split,part,row\n0,train,1_0\n", "split and row must be whole numbers"),
        (b"split,part,row\n0,train,-1\n", "must be whole numbers from 0"),
        (b"split,part,row\nx,train,1\n", "split and row must be whole numbers"),
        (
            b"split,part,row\n0,train," + b"9" * 30,
            "split and row must be whole numbers",
        ),
        (
            b"split,part,row\n0,train," + b"9" * 5000,
            "split and row must be whole numbers",
        ),
        ("split,part,row\n0,train,٣\n".encode(), "split and row must be whole numbers"),
        (b"split,part,row\n0,train,1\n0,dev,2\n", "line 3: part is 'dev', write train"),
        (b"split,part,row\n0," + b"t" * 200 + b",2\n", "part is 't{60}'..., write"),
        (b"split,part,row\n0,train,1\n", "split 0 lacks its training or test part"),
        (b"split,part,row\n0,train,1\n1,test,2\n", "split 0 lacks its training or"),
        (b"split,part,row\n0,train,\xff\n", "line 2: byte 9 is not UTF-8: convert"),
        (b"split,part,row\n0,train," + b"1" * 200_000, "line 2: it is not CSV"),
        (
            gzip.compress(b"0" * 10**8, mtime=0),
            "line 1 would take about 2.1G of memory",
        ),
    ],
)
def test_hostile_csv_files(tmp_path, content, sentence):
    path = tmp_path / "splits.csv"
    path.write_bytes(content)
    with pytest.raises(ValueError, match=sentence) as caught:
        read_splits(path)
    assert len(str(caught.value)) < 300 + len(str(path))


@pytest.mark.parametrize(
    ("arrays", "sentence"),
    [
        ({"train_0": [1], "dev_0": [2]}, "'dev_0' is not train_N or test_N"),
        ({"train_00": [1], "test_0": [2]}, "'train_00' is not train_N"),
        ({"train_٣": [1]}, "is not train_N or test_N"),
        ({f"train_{'9' * 20}": [1]}, "is not train_N or test_N"),
        ({"train_0": [1]}, "split 0 lacks its training or test part"),
        ({"train_0": [0.5], "test_0": [1]}, "train_0 must be a list of whole numbers"),
        ({"train_0": [[1]], "test_0": [1]}, "got 2 dimensions of dtype int64"),
        ({"train_0": [True], "test_0": [1]}, "got 1 dimensions of dtype bool"),
        ({"train_0": np.array([2**63], "u8"), "test_0": [1]}, "which is no row"),
        ({"train_0": np.array([{}]), "test_0": [1]}, "cannot be read as an npz file"),
    ],
)
def test_hostile_npz_files(tmp_path, arrays, sentence):
    path = tmp_path / "splits.npz"
    np.savez(path, **arrays)
    with pytest.raises(ValueError, match=sentence):
        read_splits(path)


def test_files_that_are_no_npz(tmp_path):
    path = tmp_path / "splits.npz"
    for content in (b"", b"split,part,row\n", b"PK\x03\x04 and no more"):
        path.write_bytes(content)
        with pytest.raises(ValueError, match="cannot be read as an npz file"):
            read_splits(path)
    with path.open("wb") as file:
        np.save(file, np.arange(3))
    with pytest.raises(ValueError, match="cannot be read as an npz file"):
        read_splits(path)
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("train_0.npy", b"0" * 10**8)
    with pytest.raises(ValueError, match="it would unpack to 100000000 bytes"):
        read_splits(path)


@settings(max_examples=60, deadline=None)
@given(st.binary(max_size=60), st.sampled_from([".csv", ".npz"]))
def test_any_bytes_give_splits_or_one_sentence(tmp_path_factory, content, suffix):
    path = tmp_path_factory.mktemp("any") / f"splits{suffix}"
    path.write_bytes(HEAD.encode() + content if suffix == ".csv" else content)
    sentence = ""
    try:
        assert all(len(pair) == 2 for pair in read_splits(path))
    except ValueError as error:
        sentence = str(error)
    assert sentence == "" or str(path) in sentence
    assert "\n" not in sentence


def test_folds_are_one_number_for_each_row(tmp_path):
    """Those of the leaderboard take a byte or so for a row."""
    fold = np.random.default_rng(0).integers(0, 5, 1000)
    splits = [(np.flatnonzero(fold != k), np.flatnonzero(fold == k)) for k in range(5)]
    path = tmp_path / "folds.npz"
    write_splits(splits, path)
    with np.load(path) as arrays:
        assert arrays.files == ["fold"]
    assert path.stat().st_size < 1000
    same(read_splits(path), splits)


def test_folds_in_another_order_of_rows_stay_as_they_are(tmp_path):
    splits = [([1, 0], [3, 2]), ([2, 3], [0, 1])]
    write_splits(splits, tmp_path / "splits.npz")
    same(read_splits(tmp_path / "splits.npz"), splits)


def test_folds_that_are_no_folds(tmp_path):
    path = tmp_path / "folds.npz"
    for fold in ([0, 10**9], [0.5, 1.0], ["a"]):
        np.savez(path, fold=np.array(fold))
        with pytest.raises(ValueError, match=r"folds\.npz: .*fold"):
            read_splits(path)
