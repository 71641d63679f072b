# SPDX-License-Identifier: BSD-3-Clause
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp

from labelsift.datasets import from_frame, join_parts, open_data, read_npz, write_npz
from labelsift.datasets.weights import with_weights


@pytest.fixture
def frame():
    return pd.DataFrame(
        {
            "a": [1.0, 2, 3, 4], "b": [0.0, 1, 0, 1], "w": [1, 0, 2.5, 1],
            "negative": [1, -2, 1, 1], "blank": [1, None, 1, 1], "zero": [0, 0, 0, 3],
            "text": ["1", "x", "2", "3"], "tag": [0, 1, 1, 0],
        }
    )  # fmt: skip


@pytest.mark.parametrize("form", ["frame", "dense", "sparse"])
def test_a_column_of_weights_is_no_feature(frame, form):
    data = from_frame(frame[["a", "w", "b", "tag"]], "tag")
    if form != "frame":
        X = data.X if form == "dense" else sp.csr_array(data.X)
        data = replace(data, X=X, frame=None)
    found = with_weights(data, "w")
    assert found.feature_names == ("a", "b")
    assert found.weights.tolist() == [1, 0, 2.5, 1]
    assert found.notes[-1] == "Rows count by 'w', 0 to 2.5."
    assert with_weights(data, None) is data


@pytest.mark.parametrize(
    ("column", "sentence"),
    [
        ("negative", r"--weights 'negative' holds -2 in row 2: .* write 0 to leave"),
        ("blank", r"--weights 'blank' is blank in row 2: a weight is a number"),
        ("zero", r"--weights 'zero' is positive for fewer than two rows"),
        ("text", r"--weights 'text' holds 'x', which is no number"),
        ("ww", r"has no column 'ww' \(did you mean 'w'\?\)"),
        ("tag", r"--weights 'tag' is a label or target of data: name a column"),
    ],
)
def test_bad_weights_are_refused_in_one_sentence(frame, column, sentence):
    with pytest.raises(ValueError, match=sentence):
        with_weights(from_frame(frame, "tag"), column)


def test_a_feature_must_be_left(frame):
    with pytest.raises(ValueError, match="no feature is left"):
        with_weights(from_frame(frame[["w", "tag"]], "tag"), "w")


def test_weights_count_in_files_parts_and_checksums(frame, tmp_path):
    path = tmp_path / "data.csv"
    frame[["a", "b", "w", "tag"]].to_csv(path, index=False)
    data = open_data(path, labels="tag", weights="w")
    plain = open_data(path, labels="tag", drop="w")
    assert data.feature_names == plain.feature_names
    assert data.checksum != plain.checksum
    assert data.checksum != replace(data, weights=data.weights * 2).checksum
    write_npz(data, tmp_path / "data.npz")
    again = read_npz(tmp_path / "data.npz")
    np.testing.assert_array_equal(again.weights, data.weights)
    assert again.checksum == data.checksum
    assert data.rows([2, 0]).weights.tolist() == [2.5, 1]
    numbers = replace(data, frame=None)
    joined = join_parts(numbers, replace(numbers, weights=None))
    assert joined.weights.tolist() == [1, 0, 2.5, 1, 1, 1, 1, 1]


@pytest.mark.parametrize(
    ("weights", "sentence"),
    [
        (np.ones(3), r"the shape \(3,\) for 4 rows: give one to each"),
        (np.array([1, np.inf, 1, 1]), "weights holds inf in row 2"),
        (np.array([0.0, 1, 0, 0]), "positive for fewer than two rows"),
    ],
)
def test_data_check_their_weights(frame, weights, sentence):
    data = from_frame(frame[["a", "b", "tag"]], "tag")
    with pytest.raises(ValueError, match=sentence):
        replace(data, weights=weights)
