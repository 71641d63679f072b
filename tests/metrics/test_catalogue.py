# SPDX-License-Identifier: BSD-3-Clause
import numpy as np
import pytest

from labelsift import metrics
from labelsift.metrics import MEASURES, evaluate

NAMES = [
    "zero_one_loss",
    "hamming_loss",
    "accuracy",
    "one_error",
    "coverage",
    "ranking_loss",
    "macro_auc",
    "micro_f1",
    "macro_f1",
    "worst_auc",
    "lowest_tenth_auc",
    "macro_average_precision",
    "micro_average_precision",
    "example_f1",
    "subset_accuracy",
]


@pytest.fixture
def case(rng):
    Y = rng.random((80, 6)) < 0.3
    return Y, Y - 0.5 + rng.normal(size=Y.shape)


def test_the_catalogue_names_the_public_functions():
    assert list(MEASURES) == NAMES
    for name, measure in MEASURES.items():
        assert measure.name == name
        assert measure.function is getattr(metrics, name)


@pytest.mark.parametrize("measure", MEASURES.values(), ids=lambda m: m.name)
def test_the_direction_is_that_of_better_predictions(measure, case):
    Y, scores = case
    perfect = Y - 0.5
    if measure.needs == "labels":
        scores, perfect = scores > 0, perfect > 0
    gain = measure.function(Y, perfect) - measure.function(Y, scores)
    assert (gain > 0) == measure.greater_is_better


def test_evaluate_gives_all(case):
    Y, scores = case
    values = evaluate(Y, scores)
    assert list(values) == NAMES
    for name, measure in MEASURES.items():
        second = scores if measure.needs == "scores" else scores > 0
        assert values[name] == measure.function(Y, second)
        assert type(values[name]) is float


def test_a_score_of_0_is_not_a_prediction():
    truth, scores = [[0, 1], [1, 0]] * 2, [[0.0, 1.0], [1.0, 0.0]] * 2
    assert evaluate(truth, scores)["zero_one_loss"] == 0


def test_evaluate_takes_predictions_that_were_made_elsewhere(case):
    Y, scores = case
    tuned = 2 * (scores > 0.3) - 1
    values = evaluate(Y, scores, tuned)
    assert values["micro_f1"] == metrics.micro_f1(Y, scores > 0.3)
    assert values["macro_auc"] == metrics.macro_auc(Y, scores)


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"scores": np.full((80, 6), np.nan)}, "scores contains NaN"),
        ({"Y_pred": np.full((80, 6), 2)}, "Y_pred must hold only 0/1"),
        ({"Y_pred": np.ones((80, 5))}, r"Y_pred has shape \(80, 5\)"),
        ({"Y_true": np.ones((79, 6))}, r"Y_true has shape \(79, 6\)"),
    ],
)
def test_bad_input(case, change, sentence):
    given = dict(zip(("Y_true", "scores"), case, strict=True)) | change
    with pytest.raises(ValueError, match=sentence):
        evaluate(**given)
