# SPDX-License-Identifier: BSD-3-Clause
import warnings

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.preprocessing import KBinsDiscretizer

from labelsift.solvers.information.discretize import bin_edges, discretize


def same_partition(a, b):
    """Whether two columns of codes tell the same samples apart."""
    pairs = set(zip(a.tolist(), b.tolist(), strict=True))
    return len(pairs) == len(set(a.tolist())) == len(set(b.tolist()))


def holey(rng, n=60, d=8, share=0.4):
    """Positive, negative and mixed columns with zeros, one full and one empty."""
    X = np.round(rng.normal(size=(n, d)), 2) * (rng.random((n, d)) < share)
    X[:, 0], X[:, 1] = np.abs(X[:, 0]), -np.abs(X[:, 1])
    X[:, 2] = rng.random(n) + 1
    X[:, 3] = 0
    X[:, 4] = np.where(X[:, 4] != 0, 5.0, 0)
    return X


@pytest.mark.parametrize("n_bins", [2, 3, 7])
def test_width_is_that_of_scikit_learn(rng, n_bins):
    X = holey(rng)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        peer = KBinsDiscretizer(n_bins, encode="ordinal", strategy="uniform")
        expected = peer.fit_transform(X)
    varied = np.delete(np.arange(X.shape[1]), 3)
    np.testing.assert_array_equal(
        discretize(X, "width", n_bins)[:, varied], expected[:, varied]
    )


@pytest.mark.parametrize("how", ["width", "quantile", "presence"])
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("form", [sp.csr_array, sp.csc_array])
def test_sparse_and_dense_give_the_same_bins(rng, how, dtype, form):
    for n_bins in (2, 3, 6):
        X = holey(rng).astype(dtype)
        stored = form(X)
        stored.data[:3] = 0  # explicit zeros
        X = stored.toarray()
        dense, sparse = (discretize(Z, how, n_bins) for Z in (X, stored))
        assert sparse.format == "csc"
        assert np.all(sparse.data != 0)
        for a, b in zip(dense.T, sparse.toarray().T, strict=True):
            assert same_partition(a, b)


def test_quantiles_fill_the_bins_equally(rng):
    codes = discretize(rng.normal(size=(90, 4)), "quantile", 3)
    for column in codes.T:
        assert np.bincount(column).tolist() == [30, 30, 30]


@pytest.mark.parametrize("values", [[0, 1], [-1, 0], [5, 9]])
@pytest.mark.parametrize("share", [0.05, 0.95])
def test_quantiles_keep_two_values_apart_however_rare_one_is(values, share):
    column = np.where(np.arange(100) < 100 * share, *map(float, values))[:, np.newaxis]
    for X in (column, sp.csc_array(column)):
        codes = discretize(X, "quantile", 3)
        codes = codes.toarray() if sp.issparse(codes) else codes
        assert len(np.unique(codes)) == 2


def test_sparse_edges_are_the_dense_ones(rng):
    X = holey(rng)
    for how in ("width", "quantile"):
        for n_bins in (2, 5, 80):
            np.testing.assert_array_equal(
                bin_edges(X, how, n_bins), bin_edges(sp.csc_array(X), how, n_bins)
            )


def test_a_huge_range_does_not_overflow():
    X = np.array([[-1.5e308], [1.5e308], [0.0], [1e300]])
    assert discretize(X, "width", 3).ravel().tolist() == [0, 2, 1, 1]


def test_codes_are_taken_as_they_are(rng):
    codes = rng.integers(300, size=(50, 4))
    np.testing.assert_array_equal(discretize(codes.astype(float), None, 3), codes)
    sparse = sp.csr_array(codes * (codes < 50), dtype=float)
    np.testing.assert_array_equal(
        discretize(sparse, None, 3).toarray(), sparse.toarray()
    )


@pytest.mark.parametrize("value", [0.5, -1.0, 3e9])
@pytest.mark.parametrize("form", [np.asarray, sp.csr_array])
def test_what_is_no_code_is_told(value, form):
    X = np.zeros((3, 2))
    X[1, 1] = value
    sentence = f"discretize=None takes X as integer codes .* but X holds {value:g}: "
    with pytest.raises(ValueError, match=sentence.replace("+", r"\+")):
        discretize(form(X), None, 3)
