# SPDX-License-Identifier: BSD-3-Clause
import dataclasses

import numpy as np
import pandas as pd
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from sklearn.exceptions import UndefinedMetricWarning

from labelsift.metrics import stability
from reference.nogueira import index, kuncheva, variance_of_index

MATRICES = arrays(bool, st.tuples(st.integers(2, 8), st.integers(2, 8)))


@settings(deadline=None)
@given(chosen=MATRICES)
def test_equal_to_the_formula(chosen):
    assume(chosen.any() and not chosen.all())
    found = stability(chosen)
    rows = chosen.astype(int).tolist()
    assert found.index == pytest.approx(index(rows), abs=1e-12)
    assert found.variance == pytest.approx(variance_of_index(rows), abs=1e-12)


def test_equal_to_kunchevas_index_for_one_size(rng):
    selections = [rng.choice(30, size=7, replace=False) for _ in range(10)]
    expected = kuncheva([set(chosen) for chosen in selections], 30)
    assert stability(selections, 30).index == pytest.approx(expected, rel=1e-12)


def test_equal_selections_are_perfectly_stable():
    found = stability([[0, 3, 4]] * 5, 10)
    assert found.index == pytest.approx(1)
    assert found.variance == pytest.approx(0)
    assert found.lower == pytest.approx(found.upper) == pytest.approx(1)


def test_the_least_possible_agreement_of_two_selections():
    assert stability([[0, 1], [2, 3]], 4).index == pytest.approx(-1)


@pytest.mark.parametrize("size", [2, 10, 25])
def test_selections_at_random_score_about_0(size, rng):
    found = [
        stability([rng.choice(50, size, replace=False) for _ in range(20)], 50).index
        for _ in range(50)
    ]
    assert abs(np.mean(found)) < 0.01


def test_the_interval_holds_the_true_stability_as_often_as_it_says(rng):
    chance = rng.beta(0.5, 0.5, size=50)
    share = chance.mean()
    true = 1 - np.mean(chance * (1 - chance)) / (share * (1 - share))
    found = [stability(rng.random((200, 50)) < chance) for _ in range(400)]
    held = np.mean([one.lower <= true <= one.upper for one in found])
    assert 0.91 < held < 0.98
    assert np.mean([one.variance for one in found]) == pytest.approx(
        np.var([one.index for one in found]), rel=0.3
    )


def test_every_form_of_selections_gives_the_same(rng):
    masks = rng.random((6, 12)) < 0.4
    expected = stability(masks)
    indices = [np.flatnonzero(mask) for mask in masks]
    assert stability(list(masks)) == expected
    assert stability(masks, 12) == expected
    assert stability(pd.DataFrame(masks)) == expected
    assert stability(indices, 12) == expected
    assert stability([chosen.tolist() for chosen in indices], n_features=12) == expected
    assert stability([rng.permutation(chosen) for chosen in indices], 12) == expected


def test_an_empty_selection_is_a_selection():
    expected = stability(np.array([[True, False], [False, False]]))
    assert stability([[0], []], 2) == expected


def test_a_higher_level_gives_a_wider_interval(rng):
    masks = rng.random((10, 12)) < 0.4
    usual, wide = stability(masks), stability(masks, level=0.99)
    assert (usual.level, wide.level) == (0.95, 0.99)
    assert wide.lower < usual.lower < usual.index < usual.upper < wide.upper
    reach = 1.959963984540054 * np.sqrt(usual.variance)
    assert usual.upper - usual.index == pytest.approx(reach)


def test_the_result_is_frozen():
    with pytest.raises(dataclasses.FrozenInstanceError):
        stability([[0], [1]], 3).index = 1


@pytest.mark.parametrize("full", [False, True])
def test_undefined_when_nothing_or_everything_is_chosen(full):
    with pytest.warns(UndefinedMetricWarning, match="set to NaN"):
        found = stability(np.full((4, 3), full))
    assert np.isnan([found.index, found.variance, found.lower, found.upper]).all()


@pytest.mark.parametrize(
    ("selections", "n_features", "sentence"),
    [
        ([[0, 1]], 4, "needs at least two, got 1"),
        ([[0, 1], [1, 2]], None, "need n_features"),
        (np.eye(3, dtype=int), None, "a 0/1 matrix must be passed as bool"),
        (np.eye(3, dtype=int), 3, "Selection 0 holds a feature twice"),
        ([[0, 1], [1, 4]], 4, r"Selection 1 holds a feature outside 0\.\.3"),
        ([[0, -1], [1, 2]], 4, "Selection 0 holds a feature outside"),
        ([[0, 1], [1.5, 2]], 4, "Selection 1 holds dtype float64"),
        ([[True, False], [0, 1]], 2, "Selection 0 holds dtype bool"),
        ([[True, False], [True]], None, r"got lengths \[1, 2\]"),
        (np.eye(3, dtype=bool), 4, "must all be of length n_features=4"),
        (np.zeros((2, 2, 2), dtype=bool), None, "of one dimension each"),
        ([[0], [1]], 0, "n_features"),
    ],
)
def test_bad_selections(selections, n_features, sentence):
    with pytest.raises(ValueError, match=sentence):
        stability(selections, n_features)


@pytest.mark.parametrize("level", [0, 1, 95])
def test_bad_level(level):
    with pytest.raises(ValueError, match="level"):
        stability([[0], [1]], 3, level=level)
