# SPDX-License-Identifier: BSD-3-Clause
"""Ridge read-outs of labels and values, weighted and partly unknown."""

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.linear_model import Ridge

from labelsift.classification import BinaryRidge, MultiTargetRidge
from labelsift.datasets import make_planted
from labelsift.solvers.ridge import path
from reference.ridge import known_ridge, ridge


@pytest.fixture(params=[(60, 8), (15, 40)], ids=str)
def planted(request):
    n, d = request.param
    return make_planted(n, d, 4, n_relevant=4, random_state=1)


@pytest.mark.parametrize("alpha", [0.01, 1.0, 50.0])
def test_ridge_solves_the_normal_equations(planted, alpha):
    model = BinaryRidge(alpha).fit(planted.X, planted.Y)
    for label in range(4):
        coef, intercept = ridge(planted.X, planted.Y[:, label], alpha)
        np.testing.assert_allclose(model.coef_[label], coef, atol=1e-9)
        np.testing.assert_allclose(model.intercept_[label], intercept, atol=1e-9)


def test_ridge_is_scikit_learns_ridge_on_signs(real):
    emotions = real("emotions")
    model = BinaryRidge(2.0).fit(emotions.X, emotions.Y)
    expected = Ridge(2.0).fit(emotions.X, 2.0 * emotions.Y - 1)
    scores = expected.predict(emotions.X)
    np.testing.assert_allclose(model.decision_function(emotions.X), scores, atol=1e-8)


def test_ridge_path_equals_single_fits(planted):
    grid = {"alpha": [0.1, 10.0]}
    base = BinaryRidge()
    path = list(base.fit_path(planted.X, planted.Y, grid))
    assert [params for params, _ in path] == [{"alpha": 0.1}, {"alpha": 10.0}]
    assert not hasattr(base, "coef_")
    for params, fitted in path:
        alone = BinaryRidge(**params).fit(planted.X, planted.Y)
        assert fitted.alpha == params["alpha"]
        np.testing.assert_allclose(
            fitted.decision_function(planted.X),
            alone.decision_function(planted.X),
            atol=1e-9,
        )


def test_ridge_path_refuses_a_bad_grid(planted):
    with pytest.raises(ValueError, match="'alpha' parameter of BinaryRidge"):
        next(BinaryRidge().fit_path(planted.X, planted.Y, {"alpha": [-1.0]}))


@pytest.fixture(params=[(50, 8), (20, 40)], ids=["tall", "wide"])
def data(request):
    n, d = request.param
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n, d)) * (rng.random((n, d)) < 0.6) + 0.1
    Y = X[:, :4] @ rng.normal(size=(4, 4)) + rng.normal(size=(n, 4))
    Y[rng.random(Y.shape) < 0.25] = np.nan
    return X, Y


@pytest.mark.parametrize("form", [np.asarray, sp.csr_array, sp.csc_array])
@pytest.mark.parametrize("weighted", [False, True])
def test_each_target_is_fitted_to_its_known_rows(data, form, weighted):
    X, Y = data
    weights = np.linspace(0.3, 3, len(X)) if weighted else np.ones(len(X))
    for model, given, codes in (
        (MultiTargetRidge(0.7), Y, Y),
        (BinaryRidge(0.7), np.where(np.isnan(Y), np.nan, Y > 0), np.sign(Y)),
    ):
        model.fit(form(X), given, sample_weight=weights)
        coef, intercept = known_ridge(X, codes, weights, 0.7)
        np.testing.assert_allclose(model.coef_, coef, rtol=1e-8, atol=1e-10)
        np.testing.assert_allclose(model.intercept_, intercept, rtol=1e-8, atol=1e-10)


def test_targets_without_any_known_row_score_0(data):
    X, Y = data
    Y = np.column_stack([Y, np.full(len(Y), np.nan)])
    with pytest.warns(UserWarning, match="1 of 5 targets hold one value only"):
        model = MultiTargetRidge().fit(X, Y)
    np.testing.assert_array_equal(model.predict(X)[:, 4], 0)


def test_a_path_serves_targets_with_gaps(data):
    X, Y = data
    for params, fitted in MultiTargetRidge().fit_path(X, Y, {"alpha": [0.1, 5.0]}):
        alone = MultiTargetRidge(**params).fit(X, Y)
        np.testing.assert_allclose(fitted.coef_, alone.coef_, rtol=1e-8)


def test_values_keep_their_scale_and_labels_their_coding(data):
    X, Y = data
    Y = np.nan_to_num(Y)
    theirs = Ridge(1.0).fit(X, 1e3 * Y)
    np.testing.assert_allclose(
        MultiTargetRidge().fit(X, 1e3 * Y).predict(X), theirs.predict(X), rtol=1e-8
    )
    labels = np.where(Y > 0, 1, -1)
    assert set(np.unique(BinaryRidge().fit(X, labels).predict(X))) == {-1, 1}


def test_weights_reach_the_solver_without_a_gram_matrix(data, monkeypatch):
    X, Y = data
    Y, weights = np.nan_to_num(Y), np.linspace(0.3, 3, len(X))
    expected = MultiTargetRidge(0.7).fit(X, Y, sample_weight=weights)
    monkeypatch.setattr(path, "_LARGEST_GRAM", 0)
    model = MultiTargetRidge(0.7).fit(sp.csr_array(X), Y, sample_weight=weights)
    np.testing.assert_allclose(model.coef_, expected.coef_, atol=1e-6)
