# SPDX-License-Identifier: BSD-3-Clause
import numpy as np
import pytest
import scipy.sparse as sp

from labelsift.kernels.row_products import (
    all_products,
    row_products,
    triangular_products,
)


def parts(matrix, width):
    return matrix.data, matrix.indices.astype(width), matrix.indptr.astype(width)


@pytest.fixture
def X(rng):
    X = rng.normal(size=(9, 6)) * (rng.random((9, 6)) < 0.5)
    X[4], X[:, 2] = 0.0, 0.0
    return X


@pytest.mark.parametrize("width", [np.int32, np.int64])
def test_products_of_rows_fill_the_lower_triangle(X, width):
    out = np.zeros((9, 9))
    row_products(parts(sp.csr_array(X), width), parts(sp.csc_array(X), width), out)
    np.testing.assert_allclose(out, np.tril(X @ X.T), atol=1e-15)


def test_products_with_other_rows(X, rng):
    queries, out = rng.normal(size=(3, 6)), np.zeros((3, 9))
    forms = sp.csr_array(queries), sp.csc_array(X)
    all_products(*(parts(form, np.int32) for form in forms), out)
    np.testing.assert_allclose(out, queries @ X.T, atol=1e-14)


@pytest.mark.parametrize("width", [np.int32, np.int64])
@pytest.mark.parametrize(("first", "count"), [(0, 9), (3, 4), (8, 1), (2, 0)])
def test_products_with_a_triangular_matrix(X, rng, width, first, count):
    upper, shift = np.triu(rng.normal(size=(6, 6))), rng.normal(size=6)
    lower = np.tril(np.full((6, 6), np.nan), -1)  # what is below is not read
    out = np.full((count, 6), np.nan)
    rows = parts(sp.csr_array(X), width)
    triangular_products(rows, upper + lower, shift, first, out)
    expected = X[first : first + count] @ upper - shift
    np.testing.assert_allclose(out, expected, atol=1e-14)
