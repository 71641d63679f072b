# SPDX-License-Identifier: BSD-3-Clause
import numpy as np
import pytest
import scipy.sparse as sp

from labelsift.kernels.hinge import hinge_epoch, warm_up
from reference.aso import machine


def solved(X, y, offset, C, epochs):
    X = sp.csr_array(X)
    curvature = X.multiply(X).sum(axis=1) + 1.0
    dual, w = np.zeros(len(y)), np.zeros(X.shape[1] + 1)
    given = (X.data, X.indices, X.indptr, curvature, y, offset)
    order = np.arange(len(y))
    for _ in range(epochs):
        violation = hinge_epoch(*given, order, C, dual, w)
    return w, dual, violation


@pytest.mark.parametrize("shape", [(20, 30), (30, 6)])
def test_epochs_reach_the_minimum(rng, shape):
    X, offset = rng.normal(size=shape), 0.3 * rng.normal(size=shape[0])
    y = np.where(rng.random(shape[0]) < 0.4, 1.0, -1.0)
    alpha = 0.05
    w, dual, violation = solved(X, y, offset, 1 / (2 * len(y) * alpha), 3000)
    expected, intercept = machine(X, y, offset, alpha)
    np.testing.assert_allclose(w, [*expected, intercept], atol=1e-4)
    assert violation < 1e-6
    assert ((dual >= 0) & (dual <= 1 / (2 * len(y) * alpha))).all()


def test_weights_stay_in_step_with_the_dual(rng):
    X = rng.normal(size=(15, 4)) * (rng.random((15, 4)) < 0.5)
    y = np.where(rng.random(15) < 0.5, 1.0, -1.0)
    w, dual, _ = solved(X, y, np.zeros(15), 2.0, 3)
    np.testing.assert_allclose(w[:-1], X.T @ (dual * y), atol=1e-12)
    assert w[-1] == pytest.approx(np.sum(dual * y))


def test_warm_up_compiles():
    warm_up()
    assert hinge_epoch.signatures
