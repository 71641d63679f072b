# SPDX-License-Identifier: BSD-3-Clause
import warnings

import numpy as np
import pytest
import scipy.sparse as sp
from scipy.linalg import solve_sylvester

from labelsift.selection import GRRO
from reference.grro import grro, matrices
from reference.information import coded_data, halves

VARIED = [0, 1, 2, 3, 5, 6, 7, 8]  # 4 is constant


def fit(codes, Y, **parameters):
    """Without warnings: of no minimum, of labels with one value."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return GRRO(discretize=None, **parameters).fit(codes, Y)


@pytest.mark.parametrize("weights", [(100.0, 0.1), (0.0, 0.0), (1.0, 0.0), (0.3, 0.3)])
@pytest.mark.parametrize("label_density", [0.15, 0.6])
@pytest.mark.parametrize("n_bins", [2, 3, 5])
def test_equals_the_reference(rng, n_bins, label_density, weights):
    alpha, beta = weights
    codes, Y = coded_data(rng, n_bins, label_density)
    P, Q, D = matrices(codes[:, VARIED], Y)
    for form in (np.asarray, sp.csr_array):
        selector = fit(form(codes), Y, alpha=alpha, beta=beta)
        W = grro(P, Q, D, alpha, beta, selector.shift_)
        np.testing.assert_allclose(selector.coef_[:, VARIED], W.T, atol=1e-9)
        np.testing.assert_allclose(selector.scores_[VARIED], W.sum(axis=1), atol=1e-9)
        assert selector.feature_order_[-1] == 4
        np.testing.assert_allclose(selector.coef_[:, 4], 0, atol=1e-12)


def test_equals_a_solver_of_sylvesters_equation(rng):
    codes, Y = coded_data(rng, 2, 0.4, n=300, d=40, t=6)
    codes[:, 4] = rng.integers(2, size=300)
    P, Q, D = matrices(codes, Y)
    W = solve_sylvester(np.eye(40) + 100 * Q, 0.1 * D, P)
    np.testing.assert_allclose(fit(codes, Y).coef_, W.T, rtol=1e-9, atol=1e-12)


def test_without_weights_it_is_relevance_and_without_labels_one_system(rng):
    codes, Y = coded_data(rng, 2, 0.4)
    P, Q, _ = matrices(codes[:, VARIED], Y)
    R = P.sum(axis=1)
    plain = fit(codes, Y, alpha=0, beta=0)
    np.testing.assert_allclose(plain.scores_[VARIED], R, atol=1e-9)
    redundant = fit(codes, Y, alpha=5.0, beta=0)
    expected = np.linalg.solve(np.eye(len(Q)) + 5 * Q, R)
    np.testing.assert_allclose(redundant.scores_[VARIED], expected, atol=1e-9)


def test_names_of_bins_and_the_order_of_anything_do_not_matter(rng):
    codes, Y = coded_data(rng, 4, 0.3)
    plain = fit(codes, Y).scores_
    rows, features = rng.permutation(len(Y)), rng.permutation(codes.shape[1])
    renamed = np.array([7, 1, 0, 3])[codes]
    np.testing.assert_allclose(fit(renamed, Y).scores_, plain, atol=1e-12)
    np.testing.assert_allclose(fit(codes[rows], Y[rows]).scores_, plain, atol=1e-12)
    np.testing.assert_allclose(fit(codes, Y[:, ::-1]).scores_, plain, atol=1e-12)
    moved = fit(codes[:, features], Y).scores_
    np.testing.assert_allclose(moved, plain[features], atol=1e-12)


def test_the_complement_of_a_label_changes_distances_only(rng):
    codes, Y = coded_data(rng, 3, 0.3)
    other = np.column_stack([1 - Y[:, 0], Y[:, 1:]])
    without = [fit(codes, labels, beta=0).scores_ for labels in (Y, other)]
    np.testing.assert_allclose(*without, atol=1e-12)
    with_labels = [fit(codes, labels, beta=0.5).scores_ for labels in (Y, other)]
    assert np.abs(with_labels[0] - with_labels[1]).max() > 1e-6


def test_labels_given_twice_double_the_scores_without_distances(rng):
    codes, Y = coded_data(rng, 3, 0.3)
    once, twice = fit(codes, Y, beta=0), fit(codes, np.hstack([Y, Y]), beta=0)
    np.testing.assert_allclose(
        twice.scores_[VARIED], 2 * once.scores_[VARIED], atol=1e-12
    )


def test_twins_share_a_score_and_the_first_comes_first(rng):
    codes, Y = coded_data(rng, 2, 0.3)  # 7 is a copy of 0, 8 is 1 renamed
    selector = fit(codes, Y)
    assert selector.scores_[7] == selector.scores_[0]
    assert selector.scores_[8] == selector.scores_[1]
    place = np.argsort(selector.feature_order_)
    assert place[0] < place[7]


def test_a_grid_equals_single_fits(rng):
    codes, Y = coded_data(rng, 3, 0.3)
    grid = {"alpha": [0.1, 1, 10.0], "beta": [0, 0.1], "n_bins": [2, 3]}
    X = codes + 0.5 * rng.random(codes.shape)
    path = list(GRRO(4).fit_path(X, Y, grid))
    assert len(path) == 12
    for point, model in path:
        single = GRRO(4, **point).fit(X, Y)
        np.testing.assert_array_equal(model.scores_, single.scores_)
        np.testing.assert_array_equal(model.coef_, single.coef_)
        np.testing.assert_array_equal(model.support_, single.support_)
        assert model.get_params() == single.get_params()


def test_a_weight_without_minimum_is_told_and_repaired(rng):
    codes, Y = coded_data(rng, 2, 0.4)
    told = r"no minimum at alpha=1 and beta=1000: .* Lower beta\."
    with pytest.warns(UserWarning, match=told):
        selector = GRRO(alpha=1, beta=1000.0, discretize=None).fit(codes, Y)
    _, Q, D = matrices(codes[:, VARIED], Y)
    lowest = 1 + np.linalg.eigvalsh(Q)[0] + 1000 * np.linalg.eigvalsh(D)[0]
    assert selector.shift_ == pytest.approx(1e-3 - lowest)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert GRRO(discretize=None).fit(codes, Y).shift_ == 0


def test_copies_in_many_bins_need_a_smaller_alpha(rng):
    """They say more about each other than the 1 that each says about itself."""
    codes, Y = coded_data(rng, 4, 0.4)
    with pytest.warns(UserWarning, match=r"beta=0.1: .* Lower alpha or n_bins\."):
        GRRO(discretize=None).fit(codes, Y)


def test_candidates_are_the_most_relevant_and_the_others_follow(rng):
    codes, Y = coded_data(rng, 3, 0.3)
    relevance = fit(codes, Y, alpha=0, beta=0).scores_.copy()
    order = np.argsort(-np.round(relevance, 10), kind="stable")
    some = fit(codes, Y, n_candidates=5)
    chosen = np.sort(order[:5])
    alone = fit(codes[:, chosen], Y)
    np.testing.assert_allclose(some.scores_[chosen], alone.scores_, atol=1e-12)
    np.testing.assert_array_equal(some.feature_order_[5:], order[5:])
    assert some.scores_[order[5:]].max() <= some.scores_[chosen].min() - 1
    np.testing.assert_array_equal(some.coef_[:, order[5:]], 0)


def test_more_features_than_may_be_compared_are_told(rng, monkeypatch):
    codes, Y = coded_data(rng, 2, 0.3)
    expected = fit(codes, Y, n_candidates=5).scores_
    monkeypatch.setattr("labelsift.selection.grro._MOST", 5)
    with pytest.warns(UserWarning, match="the other 4 follow .* Pass n_candidates"):
        selector = GRRO(discretize=None).fit(codes, Y)
    np.testing.assert_array_equal(selector.scores_, expected)


def test_features_of_one_bin_have_no_weights(rng):
    X = rng.integers(1, 3, size=(40, 5)).astype(float)
    Y = rng.integers(2, size=(40, 3))
    with pytest.warns(UserWarning, match="puts all samples into one bin"):
        selector = GRRO(discretize="presence").fit(X, Y)
    np.testing.assert_allclose(selector.coef_, 0, atol=1e-12)
    assert selector.feature_order_.tolist() == [0, 1, 2, 3, 4]


def test_calibration(real):
    """Values measured with a solver of Sylvester's equation."""
    data = real("emotions")
    X, Y = data.X[data.train_idx], data.Y[data.train_idx]
    first = [46, 35, 4, 0, 1, 2, 62, 47]
    selector = GRRO(discretize=None).fit(halves(X), Y)
    assert selector.feature_order_[:8].tolist() == first
    np.testing.assert_allclose(
        selector.scores_[first[:3]], [0.002816, 0.002578, 0.001948], atol=5e-7
    )
    assert GRRO().fit(X, Y).feature_order_[:8].tolist() == first


@pytest.mark.parametrize("name", ["emotions", "scene"])
def test_the_labels_only_divide_alpha(real, name):
    """The largest eigenvalue of the distances is all that counts of them."""
    data = real(name)
    X, Y = data.X[data.train_idx], data.Y[data.train_idx]
    unit = Y / np.linalg.norm(Y, axis=0)
    largest = np.linalg.eigvalsh(1 - unit.T @ unit)[-1]
    divided = GRRO(alpha=100 / (1 + 0.1 * largest), beta=0).fit(X, Y)
    first = len(X.T) // 10
    assert set(divided.feature_order_[:first]) == set(
        GRRO().fit(X, Y).feature_order_[:first]
    )
