# SPDX-License-Identifier: BSD-3-Clause
import warnings

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.exceptions import ConvergenceWarning
from sklearn.preprocessing import scale

from core.quiet import fit
from labelsift.datasets import make_planted
from labelsift.selection import CSFS, MDFS, MIFS
from reference.mdfs import alternate, cosine_graph, objective, unit_graph


@pytest.fixture(params=[(60, 12), (20, 50)], ids=["tall", "wide"])
def data(request):
    n, d = request.param
    return make_planted(n, d, 4, n_relevant=4, random_state=0)


@pytest.mark.parametrize("weights", [(1, 1, 1.0), (0.3, 2, 0.5), (10, 0.1, 5.0)])
def test_is_not_above_a_slow_alternation(data, weights):
    alpha, beta, gamma = weights
    graphs = unit_graph(data.X, 5), cosine_graph(data.Y)
    selector = fit(MDFS(alpha=alpha, beta=beta, gamma=gamma, tol=1e-11), data.X, data.Y)
    W, F = alternate(data.X, data.Y, *graphs, *weights)
    slow = objective(data.X, data.Y, *graphs, W, F, *weights)
    assert selector.objective_[-1] <= slow * (1 + 1e-7)
    found = selector.coef_.T, selector.pseudo_labels_
    assert objective(data.X, data.Y, *graphs, *found, *weights) == pytest.approx(
        selector.objective_[-1], rel=1e-8
    )
    assert slow <= selector.objective_[-1] * (1 + 1e-4)
    assert selector.kkt_residual_ < 1e-3


@pytest.mark.parametrize("alpha", [0.4, 3.0])
def test_without_graphs_it_is_the_group_lasso(data, alpha):
    ours = MDFS(alpha=alpha, beta=0.0, gamma=0.7, n_neighbors=0, tol=1e-12)
    lasso = CSFS(gamma=2 * 0.7 / alpha, tol=1e-12)
    ours, lasso = fit(ours, data.X, data.Y), fit(lasso, data.X, data.Y)
    np.testing.assert_allclose(ours.coef_, lasso.coef_, atol=1e-6)
    assert ours.objective_[-1] == pytest.approx(alpha / 2 * lasso.objective_[-1])


@pytest.mark.parametrize("alpha", [0.4, 3.0])
def test_without_label_graph_it_is_mifs(data, alpha):
    ours = MDFS(alpha=alpha, beta=0.0, gamma=0.7, bandwidth="auto", tol=1e-12)
    mifs = MIFS(alpha=1.0, beta=1 / alpha, gamma=0.7 / alpha, tol=1e-12)
    ours, mifs = fit(ours, data.X, data.Y), fit(mifs, data.X, data.Y)
    np.testing.assert_allclose(ours.coef_, mifs.coef_, atol=1e-5)
    assert ours.objective_[-1] == pytest.approx(alpha * mifs.objective_[-1], rel=1e-9)
    mean = data.Y.mean(axis=0)
    np.testing.assert_allclose(
        ours.pseudo_labels_, mifs.latent_labels_ + mean, atol=1e-5
    )


def test_the_complete_graph_is_the_same_whatever_the_labels_are(data):
    selector = MDFS(label_graph="complete", tol=1e-11)
    selector = fit(selector, data.X, data.Y)
    graphs = unit_graph(data.X, 5), np.ones((4, 4))
    found = selector.coef_.T, selector.pseudo_labels_
    expected = objective(data.X, data.Y, *graphs, *found, 1, 1, 1)
    assert selector.objective_[-1] == pytest.approx(expected, rel=1e-8)
    cosine = fit(MDFS(tol=1e-11), data.X, data.Y)
    assert np.abs(selector.pseudo_labels_ - cosine.pseudo_labels_).max() > 1e-3


@settings(max_examples=30, deadline=None, derandomize=True)
@given(
    alpha=st.sampled_from([0.01, 1.0, 100.0]),
    beta=st.sampled_from([0.0, 1.0, 100.0]),
    gamma=st.sampled_from([0.01, 0.8, 20.0]),
    n_neighbors=st.sampled_from([0, 1, 5]),
    wide=st.booleans(),
    seed=st.integers(0, 50),
)
def test_the_objective_never_rises(alpha, beta, gamma, n_neighbors, wide, seed):
    data = make_planted(25, 60 if wide else 10, 4, n_relevant=3, random_state=seed)
    selector = MDFS(
        alpha=alpha, beta=beta, gamma=gamma, n_neighbors=n_neighbors, max_iter=40
    )
    trace = fit(selector, data.X, data.Y).objective_
    assert (np.diff(trace) <= 1e-9 * np.abs(trace[:-1])).all()
    assert np.isfinite(selector.scores_).all()


@pytest.mark.parametrize("weights", [(1, 1), (0.2, 3), (5, 0.1)])
def test_no_feature_has_weight_from_the_largest_gamma_on(data, weights):
    alpha, beta = weights
    largest = fit(MDFS(alpha=alpha, beta=beta), data.X, data.Y).gamma_max_
    at = fit(MDFS(alpha=alpha, beta=beta, gamma=1.001 * largest), data.X, data.Y)
    below = fit(MDFS(alpha=alpha, beta=beta, gamma=0.99 * largest), data.X, data.Y)
    assert at.n_weighted_ == 0
    assert below.n_weighted_ > 0
    plain = MDFS(alpha=alpha, beta=0.0, n_neighbors=0)
    products = (data.X - data.X.mean(axis=0)).T @ (data.Y - data.Y.mean(axis=0))
    assert fit(plain, data.X, data.Y).gamma_max_ == pytest.approx(
        alpha * np.linalg.norm(products, axis=1).max()
    )


def test_graphs_smooth_pseudo_labels(data):
    """A heavy label graph makes the labels of a row alike."""
    light, heavy = (
        fit(MDFS(beta=beta), data.X, data.Y).pseudo_labels_ for beta in (0.01, 100.0)
    )
    assert np.ptp(heavy, axis=1).mean() < 0.1 * np.ptp(light, axis=1).mean()


def test_the_order_of_anything_does_not_matter(data, rng):
    selector = MDFS(tol=1e-11)
    plain = fit(selector, data.X, data.Y).scores_.copy()
    features, rows = rng.permutation(data.X.shape[1]), rng.permutation(len(data.X))
    moved = fit(selector, data.X[rows][:, features], data.Y[rows][:, ::-1])
    np.testing.assert_allclose(moved.scores_, plain[features], atol=1e-4)


def test_offsets_do_not_matter_and_scale_goes_with_gamma(data):
    plain = fit(MDFS(gamma=1.0, tol=1e-11), data.X, data.Y)
    moved = fit(MDFS(gamma=3.0, tol=1e-11), 3 * data.X + 10, data.Y)
    np.testing.assert_allclose(3 * moved.coef_, plain.coef_, atol=1e-4)


@pytest.mark.parametrize("form", [np.asarray, sp.csr_array])
def test_a_path_equals_single_fits(form):
    data = make_planted(60, 20, 4, n_relevant=4, density=0.5, random_state=0)
    X = form(data.X.toarray())
    grid = {"alpha": [0.5, 2.0], "beta": [0, 1.0], "gamma": [1.0, 0.1]}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        path = list(MDFS(3, tol=1e-11).fit_path(X, data.Y, grid))
    assert len(path) == 8
    for point, model in path:
        single = fit(MDFS(3, tol=1e-11, **point), X, data.Y)
        np.testing.assert_allclose(model.coef_, single.coef_, atol=1e-4)
        assert model.objective_[-1] == pytest.approx(single.objective_[-1], rel=1e-9)
        assert model.get_params() == single.get_params()


def test_labels_of_one_value_keep_it(data):
    Y = np.column_stack([np.ones(len(data.Y)), data.Y])
    with pytest.warns(UserWarning, match="1 of 5 labels"):
        padded = MDFS().fit(data.X, Y)
    np.testing.assert_array_equal(padded.pseudo_labels_[:, 0], 1)
    assert not padded.coef_[0].any()
    plain = fit(MDFS(), data.X, data.Y)
    np.testing.assert_array_equal(padded.pseudo_labels_[:, 1:], plain.pseudo_labels_)


def test_too_few_rounds_are_told(data):
    with pytest.warns(ConvergenceWarning, match="max_iter=2 .* raise max_iter or tol"):
        MDFS(max_iter=2, gamma=0.01).fit(data.X, data.Y)


def test_calibration(real):
    """The objective of a slow alternation, to its digits, and its first features."""
    data = real("emotions")
    X, Y = scale(data.X[data.train_idx]), data.Y[data.train_idx]
    selector = fit(MDFS(8, gamma=17.174567), X, Y)
    assert selector.objective_[-1] <= 366.6089
    assert selector.objective_[-1] == pytest.approx(366.6089, rel=2e-6)
    assert selector.feature_order_[:8].tolist() == [4, 3, 57, 46, 17, 1, 2, 44]
    plain = fit(MDFS(8, beta=0, n_neighbors=0), X, Y)
    assert plain.gamma_max_ == pytest.approx(171.74567, rel=1e-7)
