# SPDX-License-Identifier: BSD-3-Clause
import numpy as np
import pytest
import sklearn.metrics
from hypothesis import given, settings

from labelsift.metrics import (
    accuracy,
    example_f1,
    hamming_loss,
    macro_f1,
    micro_f1,
    subset_accuracy,
    zero_one_loss,
)
from metrics.cases import label_pairs
from reference import label_sets as reference

MEASURES = pytest.mark.parametrize(
    "measure",
    [
        zero_one_loss,
        hamming_loss,
        accuracy,
        micro_f1,
        macro_f1,
        example_f1,
        subset_accuracy,
    ],
)


def _jaccard(Y_true, Y_pred):
    return sklearn.metrics.jaccard_score(
        Y_true, Y_pred, average="samples", zero_division=0
    )


def _f1(average):
    return lambda a, b: sklearn.metrics.f1_score(a, b, average=average, zero_division=0)


@MEASURES
@settings(deadline=None)
@given(case=label_pairs())
def test_equal_to_python_sets(measure, case):
    Y_true, Y_pred = case
    expected = getattr(reference, measure.__name__)(Y_true.tolist(), Y_pred.tolist())
    assert measure(Y_true, Y_pred) == pytest.approx(expected, abs=1e-12)


@settings(deadline=None)
@given(case=label_pairs())
def test_both_sets_empty_can_count_zero(case):
    Y_true, Y_pred = (Y.tolist() for Y in case)
    expected = reference.accuracy(Y_true, Y_pred, zero_division=0)
    assert accuracy(Y_true, Y_pred, zero_division=0.0) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("measure", "theirs"),
    [
        (zero_one_loss, sklearn.metrics.zero_one_loss),
        (hamming_loss, sklearn.metrics.hamming_loss),
        (lambda a, b: accuracy(a, b, zero_division=0.0), _jaccard),
        (micro_f1, _f1("micro")),
        (macro_f1, _f1("macro")),
    ],
    ids=["zero_one_loss", "hamming_loss", "accuracy", "micro_f1", "macro_f1"],
)
def test_equal_to_scikit_learn(measure, theirs, rng):
    Y_true = rng.random((300, 12)) < np.linspace(
        0, 1, 12
    )  # constant labels at the ends
    Y_pred = Y_true ^ (rng.random((300, 12)) < 0.2)
    Y_true[:5], Y_pred[3:8] = False, False  # empty sets, true, predicted and both
    assert measure(Y_true, Y_pred) == pytest.approx(theirs(Y_true, Y_pred), abs=1e-12)


@MEASURES
def test_the_best_and_the_worst(measure):
    Y = np.array([[1, 0, 1], [0, 1, 0]])
    loss = measure in (zero_one_loss, hamming_loss)
    assert measure(Y, Y) == (0 if loss else 1)
    assert measure(Y, 1 - Y) == (1 if loss else 0)


@MEASURES
def test_nothing_true_and_nothing_predicted(measure):
    empty = np.zeros((3, 2), dtype=int)
    agreeing = ("accuracy", "example_f1", "subset_accuracy")
    expected = 1.0 if measure.__name__ in agreeing else 0.0
    assert measure(empty, empty) == expected
