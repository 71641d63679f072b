# SPDX-License-Identifier: BSD-3-Clause
import numpy as np
import pytest
import scipy.sparse as sp

from labelsift.classification import MLkNN
from labelsift.classification.mlknn import _log_odds
from labelsift.metrics import macro_auc
from reference.mlknn import log_odds, scaled


@pytest.fixture
def split(rng):
    X = rng.normal(size=(50, 4)) * [1, 10, 100, 0] + [0, 5, 0, 3]
    Y = (rng.random((50, 3)) < [0.5, 0.3, 0.1]).astype(np.uint8)
    return X[:35], Y[:35], X[35:]


@pytest.mark.parametrize("k", [1, 5, 34])
@pytest.mark.parametrize("smoothing", [1.0, 0.01])
def test_scores_are_those_of_the_loops(split, k, smoothing):
    X, Y, X_test = split
    model = MLkNN(k, smoothing=smoothing, scale=False).fit(X, Y)
    expected = log_odds(X, Y, X_test, k, smoothing)
    np.testing.assert_allclose(model.decision_function(X_test), expected, atol=1e-12)


def test_scaling_divides_by_the_range_of_training(split):
    X, Y, X_test = split
    X_test = X_test * 3  # outside of the training range
    expected = log_odds(scaled(X, X), Y, scaled(X_test, X), 5, 1.0)
    model = MLkNN(5).fit(X, Y)
    np.testing.assert_allclose(model.decision_function(X_test), expected, atol=1e-12)
    np.testing.assert_allclose(model.feature_range_[:3], np.ptp(X, axis=0)[:3])
    assert model.feature_range_[3] == np.inf


def test_scaled_neighbours_do_not_depend_on_units(split):
    X, Y, X_test = split
    units = np.array([4.0, 0.25, 1024.0, 2.0])  # exact in binary
    plain = MLkNN(5).fit(X, Y).decision_function(X_test)
    other = MLkNN(5).fit(X * units, Y).decision_function(X_test * units)
    np.testing.assert_array_equal(plain, other)


def test_a_feature_constant_in_training_does_not_count(split):
    X, Y, X_test = split
    moved = X_test + np.array([0, 0, 0, 1e6])
    model = MLkNN(5).fit(X, Y)
    np.testing.assert_array_equal(
        model.decision_function(X_test), model.decision_function(moved)
    )


def test_probabilities_belong_to_scores(split):
    X, Y, X_test = split
    model = MLkNN(5).fit(X, Y)
    scores, probabilities = (
        model.decision_function(X_test),
        model.predict_proba(X_test),
    )
    np.testing.assert_allclose(np.log(probabilities / (1 - probabilities)), scores)
    np.testing.assert_array_equal(model.predict(X_test), probabilities > 0.5)


@pytest.mark.parametrize("classes", [["a", "b"], ["a", "b", "c"]])
def test_probabilities_of_classes_sum_to_one(split, classes, rng):
    X, _, X_test = split
    model = MLkNN(5).fit(X, rng.choice(classes, size=len(X)))
    probabilities = model.predict_proba(X_test)
    np.testing.assert_allclose(probabilities.sum(axis=1), 1)
    best = model.classes_[probabilities.argmax(axis=1)]
    np.testing.assert_array_equal(model.predict(X_test), best)


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("form", [sp.csr_array, sp.csc_array])
def test_sparse_equals_dense(form, dtype, rng):
    X = (rng.integers(0, 4, size=(80, 12)) * (rng.random((80, 12)) < 0.3)).astype(dtype)
    Y = (rng.random((80, 3)) < 0.3).astype(np.uint8)
    dense = MLkNN(7).fit(X[:60], Y[:60])
    sparse = MLkNN(7).fit(form(X[:60]), Y[:60])
    expected = dense.decision_function(X[60:])
    for model, queries in [
        (sparse, form(X[60:])),
        (sparse, X[60:]),
        (dense, form(X[60:])),
    ]:
        np.testing.assert_array_equal(model.decision_function(queries), expected)


def test_a_label_with_one_positive_is_learned(split):
    X, Y, X_test = split
    Y = Y.copy()
    Y[:, 0] = np.arange(len(Y)) == 3
    assert np.isfinite(MLkNN(5).fit(X, Y).decision_function(X_test)).all()


@pytest.mark.parametrize("k", [35, 100])
def test_more_neighbours_than_other_samples_are_all_of_them(split, k):
    X, Y, X_test = split
    sentence = f"n_neighbors={k} is not less than the 35 training samples: 34 neig"
    with pytest.warns(UserWarning, match=sentence):
        model = MLkNN(k).fit(X, Y)
    assert model.n_neighbors_ == 34
    np.testing.assert_array_equal(
        model.decision_function(X_test), MLkNN(34).fit(X, Y).decision_function(X_test)
    )


def test_equal_evidence_ties_whatever_the_rounding():
    """Odds of 1/3, 2/6, 3/9, ... by how many neighbours carry the label."""
    k = 20
    present, absent = np.arange(k + 1), 3 * np.arange(1, k + 2) - 1
    counts = np.repeat(np.r_[0 : k + 1, 0 : k + 1], np.r_[present, absent])
    Y = np.repeat([1, 0], [present.sum(), absent.sum()])
    odds = _log_odds(counts[:, np.newaxis], Y[:, np.newaxis], k, 1.0)
    assert np.ptp(odds) == 0


def test_wide_sparse_text_works(real):
    text = real("rcv1-subset1")
    assert text.X.shape == (6000, 47236)
    model = MLkNN().fit(text.X, text.Y)
    # Its own samples are their nearest neighbours here, so this is an easy question.
    assert macro_auc(text.Y[:500], model.decision_function(text.X[:500])) > 0.9
