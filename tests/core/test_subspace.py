# SPDX-License-Identifier: BSD-3-Clause
import numpy as np
import pytest
import scipy.sparse as sp

from core.toys import ToySubspace
from labelsift.core.subspace import fix_signs
from labelsift.datasets import make_planted


@pytest.fixture
def data():
    return make_planted(40, 6, 3, n_relevant=2, density=0.5, random_state=2)


def test_sparse_input_is_centred_implicitly(data):
    dense, sparse = data.X.toarray(), data.X
    subspace = ToySubspace(2).fit(dense, data.Y)
    expected = (dense - dense.mean(axis=0)) @ subspace.components_.T
    np.testing.assert_allclose(subspace.transform(dense), expected)
    np.testing.assert_allclose(subspace.transform(sparse), expected)
    np.testing.assert_allclose(subspace.transform(sp.csc_array(sparse)), expected)


def test_names_and_precision(data):
    subspace = ToySubspace(2).fit(data.X, data.Y)
    assert list(subspace.get_feature_names_out()) == ["toysubspace0", "toysubspace1"]
    assert subspace.transform(data.X.astype(np.float32)).dtype == np.float32


def test_the_largest_entry_of_each_direction_is_positive():
    directions = np.array([[0.1, -0.9], [0.9, -0.1], [0.0, 0.0], [-0.5, 0.5]])
    expected = [[-0.1, 0.9], [0.9, -0.1], [0, 0], [0.5, -0.5]]
    np.testing.assert_array_equal(fix_signs(directions), expected)
