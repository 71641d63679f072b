# SPDX-License-Identifier: BSD-3-Clause
import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
from sklearn.exceptions import UndefinedMetricWarning

from labelsift.classification import MultiTargetRidge
from labelsift.metrics import (
    EVERY_MEASURE,
    VALUE_MEASURES,
    mae,
    r2,
    rmse,
    scorer,
    spearman,
)
from reference.values import each

MEASURES = {"r2": r2, "rmse": rmse, "mae": mae, "spearman": spearman}
EVERY = pytest.mark.parametrize("name", MEASURES)


@pytest.fixture
def pair():
    rng = np.random.default_rng(0)
    truth = rng.normal(size=(40, 3)).round(1)  # some values tie
    return truth, (truth + rng.normal(size=(40, 3))).round(1)


@EVERY
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("gaps", [False, True])
def test_equals_the_reference(pair, name, weighted, gaps):
    truth, predicted = pair
    rng = np.random.default_rng(1)
    weights = rng.integers(0, 4, 40) if weighted else np.ones(40, int)
    if gaps:
        truth = np.where(rng.random(truth.shape) < 0.3, np.nan, truth)
    given = {"sample_weight": weights} if weighted else {}
    expected = each(name, truth, predicted, weights)
    found = MEASURES[name](truth, predicted, per_target=True, **given)
    np.testing.assert_allclose(found, expected, rtol=1e-10)
    assert MEASURES[name](truth, predicted, **given) == pytest.approx(expected.mean())


@EVERY
def test_every_form_reads_the_same(pair, name):
    truth, predicted = pair
    expected = MEASURES[name](truth, predicted)
    for form in (pd.DataFrame, sp.csr_array, np.ndarray.tolist):
        assert MEASURES[name](form(truth), form(predicted)) == expected
    flat = MEASURES[name](truth[:, 0], predicted[:, 0])
    assert flat == MEASURES[name](truth, predicted, per_target=True)[0]


@EVERY
def test_targets_that_cannot_be_judged_are_left_out(pair, name):
    truth, predicted = pair
    expected = MEASURES[name](truth, predicted)
    padded = np.column_stack([np.full(40, np.nan), truth])
    guesses = np.column_stack([np.zeros(40), predicted])
    assert MEASURES[name](padded, guesses) == pytest.approx(expected)
    if name in ("r2", "spearman"):
        padded[:, 0] = 7.0
        assert MEASURES[name](padded, guesses) == pytest.approx(expected)
    with pytest.warns(UndefinedMetricWarning, match=f"{name} is not defined"):
        assert np.isnan(MEASURES[name](np.full((4, 1), np.nan), np.ones((4, 1))))


@EVERY
@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (lambda t, p: (t, p[:, :2]), "Y_true has shape"),
        (lambda t, p: (t, p * np.nan), "Y_pred contains NaN"),
        (lambda t, p: (np.where(t > 0, np.inf, t), p), "Y_true contains infinity"),
    ],
)
def test_bad_input_is_refused_in_words(pair, name, change, sentence):
    with pytest.raises(ValueError, match=sentence):
        MEASURES[name](*change(*pair))


@EVERY
def test_bad_weights_are_refused(pair, name):
    for weights in (np.ones(39), -np.ones(40), np.zeros(40)):
        with pytest.raises(ValueError, match=r"[wW]eight"):
            MEASURES[name](*pair, sample_weight=weights)


@EVERY
def test_the_catalogue_has_it(pair, name):
    measure = VALUE_MEASURES[name]
    assert measure.name == name
    assert measure.function is MEASURES[name]
    assert (measure.needs, measure.judges) == ("values", "values")
    assert EVERY_MEASURE[name] is measure
    assert EVERY_MEASURE["macro_auc"].judges == "labels"
    truth, predicted = pair
    gain = measure.function(truth, truth) - measure.function(truth, predicted)
    assert (gain > 0) == measure.greater_is_better


@EVERY
def test_a_scorer_asks_for_predictions(pair, name):
    X, Y = pair
    ridge = MultiTargetRidge().fit(X, Y)
    value = MEASURES[name](Y, ridge.predict(X))
    sign = 1 if VALUE_MEASURES[name].greater_is_better else -1
    assert scorer(name)(ridge, X, Y) == sign * value
