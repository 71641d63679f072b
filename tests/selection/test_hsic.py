# SPDX-License-Identifier: BSD-3-Clause
import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.preprocessing import scale

from labelsift.datasets import make_planted
from labelsift.selection import HSICRanking
from labelsift.selection.hsic import dependence
from labelsift.subspace import MDDM
from reference.hsic import hsic

KERNELS = pytest.mark.parametrize("label_kernel", ["linear", "correlation"])


@pytest.fixture(params=[(60, 12), (20, 50)], ids=["tall", "wide"])
def data(request):
    planted = make_planted(*request.param, 4, n_relevant=4, density=0.5, random_state=0)
    return planted.X.toarray(), planted.Y.astype(float)


@KERNELS
@pytest.mark.parametrize("form", [np.asarray, sp.csr_array, sp.csc_array])
def test_equals_the_reference(data, label_kernel, form):
    X, Y = data
    selector = HSICRanking(label_kernel=label_kernel).fit(form(X), Y)
    np.testing.assert_allclose(selector.scores_, hsic(X, Y, label_kernel), rtol=1e-9)


def test_features_add_up_to_the_directions_of_mddm(data):
    X, Y = data
    total = HSICRanking().fit(X, Y).scores_.sum()
    assert MDDM(mu=0).fit(X, Y).eigenvalues_.sum() == pytest.approx(total)


def test_shifts_and_rotations_of_the_labels_do_not_matter(data, rng):
    X, Y = data
    plain = dependence(X, Y)
    rotation = np.linalg.qr(rng.normal(size=(4, 4)))[0]
    moved = dependence(X + rng.normal(size=X.shape[1]), Y @ rotation + rng.normal())
    np.testing.assert_allclose(moved, plain, rtol=1e-9)


def test_scores_are_correlations_weighted_by_the_variance_of_labels(data):
    X, Y = data
    n, X = len(X), scale(X)
    r = np.corrcoef(X.T, Y.T)[: X.shape[1], X.shape[1] :]
    plain = HSICRanking().fit(X, Y)
    np.testing.assert_allclose(plain.scores_, n**2 * r**2 @ Y.var(axis=0), rtol=1e-9)
    alike = HSICRanking(label_kernel="correlation").fit(X, Y)
    np.testing.assert_allclose(alike.scores_, n**2 * (r**2).sum(axis=1), rtol=1e-9)


def test_a_copy_ranks_next_to_its_twin(data):
    X, Y = data
    best = HSICRanking().fit(X, Y).feature_order_[0]
    twins = HSICRanking(2).fit(np.column_stack([X, X[:, best]]), Y)
    assert set(twins.feature_order_[:2]) == {best, X.shape[1]}


def test_calibration(real):
    data = real("emotions")
    X, Y = scale(data.X[data.train_idx]), data.Y[data.train_idx]
    order = HSICRanking().fit(X, Y).feature_order_
    assert order[:8].tolist() == [4, 46, 3, 1, 47, 45, 44, 39]
