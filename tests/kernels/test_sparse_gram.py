# SPDX-License-Identifier: BSD-3-Clause
import numpy as np
import pytest
import scipy.sparse as sp

from labelsift.kernels.sparse_gram import add_outer_products, warm_up


@pytest.mark.parametrize("width", [np.int32, np.int64])
def test_outer_products_of_rows_add_up_to_the_weighted_gram_matrix(rng, width):
    dense = rng.normal(size=(30, 12)) * (rng.random((30, 12)) < 0.3)
    dense[4] = 0
    weights = rng.normal(size=30)
    X = sp.csr_array(dense)
    gram = np.ones((12, 12))
    indices, indptr = X.indices.astype(width), X.indptr.astype(width)
    add_outer_products(X.data, indices, indptr, weights, gram)
    expected = 1 + np.triu(dense.T @ (weights[:, np.newaxis] * dense))
    np.testing.assert_allclose(gram, expected, atol=1e-12)


def test_kernels_warm_up():
    warm_up()
