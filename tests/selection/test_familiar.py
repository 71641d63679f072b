# SPDX-License-Identifier: BSD-3-Clause
import subprocess
import sys

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.feature_selection import RFE, chi2, f_classif, mutual_info_classif
from sklearn.linear_model import RidgeClassifier

from labelsift.datasets import load_dataset, make_planted
from labelsift.selection.familiar import FAMILIAR, about
from reference.importance import combined_order

PEERS = ("fastcan", "abess")
OURS = [name for name in FAMILIAR if name not in PEERS]
COMBINED = {"": "mean", "-max": "max", "-robin": "round-robin"}
TESTS = {
    "anova": lambda X, y: f_classif(X, y)[0],
    "chi2": lambda X, y: chi2(X, y)[0],
    "mutual-info": lambda X, y: mutual_info_classif(X, y, random_state=0),
}


@pytest.fixture(scope="module")
def planted():
    """No entry is negative, as chi2 requires."""
    data = make_planted(150, 12, 3, n_relevant=4, density=0.5, random_state=2)
    return data.X.toarray(), data.Y, data.relevant


@pytest.fixture(scope="module")
def traits():
    """Real data, with constant pixels."""
    data = load_dataset("traits")
    return data.X[:300], data.Y[:300]


def test_the_names():
    tests = {test + ending for test in TESTS for ending in COMBINED}
    others = {"forest", "extra-trees", "rfe-ridge", "l1-logistic", "permutation"}
    assert set(OURS) == tests | others


@pytest.mark.parametrize("test", TESTS)
@pytest.mark.parametrize("ending", COMBINED)
def test_tests_of_each_label_are_combined(planted, test, ending):
    X, Y, _ = planted
    model = FAMILIAR[test + ending]().fit(X, Y)
    values = np.array([TESTS[test](X, y) for y in Y.T])
    expected = combined_order(values, COMBINED[ending])
    np.testing.assert_array_equal(model.feature_order_, expected)


@pytest.mark.parametrize("name", FAMILIAR)
def test_planted_features_are_found_and_found_again(planted, name):
    X, Y, relevant = planted
    model = FAMILIAR[name]().set_params(n_features_to_select=4)
    support = model.fit(X, Y).support_
    assert support[relevant].sum() >= 3
    again = clone(model).fit(X, Y)
    np.testing.assert_array_equal(again.scores_, model.scores_)


@pytest.mark.parametrize("name", ["rfe-ridge", *PEERS])
def test_which_are_fitted_for_every_budget(planted, name):
    if name not in FAMILIAR:
        pytest.skip(f"{name} is not installed")
    X, Y, _ = planted
    assert not FAMILIAR[name]().fit(X, Y).nested_budgets


@pytest.mark.parametrize("name", [name for name in OURS if name != "rfe-ridge"])
def test_which_are_fitted_once(planted, name):
    X, Y, _ = planted
    assert FAMILIAR[name]().fit(X, Y).nested_budgets


def test_elimination_by_tenths_selects_what_scikit_learn_selects(traits):
    X, Y = traits
    varying = np.flatnonzero(np.ptp(X, axis=0))
    for budget in (3, 10, 25):
        rfe = RFE(RidgeClassifier(), n_features_to_select=budget, step=0.1)
        expected = varying[rfe.fit(X[:, varying], Y).support_]
        model = FAMILIAR["rfe-ridge"]().set_params(n_features_to_select=budget)
        found = model.fit(X, Y).get_support(indices=True)
        np.testing.assert_array_equal(found, expected)


def test_logistic_weights_are_sparse_under_an_l1_penalty(planted):
    X, Y, _ = planted
    weak = FAMILIAR["l1-logistic"]()
    weak.estimator.set_params(C=0.1)
    assert (weak.fit(0.2 * X, Y).importances_ == 0).mean() > 0.3


@pytest.mark.parametrize("name", FAMILIAR)
def test_what_is_said_about_them(name):
    text = about(name)
    assert text.startswith(("SelectKBest by ", "importances of "))
    assert "partial" not in text
    assert "\n" not in text


def test_a_test_and_its_combination_are_named():
    assert about("mutual-info-max") == (
        "SelectKBest by mutual_info_classif, max over labels"
    )
    assert about("forest") == "importances of RandomForestClassifier"
    assert about("rfe-ridge") == "importances of RFE with RidgeClassifier"


def test_nothing_of_other_packages_is_imported_before_it_is_used():
    code = "import sys, labelsift.selection.familiar; print(*sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert not set(PEERS) & set(done.stdout.split())


@pytest.mark.parametrize("budget", [1, 5, 20])
def test_fastcan_is_fitted_to_all_labels_at_once(traits, budget, capfd):
    fastcan = pytest.importorskip("fastcan")
    X, Y = traits
    varying = np.flatnonzero(np.ptp(X, axis=0))
    alone = fastcan.FastCan(budget, verbose=0).fit(X[:, varying], Y.astype(float))
    model = FAMILIAR["fastcan"]().set_params(n_features_to_select=budget).fit(X, Y)
    order = model.feature_order_[:budget]
    np.testing.assert_array_equal(order, varying[alone.indices_])
    assert capfd.readouterr().out == ""


@pytest.mark.parametrize("budget", [1, 5, 20])
def test_abess_selects_exactly_its_support(traits, budget):
    abess = pytest.importorskip("abess")
    X, Y = traits
    varying = np.flatnonzero(np.ptp(X, axis=0))
    alone = abess.MultiTaskRegression(support_size=budget)
    weights = alone.fit(X[:, varying], Y.astype(float)).coef_
    assert weights.shape == (len(varying), 6)
    expected = varying[np.abs(weights).sum(axis=1) > 0]
    model = FAMILIAR["abess"]().set_params(n_features_to_select=budget).fit(X, Y)
    assert len(expected) == budget
    np.testing.assert_array_equal(model.get_support(indices=True), expected)


def test_abess_with_as_many_labels_as_features():
    pytest.importorskip("abess")
    data = make_planted(200, 8, 8, n_relevant=3, random_state=0)
    model = FAMILIAR["abess"]().set_params(n_features_to_select=3)
    model.fit(data.X, data.Y)
    assert (model.importances_ > 0).sum() == 3
    assert model.support_[data.relevant].sum() >= 2


@pytest.mark.parametrize("name", PEERS)
def test_one_label(traits, name):
    if name not in FAMILIAR:
        pytest.skip(f"{name} is not installed")
    X, Y = traits
    model = FAMILIAR[name]().set_params(n_features_to_select=4)
    assert model.fit(X, Y[:, :1]).support_.sum() == 4
