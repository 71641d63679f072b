# SPDX-License-Identifier: BSD-3-Clause
import warnings

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn import config_context
from sklearn.feature_selection import SelectKBest, f_classif
from sklearn.linear_model import RidgeClassifier
from sklearn.model_selection import GroupKFold, cross_validate
from sklearn.pipeline import make_pipeline

from labelsift.datasets import make_planted
from labelsift.model_selection import StabilitySelection
from labelsift.model_selection.stability_selection.halves import Halves
from labelsift.selection import FisherScore, GreedyRLS, MTLasso
from reference.stability_selection import probabilities


@pytest.fixture
def planted():
    return make_planted(200, 30, 4, n_relevant=5, noise=1.0, random_state=0)


def few(selector=None, **parameters):
    """Stability selection on few pairs, to save time."""
    defaults = {"n_pairs": 10, "random_state": 0}
    return StabilitySelection(selector, **defaults | parameters)


@pytest.mark.parametrize("selector", [FisherScore(), GreedyRLS(alpha=3.0)])
def test_probabilities_are_those_of_the_definition(planted, selector):
    X, Y = planted.X, planted.Y
    model = few(selector).fit(X, Y)
    seeds = np.random.RandomState(0).randint(np.iinfo(np.int32).max, size=10)
    halves = Halves.read(Y, None)
    pairs = [halves.draw(np.random.RandomState(seed)) for seed in seeds]
    q = model.n_features_per_fit_
    single, both = probabilities(selector, X, Y, pairs, q)
    np.testing.assert_allclose(model.selection_probability_, single)
    np.testing.assert_allclose(model.pair_probability_, both)
    np.testing.assert_array_equal(model.support_, single >= 0.75)
    assert model.selection_probability_.sum() == pytest.approx(q)
    smaller, _ = probabilities(selector, X, Y, pairs, 2)
    np.testing.assert_allclose(model.probability_path_[1], smaller)
    np.testing.assert_allclose(model.probability_path_[-1], single)


def test_planted_features_are_stable_and_others_are_not(planted):
    model = few().fit(planted.X, planted.Y)
    np.testing.assert_array_equal(model.get_support(indices=True), planted.relevant)
    assert (model.selection_probability_[planted.relevant] == 1).all()
    assert model.pfer_bound_ <= 1
    assert model.pfer_bound_ == model.bounds_["r-concave"]
    assert not model.after_the_fact_


def test_order_is_by_probability_and_then_by_place(planted):
    model = few().fit(planted.X, planted.Y)
    order = model.feature_order_
    assert sorted(order) == list(range(30))
    assert (np.diff(model.scores_[order]) <= 0).all()
    # All five are chosen on every half: the one that comes first there is the first.
    first_places = model.probability_path_[0]
    assert order[0] == np.argmax(first_places)


def test_a_view_after_the_fact_is_marked(planted):
    model = few().fit(planted.X, planted.Y)
    view = model.with_budget(7)
    assert view.after_the_fact_
    assert not model.after_the_fact_
    assert view.n_features_ == view.support_.sum() == 7
    assert model.n_features_ == 5
    least = model.selection_probability_[view.support_].min()
    assert view.threshold_ == pytest.approx(least)
    assert view.pfer_bound_ > model.pfer_bound_
    for budget in (0, 31, 0.5):
        with pytest.raises(ValueError, match="budget must be a count from 1 to 30"):
            model.with_budget(budget)


def test_jobs_change_nothing(planted):
    one = few(n_jobs=1).fit(planted.X, planted.Y)
    two = few(n_jobs=2).fit(planted.X, planted.Y)
    np.testing.assert_array_equal(one.scores_, two.scores_)
    np.testing.assert_array_equal(one.feature_order_, two.feature_order_)


def test_seeds_change_the_halves(planted):
    runs = [few(random_state=seed).fit(planted.X, planted.Y).scores_ for seed in (0, 1)]
    assert (runs[0] != runs[1]).any()


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({"pfer": 1.0, "threshold": None, "n_features_per_fit": 6}, (6, None)),
        ({"pfer": None, "n_features_per_fit": 6}, (6, 0.75)),
        ({"pfer": 3.0, "threshold": 0.9}, (None, 0.9)),
    ],
)
def test_two_of_three_are_given(planted, given, expected):
    model = few(**given).fit(planted.X, planted.Y)
    q, threshold = expected
    assert model.n_features_per_fit_ == (q or model.n_features_per_fit_)
    assert model.threshold_ == (threshold or model.threshold_)
    assert model.pfer_bound_ <= (given["pfer"] or np.inf)


def test_constant_columns_do_not_count(planted):
    X = np.column_stack([planted.X, np.ones((200, 300))])
    plain, padded = few().fit(planted.X, planted.Y), few().fit(X, planted.Y)
    assert padded.n_features_per_fit_ == plain.n_features_per_fit_
    assert padded.pfer_bound_ == plain.pfer_bound_
    with pytest.raises(ValueError, match="more than the 0 features"):
        few().fit(np.ones_like(X), planted.Y)


def test_near_copies_share_the_vote_unless_they_are_grouped(rng):
    data = make_planted(200, 20, 4, n_relevant=4, noise=1.0, random_state=1)
    X = np.hstack([data.X, data.X + 0.05 * rng.normal(size=data.X.shape)])
    copies = np.arange(40).reshape(2, 20).T
    alone = few(n_features_per_fit=5, pfer=None).fit(X, data.Y)
    grouped = few(n_features_per_fit=5, pfer=None, feature_groups=copies)
    grouped.fit(X, data.Y)
    assert alone.support_.sum() < 4
    expected = np.sort([data.relevant, data.relevant + 20], axis=None)
    np.testing.assert_array_equal(grouped.get_support(indices=True), expected)
    # The bound is that of 20 groups.
    single = few(n_features_per_fit=5, pfer=None).fit(data.X, data.Y)
    assert grouped.bounds_ == single.bounds_


def test_a_constant_column_is_not_selected_with_its_group(planted):
    X = np.column_stack([planted.X, np.ones(200)])
    best = planted.relevant[0]
    groups = [[i] for i in range(30) if i != best] + [[best, 30]]
    model = few(feature_groups=groups).fit(X, planted.Y)
    assert model.support_[best]
    assert not model.support_[30]
    assert model.scores_[30] == model.pair_probability_[30] == 0


def test_groups_of_features_must_be_a_partition(planted):
    with pytest.raises(ValueError, match="groups must partition the 30 features"):
        few(feature_groups=[[0, 1], [1, 2]]).fit(planted.X, planted.Y)


def test_rows_of_a_subject_stay_together(planted):
    """Each row four times: halves that share rows would find noise stable."""
    rng = np.random.default_rng(3)
    X, Y = np.repeat(rng.normal(size=(15, 30)), 4, axis=0), rng.random((15, 3)) < 0.5
    Y, subject = np.repeat(Y, 4, axis=0), np.repeat(np.arange(15), 4)
    mixed = few().fit(X, Y).selection_probability_.max()
    with pytest.warns(UserWarning, match="No feature is chosen"):
        apart = few().fit(X, Y, groups=subject).selection_probability_.max()
    assert apart < mixed


def test_groups_are_routed_through_a_pipeline(planted):
    groups = np.arange(200) // 4
    with config_context(enable_metadata_routing=True):
        selector = few(n_pairs=2).set_fit_request(groups=True)
        model = make_pipeline(selector, RidgeClassifier())
        result = cross_validate(
            model, planted.X, planted.Y, cv=GroupKFold(2), params={"groups": groups},
            return_estimator=True,
        )  # fmt: skip
    fitted = result["estimator"][0][0]
    assert fitted.n_features_ >= 1


def test_a_label_lost_on_halves_is_told_once(planted):
    Y = planted.Y.copy()
    Y[:, 0] = 0
    Y[7, 0] = 1
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        few().fit(planted.X, Y)
    [told] = [str(warning.message) for warning in caught]
    assert told.startswith("1 of 4 labels have one value on some of the 20 halves")


def test_nothing_stable_is_a_warning_not_an_error(rng):
    X, Y = rng.normal(size=(40, 50)), rng.random((40, 3)) < 0.5
    with pytest.warns(UserWarning, match="No feature is chosen on 75% of the halves"):
        model = few().fit(X, Y)
    assert not model.support_.any()
    assert model.n_features_ == 0
    with pytest.warns(UserWarning, match="No features were selected"):
        assert model.transform(X).shape == (40, 0)


def test_a_selector_without_nested_budgets_has_no_path(planted):
    model = few(MTLasso(norm="2"), n_pairs=2)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model.fit(planted.X, planted.Y)
    with pytest.raises(AttributeError, match="probability_path_ needs a selector"):
        _ = model.probability_path_


def test_a_selector_of_scikit_learn_gets_classes_as_they_were(planted):
    y = np.array(["no", "yes"])[planted.Y[:, 0]]
    model = few(SelectKBest(f_classif)).fit(planted.X, y)
    assert model.support_.any()
    assert model.support_[planted.relevant].sum() == model.n_features_


def test_sparse_and_dense_agree():
    data = make_planted(120, 40, 4, n_relevant=4, density=0.3, random_state=0)
    dense = few().fit(data.X.toarray(), data.Y)
    for form in (sp.csr_array, sp.csc_array):
        model = few().fit(form(data.X), data.Y)
        np.testing.assert_array_equal(model.scores_, dense.scores_)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:No feature is chosen")
@pytest.mark.parametrize("selector", [FisherScore(), GreedyRLS(criterion="gcv")])
def test_without_signal_false_selections_stay_below_the_bound(selector):
    selected = []
    for seed in range(20):
        rng = np.random.default_rng(seed)
        X, Y = rng.normal(size=(100, 60)), rng.random((100, 5)) < 0.3
        model = StabilitySelection(selector, n_pairs=25, random_state=seed).fit(X, Y)
        selected.append(model.n_features_)
    assert np.mean(selected) <= 1
