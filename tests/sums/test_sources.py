# SPDX-License-Identifier: BSD-3-Clause
"""fit on functions that yield batches and on pyarrow datasets."""

import numpy as np
import pandas as pd
import pyarrow.dataset
import pytest

from labelsift.classification import BinaryRidge
from labelsift.datasets import make_planted
from labelsift.selection import FisherScore, GreedyRLS
from labelsift.subspace import MLLS


@pytest.fixture
def data():
    return make_planted(300, 12, 3, n_relevant=4, noise=0.5, random_state=0)


@pytest.fixture
def dataset(data, tmp_path):
    frame = pd.DataFrame(data.X, columns=[f"x{i}" for i in range(12)])
    for i in range(3):
        frame[f"tag_{i}"] = data.Y[:, i]
    for i, rows in enumerate(np.array_split(np.arange(300), 3)):
        frame.iloc[rows].to_parquet(tmp_path / f"{i}.parquet", index=False)
    return pyarrow.dataset.dataset(tmp_path)


@pytest.mark.parametrize(
    "method", [FisherScore(4), GreedyRLS(4, criterion="gcv"), MLLS(2), BinaryRidge()],
    ids=str,
)  # fmt: skip
def test_batches_give_what_the_rows_give(method, data, dataset):
    fitted = method.fit(data.X, data.Y)
    name = "coef_" if hasattr(fitted, "coef_") else "scores_"
    expected = getattr(fitted, name).copy()

    def read():
        for rows in np.array_split(np.arange(300), 7):
            yield data.X[rows], data.Y[rows]

    from_batches = method.fit(read)
    np.testing.assert_allclose(getattr(from_batches, name), expected, atol=1e-10)
    from_files = method.fit(dataset, "tag_*")
    np.testing.assert_allclose(getattr(from_files, name), expected, atol=1e-10)
    assert list(from_files.feature_names_in_) == [f"x{i}" for i in range(12)]
    assert list(from_files.label_names_in_) == ["tag_0", "tag_1", "tag_2"]
    assert from_files.n_samples_seen_ == 300


def test_weights_come_with_the_batches(data):
    weights = np.random.default_rng(0).uniform(0.5, 2, 300)
    parts = np.array_split(np.arange(300), 4)
    actual = FisherScore(4).fit(lambda: ((data.X[r], data.Y[r], weights[r]) for r in parts))  # fmt: skip  # noqa: E501
    expected = FisherScore(4).fit(data.X, data.Y, sample_weight=weights)
    np.testing.assert_allclose(actual.scores_, expected.scores_)


def test_one_sentence_for_what_cannot_be(data, dataset, tmp_path):
    def read():
        raise AssertionError("read in vain")
        yield

    cases = [
        (GreedyRLS(3), (read,), 'Sums need criterion="gcv"'),
        (BinaryRidge(calibration="sigmoid"), (read,), "calibration='sigmoid' needs"),
        (FisherScore(), (read, data.Y), "pass y=None"),
        (FisherScore(), (read, None, np.ones(3)), "sample_weight must come with"),
        (FisherScore(), (dataset,), "pass the label columns as y"),
        (FisherScore(), (dataset, "other_*"), r"matches y='other_\*'"),
        (FisherScore(), (dataset, "*"), "Every column of the dataset is a label"),
    ]
    for method, arguments, sentence in cases:
        with pytest.raises(ValueError, match=sentence):
            method.fit(*arguments)
    text = pd.DataFrame({"a": ["x", "y"], "tag": [0, 1]})
    text.to_parquet(tmp_path / "0.parquet", index=False)
    files = pyarrow.dataset.dataset([str(tmp_path / "0.parquet")])
    with pytest.raises(ValueError, match="Column 'a' holds no numbers"):
        FisherScore().fit(files, "tag")
