# SPDX-License-Identifier: BSD-3-Clause

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import MultiTaskLasso

from core.quiet import fit
from labelsift.datasets import make_planted
from labelsift.selection import CSFS
from reference.csfs import objective, reweighted


@pytest.fixture(params=[(80, 15), (20, 40)], ids=["tall", "wide"])
def data(request):
    n, d = request.param
    return make_planted(n, d, 5, n_relevant=4, random_state=0)


@pytest.fixture
def half(data):
    """Labels of which every second row is missing."""
    Y = data.Y.astype(float)
    Y[1::2] = np.nan
    return Y


@pytest.mark.parametrize("gamma", [0.3, 3.0])
def test_equals_the_reference(data, gamma):
    selector = fit(CSFS(gamma=gamma, tol=1e-12), data.X, data.Y)
    W, b, F = reweighted(data.X, data.Y.astype(float), gamma, 1500)
    np.testing.assert_allclose(selector.coef_.T, W, atol=1e-3)
    np.testing.assert_allclose(selector.intercept_, b, atol=1e-3)
    slow = objective(data.X, F, W, b, gamma)
    assert selector.objective_[-1] <= slow * (1 + 1e-9)
    np.testing.assert_array_equal(selector.soft_labels_, data.Y)


@pytest.mark.parametrize("gamma", [0.3, 3.0])
def test_unlabelled_rows_equal_the_reference(data, half, gamma):
    selector = fit(CSFS(gamma=gamma, tol=1e-9), data.X, half)
    W, b, F = reweighted(data.X, half, gamma, 3000)
    slow = objective(data.X, F, W, b, gamma)
    ours = objective(
        data.X, selector.soft_labels_, selector.coef_.T, selector.intercept_, gamma
    )
    assert ours == pytest.approx(selector.objective_[-1], rel=1e-6)
    assert ours <= slow * (1 + 1e-4)
    labelled = ~np.isnan(half[:, 0])
    np.testing.assert_array_equal(selector.soft_labels_[labelled], half[labelled])
    assert selector.soft_labels_.min() >= 0
    assert selector.soft_labels_.max() <= 1


def test_equals_scikit_learn_s_multi_task_lasso(data):
    gamma = 2.0
    lasso = MultiTaskLasso(gamma / 2 / len(data.X), tol=1e-12, max_iter=10**5)
    lasso.fit(data.X, data.Y.astype(float))
    selector = fit(CSFS(gamma=gamma, tol=1e-12), data.X, data.Y)
    np.testing.assert_allclose(selector.coef_, lasso.coef_, atol=1e-5)
    np.testing.assert_allclose(selector.intercept_, lasso.intercept_, atol=1e-5)
    np.testing.assert_array_equal(
        selector.coef_.any(axis=0), np.abs(lasso.coef_).max(axis=0) > 1e-7
    )


@settings(max_examples=30, deadline=None, derandomize=True)
@given(
    gamma=st.sampled_from([0.01, 0.5, 5.0, 1e3]),
    share=st.sampled_from([0.0, 0.3, 0.8]),
    seed=st.integers(0, 100),
)
def test_the_objective_never_rises(gamma, share, seed):
    data = make_planted(40, 12, 4, n_relevant=3, random_state=seed)
    Y = data.Y.astype(float)
    Y[: int(share * 40)] = np.nan
    Y[-2:] = np.array([[0] * 4, [1] * 4])  # every label has both values
    trace = fit(CSFS(gamma=gamma, tol=1e-8, max_iter=300), data.X, Y).objective_
    assert (np.diff(trace) <= 1e-7 * trace[:-1] + 1e-12).all()


def test_the_optimality_conditions_hold(data):
    gamma = 2.0
    selector = fit(CSFS(gamma=gamma, tol=1e-12), data.X, data.Y)
    W = selector.coef_.T
    R = data.Y - data.X @ W - selector.intercept_
    np.testing.assert_allclose(R.mean(axis=0), 0, atol=1e-10)
    pull = 2 * data.X.T @ R
    norms = np.linalg.norm(W, axis=1)
    used = norms > 0
    np.testing.assert_allclose(
        pull[used], gamma * W[used] / norms[used, None], atol=1e-3
    )
    assert (np.linalg.norm(pull[~used], axis=1) <= gamma * (1 + 1e-6)).all()
    order = selector.feature_order_[selector.n_weighted_ :]
    strength = np.linalg.norm(pull, axis=1)[order]
    assert (np.diff(strength) <= 1e-9).all()


def test_sparse_equals_dense_with_unlabelled_rows():
    data = make_planted(60, 80, 5, n_relevant=4, density=0.3, random_state=0)
    Y = data.Y.astype(float)
    Y[:20] = np.nan
    sparse = fit(CSFS(tol=1e-9), data.X, Y)
    dense = fit(CSFS(tol=1e-9), data.X.toarray(), Y)
    np.testing.assert_allclose(sparse.coef_, dense.coef_, atol=1e-4)
    np.testing.assert_allclose(sparse.soft_labels_, dense.soft_labels_, atol=1e-3)


def test_offsets_do_not_matter_and_scale_goes_with_gamma(data):
    plain = fit(CSFS(gamma=2.0, tol=1e-10), data.X, data.Y)
    moved = fit(CSFS(gamma=6.0, tol=1e-10), 3 * data.X + 50, data.Y)
    np.testing.assert_allclose(3 * moved.coef_, plain.coef_, atol=1e-4)


@pytest.mark.parametrize("form", [sp.csr_array, sp.csc_array])
def test_sparse_samples_in_single_precision_reach_the_tolerance(rng, form):
    """Column means rounded to float32 would leave a gap that no sweep can close."""
    X = form(rng.random((3000, 12)) < 0.7, dtype=np.float32)
    Y = (X.toarray()[:, :4] + rng.random((3000, 4)) > 1.2).astype(int)
    selector = fit(CSFS(gamma=5.0, tol=1e-9), X, Y)
    F = Y - Y.mean(axis=0)
    assert selector.duality_gap_ <= 1e-9 * np.vdot(F, F)
    assert selector.n_iter_ < 200
    exact = fit(CSFS(gamma=5.0, tol=1e-9), X.astype(np.float64), Y)
    np.testing.assert_allclose(selector.coef_, exact.coef_, rtol=0, atol=1e-6)


def test_the_order_of_features_and_labels_does_not_matter(data, rng):
    features = rng.permutation(data.X.shape[1])
    plain = fit(CSFS(gamma=2.0, tol=1e-10), data.X, data.Y)
    moved = fit(CSFS(gamma=2.0, tol=1e-10), data.X[:, features], data.Y[:, ::-1])
    np.testing.assert_allclose(
        moved.coef_, plain.coef_[::-1][:, features], rtol=0, atol=1e-4
    )


def test_recovers_planted_features_with_unlabelled_rows():
    data = make_planted(500, 60, 6, n_relevant=6, noise=0.1, random_state=3)
    Y = data.Y.astype(float)
    Y[100:] = np.nan
    assert CSFS(6, gamma=20.0).fit(data.X, Y).support_[data.relevant].all()


def test_labels_of_one_value_are_left_out(data, half):
    for Y in (data.Y, half):
        ones = np.where(np.isnan(Y[:, 0]), np.nan, 1.0)
        with pytest.warns(UserWarning, match="1 of 6 labels"):
            padded = CSFS().fit(data.X, np.column_stack([ones, Y]))
        plain = fit(CSFS(), data.X, Y)
        np.testing.assert_array_equal(padded.scores_, plain.scores_)
        assert not padded.coef_[0].any()
        assert (padded.soft_labels_[:, 0] == 1).all()
        assert padded.intercept_[0] == 1


def test_partly_labelled_rows_are_refused(data, half):
    half[1, 0] = 1.0
    with pytest.raises(ValueError, match="Row 1 of Y has some labels NaN"):
        CSFS().fit(data.X, half)


def test_labels_that_are_all_missing_are_refused(data):
    with pytest.raises(ValueError, match="All rows of Y are NaN"):
        CSFS().fit(data.X, np.full(data.Y.shape, np.nan))


def test_too_few_sweeps_are_told(data, half):
    with pytest.warns(ConvergenceWarning, match="max_iter=1 .* raise max_iter"):
        CSFS(max_iter=1, gamma=0.1).fit(data.X, data.Y)
    with pytest.warns(ConvergenceWarning, match="max_iter=1 .* raise max_iter"):
        CSFS(max_iter=1, gamma=0.1).fit(data.X, half)
