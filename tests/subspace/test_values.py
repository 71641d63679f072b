# SPDX-License-Identifier: BSD-3-Clause
"""Subspaces that explain real values equal the dense references."""

import numpy as np
import pytest

from labelsift.subspace import MLLS, OPLS, RegularizedCCA
from reference.cca import cca
from reference.mlls import mlls, objective
from reference.opls import opls


@pytest.fixture
def data():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(60, 9)) + 2.0
    return X, X[:, :4] @ rng.normal(size=(4, 4)) + rng.normal(size=(60, 4)) + 5.0


def centred(X, Y):
    return X - X.mean(axis=0), Y - Y.mean(axis=0)


def same_span(actual, expected):
    for left, right in zip(actual, expected, strict=True):
        sign = np.sign(left @ right)
        np.testing.assert_allclose(left, sign * right, atol=1e-8)


def test_opls_equals_the_reference(data):
    values, directions = opls(*centred(*data), 0.1)
    model = OPLS(3, beta=0.1).fit(*data)
    np.testing.assert_allclose(model.eigenvalues_, values[:3], rtol=1e-8)
    same_span(model.components_, directions[:3])


def test_cca_equals_the_reference(data):
    values, directions = cca(*centred(*data), 0.1)
    model = RegularizedCCA(3, beta=0.1).fit(*data)
    np.testing.assert_allclose(model.correlations_, values[:3], rtol=1e-8)
    same_span(model.components_, directions[:3])


def test_cca_does_not_depend_on_the_units_of_values(data):
    X, Y = data
    one, other = (RegularizedCCA(3).fit(X, Z) for Z in (Y, Y * [1, 1e3, 1e-2, 7]))
    np.testing.assert_allclose(one.components_, other.components_, atol=1e-6)


def test_mlls_equals_the_reference_and_predicts_values(data):
    X, Y = centred(*data)
    U, theta = mlls(X, Y, 2, 0.3, 0.05)
    model = MLLS(2, alpha=0.3, beta=0.05).fit(*data)
    assert model.target_ == "values"
    np.testing.assert_allclose(model.coef_.T, U, atol=1e-8)
    assert model.objective_ == pytest.approx(objective(X, Y, U, theta, 0.3, 0.05))
    expected = X @ U + data[1].mean(axis=0)
    np.testing.assert_allclose(model.predict(data[0]), expected, rtol=1e-8)
