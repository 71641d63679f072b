# SPDX-License-Identifier: BSD-3-Clause
import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.exceptions import ConvergenceWarning

from core.quiet import fit
from labelsift.datasets import make_planted
from labelsift.selection import CSFS, MIFS
from reference.armijo import ArmijoMIFS
from reference.mifs import alternate, heat_graph, objective

WELL_POSED = pytest.mark.parametrize("gauge", ["orthonormal", "ridge"])


@pytest.fixture(params=[(60, 12), (20, 50)], ids=["tall", "wide"])
def data(request):
    n, d = request.param
    return make_planted(n, d, 4, n_relevant=4, random_state=0)


def centred(data):
    return data.X - data.X.mean(axis=0), data.Y - data.Y.mean(axis=0)


def theta(selector, data, ridge=0.0):
    """The objective at a fitted point, by the reference."""
    X, Y = centred(data)
    return objective(
        X, Y, heat_graph(data.X, selector.n_neighbors), selector.coef_.T,
        selector.latent_labels_, selector.mixing_, selector.alpha, selector.beta,
        selector.gamma, ridge,
    )  # fmt: skip


@WELL_POSED
@pytest.mark.parametrize("n_latent", [2, 4])
def test_reaches_the_minimum_of_the_reference(data, gauge, n_latent):
    ridge = 1.0 if gauge == "ridge" else 0.0
    selector = fit(
        MIFS(gauge=gauge, n_latent=n_latent, tol=1e-10, max_iter=3000), data.X, data.Y
    )
    X, Y = centred(data)
    S = heat_graph(data.X, 5)
    B = np.linalg.svd(Y, full_matrices=False)[2][:n_latent]
    weights = (0.4, 1.0, 0.8, ridge)
    slow = objective(X, Y, S, *alternate(X, Y, S, B, *weights), *weights)
    assert selector.objective_[-1] <= slow * (1 + 1e-5)
    assert theta(selector, data, ridge) == pytest.approx(
        selector.objective_[-1], rel=1e-6
    )
    assert selector.kkt_residual_ < 1e-2


def test_elimination_and_blocks_agree(data, monkeypatch):
    whole = fit(MIFS(gamma=1.0, tol=1e-10), data.X, data.Y)
    monkeypatch.setattr("labelsift.selection.mifs._MODERATE", 0)
    blocks = fit(MIFS(gamma=1.0, tol=1e-11, max_iter=5000), data.X, data.Y)
    assert blocks.objective_[-1] == pytest.approx(whole.objective_[-1], rel=1e-5)
    np.testing.assert_allclose(blocks.scores_, whole.scores_, atol=0.02)


@WELL_POSED
@pytest.mark.parametrize("n_latent", [2, 4])
def test_gradient_steps_never_get_below_the_exact_blocks(data, gauge, n_latent):
    settings_ = {"gauge": gauge, "n_latent": n_latent}
    exact = fit(MIFS(**settings_, tol=1e-9, max_iter=3000), data.X, data.Y)
    steps = ArmijoMIFS(**settings_, tol=1e-9, max_iter=2000)
    armijo = fit(steps, data.X, data.Y)
    assert exact.objective_[-1] <= armijo.objective_[-1] * (1 + 1e-6)
    assert armijo.objective_[-1] <= exact.objective_[-1] * 1.05


@pytest.mark.parametrize("alpha", [0.4, 3.0])
def test_full_latent_space_without_graph_is_the_group_lasso(data, alpha):
    ours = fit(MIFS(alpha=alpha, beta=0.0, gamma=0.7, tol=1e-11), data.X, data.Y)
    lasso = fit(CSFS(gamma=0.7 * (1 + alpha) / alpha, tol=1e-12), data.X, data.Y)
    np.testing.assert_allclose(ours.coef_, lasso.coef_, atol=1e-6)
    np.testing.assert_array_equal(ours.feature_order_, lasso.feature_order_)


@settings(max_examples=40, deadline=None, derandomize=True)
@given(
    alpha=st.sampled_from([0.01, 0.4, 10.0]),
    beta=st.sampled_from([0.0, 1.0, 100.0]),
    gamma=st.sampled_from([0.01, 0.8, 20.0]),
    n_latent=st.integers(1, 4),
    kind=st.sampled_from(
        [
            (MIFS, "orthonormal"), (MIFS, "ridge"), (ArmijoMIFS, "orthonormal"),
            (ArmijoMIFS, "ridge"), (ArmijoMIFS, "printed"),
        ]
    ),
    wide=st.booleans(),
    seed=st.integers(0, 50),
)  # fmt: skip
def test_the_objective_never_rises(alpha, beta, gamma, n_latent, kind, wide, seed):
    data = make_planted(25, 60 if wide else 10, 4, n_relevant=3, random_state=seed)
    cls, gauge = kind
    selector = cls(
        alpha=alpha, beta=beta, gamma=gamma, n_latent=n_latent, gauge=gauge,
        max_iter=40, random_state=seed,
    )  # fmt: skip
    trace = fit(selector, data.X, data.Y).objective_
    assert (np.diff(trace) <= 1e-9 * np.abs(trace[:-1])).all()
    assert np.isfinite(selector.scores_).all()


def test_the_printed_objective_runs_away(data):
    """(tW, tV, B/t) lowers it without end; the gauges stop that."""
    few, many = (
        fit(ArmijoMIFS(tol=1e-12, max_iter=rounds), data.X, data.Y)
        for rounds in (100, 3000)
    )
    assert many.objective_[-1] < 0.8 * few.objective_[-1]
    assert np.abs(many.latent_labels_).max() < np.abs(few.latent_labels_).max()


def test_the_mixing_is_orthonormal(data):
    B = fit(MIFS(n_latent=2), data.X, data.Y).mixing_
    np.testing.assert_allclose(B @ B.T, np.eye(2), atol=1e-10)


@pytest.mark.parametrize("d", [20, 150])
def test_sparse_equals_dense_with_a_ridge(d):
    data = make_planted(60, d, 4, n_relevant=4, density=0.4, random_state=0)
    selector = MIFS(gauge="ridge", gamma=0.3, tol=1e-9)
    sparse = fit(selector, data.X, data.Y)
    scores = sparse.scores_.copy()
    dense = fit(selector, data.X.toarray(), data.Y)
    np.testing.assert_allclose(scores, dense.scores_, atol=2e-3)
    assert sparse.objective_[-1] == pytest.approx(dense.objective_[-1], rel=1e-6)


@pytest.mark.parametrize("n_latent", [2, 4])
@WELL_POSED
def test_the_order_of_features_and_labels_does_not_matter(data, rng, gauge, n_latent):
    selector = MIFS(gauge=gauge, n_latent=n_latent, tol=1e-10, max_iter=5000)
    plain = fit(selector, data.X, data.Y).scores_.copy()
    features = rng.permutation(data.X.shape[1])
    moved = fit(selector, data.X[:, features], data.Y[:, ::-1])
    np.testing.assert_allclose(moved.scores_, plain[features], atol=0.01)


def test_offsets_do_not_matter_and_scale_goes_with_gamma(data):
    plain = fit(MIFS(gamma=1.0, tol=1e-10), data.X, data.Y)
    moved = fit(MIFS(gamma=3.0, tol=1e-10), 3 * data.X + 10, data.Y)
    np.testing.assert_allclose(3 * moved.coef_, plain.coef_, atol=1e-4)


def test_a_path_equals_single_fits(data):
    grid = {"gamma": [3.0, 1.0, 0.3], "n_latent": [2, 4]}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        path = list(MIFS(3, tol=1e-10).fit_path(data.X, data.Y, grid))
    assert [set(point) for point, _ in path] == [{"gamma", "n_latent"}] * 6
    for point, model in path:
        single = fit(MIFS(3, tol=1e-10, **point), data.X, data.Y)
        np.testing.assert_allclose(model.coef_, single.coef_, atol=1e-4)
        assert model.get_params() == single.get_params()


def test_few_latent_labels_recover_planted_features():
    data = make_planted(
        400, 60, 6, n_relevant=6, label_rank=3, noise=0.1, random_state=3
    )
    selector = MIFS(6, gamma=10.0, n_latent=3).fit(data.X, data.Y)
    assert selector.support_[data.relevant].all()


def test_rows_without_weight_follow_by_their_products_with_the_residual(data):
    selector = fit(MIFS(2, gamma=1.5), data.X, data.Y)
    X, _ = centred(data)
    pull = np.linalg.norm(
        X.T @ (selector.latent_labels_ - X @ selector.coef_.T), axis=1
    )
    rest = selector.feature_order_[selector.n_weighted_ :]
    assert 0 < len(rest) < data.X.shape[1]
    assert (np.diff(pull[rest]) <= 1e-9).all()
    with pytest.warns(UserWarning, match="lower gamma"):
        selector.with_budget(selector.n_weighted_ + 1)


def test_labels_of_one_value_are_left_out(data):
    Y = np.column_stack([np.ones(len(data.Y)), data.Y])
    with pytest.warns(UserWarning, match="1 of 5 labels"):
        padded = MIFS().fit(data.X, Y)
    np.testing.assert_array_equal(padded.scores_, fit(MIFS(), data.X, data.Y).scores_)
    assert not padded.mixing_[:, 0].any()


def test_a_seed_makes_a_random_start_repeatable(data):
    one, same = (
        fit(MIFS(n_latent=2, random_state=3), data.X, data.Y) for _ in range(2)
    )
    np.testing.assert_array_equal(one.scores_, same.scores_)


def test_more_latent_labels_than_labels_are_refused(data):
    with pytest.raises(ValueError, match="n_latent=5 is more than the 4 labels"):
        MIFS(n_latent=5).fit(data.X, data.Y)


def test_the_printed_gauge_is_refused(data):
    with pytest.raises(ValueError, match=r"among {.*}. Got 'printed'"):
        MIFS(gauge="printed").fit(data.X, data.Y)


def test_too_many_neighbours_are_refused(data):
    with pytest.raises(ValueError, match=r"n_neighbors=60 must be less"):
        MIFS(n_neighbors=60).fit(data.X[:60], data.Y[:60])


@pytest.mark.parametrize("params", [{"gauge": "ridge"}, {"n_latent": 2}])
def test_too_few_rounds_are_told(data, params):
    with pytest.warns(ConvergenceWarning, match="max_iter=2 .* raise max_iter or tol"):
        MIFS(max_iter=2, gamma=0.01, **params).fit(data.X, data.Y)


def test_only_sparse_data_of_many_features_takes_wide_rounds(monkeypatch):
    def never(*_):
        raise AssertionError

    data = make_planted(40, 5000, 3, n_relevant=4, density=0.02, random_state=0)
    wide = fit(MIFS(5, gamma=0.3, tol=1e-7), data.X, data.Y)
    monkeypatch.setattr("labelsift.selection.mifs.WideRounds", never)
    fit(MIFS(5, gamma=0.3, max_iter=3), data.X.toarray(), data.Y)
    fit(MIFS(5, gamma=0.3, max_iter=3), data.X[:, :4000], data.Y)
    with pytest.raises(AssertionError):
        MIFS(5).fit(data.X, data.Y)
    monkeypatch.setattr("labelsift.selection.mifs._wide_rounds", lambda _: None)
    plain = fit(MIFS(5, gamma=0.3, tol=1e-7), data.X, data.Y)
    np.testing.assert_array_equal(wide.feature_order_, plain.feature_order_)
    np.testing.assert_allclose(wide.scores_, plain.scores_, atol=1e-9)
