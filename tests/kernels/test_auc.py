# SPDX-License-Identifier: BSD-3-Clause
import numpy as np
import pytest

from labelsift.kernels.auc import (
    labels_in_order,
    pairs_in_order,
    sorted_pairs_in_order,
    warm_up,
)
from labelsift.metrics import curves
from labelsift.metrics.curves import label_areas


@pytest.fixture(params=[np.float64, np.float32])
def scored(request, rng):
    """Labels from rare to common, and layers of scores with many ties."""
    truth = rng.random((40, 5)) < np.array([0.02, 0.1, 0.3, 0.7, 0.97])
    truth[0], truth[1] = True, False
    return truth, rng.normal(size=(7, 40, 5)).round(1).astype(request.param)


def by_counting(truth, scores, label):
    above = scores[truth[:, label], label][:, np.newaxis]
    below = scores[~truth[:, label], label]
    return (2 * (above > below) + (above == below)).sum()


def test_both_ways_of_counting_agree_with_the_definition(scored):
    truth, stack = scored
    labels = np.arange(5)
    compared = np.empty((7, 5), dtype=np.int64)
    pairs_in_order(truth, stack.transpose(0, 2, 1).copy(), labels, compared)
    for label in labels:
        merged = np.empty(7, dtype=np.int64)
        upper = np.sort(stack[:, truth[:, label], label], axis=1)
        lower = np.sort(stack[:, ~truth[:, label], label], axis=1)
        sorted_pairs_in_order(upper, lower, merged)
        expected = [by_counting(truth, layer, label) for layer in stack]
        np.testing.assert_array_equal(compared[:, label], expected)
        np.testing.assert_array_equal(merged, expected)


def test_pairs_of_labels_are_counted_by_the_definition(scored):
    truth, stack = scored
    counts = np.empty((7, 40), dtype=np.int64)
    labels_in_order(truth, stack, counts)
    for layer, own in zip(stack, counts, strict=True):
        expected = [
            sum(a > b for a in row[true] for b in row[~true])
            for row, true in zip(layer, truth, strict=True)
        ]
        np.testing.assert_array_equal(own, expected)


@pytest.fixture
def many(scored, monkeypatch):
    """The same with so many layers that they are counted by a kernel."""
    truth, stack = scored
    monkeypatch.setattr(curves, "_MANY_SCORES", 35 * 40 * 5)
    real, calls = curves._fill, []
    monkeypatch.setattr(curves, "_fill", lambda *given: calls.append(real(*given)))
    yield truth, np.concatenate([stack + i for i in range(5)])
    assert calls


@pytest.mark.parametrize("pairs_per_sample", [0, 5, 10**6])
def test_areas_of_a_stack_are_those_of_its_layers(many, monkeypatch, pairs_per_sample):
    monkeypatch.setattr(curves, "_FEW_PAIRS_PER_SAMPLE", pairs_per_sample)
    truth, stack = many
    expected = [label_areas(truth, layer) for layer in stack]
    np.testing.assert_array_equal(label_areas(truth, stack), expected)


def test_a_label_of_one_value_has_no_area(many):
    truth, stack = many
    truth = truth.copy()
    truth[:, 1] = False
    expected = [label_areas(truth, layer) for layer in stack]
    np.testing.assert_array_equal(label_areas(truth, stack), expected)
    assert np.isnan(label_areas(truth, stack)[:, 1]).all()
    assert np.isnan(label_areas(np.zeros_like(truth), stack)).all()


def test_warm_up_compiles():
    warm_up()
    assert pairs_in_order.signatures
    assert sorted_pairs_in_order.signatures
    assert labels_in_order.signatures
