# SPDX-License-Identifier: BSD-3-Clause
import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import Lasso
from sklearn.preprocessing import scale

from core.quiet import fit
from labelsift.datasets import make_planted
from labelsift.selection import CSFS, RFSFS
from labelsift.selection.rfsfs import FlexibleRegression
from reference.rfsfs import cosines, minimise, multiplicative, objective

PENALTIES = pytest.mark.parametrize("penalty", ["l1", "l21"])
EXACT = {"tol": 1e-12, "max_iter": 20_000}


@pytest.fixture
def data():
    planted = make_planted(80, 12, 4, n_relevant=4, random_state=0)
    return planted.X, planted.Y.astype(float)


def centred(X, Y):
    return X - X.mean(axis=0), Y - Y.mean(axis=0)


@PENALTIES
@pytest.mark.parametrize("weights", [(0.1, 0.1, 0.1), (20.0, 5.0, 3.0), (0, 30.0, 0)])
def test_reaches_the_minimum_of_the_reference(data, penalty, weights):
    X, Y = data
    alpha, beta, gamma = weights
    Xc, Yc = centred(X, Y)
    assert np.linalg.eigvalsh(Xc.T @ Xc)[0] > gamma  # convex: one minimum
    slow = minimise(Xc, Yc, cosines(Y), *weights, penalty)
    selector = RFSFS(alpha=alpha, beta=beta, gamma=gamma, penalty=penalty, **EXACT)
    W = fit(selector, X, Y).coef_.T
    expected = objective(Xc, Yc, cosines(Y), slow, *weights, penalty)
    assert selector.objective_[-1] <= expected * (1 + 1e-9)
    np.testing.assert_allclose(W, slow, atol=1e-3 * W.max())
    assert objective(Xc, Yc, cosines(Y), W, *weights, penalty) == pytest.approx(
        selector.objective_[-1], rel=1e-10
    )


@PENALTIES
@pytest.mark.parametrize("form", [np.asarray, sp.csr_array])
def test_is_not_above_the_published_update_where_the_problem_is_convex(form, penalty):
    data = make_planted(60, 10, 4, n_relevant=4, density=0.6, random_state=1)
    X, Y = data.X.toarray(), data.Y.astype(float)
    assert X.min() >= 0
    weights = (2.0, 1.0, 0.9 * np.linalg.eigvalsh(X.T @ X)[0])
    W = np.ones((10, 4))
    for _ in range(3000):
        W = multiplicative(X, Y, cosines(Y), W, *weights, penalty)
    published = objective(X, Y, cosines(Y), W, *weights, penalty)
    names = dict(zip(("alpha", "beta", "gamma"), weights, strict=True))
    selector = RFSFS(**names, penalty=penalty, center=False, tol=1e-10, max_iter=10_000)
    found = fit(selector, form(X), Y).objective_[-1]
    assert found <= published * (1 + 1e-12)
    assert published == pytest.approx(found, rel=1e-3)


@PENALTIES
def test_the_published_update_is_that_of_the_reference(penalty):
    data = make_planted(60, 10, 4, n_relevant=4, density=0.6, random_state=1)
    X, Y = data.X.toarray(), data.Y.astype(float)
    W = np.ones((10, 4))
    W *= np.vdot(X @ W, Y) / np.vdot(X @ W, X @ W)
    for _ in range(7):
        W = multiplicative(X, Y, cosines(Y), W, 0.5, 1.0, 0.2, penalty)
    selector = RFSFS(
        alpha=0.5, beta=1.0, gamma=0.2, penalty=penalty, center=False,
        solver="multiplicative", tol=0, max_iter=7,
    )  # fmt: skip
    for form in (np.asarray, sp.csr_array):
        found = fit(selector, form(X), Y)
        np.testing.assert_allclose(found.coef_.T, W, rtol=1e-9)
    expected = objective(X, Y, cosines(Y), W, 0.5, 1.0, 0.2, penalty)
    assert found.objective_[-1] == pytest.approx(expected)
    assert (np.diff(found.objective_) <= 1e-9).all()


def test_one_label_without_graph_and_redundancy_is_the_positive_lasso(data):
    X, Y = data
    for beta in (1.0, 20.0):
        lasso = Lasso(beta / (2 * len(X)), positive=True, tol=1e-12, max_iter=10**5)
        selector = RFSFS(alpha=0, beta=beta, gamma=0, **EXACT)
        for label in range(4):
            y = Y[:, [label]]
            found = fit(selector, X, y).coef_[0]
            np.testing.assert_allclose(found, lasso.fit(X, y[:, 0]).coef_, atol=1e-6)


def test_rows_without_graph_and_redundancy_are_the_group_lasso_where_it_is_positive(
    rng,
):
    X = rng.normal(size=(200, 6))
    Y = (X @ rng.uniform(0.5, 1, size=(6, 3)) + rng.normal(size=(200, 3)) > 0).astype(
        int
    )
    lasso = fit(CSFS(gamma=20.0, tol=1e-12), X, Y)
    assert lasso.coef_.min() > 0
    selector = RFSFS(alpha=0, beta=20.0, gamma=0, penalty="l21", **EXACT)
    np.testing.assert_allclose(fit(selector, X, Y).coef_, lasso.coef_, atol=1e-6)


@settings(max_examples=40, deadline=None, derandomize=True)
@given(
    alpha=st.sampled_from([0.0, 0.1, 100.0]),
    beta=st.sampled_from([0.0, 0.1, 20.0]),
    gamma=st.sampled_from([0.0, 0.1, 50.0]),
    penalty=st.sampled_from(["l1", "l21"]),
    center=st.booleans(),
    wide=st.booleans(),
    as_sparse=st.booleans(),
    seed=st.integers(0, 50),
)
def test_the_objective_never_rises_and_weights_are_not_negative(
    alpha, beta, gamma, penalty, center, wide, as_sparse, seed
):
    data = make_planted(25, 60 if wide else 10, 4, n_relevant=3, random_state=seed)
    selector = RFSFS(
        alpha=alpha, beta=beta, gamma=gamma, penalty=penalty, center=center, max_iter=30
    )
    fit(selector, sp.csr_array(data.X) if as_sparse else data.X, data.Y)
    trace = selector.objective_
    assert (np.diff(trace) <= 1e-9 * np.abs(trace[:-1])).all()
    assert selector.coef_.min() >= 0
    assert np.isfinite(selector.scores_).all()


@PENALTIES
def test_weights_scale_with_the_labels(data, penalty):
    X, Y = data
    W = []
    for scale_ in (1.0, 3.0):
        Yc = scale_ * (Y - Y.mean(axis=0))
        problem = FlexibleRegression(
            X, Yc, cosines(Y), (0.3, 4.0 * scale_, 0.2),
            by_norm=penalty == "l21", center=True,
        )  # fmt: skip
        W.append(problem.descend(1e-13, 10_000).solution)
    np.testing.assert_allclose(W[1], 3 * W[0], atol=1e-6)


@PENALTIES
def test_no_feature_has_weight_from_the_largest_beta_on(data, penalty):
    largest = fit(RFSFS(penalty=penalty), *data).beta_max_
    at = fit(RFSFS(penalty=penalty, beta=1.001 * largest), *data)
    below = fit(RFSFS(penalty=penalty, beta=0.99 * largest), *data)
    assert at.n_weighted_ == 0
    assert below.n_weighted_ > 0


def test_redundancy_keeps_features_from_serving_the_same_label(data):
    X, Y = data

    def shared(gamma):
        W = fit(RFSFS(gamma=gamma, **EXACT), X, Y).coef_
        return np.sum(W.sum(axis=1) ** 2 - (W**2).sum(axis=1))

    assert shared(20.0) < 0.7 * shared(0.0)


def test_a_heavy_label_graph_makes_weights_of_labels_alike(data):
    X, Y = data
    light, heavy = (fit(RFSFS(alpha=alpha), X, Y).coef_ for alpha in (0.0, 1e4))
    assert np.ptp(heavy, axis=0).max() < 0.05 * np.ptp(light, axis=0).max()


def test_a_feature_whose_absence_tells_a_label_has_no_weight(rng):
    X = rng.normal(size=(200, 3))
    Y = np.column_stack([X[:, 0] > 0, X[:, 1] < 0]).astype(int)
    selector = fit(RFSFS(beta=20.0), X, Y)
    assert selector.coef_[:, 0].max() > 0
    assert selector.coef_[:, 1].max() == 0
    np.testing.assert_array_equal(selector.feature_order_, [0, 1, 2])


def test_the_order_of_anything_does_not_matter(data, rng):
    X, Y = data
    selector = RFSFS(beta=5.0, **EXACT)
    plain = fit(selector, X, Y).scores_.copy()
    features, rows = rng.permutation(X.shape[1]), rng.permutation(len(X))
    moved = fit(selector, X[rows][:, features], Y[rows][:, ::-1])
    np.testing.assert_allclose(moved.scores_, plain[features], atol=1e-5)


@pytest.mark.parametrize(
    ("X", "center", "told"),
    [([[1.0], [2], [3]], True, "center=True"), ([[-1.0], [2], [3]], False, "holds -1")],
)
def test_the_published_update_refuses_what_it_cannot_do(X, center, told):
    selector = RFSFS(solver="multiplicative", center=center)
    with pytest.raises(ValueError, match=rf"needs X >= 0 .* {told}.*solver='coord"):
        selector.fit(X, [[0], [1], [0]])


def test_too_few_sweeps_are_told(data):
    with pytest.warns(ConvergenceWarning, match="max_iter=2 .* raise max_iter or tol"):
        RFSFS(max_iter=2).fit(*data)


def test_calibration(real):
    """Objectives measured with other programs, to their digits."""
    data = real("emotions")
    X, Y = scale(data.X[data.train_idx]), data.Y[data.train_idx]
    entries = fit(RFSFS(8, tol=1e-10), X, Y)
    assert entries.objective_[-1] == pytest.approx(338.1486, abs=5e-5)
    assert entries.feature_order_[:8].tolist() == [3, 4, 47, 5, 6, 69, 7, 1]
    rows = fit(RFSFS(8, penalty="l21", tol=1e-10), X, Y)
    assert rows.objective_[-1] <= 337.9908
    assert rows.objective_[-1] == pytest.approx(337.9908, abs=5e-5)
