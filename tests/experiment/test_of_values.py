# SPDX-License-Identifier: BSD-3-Clause
import numpy as np
import pytest
from sklearn.linear_model import ElasticNet, LogisticRegression
from sklearn.multioutput import MultiOutputRegressor
from sklearn.svm import SVR

from labelsift.core.targets import TAKE_VALUES
from labelsift.experiment.catalogue import CATALOGUE, READOUTS, readouts_of
from labelsift.experiment.of_values import (
    RandomOfValues,
    as_readout,
    selectors,
    told,
)
from labelsift.selection import SCLS, GreedyRLS, RandomRanking


@pytest.fixture
def data(rng):
    X = rng.normal(size=(40, 6))
    return X, X[:, :2] + 0.1 * rng.normal(size=(40, 2))


@pytest.mark.parametrize("name", selectors())
def test_every_selector_that_is_listed_learns_from_values(name, data):
    X, Y = data
    selector = told(CATALOGUE[name].make(2)).set_params(n_features_to_select=2)
    selector.fit(X, Y)
    assert selector.target_ == "values"
    assert name.startswith(("lrfs", "csfs")) or selector.support_[:2].any()


def test_the_list_is_that_of_the_classes():
    classes = {type(CATALOGUE[name].make(2)).__name__ for name in selectors()}
    assert all(name in TAKE_VALUES for name in classes)


def test_others_are_refused_by_name():
    with pytest.raises(ValueError, match="scls learns from labels, and Y holds values"):
        told(SCLS(), "scls")
    with pytest.raises(ValueError, match=r"^SCLS learns .* choose from .*greedy-rls"):
        told(SCLS())
    assert told(GreedyRLS()).target == "values"


def test_the_control_takes_values_and_keeps_its_seed(data):
    X, Y = data
    control = told(RandomRanking(3, random_state=5))
    assert isinstance(control, RandomOfValues)
    expected = RandomRanking(3, random_state=5).fit(X, Y > 0)
    found = control.fit(X, Y).feature_order_
    np.testing.assert_array_equal(found, expected.feature_order_)


@pytest.mark.parametrize("name", ["ridge", "knn", "3nn"])
def test_readouts_predict_every_target(name, data):
    X, Y = data
    model = readouts_of("values")[name]().fit(X, Y)
    assert model.predict(X).shape == Y.shape
    assert readouts_of("labels") is READOUTS


def test_any_regressor_is_a_readout(data):
    X, Y = data
    assert isinstance(as_readout(ElasticNet()), ElasticNet)
    assert isinstance(as_readout(SVR()), MultiOutputRegressor)
    assert as_readout(SVR()).fit(X, Y).predict(X).shape == Y.shape
    with pytest.raises(ValueError, match="LogisticRegression is a classifier"):
        as_readout(LogisticRegression())
