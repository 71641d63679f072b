# SPDX-License-Identifier: BSD-3-Clause
import numpy as np
import pytest
from scipy.linalg import subspace_angles

from labelsift.datasets import make_planted
from labelsift.subspace import MLLS, OPLS
from reference.mlls import centred
from reference.opls import opls


@pytest.fixture(params=[(40, 90), (90, 40)], ids=["wide", "tall"])
def data(request):
    return make_planted(*request.param, 6, n_relevant=10, label_rank=3, random_state=0)


def test_equals_the_generalised_eigenproblem(data):
    model = OPLS(4, beta=0.05).fit(data.X, data.Y)
    values, directions = opls(*centred(data.X, data.Y), 0.05)
    np.testing.assert_allclose(model.eigenvalues_, values[:4], rtol=1e-9)
    signs = np.sign(np.sum(model.components_ * directions[:4], axis=1, keepdims=True))
    np.testing.assert_allclose(model.components_, signs * directions[:4], atol=1e-8)


def test_is_the_limit_of_mlls_for_a_large_alpha(data):
    limit = MLLS(3, alpha=1e8, beta=0.05).fit(data.X, data.Y)
    model = OPLS(3, beta=0.05).fit(data.X, data.Y)
    angles = subspace_angles(limit.components_.T, model.components_.T)
    assert angles.max() < 1e-6
    # Nothing of the weights is left outside the subspace.
    outside = limit.coef_ - limit.coef_ @ limit.components_.T @ limit.components_
    assert np.abs(outside).max() < 1e-6 * np.abs(limit.coef_).max()


def test_projections_are_uncorrelated_with_unit_variance(data):
    model = OPLS(beta=1e-9).fit(data.X, data.Y)
    projected = model.transform(data.X)
    covariance = projected.T @ projected / len(projected)
    np.testing.assert_allclose(covariance, np.eye(6), atol=1e-4)
    np.testing.assert_allclose(projected.mean(axis=0), 0, atol=1e-8)


def test_none_takes_all_that_the_labels_span(data):
    Y = np.column_stack([data.Y, 1 - data.Y[:, 0]])
    assert OPLS().fit(data.X, Y).n_components_ == 6


def test_path_equals_single_fits(data):
    grid = {"beta": np.logspace(-6, 1, 9), "n_components": [1, 3]}
    for point, fitted in OPLS().fit_path(data.X, data.Y, grid):
        alone = OPLS(**point).fit(data.X, data.Y)
        np.testing.assert_allclose(fitted.components_, alone.components_, atol=1e-7)
        np.testing.assert_allclose(fitted.eigenvalues_, alone.eigenvalues_)


@pytest.mark.parametrize("parameters", [{"beta": -1.0}, {"n_components": 0}])
def test_bad_parameters(data, parameters):
    with pytest.raises(ValueError, match="parameter of OPLS"):
        OPLS(**parameters).fit(data.X, data.Y)
