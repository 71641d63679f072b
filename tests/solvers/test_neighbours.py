# SPDX-License-Identifier: BSD-3-Clause
import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.neighbors import NearestNeighbors

from labelsift.kernels.neighbours import warm_up
from labelsift.solvers import neighbours
from labelsift.solvers.neighbours import nearest_neighbours
from reference.mlknn import nearest


def _few_values(rng, shape):
    """Rows of small integers: many equal distances and some equal rows."""
    return rng.integers(0, 3, size=shape) * (rng.random(shape) < 0.6)


@pytest.fixture(params=["gaussian", "ties", "far from zero"])
def rows(request, rng):
    if request.param == "ties":
        return _few_values(rng, (40, 4)).astype(float)
    offset = 1e7 if request.param == "far from zero" else 0.0
    return rng.normal(size=(40, 6)) + offset


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_neighbours_of_own_rows_are_those_of_the_loops(rows, dtype):
    rows = rows.astype(dtype)
    found, _ = nearest_neighbours(rows, 7)
    exact = rows.astype(float)
    expected = [nearest(exact, exact[i], 7, i) for i in range(len(rows))]
    np.testing.assert_array_equal(found, expected)


def test_neighbours_of_queries_and_their_distances(rows, rng):
    queries = rows[:15] + rng.normal(size=(15, rows.shape[1]))
    found, squared = nearest_neighbours(rows, 40, queries)
    expected = [nearest(rows, query, 40) for query in queries]
    np.testing.assert_array_equal(found, expected)
    gaps = rows[found] - queries[:, np.newaxis]
    np.testing.assert_allclose(squared, (gaps**2).sum(axis=2), rtol=1e-12)


def test_blocks_do_not_matter(rows, monkeypatch):
    whole = nearest_neighbours(rows, 5)
    monkeypatch.setattr(neighbours, "_BLOCK_BYTES", 8 * len(rows) * 3)
    np.testing.assert_array_equal(nearest_neighbours(rows, 5), whole)


@pytest.mark.parametrize("copied", [True, False])
def test_dense_and_sparse_give_the_same_bits(rng, monkeypatch, copied):
    monkeypatch.setattr(neighbours, "_DENSE_SHARE", 0.05 if copied else 2)
    rows = _few_values(rng, (60, 9)) / 7.0  # sums of sevenths: ties up to rounding
    assert sp.issparse(neighbours._dense_if_small(sp.csr_array(rows))) is not copied
    queries = _few_values(rng, (20, 9)) / 7.0
    for asked in (None, queries):
        dense = nearest_neighbours(rows, 8, asked)
        for form in (lambda X: X, sp.csr_array):
            given = None if asked is None else form(asked)
            sparse = nearest_neighbours(sp.csr_array(rows), 8, given)
            np.testing.assert_array_equal(sparse, dense)


@pytest.mark.parametrize("share", [0.05, 2])
def test_a_row_with_copies_enough_has_the_first_of_them(rng, monkeypatch, share):
    monkeypatch.setattr(neighbours, "_DENSE_SHARE", share)
    rows = _few_values(rng, (80, 2)).astype(float)  # nine different rows at most
    for form in (np.asarray, sp.csr_array):
        found, squared = nearest_neighbours(form(rows), 4)
        expected = [nearest(rows, rows[i], 4, i) for i in range(len(rows))]
        np.testing.assert_array_equal(found, expected)
    assert (squared[:, -1] == 0).mean() > 0.5


def test_large_or_very_sparse_rows_are_not_copied(monkeypatch):
    sparse = sp.csr_array(np.eye(40))
    assert neighbours._dense_if_small(sparse) is sparse
    monkeypatch.setattr(neighbours, "_DENSE_BYTES", 10)
    full = sp.csr_array(np.ones((4, 4)))
    assert neighbours._dense_if_small(full) is full


def test_sparse_queries_of_dense_rows(rng):
    rows, queries = rng.normal(size=(30, 5)), _few_values(rng, (8, 5))
    expected = nearest_neighbours(rows, 4, queries.astype(float))
    found = nearest_neighbours(rows, 4, sp.csr_array(queries, dtype=float))
    np.testing.assert_array_equal(found, expected)


def test_overflowing_distances_still_fill_every_place():
    rows = np.array([[1e200], [-1e200], [0.0]])
    with np.errstate(over="ignore", invalid="ignore"):
        found, _ = nearest_neighbours(rows, 2)
    assert all(len(set(row)) == 2 and i not in row for i, row in enumerate(found))


def test_wide_sparse_text_agrees_with_scikit_learn(real):
    X = real("rcv1-subset1").X
    found, squared = nearest_neighbours(X, 6, X[:300])
    search = NearestNeighbors(n_neighbors=6, algorithm="brute").fit(X)
    distances, expected = search.kneighbors(X[:300])
    np.testing.assert_allclose(np.sqrt(squared), distances, atol=1e-6)
    assert (found == expected).mean() > 0.99


def test_kernels_compile():
    warm_up()


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_products_of_sparse_rows_are_those_of_dense_ones(rng, dtype):
    rows = (rng.normal(size=(30, 50)) * (rng.random((30, 50)) < 0.1)).astype(dtype)
    queries = (rng.normal(size=(7, 50)) * (rng.random((7, 50)) < 0.2)).astype(dtype)
    rows[3], queries[2] = 0, 0  # rows without any entry
    found = neighbours._products(sp.csr_array(queries), sp.csc_array(rows))
    assert found.dtype == dtype
    np.testing.assert_allclose(found, queries @ rows.T, rtol=0, atol=1e-6)


@pytest.mark.parametrize("width", [np.int32, np.int64])
def test_indices_of_any_width(rng, width):
    rows = sp.csr_array(rng.normal(size=(30, 90)) * (rng.random((30, 90)) < 0.03))
    expected = nearest_neighbours(rows, 4)
    rows.indices, rows.indptr = rows.indices.astype(width), rows.indptr.astype(width)
    np.testing.assert_array_equal(nearest_neighbours(rows, 4), expected)


def _rows_with_copies(seed, dtype):
    """Sparse rows of small numbers, some of them copies: many distances are equal."""
    rng = np.random.default_rng(seed)
    n, d = rng.integers(12, 60), rng.integers(100, 300)
    X = rng.integers(1, 3, size=(n, d)) * (rng.random((n, d)) < 0.03)
    return sp.csr_array(np.vstack([X, X[: n // 3], X[:3], X[:3]]).astype(dtype))


@settings(max_examples=40, deadline=None, derandomize=True)
@given(
    seed=st.integers(0, 10**6),
    n_neighbors=st.integers(1, 7),
    dtype=st.sampled_from([np.float32, np.float64]),
)
def test_pairs_of_sparse_rows_give_the_neighbours_and_bits_of_dense_ones(
    seed, n_neighbors, dtype
):
    X = _rows_with_copies(seed, dtype)
    assert sp.issparse(neighbours._dense_if_small(X))
    pairs, dense = (nearest_neighbours(it, n_neighbors) for it in (X, X.toarray()))
    for found, wanted in zip(pairs, dense, strict=True):
        np.testing.assert_array_equal(found, wanted)


def test_rows_that_are_all_equal_have_the_first_as_neighbours():
    X = sp.csr_array(np.tile(np.eye(1, 50), (30, 1)))
    found, squared = nearest_neighbours(X, 3)
    assert not squared.any()
    np.testing.assert_array_equal(found[[0, 1, 2, 3, 29]], [
        [1, 2, 3], [0, 2, 3], [0, 1, 3], [0, 1, 2], [0, 1, 2]
    ])  # fmt: skip
