# SPDX-License-Identifier: BSD-3-Clause
import numpy as np
import pytest
import scipy.sparse as sp

from labelsift.kernels.group_lasso import sweep_sparse
from labelsift.kernels.wide_sweeps import sweep_columns, warm_up


@pytest.mark.parametrize("width", [np.int32, np.int64])
def test_a_sweep_is_that_of_the_group_lasso(rng, width):
    dense = rng.normal(size=(40, 15)) * (rng.random((40, 15)) < 0.4)
    dense[:, 4] = 0  # loses its weights
    X = sp.csc_array(dense)
    columns = X.data, X.indices.astype(width), X.indptr.astype(width)
    mean, curvature = dense.mean(axis=0), 40 * dense.var(axis=0)
    W, Y = rng.normal(size=(15, 3)), rng.normal(size=(40, 3))
    residual = Y - dense @ W
    states = [[W.copy(), residual.copy(), residual.sum(axis=0)] for _ in range(2)]
    for _ in range(3):
        sweep_sparse(*columns, mean, curvature, *states[0], 4.0, False)
        sweep_columns(columns, mean, curvature, *states[1], 4.0)
    for ours, wanted in zip(states[1], states[0], strict=True):
        np.testing.assert_allclose(ours, wanted, atol=1e-10)
    weights = states[1][0]
    assert not weights[4].any()
    assert 0 < np.sum(weights.any(axis=1)) < 14
    np.testing.assert_allclose(states[1][1], Y - dense @ weights, atol=1e-10)


def test_kernels_warm_up():
    warm_up()
