# SPDX-License-Identifier: BSD-3-Clause
import numpy as np
import pytest
import scipy.sparse as sp

from labelsift.core.data import MultiLabelData, numbered_names


def make(X, Y=None, **names):
    Y = np.array([[0, 1], [1, 1], [0, 0]], np.uint8) if Y is None else Y
    names = {
        "feature_names": numbered_names("x", X.shape[1]),
        "label_names": ("a", "b"),
        **names,
    }
    return MultiLabelData(X, Y, **names)


def test_sizes():
    data = make(np.eye(3))
    assert (data.n_samples, data.n_features, data.n_labels) == (3, 3, 2)
    assert data.cardinality == pytest.approx(1)
    assert data.density == pytest.approx(0.5)


def test_the_checksum_depends_on_content_alone():
    X = sp.csr_array(np.eye(3))
    stored_zero = sp.csr_array(
        (np.r_[X.data, 0.0], (np.r_[0:3, 0], np.r_[0:3, 1])), shape=(3, 3)
    )
    assert make(X).checksum == make(stored_zero).checksum
    assert make(X, name="other").checksum == make(X).checksum
    assert make(2 * X).checksum != make(X).checksum
    assert make(np.eye(3)).checksum != make(np.eye(3).astype(np.float32)).checksum


@pytest.mark.parametrize("form", [sp.csr_array, sp.csr_matrix, sp.csc_array])
def test_sparse_indices_are_short(form):
    X = form(np.eye(3))
    X.indices, X.indptr = X.indices.astype(np.int64), X.indptr.astype(np.int64)
    kept = make(X).X
    assert isinstance(kept, sp.csr_array)
    assert kept.indices.dtype == kept.indptr.dtype == np.int32
    np.testing.assert_array_equal(kept.toarray(), np.eye(3))


def test_rows_keep_names_and_drop_the_split():
    data = make(np.eye(3), train_idx=np.array([0]), test_idx=np.array([1, 2]))
    part = data.rows([2, 0], name="part")
    np.testing.assert_array_equal(part.X, np.eye(3)[[2, 0]])
    np.testing.assert_array_equal(part.Y, data.Y[[2, 0]])
    assert part.train_idx is None
    assert part.name == "part"


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"Y": np.zeros((2, 2), np.uint8)}, "X has 3 rows and Y has 2"),
        ({"Y": np.zeros(3, np.uint8)}, "Y must have two dimensions"),
        ({"Y": np.full((3, 2), -1)}, "Y must hold only 0 and 1"),
        ({"feature_names": ("x",)}, "feature_names has 1 names for 3 columns"),
        ({"label_names": ("a", "a")}, "label_names has a duplicate name"),
        ({"train_idx": np.array([3])}, "train_idx points outside the 3 rows"),
    ],
)
def test_what_does_not_fit_is_refused(change, sentence):
    with pytest.raises(ValueError, match=sentence):
        make(np.eye(3), **change)
