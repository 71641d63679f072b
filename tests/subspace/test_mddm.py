# SPDX-License-Identifier: BSD-3-Clause
import numpy as np
import pytest
import scipy.sparse as sp
from scipy.linalg import subspace_angles

from labelsift.datasets import make_planted
from labelsift.subspace import MDDM, OPLS
from reference.mddm import mddm

WEIGHTS = pytest.mark.parametrize("mu", [0.0, 1e-3, 0.5, 0.99])


@pytest.fixture(params=[(40, 90), (90, 40)], ids=["wide", "tall"])
def data(request):
    return make_planted(*request.param, 6, n_relevant=10, random_state=0)


@WEIGHTS
@pytest.mark.parametrize("form", [np.asarray, sp.csr_array])
def test_equals_the_generalised_eigenproblem(data, mu, form):
    model = MDDM(4, mu=mu).fit(form(data.X), data.Y)
    values, directions = mddm(data.X, data.Y.astype(float), mu)
    np.testing.assert_allclose(model.eigenvalues_, values[:4], rtol=1e-8)
    signs = np.sign(np.sum(model.components_ * directions[:4], axis=1, keepdims=True))
    np.testing.assert_allclose(model.components_, signs * directions[:4], atol=1e-7)


@WEIGHTS
def test_the_constraint_holds(data, mu):
    P = MDDM(mu=mu).fit(data.X, data.Y).components_.T
    X = data.X - data.X.mean(axis=0)
    total = mu * X.T @ X + (1 - mu) * np.eye(X.shape[1])
    np.testing.assert_allclose(P.T @ total @ P, np.eye(6), atol=1e-8)


@pytest.mark.parametrize("mu", [0.1, 0.5, 0.9, 1.0])
def test_the_subspace_is_that_of_opls(data, mu):
    beta = (1 - mu) / (mu * len(data.X))
    model = MDDM(3, mu=mu).fit(data.X, data.Y)
    other = OPLS(3, beta=beta).fit(data.X, data.Y)
    angles = subspace_angles(model.components_.T, other.components_.T)
    assert angles.max() < 1e-7


def test_a_path_equals_single_fits(data):
    grid = {"mu": [0.0, 0.2, 0.5, 1.0], "n_components": [1, 3]}
    for point, fitted in MDDM().fit_path(data.X, data.Y, grid):
        alone = MDDM(**point).fit(data.X, data.Y)
        np.testing.assert_allclose(fitted.components_, alone.components_, atol=1e-7)
        np.testing.assert_allclose(fitted.eigenvalues_, alone.eigenvalues_, rtol=1e-7)


@pytest.mark.parametrize("mu", [0.0, 0.5])
def test_more_directions_than_there_are_is_refused(data, mu):
    Y = np.column_stack([data.Y, 1 - data.Y[:, 0]])
    assert MDDM(mu=mu).fit(data.X, Y).n_components_ == 6
    with pytest.raises(ValueError, match="n_components=7 is more than the 6 direct"):
        MDDM(7, mu=mu).fit(data.X, Y)


@pytest.mark.parametrize("parameters", [{"mu": -0.1}, {"mu": 1.1}, {"n_components": 0}])
def test_bad_parameters(data, parameters):
    with pytest.raises(ValueError, match="parameter of MDDM"):
        MDDM(**parameters).fit(data.X, data.Y)
