# SPDX-License-Identifier: BSD-3-Clause
import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st

from labelsift.solvers.graph.knn import knn_graph, knn_laplacian
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
