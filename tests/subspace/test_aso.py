# SPDX-License-Identifier: BSD-3-Clause
import numpy as np
import pytest
from scipy.linalg import subspace_angles
from sklearn.exceptions import ConvergenceWarning

from labelsift.datasets import make_planted
from labelsift.subspace import ASO
from labelsift.subspace import aso as module
from reference.aso import aso, machine, objective

pytestmark = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")


@pytest.fixture(params=[(40, 60), (80, 15)], ids=["wide", "tall"])
def data(request):
    return make_planted(
        *request.param, 5, n_relevant=8, label_rank=2, noise=0.5, random_state=0
    )


@pytest.mark.parametrize("rounds", [1, 2, 4])
def test_rounds_are_those_of_the_reference(data, rounds):
    model = ASO(2, alpha=0.05, tol=1e-7, max_iter=rounds, random_state=0)
    model.fit(data.X, data.Y)
    U, b, theta = aso(data.X, data.Y, 2, 0.05, rounds)
    assert model.n_iter_ == rounds
    np.testing.assert_allclose(model.coef_.T, U, atol=2e-3)
    np.testing.assert_allclose(model.intercept_, b, atol=2e-3)
    assert subspace_angles(model.components_.T, theta.T).max() < 5e-3
    value = objective(data.X, data.Y, U, b, theta, 0.05)
    assert model.objective_[-1] == pytest.approx(value, rel=1e-4)


def test_first_round_is_a_support_vector_machine_per_label(data):
    model = ASO(1, alpha=0.02, tol=1e-8, max_iter=1, random_state=0)
    model.fit(data.X, data.Y)
    for label in range(5):
        y = 2.0 * data.Y[:, label] - 1
        w, b = machine(data.X, y, np.zeros(len(y)), 0.02)
        np.testing.assert_allclose(model.coef_[label], w, atol=1e-5)
        assert model.intercept_[label] == pytest.approx(b, abs=1e-5)


@pytest.mark.parametrize("size", [1, 3])
def test_objective_never_rises_and_is_what_it_says(data, size):
    model = ASO(size, alpha=0.05, tol=1e-6, max_iter=30, random_state=0)
    model.fit(data.X, data.Y)
    assert (np.diff(model.objective_) <= 1e-6).all()
    value = objective(
        data.X, data.Y, model.coef_.T, model.intercept_, model.components_, 0.05
    )
    assert model.objective_[-1] == pytest.approx(value, rel=1e-9)


def test_rounds_end_when_nothing_is_gained(data):
    model = ASO(1, alpha=1.0, tol=0.05, random_state=0).fit(data.X, data.Y)
    assert 2 <= model.n_iter_ < 100
    gain = 1 - model.objective_[-1] / model.objective_[-2]
    assert gain <= 0.05


def test_a_cut_is_told(data):
    with pytest.warns(ConvergenceWarning, match="raise max_iter"):
        ASO(2, tol=0, max_iter=2, random_state=0).fit(data.X, data.Y)


def test_a_machine_that_is_not_solved_is_told(data, monkeypatch):
    monkeypatch.setattr(module._Machines, "MAX_EPOCHS", 1)
    with pytest.warns(ConvergenceWarning, match="scale X or raise alpha"):
        ASO(2, random_state=0).fit(data.X, data.Y)


def test_components_are_orthonormal_and_nothing_is_centred(data):
    model = ASO(3, max_iter=3, random_state=0).fit(data.X, data.Y)
    np.testing.assert_allclose(
        model.components_ @ model.components_.T, np.eye(3), atol=1e-10
    )
    np.testing.assert_allclose(
        model.transform(data.X), data.X @ model.components_.T, atol=1e-12
    )


def test_as_many_components_as_labels_leave_no_penalty(data):
    model = ASO(5, alpha=0.05, tol=0, max_iter=40, random_state=0).fit(data.X, data.Y)
    fewer = ASO(1, alpha=0.05, tol=0, max_iter=40, random_state=0).fit(data.X, data.Y)
    assert model.objective_[-1] < fewer.objective_[-1]


@pytest.mark.parametrize(
    "parameters",
    [{"alpha": 0}, {"alpha": -1.0}, {"n_components": 0}, {"tol": -1}, {"max_iter": 0}],
)
def test_bad_parameters(data, parameters):
    with pytest.raises(ValueError, match="parameter of ASO"):
        ASO(**parameters).fit(data.X, data.Y)
