# SPDX-License-Identifier: BSD-3-Clause
import numpy as np
import pytest
import scipy.sparse as sp

from labelsift.datasets import make_planted
from labelsift.selection import ReliefML
from reference.relief_ml import f1, hamming, relief_per_label, rrelieff

FORMS = pytest.mark.parametrize("form", [np.asarray, sp.csr_array, sp.csc_array])


@pytest.fixture
def data():
    """With a constant feature, duplicate rows, an empty label set and a rare label."""
    planted = make_planted(50, 9, 4, n_relevant=3, density=0.5, random_state=0)
    X, Y = planted.X.toarray(), planted.Y.astype(int)
    X[:, 2] = 3.0
    X[10:14], Y[20:23], Y[:, 3] = X[9], 0, 0
    Y[[1, 30], 3] = 1
    return X, Y


def scores(X, Y, **parameters):
    return ReliefML(**parameters).fit(X, Y).scores_


def assert_close(actual, expected):
    """To rounding; column 2 is constant and has a score of its own."""
    actual, expected = np.delete(actual, 2), np.delete(expected, 2)
    np.testing.assert_allclose(actual, expected, rtol=0, atol=1e-12)


@FORMS
@pytest.mark.parametrize("k", [1, 3, 10])
@pytest.mark.parametrize("distance", [hamming, f1])
def test_equals_the_double_loop(data, distance, k, form):
    X, Y = data
    found = scores(form(X), Y, n_neighbors=k, label_distance=distance.__name__)
    assert_close(found, rrelieff(X, Y, k, distance))


@FORMS
@pytest.mark.parametrize("k", [1, 3, 10, 60])
def test_labels_one_by_one_equal_the_double_loop(data, k, form):
    """Some rows of the rare label have one hit, which is far, or none."""
    X, Y = data
    found = scores(form(X), Y, n_neighbors=k, per_label=True)
    assert_close(found, relief_per_label(X, Y, k))


def test_a_label_with_one_row_says_nothing_about_that_row(data):
    X, Y = data
    Y[30, 3] = 0
    found = scores(X, Y, n_neighbors=3, per_label=True)
    assert_close(found, relief_per_label(X, Y, 3))


@pytest.mark.parametrize("per_label", [False, True])
def test_units_and_orders_do_not_matter(data, rng, per_label):
    X, Y = data
    X = X + 1e-3 * rng.random(X.shape)  # no ties, which go by the order of the rows
    X[:, 2] = 3.0
    plain = scores(X, Y, per_label=per_label)
    units = X * rng.uniform(0.5, 2, size=9) * [1, -1, 1, 1, -1, 1, 1, 1, 1] + 5
    rows, features = rng.permutation(len(X)), rng.permutation(9)
    assert_close(scores(units, Y, per_label=per_label), plain)
    assert_close(scores(X[rows], Y[rows], per_label=per_label), plain)
    assert_close(scores(X, Y[:, ::-1], per_label=per_label), plain)
    moved = scores(X[:, features], Y, per_label=per_label)
    assert_close(moved[np.argsort(features)], plain)


@pytest.mark.parametrize("per_label", [False, True])
def test_a_label_is_as_good_as_its_complement_and_twice_as_once(data, per_label):
    X, Y = data
    plain = scores(X, Y, per_label=per_label)
    other = np.column_stack([1 - Y[:, 0], Y[:, 1:]])
    assert_close(scores(X, other, per_label=per_label), plain)
    assert_close(scores(X, np.hstack([Y, Y]), per_label=per_label), plain)


def test_one_label_and_all_rows_near_compare_equal_with_unequal_pairs(data):
    X, Y = data
    found = scores(X, Y[:, :1], n_neighbors=len(X) - 1)
    span = np.where(np.ptp(X, axis=0) > 0, np.ptp(X, axis=0), 1)
    gaps = np.abs(X[:, np.newaxis] - X) / span
    unequal = Y[:, :1] != Y[:, 0]
    equal = ~unequal & ~np.eye(len(X), dtype=bool)
    assert_close(found, gaps[unequal].mean(axis=0) - gaps[equal].mean(axis=0))


def test_more_neighbours_than_rows_are_all_other_rows(data):
    X, Y = data
    every = scores(X, Y, n_neighbors=len(X) - 1)
    np.testing.assert_array_equal(scores(X, Y, n_neighbors=1000), every)


def test_drawn_rows_equal_the_double_loop_over_them(data):
    X, Y = data
    rows = np.sort(np.random.RandomState(3).choice(len(X), 12, replace=False))
    found = scores(X, Y, n_neighbors=4, n_rows=12, random_state=3)
    assert_close(found, rrelieff(X, Y, 4, rows=rows))
    assert_close(scores(X, Y, n_rows=1000), scores(X, Y))


@pytest.mark.parametrize("per_label", [False, True])
def test_a_few_drawn_rows_find_what_all_rows_find(per_label):
    planted = make_planted(600, 20, 5, n_relevant=4, density=0.5, random_state=0)
    selector = ReliefML(4, per_label=per_label, n_rows=200, random_state=0)
    selector.fit(planted.X, planted.Y)
    assert selector.support_[planted.relevant].sum() >= 3


def test_features_of_few_labels_are_found_label_by_label():
    missed = {False: 0, True: 0}
    for seed in range(4):
        data = make_planted(600, 20, 5, n_relevant=4, density=0.5, random_state=seed)
        for per_label in missed:
            selector = ReliefML(4, per_label=per_label).fit(data.X, data.Y)
            missed[per_label] += 4 - selector.support_[data.relevant].sum()
    assert missed == {False: 1, True: 0}


@FORMS
def test_angles_do_not_see_the_length_of_rows(rng, form):
    X = rng.random((60, 8))
    X /= X.max(axis=0) - X.min(axis=0)
    Y = (X[:, :2] > X[:, 2:4]).astype(int)
    lengths = rng.uniform(0.2, 3.0, size=(60, 1))
    near = ReliefML(metric="cosine").fit(form(X), Y).scores_
    unit = X / np.linalg.norm(X, axis=1, keepdims=True)
    gaps = ((unit[:, np.newaxis] - unit) ** 2).sum(axis=2)
    np.fill_diagonal(gaps, np.inf)
    nearest = np.argsort(gaps, axis=1, kind="stable")[:, :10]
    apart = (Y[:, np.newaxis] != Y[nearest]).mean(axis=2)
    d_f = np.abs(X[:, np.newaxis] - X[nearest])
    differ, agree = apart.sum(), (1 - apart).sum()
    expected = np.einsum("ij,ijf->f", apart / differ - (1 - apart) / agree, d_f)
    np.testing.assert_allclose(near, expected, atol=1e-12)
    assert np.abs(ReliefML().fit(lengths * X, Y).scores_ - near).max() > 1e-3


@pytest.mark.parametrize("which", ["none", "all"])
def test_labels_that_nowhere_or_everywhere_differ_are_told(which):
    X = np.array([[0.0, 1], [0.1, 1.2], [5.0, 0], [5.1, 0.3]])
    Y = (
        np.array([[0], [0], [1], [1]])
        if which == "none"
        else np.array([[0], [1], [0], [1]])
    )
    with pytest.warns(UserWarning, match=f"but {which} differ: all scores are 0"):
        selector = ReliefML(n_neighbors=1).fit(X, Y)
    np.testing.assert_array_equal(selector.scores_, 0)


def test_calibration(real):
    """Values measured with other programs, to the digits they print."""
    data = real("emotions")
    X, Y = data.X[data.train_idx], data.Y[data.train_idx]
    measured = {
        False: ([3, 4, 60, 49, 36, 35, 61, 38], [0.010709, 0.007720, 0.007700]),
        True: ([17, 1, 4, 3, 16, 0, 66, 70], [0.044867, 0.036126, 0.031933]),
    }
    for per_label, (first, best) in measured.items():
        selector = ReliefML(per_label=per_label).fit(X, Y)
        assert selector.feature_order_[:8].tolist() == first
        np.testing.assert_allclose(selector.scores_[first[:3]], best, atol=6e-7)
