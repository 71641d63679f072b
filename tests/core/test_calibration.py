# SPDX-License-Identifier: BSD-3-Clause
"""Probabilities by calibration on scores of rows that were not trained on."""

import numpy as np
import pytest
from scipy.special import expit
from sklearn.calibration import CalibratedClassifierCV
from sklearn.datasets import make_blobs
from sklearn.linear_model import RidgeClassifier
from sklearn.model_selection import KFold

from labelsift.classification import BinaryRidge
from labelsift.datasets import load_dataset
from labelsift.selection import GreedyRLS


@pytest.fixture(scope="module")
def parts():
    traits = load_dataset("traits")
    rows = np.random.default_rng(0).permutation(len(traits.X))
    train, test = rows[:500], rows[500:]
    return traits.X[train], traits.Y[train], traits.X[test], traits.Y[test]


@pytest.mark.parametrize("how", ["sigmoid", "isotonic"])
def test_a_label_is_calibrated_as_scikit_learn_does_it(parts, how):
    """CalibratedClassifierCV without an ensemble: out-of-fold scores, one model."""
    X, Y, unseen, _ = parts
    model = BinaryRidge(2.0, calibration=how).fit(X, Y)
    folds = KFold(5, shuffle=True, random_state=0)
    for label in range(Y.shape[1]):
        theirs = CalibratedClassifierCV(
            RidgeClassifier(2.0), method=how, cv=folds, ensemble=False
        ).fit(X, Y[:, label])
        np.testing.assert_allclose(
            model.predict_proba(unseen)[:, label],
            theirs.predict_proba(unseen)[:, 1],
            atol=1e-6,
        )


@pytest.mark.parametrize("how", ["sigmoid", "isotonic"])
@pytest.mark.parametrize("cls", [BinaryRidge, GreedyRLS])
def test_calibrated_probabilities_are_better_than_squashed_scores(parts, cls, how):
    X, Y, unseen, truth = parts
    model = cls(calibration=how).fit(X, Y)
    found = model.predict_proba(unseen)
    assert found.shape == truth.shape
    assert ((found >= 0) & (found <= 1)).all()
    squashed = expit(model.decision_function(unseen))
    assert ((found - truth) ** 2).mean() < 0.8 * ((squashed - truth) ** 2).mean()
    plain = cls().fit(X, Y)
    np.testing.assert_array_equal(plain.predict(unseen), model.predict(unseen))


def test_unknown_labels_and_weights_take_part(parts):
    X, Y, unseen, _ = parts
    gaps = Y.astype(float)
    gaps[::3, 0] = np.nan
    known = ~np.isnan(gaps[:, 0])
    model = BinaryRidge(calibration="sigmoid").fit(X, gaps)
    assert np.isfinite(model.predict_proba(unseen)).all()
    heavy = np.where(Y[:, 1] == 1, 5.0, 1.0)
    weighted = BinaryRidge(calibration="sigmoid").fit(X, Y, sample_weight=heavy)
    plain = BinaryRidge(calibration="sigmoid").fit(X, Y)
    moved = weighted.predict_proba(unseen) - plain.predict_proba(unseen)
    assert moved[:, 1].mean() > 0.1
    assert known.sum() < len(X)


def test_a_label_with_one_value_has_its_probability(parts):
    X, Y, unseen, _ = parts
    with pytest.warns(UserWarning, match="1 of 7 labels") as caught:
        model = BinaryRidge(calibration="isotonic").fit(X, np.insert(Y, 0, 1, axis=1))
    assert len(caught) == 1
    np.testing.assert_array_equal(model.predict_proba(unseen)[:, 0], 1)


@pytest.mark.parametrize("classes", [2, 3])
def test_probabilities_of_classes_sum_to_one(classes):
    X, y = make_blobs(150, centers=classes, random_state=0)
    model = BinaryRidge(calibration="sigmoid").fit(X, y)
    found = model.predict_proba(X)
    assert found.shape == (150, classes)
    np.testing.assert_allclose(found.sum(axis=1), 1)
    assert (found.argmax(axis=1) == y).mean() > 0.8


def test_probabilities_are_where_they_were_asked_for(parts):
    X, Y, unseen, _ = parts
    assert not hasattr(BinaryRidge(), "predict_proba")
    assert not hasattr(
        GreedyRLS(target="values", calibration="sigmoid"), "predict_proba"
    )
    values = GreedyRLS(5, calibration="sigmoid").fit(X, X[:, :3] + 0.5)
    assert not hasattr(values, "predict_proba")
    greedy = GreedyRLS(5, calibration="sigmoid").fit(X, Y)
    with pytest.raises(ValueError, match="as it is a view or a point of a path"):
        greedy.with_budget(3).predict_proba(unseen)
    assert greedy.predict_proba(unseen).shape == (len(unseen), 6)
