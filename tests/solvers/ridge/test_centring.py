# SPDX-License-Identifier: BSD-3-Clause
import numpy as np
import pytest
import scipy.sparse as sp

from labelsift.solvers.ridge import centring
from labelsift.solvers.ridge.centring import (
    centred_products,
    column_means,
    lower_products,
)


@pytest.fixture
def X(rng):
    return rng.normal(size=(11, 7)) * (rng.random((11, 7)) < 0.4)


@pytest.mark.parametrize("dual", [False, True])
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("block_bytes", [1, 8 * 11 * 3, 2**25])
def test_sparse_and_dense_products_about_the_mean(
    X, rng, monkeypatch, dual, weighted, block_bytes
):
    monkeypatch.setattr(centring, "_BLOCK_BYTES", block_bytes)
    weights = rng.random(11) if weighted else None
    root = None if weights is None else np.sqrt(weights)
    mean, rows = column_means(X, weights), X
    if root is not None:
        rows = root[:, np.newaxis] * X
    centred = rows - np.outer(np.ones(11) if root is None else root, mean)
    expected = centred @ centred.T if dual else centred.T @ centred
    for form in (rows, sp.csr_array(rows)):
        found = centred_products(form, mean, dual=dual, root=root)
        np.testing.assert_allclose(found, expected, atol=1e-14)


@pytest.mark.parametrize("dual", [False, True])
def test_order_and_duplicates_of_entries_do_not_matter(X, dual):
    entries = sp.coo_array(X)
    data = np.concatenate([entries.data / 4, entries.data * 3 / 4])[::-1]
    rows, columns = (np.tile(it, 2)[::-1] for it in (entries.row, entries.col))
    order = np.argsort(rows, kind="stable")
    indptr = np.append(0, np.cumsum(np.bincount(rows, minlength=11)))
    untidy = sp.csr_array((data[order], columns[order], indptr), shape=X.shape)
    expected = np.tril(X @ X.T if dual else X.T @ X)
    for form in (untidy, untidy.tocsc()):
        n_entries = form.nnz
        found = lower_products(form, dual=dual)
        np.testing.assert_allclose(found, expected, atol=1e-14)
        assert form.nnz == n_entries > entries.nnz  # what is given stays as it is
