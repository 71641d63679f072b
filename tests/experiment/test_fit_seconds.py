# SPDX-License-Identifier: BSD-3-Clause
import pytest

from labelsift.experiment.catalogue import CATALOGUE
from labelsift.experiment.fit_seconds import SECONDS, Size

SMALL, LARGE = Size(100, 50, 5, 5000, 10), Size(1000, 500, 50, 500_000, 100)


@pytest.mark.parametrize("name", [n for n in CATALOGUE if CATALOGUE[n].selects])
def test_every_selector_estimates_its_seconds(name):
    seconds = CATALOGUE[name].seconds
    assert 0 < seconds(SMALL) < seconds(LARGE)


def test_a_gram_matrix_is_of_the_smaller_side():
    assert SMALL.square == 50**2 * 100
    assert SMALL.square == Size(50, 100, 5, 5000, 10).square
    assert SMALL.cube == 50**3


@pytest.mark.parametrize("name", ["mrmr", "lrfs"])
def test_features_beyond_twice_the_budget_cost_no_steps(name):
    few, many = (SECONDS[name](Size(10, d, 1, 10 * d, 100)) for d in (200, 400))
    assert many - few < few
