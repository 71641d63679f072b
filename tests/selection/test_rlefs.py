# SPDX-License-Identifier: BSD-3-Clause
import warnings

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.exceptions import ConvergenceWarning

from labelsift.datasets import make_planted
from labelsift.selection import RLEFS
from labelsift.selection.rlefs import label_affinity
from reference.rlefs import affinity, iterate, objective


@pytest.fixture
def data():
    return make_planted(80, 15, 7, n_relevant=4, density=0.4, random_state=0)


def fit(selector, X, Y):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        return selector.fit(X, Y)


@pytest.mark.parametrize("n_labels", [3, 7])
def test_the_label_graph_equals_the_reference(rng, n_labels):
    Y = rng.integers(2, size=(40, n_labels)).astype(float)
    np.testing.assert_allclose(label_affinity(Y, "cosine"), affinity(Y), atol=1e-12)


@pytest.mark.parametrize("lam", [0.01, 5.0])
def test_equals_the_reference_round_by_round(data, lam):
    X, Y = data.X.toarray(), data.Y.astype(float)
    S = affinity(Y)
    weights = {"alpha": 0.3, "beta": 0.7, "gamma": 0.2}
    B = np.diag(1 / np.sqrt(Y.sum(axis=0)))
    F = Y @ B
    B, F = B + 1e-3 * B.mean(), F + 1e-3 * F.mean()
    W = np.ones((15, 7))
    W *= np.linalg.norm(F) / np.linalg.norm(X @ W)
    full = {**weights, "lam": lam * len(Y)}
    trace = []
    for _ in range(6):
        W, F, B = iterate(X, Y, S, W, F, B, **full)
        trace.append(objective(X, Y, S, W, F, B, **full))
    selector = fit(RLEFS(**weights, lam=lam, tol=0, max_iter=6), data.X, data.Y)
    np.testing.assert_allclose(selector.objective_, trace, rtol=1e-9)
    np.testing.assert_allclose(selector.scores_, np.linalg.norm(W, axis=1), rtol=1e-7)
    np.testing.assert_allclose(selector.label_distribution_, F, rtol=1e-6)
    np.testing.assert_allclose(selector.label_graph_, S, atol=1e-12)


WEIGHTS = st.sampled_from([0.0, 0.01, 1.0, 100.0, 1e4, 1e6])


@settings(max_examples=60, deadline=None, derandomize=True)
@given(
    alpha=WEIGHTS,
    beta=WEIGHTS,
    gamma=WEIGHTS,
    lam=WEIGHTS,
    init=st.sampled_from(["labels", "random"]),
    label_graph=st.sampled_from(["cosine", "printed"]),
    seed=st.integers(0, 3),
)
def test_the_objective_never_rises(alpha, beta, gamma, lam, init, label_graph, seed):
    data = make_planted(30, 8, 4, n_relevant=3, density=0.5, random_state=seed)
    selector = RLEFS(
        alpha=alpha, beta=beta, gamma=gamma, lam=lam, init=init, tol=0, max_iter=30,
        label_graph=label_graph, random_state=seed,
    )  # fmt: skip
    trace = fit(selector, data.X, data.Y).objective_
    assert (np.diff(trace) <= 1e-10 * np.abs(trace[:-1])).all()
    assert np.isfinite(selector.scores_).all()


def test_the_order_of_features_and_labels_does_not_matter(data, rng):
    plain = fit(RLEFS(max_iter=30, tol=0), data.X, data.Y)
    features, labels = rng.permutation(15), rng.permutation(7)
    moved = fit(RLEFS(max_iter=30, tol=0), data.X[:, features], data.Y[:, labels])
    np.testing.assert_allclose(moved.scores_, plain.scores_[features], rtol=1e-6)


def test_a_large_weight_makes_the_enhanced_labels_orthogonal(data):
    loose, tight = (
        fit(RLEFS(lam=lam, label_graph="printed"), data.X, data.Y).label_distribution_
        for lam in (0.1, 100.0)
    )
    off = [np.linalg.norm(F.T @ F - np.eye(7)) for F in (loose, tight)]
    assert off[1] < 0.2 < off[0]


def test_constant_labels_are_left_out(data):
    Y = np.column_stack([np.zeros(80), data.Y, np.ones(80)])
    with pytest.warns(UserWarning, match="2 of 9 labels"):
        padded = RLEFS().fit(data.X, Y)
    plain = fit(RLEFS(), data.X, data.Y)
    np.testing.assert_array_equal(padded.scores_, plain.scores_)
    assert not padded.label_distribution_[:, [0, 8]].any()
    assert not padded.label_graph_[[0, 8]].any()


def test_one_label_has_no_graph(data):
    with pytest.warns(UserWarning, match="label graph is empty"):
        selector = RLEFS().fit(data.X, data.Y[:, :1])
    assert not selector.label_graph_.any()


def test_negative_data_are_refused_with_the_remedy(data):
    with pytest.raises(ValueError, match=r"Negative values .*MinMaxScaler"):
        RLEFS().fit(-data.X, data.Y)


def test_too_few_iterations_are_told(data):
    with pytest.warns(ConvergenceWarning, match="max_iter=2 .* raise max_iter or tol"):
        RLEFS(max_iter=2, tol=1e-9).fit(data.X, data.Y)


@pytest.mark.parametrize("name", ["alpha", "beta", "gamma", "lam"])
def test_negative_weights_are_refused(data, name):
    with pytest.raises(ValueError, match=f"'{name}' parameter"):
        RLEFS(**{name: -1}).fit(data.X, data.Y)


@pytest.mark.parametrize("form", [sp.csr_array, sp.csc_array, sp.csr_matrix])
@pytest.mark.parametrize("n", [20, 50])
def test_sparse_rows_equal_the_dense_ones(rng, form, n):
    """With more than two features for a sample W is updated row by row."""
    X = rng.random((n, 45)) * (rng.random((n, 45)) < 0.3)
    X[:, 4], X[:, 9] = 0.0, X[:, 2]
    Y = (rng.random((n, 4)) < 0.4).astype(int)
    sparse, dense = (fit(RLEFS(max_iter=40), it, Y) for it in (form(X), X))
    np.testing.assert_array_equal(sparse.feature_order_[:20], dense.feature_order_[:20])
    np.testing.assert_allclose(sparse.scores_, dense.scores_, rtol=1e-10)
    np.testing.assert_allclose(sparse.objective_, dense.objective_, rtol=1e-12)
