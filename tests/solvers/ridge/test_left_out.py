# SPDX-License-Identifier: BSD-3-Clause
import numpy as np
import pytest
import scipy.sparse as sp

from labelsift.classification import BinaryRidge
from labelsift.solvers.ridge.left_out import RidgeLeftOut


@pytest.mark.parametrize("shape", [(30, 12), (12, 30), (20, 20)], ids=str)
@pytest.mark.parametrize("form", [np.asarray, sp.csr_array])
def test_the_fit_and_each_row_left_out(shape, form):
    rng = np.random.default_rng(0)
    X = form(1.0 + rng.normal(size=shape) * (rng.random(shape) < 0.5))
    Y = rng.random((shape[0], 3)) < [0.5, 0.3, 0.2]
    fit = RidgeLeftOut.of(X, 2.0 * Y - 1, 0.7)
    whole = BinaryRidge(0.7).fit(X, Y)
    np.testing.assert_allclose(fit.coef, whole.coef_, rtol=0, atol=1e-11)
    np.testing.assert_allclose(fit.intercept, whole.intercept_, rtol=0, atol=1e-11)
    for row in range(shape[0]):
        others = np.arange(shape[0]) != row
        fitted = BinaryRidge(0.7).fit(X[others], Y[others])
        expected = fitted.decision_function(X[[row]])
        np.testing.assert_allclose(fit.left_out[[row]], expected, rtol=0, atol=1e-10)


def test_rounding_that_would_show_and_large_data_are_refused():
    wide = 1e6 * np.random.default_rng(2).normal(size=(10, 30))
    assert RidgeLeftOut.of(wide, np.ones((10, 1)), 1.0) is None
    assert RidgeLeftOut.of(sp.csr_array((9000, 9001)), np.ones((9000, 1)), 1.0) is None


def test_entries_in_any_order_and_twice_in_single_precision():
    rng = np.random.default_rng(4)
    rows, columns = rng.integers(0, [[12], [40]], size=(2, 200))
    values = rng.normal(size=200).astype(np.float32)
    X = sp.csr_array(
        (values, columns, np.searchsorted(np.sort(rows), np.arange(13))), shape=(12, 40)
    )
    before = X.copy()
    Y = rng.normal(size=(12, 2))
    fit = RidgeLeftOut.of(X, Y, 0.7)
    whole = RidgeLeftOut.of(X.astype(np.float64).toarray(), Y, 0.7)
    np.testing.assert_allclose(fit.left_out, whole.left_out, rtol=0, atol=1e-11)
    np.testing.assert_allclose(fit.coef, whole.coef, rtol=0, atol=1e-11)
    np.testing.assert_array_equal(X.indices, before.indices)  # X is left alone
    np.testing.assert_array_equal(X.data, before.data)
