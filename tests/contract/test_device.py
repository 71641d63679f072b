# SPDX-License-Identifier: BSD-3-Clause
"""What needs only sums, and GreedyRLS, fits arrays of any library as those of numpy."""

import pickle

import numpy as np
import pytest

from contract.cases import OUTPUTS, assert_same, make, results, samples
from contract.discovery import each, estimators
from devices import dispatch, on_device, there
from labelsift.classification import BinaryRidge
from labelsift.classification.ridge import MultiTargetRidge
from labelsift.core.arrays import is_foreign, to_numpy
from labelsift.selection import CSFS, MLFS, FisherScore, GreedyRLS, MTLasso
from labelsift.subspace import MLLS, OPLS, RegularizedCCA

__all__ = ["there"]

CASES = {
    "loo": (GreedyRLS, {"n_features_to_select": 6}),
    "loo, float32": (GreedyRLS, {"n_features_to_select": 6, "solver": "mixed"}),
    "gcv": (GreedyRLS, {"n_features_to_select": 6, "criterion": "gcv"}),
    "fair": (GreedyRLS, {"criterion": "gcv", "objective": "fair"}),
    "fisher": (FisherScore, {}),
    "ridge": (BinaryRidge, {}),
    "values": (MultiTargetRidge, {}),
    "mlls": (MLLS, {"n_components": 2}),
    "lasso": (MTLasso, {"n_features_to_select": 3, "alpha": 3.0, "tol": 1e-10}),
    "csfs": (CSFS, {}),
    "cca": (RegularizedCCA, {}),
    "opls": (OPLS, {}),
}
TAKE_DEVICES = [cls for cls in estimators() if cls.takes_device]


def test_every_estimator_that_takes_devices_has_a_case():
    assert {cls for cls, _ in CASES.values()} == set(TAKE_DEVICES)


def answers(model, X):
    """The results of a fitted estimator as numpy; outputs are where X is."""
    found = results(model, X)
    for name in OUTPUTS:
        assert name not in found or is_foreign(found[name]) == is_foreign(X)
    return {name: to_numpy(value) for name, value in found.items()}


@pytest.mark.parametrize("case", CASES)
def test_fit_equals_numpy(case, there):
    cls, parameters = CASES[case]
    X, Y = samples(cls)
    here = cls(**parameters).fit(X, Y)
    model = cls(**parameters).fit(there(X), there(Y))
    assert_same(answers(model, there(X)), answers(here, X), 1e-9)
    for name, value in vars(model).items():
        assert not is_foreign(value), name


@pytest.mark.parametrize("case", ["loo", "gcv", "ridge", "fisher"])
def test_weights_on_the_device_or_the_host(case, there):
    cls, parameters = CASES[case]
    X, Y = samples(cls)
    weights = np.tile([0.0, 1.0, 2.5], 20)
    here = cls(**parameters).fit(X, Y, weights)
    for given in (weights, there(weights)):
        model = cls(**parameters).fit(there(X), there(Y), given)
        assert_same(answers(model, there(X)), answers(here, X), 1e-9)


def test_float32_and_other_codings(there):
    X, Y = samples(GreedyRLS)
    single = X.astype(np.float32)
    here = GreedyRLS(5).fit(single, 2 * Y - 1)
    model = GreedyRLS(5).fit(there(single), there(2 * Y - 1))
    assert_same(answers(model, there(single)), answers(here, single), 1e-6)
    assert set(np.unique(to_numpy(model.predict(there(single))))) == {-1, 1}


def test_classes_and_values(there):
    X, Y = samples(GreedyRLS)
    classes = Y @ np.array([1, 1, 0, 0])
    here, model = (
        BinaryRidge().fit(X, classes),
        BinaryRidge().fit(there(X), there(classes)),
    )
    assert_same(answers(model, there(X)), answers(here, X), 1e-9)
    values = X[:, :2] + 0.5
    here, model = (
        GreedyRLS(5).fit(X, values),
        GreedyRLS(5).fit(there(X), there(values)),
    )
    assert_same(answers(model, there(X)), answers(here, X), 1e-9)


def test_a_fit_there_answers_here_and_is_stored_without_the_library(there):
    X, Y = samples(GreedyRLS)
    model = GreedyRLS(5).fit(there(X), there(Y))
    stored = pickle.dumps(model)
    assert b"torch" not in stored
    assert b"array_api_strict" not in stored
    copy = pickle.loads(stored)
    np.testing.assert_allclose(
        copy.decision_function(X), to_numpy(model.decision_function(there(X)))
    )
    assert copy.with_budget(3).transform(X).shape == (60, 3)


def test_labels_on_the_host_follow(there):
    X, Y = samples(GreedyRLS)
    np.testing.assert_array_equal(
        GreedyRLS(5).fit(there(X), Y).feature_order_,
        GreedyRLS(5).fit(X, Y).feature_order_,
    )


def test_partial_fit(there):
    X, Y = samples(GreedyRLS)
    model = FisherScore(5)
    for rows in (slice(0, 25), slice(25, 60)):
        model.partial_fit(there(X[rows]), there(Y[rows]))
    np.testing.assert_allclose(model.scores_, FisherScore(5).fit(X, Y).scores_)


@each([cls for cls in estimators() if cls not in TAKE_DEVICES])
def test_all_others_say_that_they_cannot(cls, monkeypatch):
    X, Y = samples(cls)
    with dispatch(monkeypatch):
        move = on_device("array_api_strict")
        with pytest.raises(TypeError, match=r"array_api_strict.*numpy and scipy only"):
            make(cls).fit(move(X), Y)


def test_y_alone_on_a_device_is_refused(monkeypatch):
    X, Y = samples(MLFS)
    with dispatch(monkeypatch):
        move = on_device("array_api_strict")
        with pytest.raises(ValueError, match="X is on the CPU and y on"):
            MLFS().fit(X, move(Y))
