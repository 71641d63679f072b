# SPDX-License-Identifier: BSD-3-Clause
import gzip

import numpy as np
import pytest

from labelsift.datasets import read_libsvm

TEXT = """2,7 3:0.5 1:-2 # unsorted
7 1:1e-3
# only a comment

 2:4   4:0#a line that begins with a pair has no labels
11
"""


@pytest.fixture
def read(write):
    def read_text(text, **options):
        return read_libsvm(write("a.svm", text), **options)

    return read_text


def test_all_that_the_format_allows(read):
    data = read(TEXT)
    assert data.label_names == ("2", "7", "11")
    assert data.feature_names == ("x0", "x1", "x2", "x3")
    assert data.name == "a"
    expected = [[-2, 0, 0.5, 0], [1e-3, 0, 0, 0], [0, 4, 0, 0], [0, 0, 0, 0]]
    np.testing.assert_array_equal(data.X.toarray(), expected)
    np.testing.assert_array_equal(data.Y, [[1, 1, 0], [0, 1, 0], [0, 0, 0], [0, 0, 1]])
    assert data.X.has_canonical_format
    assert data.X.nnz == 4


def test_gzip(read):
    assert read(gzip.compress(TEXT.encode())).checksum == read(TEXT).checksum


def test_the_first_index(read):
    assert read("1 1:5 2:6").X.toarray().tolist() == [[5, 6]]
    assert read("1 0:5 2:6").X.toarray().tolist() == [[5, 0, 6]]
    zero = read("1 1:5 2:6", zero_based=True)
    assert zero.X.toarray().tolist() == [[0, 5, 6]]
    with pytest.raises(ValueError, match="line 1: feature 0 is below the first"):
        read("1 0:5", zero_based=False)
    with pytest.raises(ValueError, match="zero_based must be a bool or 'auto'"):
        read("1 0:5", zero_based="yes")


def test_a_test_file_is_read_like_its_training_file(read):
    train = read("3 1:1\n5 4:1\n9 2:1")
    test = read("9,3 2:1", labels=train.label_names, n_features=train.n_features)
    assert test.label_names == ("3", "5", "9")
    assert test.Y.tolist() == [[1, 0, 1]]
    assert test.X.shape == (1, 4)
    assert read("9,3 2:1", labels=[9, 3, 4]).Y.tolist() == [[1, 1, 0]]
    assert read("12 2:1", labels="12").label_names == ("12",)


def test_labels_may_repeat_and_be_negative(read):
    data = read("+1,+1 1:1\n-1 1:2")
    assert data.label_names == ("-1", "1")
    assert data.Y.tolist() == [[0, 1], [1, 0]]


@pytest.mark.parametrize(
    ("text", "options", "sentence"),
    [
        ("1 1:1\n1 2:x", {}, r"a\.svm, line 2: '2:x' is not a pair index:value"),
        ("1 a:1", {}, "'a:1' is not a pair"),
        ("1 qid:3 1:1", {}, "'qid:3' is not a pair"),
        ("1 1:2:3 4", {}, "'1:2:3' is not a pair"),
        ("1 1:2 3", {}, "'3' is not a pair"),
        ("1 1: 2", {}, "'1:' is not a pair"),
        ("1 1: :2", {}, "'1:' is not a pair"),
        (":", {}, "':' is not a pair"),
        ("1 1.5:2", {}, "'1.5:2' is not a pair"),
        ("a 1:2", {}, "'a' is not a label"),
        ("1, 1:2", {}, "'' is not a label"),
        ("1.5 1:2", {}, "'1.5' is not a label"),
        ("1 -1:2", {}, "feature -1 is below the first feature"),
        ("1 2:1 1:1 2:3", {}, "line 1: the row has a feature twice"),
        ("1 1:nan", {}, "line 1: a value is not finite"),
        ("1 1:1e999", {}, "line 1: a value is not finite"),
        ("1 1:1_0", {}, "line 1: a number has an underscore"),
        ("1_0 1:1", {}, "line 1: a number has an underscore"),
        (
            "1 1:1\n1 999999999:1",
            {},
            "line 2: feature 999999999 is implausible in a file",
        ),
        ("1 99999999999999999999:1", {}, "does not fit in 64 bits"),
        ("99999999999 1:1", {}, "label 99999999999 does not fit in 32 bits"),
        (f"1 {'9' * 5000}:1", {}, "is not a pair"),
        ("1 7:1", {"n_features": 6}, "line 1: feature 7 is beyond n_features=6"),
        ("1 1:1\n4 1:1", {"labels": ["1"]}, "line 2: label 4 is not among labels="),
        ("1 1:1", {"labels": ["tag_*"]}, "labels of a LIBSVM file are integers"),
        ("1 1:1", {"labels": [1, 1]}, "labels= names a label twice"),
        (" 1:1\n", {}, "has no label in any line"),
        ("", {}, r"a\.svm has no rows"),
        ("# nothing", {}, r"a\.svm has no rows"),
        ("1\n2\n", {}, r"a\.svm has no feature"),
        (b"1 1:1 # \xff", {}, "line 1: byte 9 is not UTF-8"),
    ],
)
def test_bad_input(read, text, options, sentence):
    with pytest.raises(ValueError, match=sentence):
        read(text, **options)


def test_a_label_of_its_own_for_each_line_cannot_fill_the_memory(read):
    text = "".join(f"{i} 1:1\n" for i in range(15000))
    with pytest.raises(ValueError, match="its label matrix would take 225000000 bytes"):
        read(text)


def test_yeast_equals_the_training_rows(real, data_home):
    expected = real("yeast")
    data = read_libsvm(data_home / "libsvm-files" / "yeast_train.svm")
    rows = expected.train_idx
    np.testing.assert_array_equal(data.X.toarray(), expected.X[rows])
    np.testing.assert_array_equal(data.Y, expected.Y[rows])
    assert data.label_names == tuple(map(str, range(14)))


def test_the_hard_reuters_file(data_home):
    data = read_libsvm(data_home / "libsvm-files" / "Apte21578-90.test.ltc.svm")
    assert (data.n_samples, data.n_features, data.n_labels) == (3019, 18631, 90)
    assert data.label_names == tuple(map(str, range(1, 91)))
    assert data.cardinality == pytest.approx(1.240, abs=5e-4)
    assert (data.Y.sum(axis=1) > 1).sum() == 436
    # Its values are weights of unit rows, written with six decimals.
    norms = np.sqrt(data.X.multiply(data.X).sum(axis=1))
    np.testing.assert_allclose(norms, 1, atol=1e-3)
