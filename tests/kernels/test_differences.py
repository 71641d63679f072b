# SPDX-License-Identifier: BSD-3-Clause
import numpy as np
import pytest
import scipy.sparse as sp

from labelsift.kernels.differences import (
    add_dense_differences,
    add_sparse_differences,
    warm_up,
)


@pytest.mark.parametrize("width", [np.int32, np.int64])
def test_differences_add_up_and_sparse_gives_the_bits_of_dense(rng, width):
    X = rng.normal(size=(20, 9)) * (rng.random((20, 9)) < 0.4)
    X[3] = 0
    pairs = rng.normal(size=(20, 20)) * (rng.random((20, 20)) < 0.3)
    weights = sp.csr_array(pairs)
    parts = weights.data, weights.indices.astype(width), weights.indptr.astype(width)
    dense, sparse = np.ones(9), np.ones(9)
    add_dense_differences(X, *parts, dense)
    csr = sp.csr_array(X)
    add_sparse_differences(csr.data, csr.indices, csr.indptr, *parts, sparse)
    np.testing.assert_array_equal(sparse, dense)
    gaps = np.abs(X[:, np.newaxis] - X)
    np.testing.assert_allclose(dense, 1 + np.einsum("ij,ijf->f", pairs, gaps))


def test_kernels_warm_up():
    warm_up()
