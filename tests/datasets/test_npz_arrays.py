# SPDX-License-Identifier: BSD-3-Clause
import subprocess
import sys

import numpy as np
import pytest
import scipy.sparse as sp

from labelsift.datasets import describe, read_npz
from labelsift.datasets.npz_arrays import SPARSE_KEYS, features, labels, rows

CSR = {
    "X_data": np.array([1.0, 2.0, 3.0]),
    "X_indices": np.array([0, 2, 1]),
    "X_indptr": np.array([0, 2, 2, 3]),
    "X_shape": np.array([3, 3]),
}
CRASHERS = {
    "no entries counted": {
        "X_data": [1.0], "X_indices": [0], "X_indptr": [0, 10**8, 0],
        "X_shape": [2, 1], "Y": [[1], [0]],
    },
    "differences overflow": {
        "X_data": np.ones(4), "X_indices": np.zeros(4, int),
        "X_indptr": [0, 2**63 - 1, -2, 4], "X_shape": [3, 1], "Y": [[1], [0], [1]],
    },
}  # fmt: skip


RUN = """
import sys
from labelsift.cli.app import run

for path in sys.argv[1:]:
    for words in ["data", "info"], ["select", "-k", "1"], ["compare", "--jobs", "1"]:
        print(run([*words, path]), flush=True)
"""


def test_files_that_crashed_the_interpreter(tmp_path):
    """In a process of its own, so that a crash is a failure and not the end."""
    for case, arrays in CRASHERS.items():
        np.savez_compressed(tmp_path / f"{case}.npz", **arrays)
    paths = sorted(tmp_path.glob("*.npz"))
    done = subprocess.run(
        [sys.executable, "-c", RUN, *paths],
        capture_output=True,
        text=True,
        cwd=tmp_path,
    )
    assert (done.returncode, done.stdout.split()) == (0, ["2"] * 6), done.stderr
    sentence = ".npz: X is not a CSR matrix: X_indptr must rise from 0 to"
    assert [sentence in line for line in done.stderr.splitlines()] == [True] * 6


def test_the_parts_of_a_csr_matrix():
    X = features(CSR)
    assert X.toarray().tolist() == [[1, 0, 2], [0, 0, 0], [0, 3, 0]]
    unsigned = {key: CSR[key].astype(np.uint64) for key in SPARSE_KEYS[1:]}
    swapped = {key: CSR[key].astype(CSR[key].dtype.newbyteorder()) for key in CSR}
    for other in (unsigned, swapped):
        assert (features(CSR | other) != X).nnz == 0
    half = features(CSR | {"X_data": np.ones(3, np.float16)})
    assert half.dtype == np.float32


def test_entries_that_a_file_gives_twice_are_added():
    twice = {"X_data": np.ones(3), "X_indices": np.array([1, 1, 0])}
    X = features(CSR | twice)
    assert X.has_canonical_format
    assert X.toarray().tolist() == [[0, 2, 0], [0, 0, 0], [1, 0, 0]]


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"X_indptr": [1, 2, 2, 3]}, "must rise from 0 to 3"),
        ({"X_indptr": [0, 2, 1, 3]}, "must rise from 0 to 3"),
        ({"X_indptr": [0, 2, 2, 2]}, "must rise from 0 to 3"),
        ({"X_indptr": [0, -(2**63), 2**63 - 1, 3]}, "must rise from 0 to 3"),
        ({"X_indptr": np.array([0, 2**64 - 1, 2, 3], "u8")}, "must rise from 0 to 3"),
        ({"X_indptr": [0, 3]}, "3 rows need 4 row starts"),
        ({"X_indptr": [0.0, 2, 2, 3]}, "X_indptr must be a list of whole numbers"),
        ({"X_indptr": []}, "X_indptr must be a list of whole numbers"),
        ({"X_indptr": np.array([], int)}, "3 rows need 4 row starts"),
        ({"X_indices": [0, 3, 1]}, "X_indices must be 0 to 2"),
        ({"X_indices": [0, -1, 1]}, "X_indices must be 0 to 2"),
        ({"X_indices": np.array([0, 2**63, 1], "u8")}, "X_indices must be 0 to 2"),
        ({"X_indices": [0, 1]}, "3 values have 2 indices"),
        ({"X_indices": [[0, 2, 1]]}, "X_indices must be a list of whole numbers"),
        ({"X_data": ["a", "b", "c"]}, "X_data must be a list of numbers, got 1 dim"),
        ({"X_data": np.ones(3) * 1j}, r"complex numbers \(dtype complex128\)"),
        ({"X_data": [1, np.inf, 2]}, "X holds infinite values"),
        ({"X_data": [1e308, 1e308, 2], "X_indices": [0, 0, 0]}, "infinite values"),
        ({"X_shape": [3]}, "X_shape must be two sizes"),
        ({"X_shape": [3, 3, 1]}, "X_shape must be two sizes"),
        ({"X_shape": [3, -3]}, "X_shape must be two sizes"),
        ({"X_shape": [3, 2**63 - 1]}, "X_shape must be two sizes"),
        ({"X_shape": [3.0, 3.0]}, "X_shape must be a list of whole numbers"),
        ({"X_shape": [2**62, 3]}, "need 4611686018427387905 row starts"),
    ],
)
def test_parts_that_do_not_fit(change, sentence):
    arrays = CSR | {key: np.asarray(value) for key, value in change.items()}
    with pytest.raises(ValueError, match=sentence):
        features(arrays)


@pytest.mark.parametrize(
    ("Y", "sentence"),
    [
        ([0, 1, 1], "Y must be a matrix of numbers, got 1 dimensions"),
        ([["a"], ["b"], ["c"]], r"of text \(dtype str32\)"),
        ([[b"a"], [b"b"], [b"c"]], "of byte strings"),
        (np.zeros((3, 1), "M8[s]"), r"of dates \(dtype datetime64\[s\]\)"),
        (np.zeros((3, 1), "m8[s]"), "of time spans"),
        (np.zeros((3, 1), "V4"), "of records"),
        (np.zeros((3, 1), [("a", "f8")]), "of records"),
        (np.zeros((3, 1), object), "of objects"),
        ([[0.5], [0], [1]], "Y must be an n x t matrix of 0/1"),
        ([[np.nan], [0], [1]], "Y must be an n x t matrix of 0/1"),
    ],
)
def test_labels_of_another_kind(Y, sentence):
    with pytest.raises(ValueError, match=sentence):
        labels({"Y": np.asarray(Y)})


def test_labels_of_every_numeric_type():
    for dtype in (bool, np.int8, np.uint64, np.float16, ">f8"):
        Y = labels({"Y": np.array([[0], [1]], dtype)})
        assert Y.tolist() == [[0], [1]]


def test_dense_values():
    X = np.array([[1.0, np.nan]])
    np.testing.assert_array_equal(features({"X": X}), X)
    for bad, sentence in [
        (np.array([[np.inf]]), "infinite"),
        (np.zeros((0, 3)), "0 rows and 3 columns"),
        (np.zeros((3, 0)), "3 rows and 0 columns"),
        (np.zeros((3, 1), "M8[s]"), "dates"),
    ]:
        with pytest.raises(ValueError, match=sentence):
            features({"X": bad})


def test_row_numbers_beyond_every_row():
    with pytest.raises(ValueError, match="18446744073709551615, which is no row"):
        rows({"test_idx": np.array([2**64 - 1], np.uint64)}, "test_idx")


def test_many_columns_need_bytes_and_not_names(tmp_path):
    """2**20 columns are free, so that hashed text can be read."""
    path = tmp_path / "a.npz"
    wide = sp.csr_array(([1.0], ([0], [2**20 - 1])), shape=(2, 2**20))
    parts = (wide.data, wide.indices, wide.indptr, wide.shape)
    np.savez(path, **dict(zip(SPARSE_KEYS, parts, strict=True)), Y=[[1], [0]])
    assert read_npz(path).feature_names[-1] == "x1048575"


def test_a_file_without_labels_is_read_and_described(tmp_path):
    """As 'apply' writes one for a table without labels."""
    path = tmp_path / "a.npz"
    np.savez(path, X=np.eye(3), Y=np.zeros((3, 0), np.int8))
    data = read_npz(path)
    assert (data.n_labels, data.density) == (0, 0.0)
    assert describe(data).n_labels == 0
