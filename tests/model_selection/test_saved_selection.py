# SPDX-License-Identifier: BSD-3-Clause
import json
import os

import numpy as np
import pandas as pd
import polars as pl
import pytest
import scipy.sparse as sp
from sklearn.exceptions import NotFittedError

from labelsift.model_selection import load_selection, save_selection
from labelsift.model_selection.saved_selection import SavedSelection
from labelsift.selection import CMLFS, METHODS, FisherScore, GreedyRLS


@pytest.fixture
def samples(rng):
    Y = rng.integers(2, size=(40, 3))
    X = rng.exponential(size=(40, 9))
    X[:, [7, 2]] += 2 * Y[:, :2]
    return X, Y


@pytest.fixture
def frame(samples):
    return pd.DataFrame(samples[0], columns=[f"name {i}" for i in range(9)])


def round_trip(selector, tmp_path, **options):
    path = tmp_path / "selector.json"
    save_selection(selector, path, **options)
    return load_selection(path)


@pytest.mark.parametrize("name", sorted(METHODS))
@pytest.mark.filterwarnings("ignore")
def test_every_method_is_kept_whole(name, samples, tmp_path):
    X, Y = samples
    selector = METHODS[name](n_features_to_select=4).fit(X, Y)
    saved = round_trip(selector, tmp_path)
    np.testing.assert_array_equal(saved.transform(X), selector.transform(X))
    np.testing.assert_array_equal(saved.support, selector.support_)
    chosen = selector.feature_order_[: selector.n_features_]
    np.testing.assert_array_equal(saved.order, chosen)
    np.testing.assert_array_equal(saved.scores, selector.scores_[chosen])
    assert saved.method == type(selector).__name__
    assert saved.parameters["n_features_to_select"] == 4


@pytest.mark.parametrize("cls", [GreedyRLS, CMLFS])
def test_predictions_travel_with_the_selection(cls, samples, tmp_path):
    X, Y = samples
    selector = cls(n_features_to_select=3).fit(X, Y)
    saved = round_trip(selector, tmp_path)
    assert saved.coef.shape == (3, 3)
    for kind in (np.asarray, sp.csr_array, sp.csc_array):
        np.testing.assert_allclose(
            saved.decision_function(kind(X)), selector.decision_function(X)
        )


def test_a_method_that_only_selects_does_not_predict(samples, tmp_path):
    saved = round_trip(FisherScore().fit(*samples), tmp_path)
    with pytest.raises(ValueError, match="has no weights"):
        saved.decision_function(samples[0])


@pytest.mark.parametrize("kind", ["values", "mixed"])
def test_a_selection_for_values_predicts_them(kind, samples, tmp_path):
    X, labels = samples
    Y = 20 * X[:, :2] + 0.5
    if kind == "mixed":
        Y = np.column_stack([Y, labels])
    selector = GreedyRLS(3).fit(X, Y)
    assert selector.target_ == kind
    saved = round_trip(selector, tmp_path)
    np.testing.assert_array_equal(saved.transform(X), selector.transform(X))
    np.testing.assert_allclose(saved.predict(X), selector.predict(X), rtol=1e-12)
    with pytest.raises(ValueError, match="predicts values: use predict"):
        saved.decision_function(X)


@pytest.mark.parametrize("kind", [sp.csr_array, sp.csc_array, sp.csr_matrix])
def test_sparse_stays_sparse(kind, samples, tmp_path):
    X, Y = samples
    saved = round_trip(FisherScore(n_features_to_select=2).fit(X, Y), tmp_path)
    found = saved.transform(kind(X))
    assert sp.issparse(found)
    np.testing.assert_array_equal(found.toarray(), saved.transform(X))


@pytest.mark.parametrize("library", [pd.DataFrame, pl.from_pandas])
def test_frames_are_read_by_name(library, samples, frame, tmp_path):
    selector = GreedyRLS(n_features_to_select=3).fit(frame, samples[1])
    saved = round_trip(selector, tmp_path)
    others = frame[frame.columns[::-1]].assign(extra=1.0)
    found = saved.transform(library(others))
    assert list(found.columns) == list(selector.get_feature_names_out())
    np.testing.assert_array_equal(np.asarray(found), selector.transform(frame))
    np.testing.assert_allclose(
        saved.decision_function(library(others)), selector.decision_function(frame)
    )
    assert list(saved.get_feature_names_out()) == list(found.columns)


def test_missing_features_are_listed_five_at_most(samples, frame, tmp_path):
    saved = round_trip(
        FisherScore(n_features_to_select=8).fit(frame, samples[1]), tmp_path
    )
    with pytest.raises(ValueError, match="lack 7 of the 8") as error:
        saved.transform(frame[[saved.get_feature_names_out()[0]]])
    assert str(error.value).count("'name ") == 5
    assert "and 2 more" in str(error.value)


def test_without_names_the_number_of_features_must_match(samples, frame, tmp_path):
    X, Y = samples
    saved = round_trip(FisherScore(n_features_to_select=2).fit(X, Y), tmp_path)
    assert saved.feature_names is None
    assert saved.transform(frame).shape == (40, 2)
    assert saved.transform(X.tolist()).shape == (40, 2)
    for wrong in (X[:, :8], frame.iloc[:, :8]):
        with pytest.raises(ValueError, match=r"X has 8 features.* among 9"):
            saved.transform(wrong)
    with pytest.raises(ValueError, match="two dimensions"):
        saved.transform(X[0])


def test_what_is_not_plain_is_kept_as_text(samples, tmp_path):
    selector = METHODS["random"](random_state=np.random.RandomState(0)).fit(*samples)
    assert "RandomState" in round_trip(selector, tmp_path).parameters["random_state"]
    costs = GreedyRLS(costs=np.arange(1, 10) / 3, n_features_to_select=2).fit(*samples)
    assert round_trip(costs, tmp_path).parameters["costs"][0] == 1 / 3


def test_names_and_facts_of_the_data(samples, tmp_path):
    selector = FisherScore(n_features_to_select=2).fit(*samples)
    names = ["<b>", "ж" * 300, "\ud800", *"abcdef"]
    saved = round_trip(
        selector,
        tmp_path,
        feature_names=names,
        label_names=["u", "v", "w"],
        method="fisher",
        data="mine",
        checksum="00ff",
    )
    assert saved.feature_names == tuple(names)
    assert (saved.label_names, saved.method) == (("u", "v", "w"), "fisher")
    assert (saved.data, saved.checksum) == ("mine", "00ff")


def test_bad_arguments_leave_no_file(samples, tmp_path):
    path = tmp_path / "selector.json"
    with pytest.raises(NotFittedError):
        save_selection(FisherScore(), path)
    selector = FisherScore(n_features_to_select=2).fit(*samples)
    with pytest.raises(ValueError, match="2 names for 9"):
        save_selection(selector, path, feature_names=["a", "b"])
    assert not os.listdir(tmp_path)


def test_the_file_is_plain_json(samples, tmp_path):
    path = tmp_path / "selector.json"
    save_selection(FisherScore(n_features_to_select=2).fit(*samples), path)
    document = json.loads(path.read_text())
    assert document["format"] == "labelsift-selection"
    assert document["version"] == 3


def test_many_features_cost_nothing_until_a_mask_is_asked_for(tmp_path):
    """Names and columns are those of the selection, not of all features."""
    saved = SavedSelection(
        "m", {}, 2**31 - 1, None, np.array([2**31 - 2, 5]), np.array([2.0, 1.0])
    )
    assert saved.get_feature_names_out().tolist() == ["x5", "x2147483646"]
    with pytest.raises(ValueError, match="X has 3 features"):
        saved.columns("abc")
