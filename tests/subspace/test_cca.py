# SPDX-License-Identifier: BSD-3-Clause
import numpy as np
import pytest
from scipy.linalg import subspace_angles
from sklearn.cross_decomposition import CCA
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.pipeline import make_pipeline

from labelsift.classification import BinaryRidge, BinarySVM
from labelsift.datasets import make_planted
from labelsift.metrics import macro_auc
from labelsift.solvers.ridge.reduced_rank import explaining_directions
from labelsift.subspace import RegularizedCCA
from reference.cca import cca
from reference.mlls import centred, mlls


@pytest.fixture(params=[(40, 90), (90, 40)], ids=["wide", "tall"])
def data(request):
    return make_planted(*request.param, 6, n_relevant=10, label_rank=3, random_state=0)


@pytest.fixture
def classes(rng):
    """Samples of four classes of unequal size."""
    y = np.repeat([0, 1, 2, 3], [20, 35, 10, 50])
    return rng.normal(size=(len(y), 8)) + rng.normal(size=(4, 8))[y], y


def test_equals_the_generalised_eigenproblem(data):
    model = RegularizedCCA(4, beta=0.05).fit(data.X, data.Y)
    values, directions = cca(*centred(data.X, data.Y), 0.05)
    np.testing.assert_allclose(model.correlations_, values[:4], rtol=1e-9)
    signs = np.sign(np.sum(model.components_ * directions[:4], axis=1, keepdims=True))
    np.testing.assert_allclose(model.components_, signs * directions[:4], atol=1e-8)


def test_labels_that_follow_from_others_count_once(data):
    Y = np.column_stack([data.Y, 1 - data.Y[:, 0], data.Y[:, 1]])
    once = RegularizedCCA().fit(data.X, data.Y)
    twice = RegularizedCCA().fit(data.X, Y)
    assert twice.n_components_ == 6
    np.testing.assert_allclose(twice.correlations_, once.correlations_, rtol=1e-9)
    np.testing.assert_allclose(twice.components_, once.components_, atol=1e-8)


def test_without_penalty_it_is_classical_cca():
    data = make_planted(300, 10, 4, n_relevant=6, random_state=0)
    model = RegularizedCCA(2, beta=0).fit(data.X, data.Y)
    classical = CCA(2, max_iter=5000, tol=1e-12).fit(data.X, data.Y)
    ours, theirs = model.transform(data.X), classical.transform(data.X)
    for k in range(2):
        assert abs(np.corrcoef(ours[:, k], theirs[:, k])[0, 1]) > 1 - 1e-6


def test_is_the_limit_of_mlls_with_whitened_labels(data):
    X, Y = centred(data.X, data.Y)
    values, vectors = np.linalg.eigh(Y.T @ Y)
    whitened = Y @ vectors @ np.diag(values**-0.5) @ vectors.T
    _, theta = mlls(X, whitened, 3, 1e6, 0.05)
    model = RegularizedCCA(3, beta=0.05).fit(data.X, data.Y)
    assert subspace_angles(theta.T, model.components_.T).max() < 1e-4


def test_classes_without_penalty_are_linear_discriminant_analysis(classes):
    X, y = classes
    model = RegularizedCCA(beta=0).fit(X, y)
    lda = LinearDiscriminantAnalysis(solver="eigen").fit(X, y)
    assert model.n_components_ == 3
    ours, theirs = model.transform(X), lda.transform(X)
    for k in range(3):
        assert abs(np.corrcoef(ours[:, k], theirs[:, k])[0, 1]) > 1 - 1e-9


def test_the_coding_of_classes_in_the_paper_gives_lda_too(classes):
    """Section 4.2: sqrt(n/n_j) - sqrt(n_j/n) for the class, -sqrt(n_j/n) for others."""
    X, y = classes
    shares = np.bincount(y) / len(y)
    coded = np.eye(4)[y] / np.sqrt(shares) - np.sqrt(shares)
    between = (X - X.mean(axis=0)).T @ coded
    means = np.array([X[y == j].mean(axis=0) for j in range(4)]) - X.mean(axis=0)
    scatter = means.T @ np.diag(np.bincount(y)) @ means
    # The paper's scatter between classes, up to the factor n.
    np.testing.assert_allclose(between @ between.T, len(y) * scatter, rtol=1e-9)
    [(_, directions)] = explaining_directions(X, coded, [0.0])
    lda = LinearDiscriminantAnalysis(solver="eigen").fit(X, y)
    angles = subspace_angles(directions.T, lda.scalings_[:, :3])
    assert angles.max() < 1e-7


def test_path_equals_single_fits(data):
    for point, fitted in RegularizedCCA(3).fit_path(
        data.X, data.Y, {"beta": np.logspace(-6, 1, 12)}
    ):
        alone = RegularizedCCA(3, **point).fit(data.X, data.Y)
        np.testing.assert_allclose(fitted.components_, alone.components_, atol=1e-6)


@pytest.mark.parametrize("readout", [BinaryRidge(), BinarySVM(random_state=0)])
def test_pipelines_of_the_paper(readout):
    """CCA + ridge and CCA + SVM from library parts."""
    data = make_planted(300, 50, 5, n_relevant=8, label_rank=2, random_state=0)
    model = make_pipeline(RegularizedCCA(beta=0.1), readout)
    model.fit(data.X[:200], data.Y[:200])
    scores = model.decision_function(data.X[200:])
    assert macro_auc(data.Y[200:], scores) > 0.9
    assert model.predict(data.X[200:]).shape == (100, 5)


@pytest.mark.parametrize("parameters", [{"beta": -1.0}, {"n_components": 0}])
def test_bad_parameters(data, parameters):
    with pytest.raises(ValueError, match="parameter of RegularizedCCA"):
        RegularizedCCA(**parameters).fit(data.X, data.Y)
