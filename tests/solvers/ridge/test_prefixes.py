# SPDX-License-Identifier: BSD-3-Clause
import numpy as np
import pytest
import scipy.sparse as sp

from labelsift.classification import BinaryRidge
from labelsift.solvers.ridge.prefixes import RidgePrefixes

COUNTS = [1, 3, 7, 20]


@pytest.fixture(params=["dense", "sparse"])
def problem(request):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(40, 20)) * (rng.random((40, 20)) < 0.4)
    Y = rng.random((40, 3)) < [0.5, 0.3, 0.1]
    new = rng.normal(size=(9, 20))
    if request.param == "sparse":
        X, new = sp.csr_array(X), sp.csr_array(new)
    return X, Y, new


def test_scores_are_those_of_a_fit_for_every_count(problem):
    X, Y, new = problem
    prefixes = RidgePrefixes.of(X, 2.0 * Y - 1, 0.7)
    for count, scores in zip(COUNTS, prefixes.scores(new, COUNTS), strict=True):
        fitted = BinaryRidge(0.7).fit(X[:, :count], Y)
        expected = fitted.decision_function(new[:, :count])
        np.testing.assert_allclose(scores, expected, rtol=0, atol=1e-11)


def test_a_row_is_left_out_exactly(problem):
    X, Y, _ = problem
    prefixes = RidgePrefixes.of(X, 2.0 * Y - 1, 0.7)
    for count, scores in zip(COUNTS, prefixes.left_out(COUNTS), strict=True):
        for row in range(0, 40, 7):
            others = np.arange(40) != row
            fitted = BinaryRidge(0.7).fit(X[others][:, :count], Y[others])
            expected = fitted.decision_function(X[[row]][:, :count])
            np.testing.assert_allclose(scores[[row]], expected, rtol=0, atol=1e-10)


@pytest.mark.parametrize("form", [sp.csr_array, sp.csc_array])
def test_few_entries_give_the_scores_of_dense_rows(form):
    rng = np.random.default_rng(3)
    X = rng.normal(size=(90, 30)) * (rng.random((90, 30)) < 0.06)
    Y, few = rng.normal(size=(90, 2)), form(X)
    dense, sparse = (RidgePrefixes.of(rows, Y, 0.5) for rows in (X, few))
    for one, other in (
        (dense.left_out(COUNTS), sparse.left_out(COUNTS)),
        (dense.scores(X, COUNTS), sparse.scores(few, COUNTS)),
    ):
        np.testing.assert_allclose(list(one), list(other), rtol=0, atol=1e-12)


@pytest.mark.parametrize("density", [0.05, 0.6])
def test_sparse_rows_in_single_precision_are_multiplied_in_double(density):
    rng = np.random.default_rng(5)
    few = sp.random_array((90, 30), density=density, rng=rng, dtype=np.float32)
    few, Y = sp.csr_array(few), rng.normal(size=(90, 2))
    X = few.toarray().astype(np.float64)
    dense, sparse = (RidgePrefixes.of(rows, Y, 0.5) for rows in (X, few))
    for one, other in (
        (dense.left_out(COUNTS), sparse.left_out(COUNTS)),
        (dense.scores(X, COUNTS), sparse.scores(few, COUNTS)),
    ):
        np.testing.assert_allclose(one, other, rtol=0, atol=1e-12)


def test_more_columns_than_rows():
    rng = np.random.default_rng(1)
    X, Y = rng.normal(size=(10, 30)), rng.random((10, 2)) < 0.5
    (scores,) = RidgePrefixes.of(X, 2.0 * Y - 1, 1.0).scores(X, [30])
    expected = BinaryRidge(1.0).fit(X, Y).decision_function(X)
    np.testing.assert_allclose(scores, expected, rtol=0, atol=1e-11)


def test_rounding_that_would_show_is_refused():
    X = 1e6 * np.random.default_rng(2).normal(size=(30, 4))
    assert RidgePrefixes.of(X, np.ones((30, 1)), 1.0) is None


@pytest.mark.parametrize("shape", [(10**6, 40), (50, 7000)])
def test_large_data_are_not_made_dense(shape):
    X = sp.csr_array(shape)
    assert RidgePrefixes.of(X, np.ones((shape[0], 1)), 1.0) is None
