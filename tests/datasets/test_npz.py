# SPDX-License-Identifier: BSD-3-Clause
import json
import zipfile
from dataclasses import replace

import numpy as np
import pytest

from labelsift.datasets import make_planted, read_npz, write_npz
from labelsift.datasets.npz import read_meta

X = np.arange(6.0).reshape(3, 2)
Y = np.array([[0], [1], [1]])


@pytest.fixture
def save(tmp_path):
    """Write arrays as npz and give the path."""

    def save_arrays(**arrays):
        np.savez(tmp_path / "a.npz", **arrays)
        return tmp_path / "a.npz"

    return save_arrays


@pytest.mark.parametrize("density", [0.3, 1.0])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_what_is_written_is_read_back(tmp_path, density, dtype):
    data = make_planted(20, 10, 3, density=density, random_state=0)
    names = tuple(f"ж {i}\n" for i in range(10))
    data = replace(
        data,
        X=data.X.astype(dtype),
        feature_names=names,
        train_idx=np.arange(15),
        test_idx=np.arange(15, 20),
    )
    path = tmp_path / "new" / "a.npz"
    write_npz(data, path, source="here", licence="free")
    back = read_npz(path)
    assert back.checksum == data.checksum
    assert (back.name, back.feature_names) == ("planted", names)
    np.testing.assert_array_equal(back.test_idx, data.test_idx)
    meta = read_meta(path)
    assert (meta["n"], meta["source"], meta["licence"]) == (20, "here", "free")


def test_without_compression(tmp_path):
    data = make_planted(200, 50, 3, random_state=0)
    data = replace(data, X=np.zeros_like(data.X))
    paths = {choice: tmp_path / f"{choice}.npz" for choice in (True, False)}
    for compress, path in paths.items():
        write_npz(data, path, compress=compress)
        np.testing.assert_array_equal(read_npz(path).X, data.X)
    assert paths[False].stat().st_size > data.X.nbytes
    assert paths[True].stat().st_size < data.X.nbytes / 10


def test_names_beside_the_file(save):
    path = save(X=X, Y=Y)
    assert read_npz(path).feature_names == ("x0", "x1")
    path.with_name("meta.json").write_text(json.dumps({"feature_names": ["a", "b"]}))
    assert read_npz(path).feature_names == ("a", "b")


@pytest.mark.parametrize(
    ("arrays", "sentence"),
    [
        ({"X": X}, "there is no Y"),
        ({"Y": Y}, "there is neither X nor all of X_data"),
        ({"X": X, "Y": Y + 1}, "Y must be an n x t matrix of 0/1"),
        ({"X": X, "Y": Y[:2]}, r"a\.npz: X has 3 rows and Y has 2"),
        ({"X": X[0], "Y": Y}, "X must be a matrix of numbers"),
        ({"X": X.astype(str), "Y": Y}, "X must be a matrix of numbers"),
        ({"X": X.astype(object), "Y": Y}, "cannot be read as an npz file"),
        ({"X": X, "Y": Y, "train_idx": [5]}, "train_idx points outside"),
        ({"X": X, "Y": Y, "train_idx": ["a"]}, "train_idx must be a list of whole"),
        ({"X": X, "Y": Y, "meta": np.zeros(3, "u1")}, "is not valid JSON"),
        ({"X": X, "Y": Y, "meta": np.frombuffer(b"[]", "u1")}, "must hold a JSON obj"),
        (
            {"X": X, "Y": Y, "meta": np.frombuffer(b'{"label_names": "y"}', "u1")},
            "label_names must be a list of names",
        ),
        (
            {"X_data": [1.0], "X_indices": [9], "X_indptr": [0, 1], "X_shape": [1, 2],
             "Y": [[1]]},
            "X is not a CSR matrix",
        ),
    ],
)  # fmt: skip
def test_bad_content(save, arrays, sentence):
    with pytest.raises(ValueError, match=sentence):
        read_npz(save(**arrays))


def test_every_truncation_is_refused(save):
    path = save(X=X, Y=Y)
    whole = path.read_bytes()
    for size in range(0, len(whole), 7):
        path.write_bytes(whole[:size])
        with pytest.raises(ValueError, match=r"a\.npz cannot be read as an npz file"):
            read_npz(path)


def test_a_zip_bomb(tmp_path):
    path = tmp_path / "a.npz"
    np.savez_compressed(path, X=np.zeros((2**23 + 1, 1)), Y=Y)
    with pytest.raises(ValueError, match="it would unpack to 67"):
        read_npz(path)


def test_a_header_that_promises_more_than_there_is(save):
    path = save(X=X, Y=Y)
    with zipfile.ZipFile(path) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    size = b"99999999, 2), }"
    header = parts["X.npy"].replace(b"3, 2), }".ljust(len(size)), size)
    assert header != parts["X.npy"]
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("X.npy", header)
        archive.writestr("Y.npy", parts["Y.npy"])
    with pytest.raises(ValueError, match="cannot be read as an npz file"):
        read_npz(path)


@pytest.mark.parametrize(
    "header",
    [
        b"{'descr': '<f8', 'fortran_order': False, 'shape': ((((3, 2), }",
        b"{'descr': '<f8', 'fortran_order': False, 'shape': (3L, 2), '''",
        b"{'descr': '<f8', 'fortran_order': False, 'shape': (99999999999999999999,)}",
        b"(" * 5000,
        b"\x00",
    ],
)
def test_headers_that_numpy_trips_over(tmp_path, header):
    size = (len(header) + 1).to_bytes(2, "little")
    with zipfile.ZipFile(tmp_path / "a.npz", "w") as archive:
        archive.writestr("X.npy", b"\x93NUMPY\x01\x00" + size + header + b"\n")
    with pytest.raises(ValueError, match=r"a\.npz cannot be read as an npz file"):
        read_npz(tmp_path / "a.npz")


def test_a_missing_file(tmp_path):
    with pytest.raises(FileNotFoundError, match="does not exist"):
        read_npz(tmp_path / "a.npz")
