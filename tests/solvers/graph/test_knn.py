# SPDX-License-Identifier: BSD-3-Clause
import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st

from labelsift.solvers.graph import knn
from labelsift.solvers.graph.knn import knn_graph, knn_laplacian
from labelsift.solvers.neighbours import nearest_neighbours
from reference.mdfs import unit_graph
from reference.mifs import heat_graph


@pytest.mark.parametrize("bandwidth", ["auto", 2.5])
@pytest.mark.parametrize("form", [np.asarray, sp.csr_array, sp.csc_array])
def test_equals_the_loops(rng, bandwidth, form):
    X = rng.normal(size=(30, 5)) * (rng.random((30, 5)) < 0.6)
    graph = knn_graph(form(X), 4, bandwidth)
    assert sp.issparse(graph)
    np.testing.assert_allclose(graph.toarray(), heat_graph(X, 4, bandwidth), rtol=1e-9)


@settings(max_examples=40, deadline=None, derandomize=True)
@given(seed=st.integers(0, 10**6), n_neighbors=st.integers(1, 4))
def test_the_laplacian_is_a_sum_of_squared_differences(seed, n_neighbors):
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 3, size=(20, 3)).astype(float)  # equal rows, empty rows
    graph = knn_graph(X, n_neighbors, 1.0).toarray()
    np.testing.assert_array_equal(graph, graph.T)
    assert not np.diag(graph).any()
    v = rng.normal(size=20)
    differences = sum(
        graph[i, j] / 2 * (v[i] - v[j]) ** 2 for i in range(20) for j in range(20)
    )
    L = knn_laplacian(X, n_neighbors, 1.0)
    assert v @ (L @ v) == pytest.approx(differences, abs=1e-10)


def test_empty_rows_stay_alone(rng):
    X = rng.random((20, 4)) * 0.1
    X[[3, 7]] = 0
    graph = knn_graph(X, 3).toarray()
    assert not graph[[3, 7]].any()
    kept = np.delete(np.arange(20), [3, 7])
    np.testing.assert_array_equal(graph[np.ix_(kept, kept)], heat_graph(X[kept], 3))


def test_equal_rows_are_neighbours_of_each_other_not_of_themselves(rng):
    X = np.repeat(rng.normal(size=(5, 3)), 4, axis=0)
    graph = knn_graph(X, 3)
    assert set(graph.data) == {1.0}
    assert graph.nnz == 5 * 4 * 3


def test_bandwidth_where_most_neighbours_are_equal(rng):
    X = np.vstack([np.ones((12, 2)), rng.normal(size=(6, 2)) + 9])
    graph = knn_graph(X, 2)
    assert np.isfinite(graph.data).all()
    assert graph.data.min() > 1e-3


def test_underflow_is_told(rng):
    X = 1e3 * rng.normal(size=(30, 4))
    with pytest.warns(UserWarning, match='bandwidth="auto"'):
        graph = knn_graph(X, 3, 1.0)
    assert graph.nnz == 0


@pytest.mark.parametrize("empty", [0, 4])
def test_too_many_neighbours_are_refused(rng, empty):
    X = rng.normal(size=(10, 2))
    X[:empty] = 0
    with pytest.raises(ValueError, match=r"n_neighbors=10 must be less .* \((10|6)\)"):
        knn_graph(X, 10)


def test_unit_weights_halve_where_one_row_alone_is_a_neighbour(rng):
    X = rng.normal(size=(40, 3))
    X[7] = X[3]  # a duplicate is a neighbour, the row itself is not
    graph = knn_graph(X, 4, None).toarray()
    np.testing.assert_array_equal(graph, unit_graph(X, 4))
    assert set(np.unique(graph)) == {0, 0.5, 1}


def _few_values(seed, dtype=np.float64):
    """Sparse rows of small numbers, with copies: many distances are equal."""
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
def test_pairs_of_sparse_rows_give_the_same_neighbours_and_bits(
    seed, n_neighbors, dtype
):
    X = _few_values(seed, dtype)
    assert X.nnz < knn._SPARSE_SHARE * X.shape[0] * X.shape[1]
    pairs = knn._nearest(X, n_neighbors)
    for found, wanted in zip(pairs, nearest_neighbours(X, n_neighbors), strict=True):
        np.testing.assert_array_equal(found, wanted)


def test_rows_that_are_all_equal_have_the_first_as_neighbours():
    X = sp.csr_array(np.tile(np.eye(1, 50), (30, 1)))
    nearest, squared = knn._nearest(X, 3)
    assert not squared.any()
    np.testing.assert_array_equal(nearest[[0, 1, 2, 3, 29]], [
        [1, 2, 3], [0, 2, 3], [0, 1, 3], [0, 1, 2], [0, 1, 2]
    ])  # fmt: skip


def test_rows_with_many_entries_are_searched_in_blocks(monkeypatch):
    def never(*_):
        raise AssertionError

    monkeypatch.setattr("labelsift.kernels.graph.nearest_pairs", never)
    with pytest.raises(AssertionError):
        knn_graph(_few_values(0), 3)
    dense = _few_values(0)[:, :20].toarray() + 1.0
    knn_graph(sp.csr_array(dense), 3)
    knn_graph(dense, 3)
