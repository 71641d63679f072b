# SPDX-License-Identifier: BSD-3-Clause
"""Measures of labels with weights and unknown entries, against their definitions."""

import numpy as np
import pytest

from labelsift.metrics import MEASURES, evaluate, scorer
from reference import label_sets, rankings

BUILT_IN = [
    measure for name, measure in MEASURES.items() if "average_precision" not in name
]
ALL = pytest.mark.parametrize("measure", MEASURES.values(), ids=lambda m: m.name)
MANY = pytest.mark.parametrize("measure", BUILT_IN, ids=lambda m: m.name)


@pytest.fixture
def data():
    rng = np.random.default_rng(0)
    Y = rng.integers(0, 2, size=(40, 5))
    return Y, (Y + rng.normal(size=Y.shape)).round(1) - 0.5


def given(measure, scores):
    return scores if measure.needs == "scores" else (scores > 0).astype(int)


@ALL
def test_whole_weights_equal_repeated_samples(measure, data):
    Y, scores = data
    weights = np.random.default_rng(1).integers(0, 4, len(Y))
    rows = np.repeat(np.arange(len(Y)), weights)
    weighted = measure.judge(Y, given(measure, scores), weights)
    repeated = measure.function(Y[rows], given(measure, scores[rows]))
    assert weighted == pytest.approx(repeated, rel=1e-10)


@ALL
def test_weights_of_one_change_nothing(measure, data):
    Y, scores = data
    plain = measure.function(Y, given(measure, scores))
    ones = measure.judge(Y, given(measure, scores), np.ones(len(Y)))
    assert ones == pytest.approx(plain, rel=1e-12)


@ALL
def test_samples_and_labels_without_a_known_entry_are_absent(measure, data):
    Y, scores = data
    gaps = Y.astype(float)
    gaps[::4], gaps[:, 2] = np.nan, np.nan
    rows, columns = np.arange(len(Y)) % 4 > 0, [0, 1, 3, 4]
    found = measure.function(gaps, given(measure, scores))
    part = measure.function(
        Y[rows][:, columns], given(measure, scores[rows][:, columns])
    )
    assert found == pytest.approx(part, rel=1e-12)


@MANY
def test_unknown_entries_take_no_part(measure, data):
    """By the slow definitions, on what is known of each sample or label."""
    Y, scores = data
    rng = np.random.default_rng(2)
    gaps = np.where(rng.random(Y.shape) < 0.3, np.nan, Y)
    gaps[:, 0] = Y[:, 0]
    known, name = ~np.isnan(gaps), measure.name
    slow = label_sets if measure.needs == "labels" else rankings
    predicted = given(measure, scores)
    if name == "hamming_loss":
        expected = (predicted != Y)[known].mean()
    elif name == "micro_f1":
        one_label = [[y] for y in Y[known]], [[z] for z in predicted[known]]
        expected = slow.micro_f1(*one_label)
    elif name == "macro_f1":
        columns = zip(Y.T, predicted.T, known.T, strict=True)
        expected = np.mean([slow.macro_f1([[a] for a in y[k]], [[b] for b in z[k]])
                            for y, z, k in columns])  # fmt: skip
    elif name.endswith("auc"):
        columns = zip(Y.T, scores.T, known.T, strict=True)
        areas = [slow.macro_auc([[a] for a in y[k]], [[b] for b in s[k]])
                 for y, s, k in columns]  # fmt: skip
        expected = np.mean(areas) if name == "macro_auc" else min(areas)
    else:
        samples = zip(Y, predicted, known, strict=True)
        function = getattr(slow, name)
        each = [function([y[k].tolist()], [z[k].tolist()]) for y, z, k in samples]
        expected = np.mean(each)
    assert measure.function(gaps, predicted) == pytest.approx(expected, rel=1e-12)


def test_all_measures_at_once_and_as_scorers(data):
    Y, scores = data
    gaps, weights = Y.astype(float), np.linspace(0.5, 2, len(Y))
    gaps[3, 1] = np.nan
    values = evaluate(gaps, scores, sample_weight=weights)
    for name, measure in MEASURES.items():
        assert values[name] == measure.judge(gaps, given(measure, scores), weights)

    class Echo:
        def decision_function(self, X):
            return scores

    found = scorer("macro_auc")(Echo(), scores, gaps, sample_weight=weights)
    assert found == values["macro_auc"]


@ALL
def test_bad_weights_are_refused(measure, data):
    Y, scores = data
    for weights in (np.ones(3), -np.ones(len(Y)), np.zeros(len(Y))):
        with pytest.raises(ValueError, match=r"[wW]eight"):
            measure.judge(Y, given(measure, scores), weights)
