# SPDX-License-Identifier: BSD-3-Clause
import math

import numpy as np
import pytest
from scipy.stats import ttest_1samp

from labelsift.stats import corrected_resampled_t


def test_without_correction_it_is_the_paired_t_test(rng):
    differences = rng.normal(0.3, 1, size=12)
    found = corrected_resampled_t(differences, test_over_train=0)
    expected = ttest_1samp(differences, 0)
    assert found.statistic == pytest.approx(expected.statistic)
    assert found.p_value == pytest.approx(expected.pvalue)
    greater = ttest_1samp(differences, 0, alternative="greater")
    assert found.p_greater == pytest.approx(greater.pvalue)
    opposite = corrected_resampled_t(-differences, test_over_train=0)
    assert opposite.p_greater == pytest.approx(1 - greater.pvalue)


def test_five_folds_by_hand():
    # mean 0.02, s = 0.01 / sqrt(2), (1/5 + 1/4) s^2 = 0.0000225
    found = corrected_resampled_t([0.02, 0.03, 0.01, 0.02, 0.02])
    assert found.std_error == pytest.approx(math.sqrt(0.0000225))
    assert found.statistic == pytest.approx(0.02 / math.sqrt(0.0000225))


def test_the_correction_makes_claims_weaker(rng):
    differences = rng.normal(1, 1, size=5)
    plain = corrected_resampled_t(differences, test_over_train=0)
    assert corrected_resampled_t(differences).p_value > plain.p_value


def test_false_alarms_over_overlapping_folds_stay_near_five_percent(rng):
    """Means of methods that are equal: values correlated as those of folds are."""
    alarms = []
    for _ in range(2000):
        shared = rng.normal(scale=np.sqrt(0.2))
        differences = shared + rng.normal(scale=np.sqrt(0.8), size=5)
        alarms.append(corrected_resampled_t(differences).p_value <= 0.05)
    assert 0.02 < np.mean(alarms) < 0.08


def test_equal_values_and_one_split():
    assert corrected_resampled_t([0.0, 0.0]).p_value == 1
    assert corrected_resampled_t([0.25, 0.25, 0.25]).p_value == 0
    assert corrected_resampled_t([-0.25, -0.25]).p_greater == 1
    rounding = 1e-17 * np.arange(-2, 3)
    assert corrected_resampled_t(rounding).p_value == 1
    one = corrected_resampled_t([0.5])
    assert one.p_value == 1
    assert math.isnan(one.std_error)


@pytest.mark.parametrize("wrong", [[], [[1.0]], [0.1, math.nan]])
def test_bad_input(wrong):
    with pytest.raises(ValueError, match="one per split"):
        corrected_resampled_t(wrong)
