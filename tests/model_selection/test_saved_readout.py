# SPDX-License-Identifier: BSD-3-Clause
import json

import numpy as np
import pytest
import scipy.sparse as sp

from labelsift.classification import BinaryRidge
from labelsift.model_selection.saved_readout import ridge_readout


def test_weights_of_ridge_and_thresholds_of_best_f1(rng):
    X = rng.normal(size=(200, 4))
    rare = X[:, 0] + 0.3 * rng.normal(size=200) > 1.3
    Y = np.column_stack([rare, X[:, 1] > 0]).astype(np.int8)
    found = ridge_readout(X, Y)
    model = BinaryRidge(1.0).fit(X, Y)
    np.testing.assert_array_equal(found["coef"], model.coef_)
    np.testing.assert_array_equal(found["intercept"], model.intercept_)
    scores = X @ np.transpose(found["coef"]) + found["intercept"]
    predicted = scores > found["thresholds"]
    # At 0 the rare label would be found in few rows.
    hits = (predicted[:, 0] & (Y[:, 0] == 1)).sum() / Y[:, 0].sum()
    assert hits > 0.6 > (scores[Y[:, 0] == 1, 0] > 0).mean()
    json.dumps(found, allow_nan=False)


def test_sparse_and_dense_agree(rng):
    X = rng.integers(0, 3, size=(40, 5)).astype(float)
    Y = (X[:, :2] > 1).astype(np.int8)
    dense, sparse = ridge_readout(X, Y), ridge_readout(sp.csr_array(X), Y)
    for key, value in dense.items():
        np.testing.assert_allclose(sparse[key], value, atol=1e-8)


@pytest.mark.filterwarnings("ignore:1 of 2 labels hold one value")
def test_labels_with_hardly_a_row_and_few_rows(rng):
    X = rng.normal(size=(40, 2))
    Y = np.zeros((40, 2), np.int8)
    Y[0, 0] = 1
    found = ridge_readout(X, Y)
    assert np.isfinite(found["thresholds"]).all()
    scores = X @ np.transpose(found["coef"]) + found["intercept"]
    assert not (scores > found["thresholds"])[:, 1].any()
    assert ridge_readout(X[:2], Y[:2])["thresholds"] == [0.0, 0.0]
