# SPDX-License-Identifier: BSD-3-Clause
import math

import numpy as np
import pytest
import scipy.sparse as sp

from labelsift.datasets import (
    MultiLabelData,
    keep_features,
    keep_frequent_labels,
    keep_frequent_words,
    prepare_text,
    tfidf_rows,
)

# Table 2 of the paper: samples, words, labels, most and fewest samples of a label.
TABLE_2 = {
    "arts": (7441, 17973, 19, 1838, 104),
    "education": (11817, 20782, 14, 3738, 127),
    "reference": (7929, 26397, 15, 3782, 156),
    "science": (6345, 24002, 22, 1548, 102),
}


@pytest.fixture(params=[np.asarray, sp.csr_array], ids=["dense", "sparse"])
def counts(request):
    X = np.array([[3, 0, 1, 9], [1, 0, 0, 9], [0, 1, 1, 0], [0, 5, 1, 0]], float)
    Y = np.array([[1, 0, 0], [1, 1, 0], [0, 1, 0], [0, 0, 1]])
    return MultiLabelData(
        request.param(X),
        Y,
        tuple("abcd"),
        ("p", "q", "r"),
        train_idx=np.array([3, 0, 1]),
        test_idx=np.array([2]),
    )


def dense(data):
    return data.X.toarray() if sp.issparse(data.X) else data.X


def test_rare_labels_go_and_then_rows_without_a_label(counts):
    data = keep_frequent_labels(counts, 2)
    assert data.label_names == ("p", "q")
    np.testing.assert_array_equal(data.Y, counts.Y[:3, :2])
    np.testing.assert_array_equal(dense(data), dense(counts)[:3])
    assert data.train_idx.tolist() == [0, 1]
    assert data.test_idx.tolist() == [2]


def test_words_are_counted_by_documents(counts):
    assert keep_frequent_words(counts, 2).feature_names == ("a", "b", "c", "d")
    assert keep_frequent_words(counts, 3).feature_names == ("c",)


def test_words_are_counted_on_the_rows_that_are_left(counts):
    data = keep_frequent_words(keep_frequent_labels(counts, 2), 2)
    assert data.feature_names == ("a", "c", "d")


def test_stored_zeros_are_no_occurrences():
    X = sp.csr_array(([0.0, 1.0], [0, 1], [0, 2]), shape=(1, 2))
    data = MultiLabelData(X, np.array([[1]]), ("a", "b"), ("y",))
    assert keep_frequent_words(data, 1).feature_names == ("b",)


def test_tfidf_by_the_formula(counts):
    n, X = counts.n_samples, dense(counts)
    expected = np.zeros_like(X)
    for i in range(n):
        for j in range(X.shape[1]):
            df = sum(X[k, j] > 0 for k in range(n))
            expected[i, j] = X[i, j] * (1 + math.log((1 + n) / (1 + df)))
        expected[i] /= math.sqrt(sum(value**2 for value in expected[i]))
    data = tfidf_rows(counts)
    assert sp.issparse(data.X)
    np.testing.assert_allclose(dense(data), expected)


def test_tfidf_may_be_fitted_on_the_training_rows(counts):
    rows = [0, 1]
    data = tfidf_rows(counts, rows)
    alone = tfidf_rows(counts.rows(rows))
    np.testing.assert_allclose(dense(data)[rows], dense(alone))


def test_features_by_mask_and_by_index(counts):
    for index in ([False, True, False, True], [1, 3]):
        data = keep_features(counts, index)
        assert data.feature_names == ("b", "d")
        np.testing.assert_array_equal(dense(data), dense(counts)[:, [1, 3]])


@pytest.mark.parametrize(
    ("prepare", "min_rows", "sentence"),
    [
        (keep_frequent_labels, 5, "No label of data has 5 rows: lower min_rows"),
        (keep_frequent_words, 5, "No feature of data is in 5 rows: lower min_rows"),
        (keep_frequent_labels, 0, "min_rows == 0, must be >= 1"),
        (keep_frequent_words, 0, "min_rows == 0, must be >= 1"),
    ],
)
def test_bad_arguments(counts, prepare, min_rows, sentence):
    with pytest.raises(ValueError, match=sentence):
        prepare(counts, min_rows)


@pytest.mark.parametrize("name", TABLE_2)
def test_the_yahoo_sets_have_the_sizes_of_the_paper(real, name):
    data = prepare_text(real(f"yahoo-{name}-full"))
    counts = data.Y.sum(axis=0)
    size = (data.n_samples, data.n_features, data.n_labels, counts.max(), counts.min())
    assert size == TABLE_2[name]
    norms = np.sqrt(data.X.multiply(data.X).sum(axis=1))
    filled = norms > 0
    np.testing.assert_allclose(norms[filled], 1, rtol=1e-5)
