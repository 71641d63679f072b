# SPDX-License-Identifier: BSD-3-Clause
import numpy as np
import pytest
import scipy.sparse as sp

from labelsift.kernels.factor_rows import scale_rows


@pytest.mark.parametrize("n_labels", [1, 4, 7, 26])
def test_equals_the_products_of_scipy_to_the_last_bit(rng, n_labels):
    X = rng.random((60, 90)) * (rng.random((60, 90)) < 0.2)
    X[:, 5] = 0.0
    rows, columns = sp.csr_array(X), sp.csc_array(X)
    W, pulled = rng.random((2, 90, n_labels))
    R, degrees = rng.random((60, 2 * n_labels)), rng.random(n_labels)
    W[7], W[:, 0], pulled[5] = 0.0, W[:, 0] / 1e9, 0.0
    shrink = 0.3 / np.sqrt((W**2).sum(axis=1) + 1e-12)
    pulls = rows.T @ R
    up = pulls[:, :n_labels] + pulled
    down = pulls[:, n_labels:] + 0.5 * W * degrees + shrink[:, np.newaxis] * W
    factor = np.divide(up, down, out=np.ones_like(up), where=down > 0)
    scaled, fitted = np.empty_like(W), np.zeros((60, n_labels))
    entries = columns.data, columns.indices, columns.indptr
    scale_rows(entries, R, pulled, W, shrink, degrees, 0.5, scaled, fitted)
    np.testing.assert_array_equal(scaled, W * factor)
    np.testing.assert_array_equal(fitted, rows @ scaled)
