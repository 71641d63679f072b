# SPDX-License-Identifier: BSD-3-Clause
import numpy as np
import pytest
import scipy.sparse as sp

from labelsift.datasets import MultiLabelData, make_planted, read_libsvm, write_libsvm


@pytest.mark.parametrize("density", [0.3, 1.0])
def test_what_is_written_is_read_back_exactly(tmp_path, density):
    data = make_planted(40, 12, 4, density=density, random_state=0)
    write_libsvm(data, tmp_path / "a.svm")
    back = read_libsvm(tmp_path / "a.svm")
    assert back.label_names == ("0", "1", "2", "3")
    assert (
        back.checksum
        == MultiLabelData(
            sp.csr_array(data.X), data.Y, data.feature_names, back.label_names
        ).checksum
    )


def test_empty_rows_and_unused_features_are_kept(tmp_path):
    X = sp.csr_array((3, 5), dtype=float)
    Y = np.array([[1], [0], [0]])
    write_libsvm(MultiLabelData(X, Y, tuple("abcde"), ("y",)), tmp_path / "a.svm")
    back = read_libsvm(tmp_path / "a.svm")
    assert back.X.shape == (3, 5)
    assert back.X.nnz == 0
    assert back.Y.tolist() == Y.tolist()


def test_missing_values_cannot_be_written(tmp_path):
    data = MultiLabelData(np.array([[np.nan]]), np.array([[1]]), ("x",), ("y",))
    with pytest.raises(ValueError, match="LIBSVM files cannot hold: write ARFF or npz"):
        write_libsvm(data, tmp_path / "a.svm")
    assert not list(tmp_path.iterdir())
