# SPDX-License-Identifier: BSD-3-Clause
import warnings

import numpy as np
import pytest
import sklearn.metrics
from hypothesis import given, settings
from sklearn.exceptions import UndefinedMetricWarning

from labelsift.metrics import (
    coverage,
    lowest_tenth_auc,
    macro_auc,
    one_error,
    ranking_loss,
    worst_auc,
)
from metrics.cases import scored
from reference import rankings as reference

MEASURES = pytest.mark.parametrize(
    "measure",
    [one_error, coverage, ranking_loss, macro_auc, worst_auc, lowest_tenth_auc],
)


@MEASURES
@settings(deadline=None)
@given(case=scored())
def test_equal_to_counting_pairs(measure, case):
    Y_true, scores = case
    expected = getattr(reference, measure.__name__)(Y_true.tolist(), scores.tolist())
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UndefinedMetricWarning)
        found = measure(Y_true, scores)
    assert found == pytest.approx(expected, abs=1e-12, nan_ok=True)


@pytest.mark.parametrize(
    ("measure", "theirs"),
    [
        (lambda Y, s: coverage(Y, s) + 1, sklearn.metrics.coverage_error),
        (ranking_loss, sklearn.metrics.label_ranking_loss),
        (macro_auc, sklearn.metrics.roc_auc_score),
    ],
    ids=["coverage", "ranking_loss", "macro_auc"],
)
@pytest.mark.parametrize("decimals", [1, 12])
def test_equal_to_scikit_learn(measure, theirs, decimals, rng):
    """More rows than one block of the ranking loss; one decimal gives many ties."""
    Y_true = rng.random((4000, 40)) < 0.2
    Y_true = Y_true[Y_true.any(axis=1) & ~Y_true.all(axis=1)]
    scores = (Y_true + rng.normal(size=Y_true.shape)).round(decimals)
    assert measure(Y_true, scores) == pytest.approx(theirs(Y_true, scores), rel=1e-12)


@MEASURES
@pytest.mark.parametrize("change", [np.exp, lambda s: s**3, lambda s: 5 * s - 7])
def test_only_the_order_of_the_scores_counts(measure, change, rng):
    Y_true, scores = rng.random((60, 5)) < 0.4, rng.normal(size=(60, 5)).round(1)
    assert measure(Y_true, change(scores)) == measure(Y_true, scores)


@MEASURES
@pytest.mark.parametrize("form", [np.float32, np.asfortranarray, np.ndarray.tolist])
def test_the_form_of_the_scores_does_not_count(measure, form, rng):
    Y_true, scores = rng.random((60, 5)) < 0.4, rng.integers(-3, 3, size=(60, 5))
    assert measure(Y_true, form(scores)) == measure(Y_true, scores.astype(float))


@pytest.mark.parametrize(
    ("measure", "expected"), [(one_error, 0.5), (coverage, 1.0), (ranking_loss, 1.0)]
)
def test_ties(measure, expected):
    """The lowest index wins; tied labels take the worst rank; a tie is an error."""
    assert measure([[1, 0], [0, 1]], np.ones((2, 2))) == expected


def test_a_tied_pair_is_half_an_area():
    assert macro_auc([[1], [0]], [[2.0], [2.0]]) == 0.5


@pytest.mark.parametrize(
    ("measure", "empty", "full"),
    [(one_error, 1.0, 0.0), (coverage, 0.0, 2.0), (ranking_loss, 0.0, 0.0)],
)
def test_samples_with_no_label_or_all_labels(measure, empty, full):
    scores = [[0.3, 0.2, np.inf]]
    assert measure([[0, 0, 0]], scores) == empty
    assert measure([[1, 1, 1]], scores) == full


def test_labels_with_one_class_are_left_out_of_the_area(rng):
    Y_true, scores = rng.random((50, 4)) < 0.5, rng.normal(size=(50, 4))
    expected = macro_auc(Y_true[:, 1:3], scores[:, 1:3])
    Y_true[:, 0], Y_true[:, 3] = False, True
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert macro_auc(Y_true, scores) == pytest.approx(expected, rel=1e-12)


def test_no_area_is_left():
    with pytest.warns(UndefinedMetricWarning, match="every label of Y_true holds one"):
        assert np.isnan(macro_auc([[1, 0], [1, 0]], [[0.1, 0.2], [0.3, 0.4]]))


def test_the_lowest_tenth_of_many_labels(rng):
    """Of 34 labels with two samples of each value the three lowest count."""
    Y_true = np.zeros((40, 36), dtype=int)
    Y_true[:20, :34] = 1
    Y_true[0, 34], Y_true[:39, 35] = 1, 1
    scores = rng.normal(size=(40, 36))
    areas = np.sort([macro_auc(Y_true[:, [j]], scores[:, [j]]) for j in range(34)])
    assert lowest_tenth_auc(Y_true, scores) == pytest.approx(areas[:3].mean())
    assert worst_auc(Y_true, scores) == areas[0]


@pytest.mark.parametrize("measure", [worst_auc, lowest_tenth_auc])
def test_a_label_of_one_sample_has_no_part(measure, rng):
    Y_true, scores = rng.random((50, 3)) < 0.5, rng.normal(size=(50, 3))
    expected = measure(Y_true[:, :2], scores[:, :2])
    Y_true[:, 2] = False
    Y_true[0, 2], scores[0, 2] = True, -9.0
    assert measure(Y_true, scores) == expected
    assert macro_auc(Y_true[:, 2:], scores[:, 2:]) == 0
    with pytest.warns(UndefinedMetricWarning, match="present in two samples"):
        assert np.isnan(measure(Y_true[:, 2:], scores[:, 2:]))
