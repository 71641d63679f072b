# SPDX-License-Identifier: BSD-3-Clause
import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.preprocessing import scale

from labelsift.datasets import make_planted
from labelsift.selection import MFSMCDM
from labelsift.selection.mfs_mcdm import closeness
from reference.mfs_mcdm import mfs_mcdm


@pytest.fixture(params=[(60, 12), (20, 50)], ids=["tall", "wide"])
def data(request):
    planted = make_planted(*request.param, 4, n_relevant=4, density=0.5, random_state=0)
    return planted.X.toarray(), planted.Y.astype(float)


@pytest.mark.parametrize("signed", [False, True])
@pytest.mark.parametrize("ridge", [0.1, 10.0])
@pytest.mark.parametrize("form", [np.asarray, sp.csr_array, sp.csc_array])
def test_equals_the_reference(data, form, ridge, signed):
    X, Y = data
    selector = MFSMCDM(ridge=ridge, signed=signed).fit(form(X), Y)
    expected = mfs_mcdm(X, Y, ridge, signed)
    np.testing.assert_allclose(selector.scores_, expected, rtol=0, atol=1e-9)


def test_signs_and_orders_do_not_matter(data, rng):
    X, Y = data
    plain = MFSMCDM().fit(X, Y).scores_
    signs = rng.choice([-1, 1], size=X.shape[1])
    flipped = MFSMCDM().fit(X * signs, Y).scores_
    np.testing.assert_allclose(flipped, plain, atol=1e-9)
    published = (
        MFSMCDM(signed=True).fit(samples, Y).scores_ for samples in (X, X * signs)
    )
    assert np.abs(np.subtract(*published)).max() > 0.01
    features, rows = rng.permutation(X.shape[1]), rng.permutation(len(X))
    moved = MFSMCDM().fit(X[rows][:, features], Y[rows][:, ::-1]).scores_
    np.testing.assert_allclose(moved, plain[features], atol=1e-9)


def test_one_label_ranks_by_the_size_of_weights(data):
    X, Y = data
    selector = MFSMCDM().fit(X, Y[:, :1])
    order = np.argsort(-np.abs(selector.coef_[0]), kind="stable")
    np.testing.assert_array_equal(selector.feature_order_, order)


def test_the_ideal_scores_one_and_the_worst_none():
    table = np.array([[3.0, 4.0], [1.0, 4.0], [1.0, 0.5]])
    scores = closeness(table, np.array([0.5, 0.7]))
    assert scores[0] == 1
    assert 0 < scores[1] < 1
    assert scores[2] == 0


def test_a_label_without_differences_counts_nothing():
    table = np.array([[3.0, 2.0], [1.0, 2.0], [2.0, 2.0]])
    alone = closeness(table[:, :1], np.ones(1))
    np.testing.assert_allclose(closeness(table, np.ones(2)), alone)
    np.testing.assert_array_equal(closeness(np.ones((3, 2)), np.ones(2)), 0)
    np.testing.assert_array_equal(closeness(np.zeros((3, 2)), np.ones(2)), 0)


def test_calibration(real):
    """Values measured with another program, to the digits it prints."""
    data = real("emotions")
    X, Y = scale(data.X[data.train_idx]), data.Y[data.train_idx]
    selector = MFSMCDM().fit(X, Y)
    first = [2, 4, 3, 0, 19, 18, 24, 22]
    assert selector.feature_order_[:8].tolist() == first
    np.testing.assert_allclose(
        selector.scores_[first[:3]], [0.643411, 0.566369, 0.503469], atol=6e-7
    )
