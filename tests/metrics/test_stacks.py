# SPDX-License-Identifier: BSD-3-Clause
"""A stack is judged as its layers are, one by one, to the last digit."""

import numpy as np
import pytest

from labelsift.metrics import MEASURES, curves
from labelsift.metrics import rankings as by_pairs
from labelsift.metrics.reading import read_stack

EACH = [measure for measure in MEASURES.values() if measure.of_each is not None]


@pytest.fixture(params=[3, 30], ids=lambda n_labels: f"{n_labels} labels")
def stacked(request):
    """True labels, one of them constant, and layers of scores with many ties."""
    rng = np.random.default_rng(request.param)
    truth = rng.random((50, request.param)) < 0.3
    truth[:, -1], truth[:3] = False, [[True], [False], [False]]
    return truth, (rng.normal(size=(6, *truth.shape)) + truth).round(1)


def test_all_but_average_precision_judge_stacks():
    alone = [name for name, measure in MEASURES.items() if measure not in EACH]
    assert alone == ["macro_average_precision", "micro_average_precision"]


@pytest.mark.parametrize("how", ["by arrays", "by kernels", "many pairs"])
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("gaps", [False, True])
@pytest.mark.parametrize("measure", EACH, ids=lambda measure: measure.name)
def test_a_stack_is_judged_as_its_layers(
    measure, gaps, weighted, how, stacked, monkeypatch
):
    monkeypatch.setattr(by_pairs, "_BLOCK_ENTRIES", 200)  # several blocks of rows
    truth, stack = stacked
    assert not curves.is_tall(stack)
    if how != "by arrays":
        monkeypatch.setattr(curves, "_MANY_SCORES", 1)
        monkeypatch.setattr(curves, "_MANY_LAYERS", len(stack))
        assert curves.is_tall(stack)
    if how == "many pairs":
        monkeypatch.setattr(by_pairs, "_FEW_PAIRS_PER_LABEL", 0)
    if measure.needs == "labels":
        stack = stack > 0.5
    if gaps:
        missing = np.random.default_rng(0).random(truth.shape) < 0.2
        missing[5], missing[:, 1] = True, True  # a sample and a label left out
        truth = np.where(missing, np.nan, truth)
    weights = np.arange(len(truth)) % 4 / 2 if weighted else None
    expected = [measure.judge(truth, layer, weights) for layer in stack]
    found = measure.of_each(read_stack(truth, stack, weights))
    assert found.shape == (len(stack),)
    np.testing.assert_allclose(found, expected, rtol=1e-15 if weighted else 0)
    if not weighted:
        np.testing.assert_array_equal(found, expected)


def test_an_undefined_measure_is_undefined_in_every_layer(stacked):
    truth, stack = stacked
    for name in ("macro_auc", "worst_auc", "lowest_tenth_auc"):
        with pytest.warns(UserWarning, match=name):
            values = MEASURES[name].of_each(read_stack(np.zeros_like(truth), stack))
        assert np.isnan(values).all()
        assert len(values) == len(stack)


def test_a_missing_score_is_refused(stacked):
    truth, stack = stacked
    stack[2, 4, 1] = np.nan
    with pytest.raises(ValueError, match="NaN, first at row 4, label 1"):
        read_stack(truth, stack)
