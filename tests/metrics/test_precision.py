# SPDX-License-Identifier: BSD-3-Clause
import numpy as np
import pytest
from sklearn.exceptions import UndefinedMetricWarning

from labelsift.metrics import macro_average_precision, micro_average_precision


def slow_average_precision(truth, scores):
    """Precision at each distinct threshold, weighted by the gain in recall."""
    total, before, value = sum(truth), 0, 0.0
    for threshold in sorted(set(scores), reverse=True):
        taken = [
            y for y, score in zip(truth, scores, strict=True) if score >= threshold
        ]
        hits = sum(taken)
        value += (hits - before) / total * hits / len(taken)
        before = hits
    return value


@pytest.mark.parametrize("seed", range(5))
def test_equal_to_the_definition(seed):
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, 2, size=(12, 4))
    truth[:, 3] = 0  # nobody has it: left out
    truth[0, :3] = 1
    scores = rng.integers(0, 5, size=(12, 4)).astype(float)  # with ties
    each = [slow_average_precision(truth[:, j], scores[:, j]) for j in range(3)]
    assert macro_average_precision(truth, scores) == pytest.approx(np.mean(each))
    whole = slow_average_precision(truth.ravel(), scores.ravel())
    assert micro_average_precision(truth, scores) == pytest.approx(whole)


@pytest.mark.parametrize("measure", [macro_average_precision, micro_average_precision])
def test_without_any_label_it_is_not_defined(measure):
    with pytest.warns(UndefinedMetricWarning, match="not defined when no sample"):
        assert np.isnan(measure(np.zeros((3, 2), dtype=int), np.ones((3, 2))))
