# SPDX-License-Identifier: BSD-3-Clause
import gzip
from dataclasses import replace

import numpy as np
import pytest

from labelsift.datasets import make_planted
from labelsift.datasets.files import SUFFIXES, data_suffix, read_file, write_file

LABELS = {".csv": "y?", ".tsv": "y?", ".parquet": "y?"}


@pytest.fixture
def toy():
    return make_planted(30, 6, 3, n_relevant=2, random_state=0)


def test_every_format_is_written_and_read_back(toy, tmp_path):
    for suffix in SUFFIXES:
        path = tmp_path / f"toy{suffix}"
        write_file(toy, path)
        back = read_file(path, LABELS.get(suffix))
        X = back.X if isinstance(back.X, np.ndarray) else back.X.toarray()
        np.testing.assert_array_equal(X, toy.X, err_msg=suffix)
        np.testing.assert_array_equal(back.Y, toy.Y, err_msg=suffix)
        assert back.feature_names == toy.feature_names


@pytest.mark.parametrize("suffix", [".arff", ".svm", ".csv", ".tsv"])
def test_text_may_be_packed(toy, tmp_path, suffix):
    path = tmp_path / f"toy{suffix}"
    write_file(toy, path)
    packed = tmp_path / f"toy{suffix}.gz"
    packed.write_bytes(gzip.compress(path.read_bytes()))
    labels = LABELS.get(suffix)
    assert read_file(packed, labels).checksum == read_file(path, labels).checksum


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_features_may_be_left_out(toy, tmp_path, suffix):
    path = tmp_path / f"toy{suffix}"
    write_file(toy, path)
    data = read_file(path, LABELS.get(suffix), ["x0", "x[3-5]"])
    assert data.feature_names == ("x1", "x2")


def test_libsvm_takes_the_labels_to_read(toy, tmp_path):
    write_file(toy, tmp_path / "toy.svm")
    assert read_file(tmp_path / "toy.svm", ["2", "1", "0"]).label_names == (
        "2",
        "1",
        "0",
    )


def test_capitals(toy, tmp_path):
    write_file(replace(toy, name="x"), tmp_path / "TOY.NPZ")
    assert read_file(tmp_path / "TOY.NPZ").checksum == toy.checksum


@pytest.mark.parametrize(
    ("name", "suffix"),
    [("a.arff", ".arff"), ("a.CSV.gz", ".csv"), ("a.doc", None), ("scene", None)],
)
def test_data_suffix(tmp_path, name, suffix):
    assert data_suffix(tmp_path / name) == suffix


@pytest.mark.parametrize(
    ("name", "labels", "sentence"),
    [
        ("a.csv", None, r"a\.csv does not say which columns are labels: pass labels="),
        ("a.xls", None, r"a\.xls has no suffix of a known format: use one of"),
        ("a.npz", ["y0"], "has its own 3 labels: leave labels= out"),
    ],
)
def test_bad_input(toy, tmp_path, name, labels, sentence):
    if name.endswith(".npz"):
        write_file(toy, tmp_path / name)
    with pytest.raises(ValueError, match=sentence):
        read_file(tmp_path / name, labels)


@pytest.mark.parametrize("name", ["a.xls", "a.arff.gz", "a"])
def test_formats_that_cannot_be_written(toy, tmp_path, name):
    with pytest.raises(ValueError, match="no suffix of a format to write"):
        write_file(toy, tmp_path / name)
    assert not list(tmp_path.iterdir())
