# SPDX-License-Identifier: BSD-3-Clause
import numpy as np
import pytest

from labelsift.model_selection.stability_selection.halves import Halves


def draws(halves, count=30):
    return [halves.draw(np.random.RandomState(seed)) for seed in range(count)]


@pytest.mark.parametrize("n", [4, 5, 40, 41])
def test_halves_are_disjoint_and_of_one_size(n, rng):
    Y = np.eye(2, dtype=np.int8)[np.arange(n) % 2]
    sizes = set()
    for one, other in draws(Halves.read(Y, None)):
        assert not set(one) & set(other)
        assert set(one) | set(other) <= set(range(n))
        sizes |= {len(one), len(other)}
    assert sizes == {n // 2}


@pytest.mark.parametrize("n", [40, 41])
def test_labels_with_two_rows_of_each_value_keep_both(n):
    Y = np.zeros((n, 4), dtype=np.int8)
    Y[:2, 0] = Y[5:7, 1] = Y[::2, 2] = 1
    Y[:, 3] = 1
    Y[9:11, 3] = 0  # two negatives
    for pair in draws(Halves.read(Y, None)):
        for rows in pair:
            assert (np.ptp(Y[rows], axis=0) == 1).all()


def test_a_uniform_draw_would_lose_labels():
    """What the halves above are for: nearly half of the plain draws fail."""
    Y = np.zeros((40, 1), dtype=np.int8)
    Y[:2] = 1
    lost = 0
    for seed in range(200):
        rows = np.random.RandomState(seed).permutation(40)[:20]
        lost += Y[rows].sum() != 1
    assert lost > 50


def test_every_row_is_in_every_half_at_times(rng):
    Y = (rng.random((21, 3)) < 0.5).astype(np.int8)
    pairs = draws(Halves.read(Y, None), 60)
    for side in (0, 1):
        assert set(np.concatenate([pair[side] for pair in pairs])) == set(range(21))


def test_rows_of_a_group_stay_together(rng):
    groups = np.repeat([f"subject {i}" for i in range(9)], [1, 2, 3, 4, 5, 1, 2, 3, 4])
    Y = (rng.random((len(groups), 3)) < 0.5).astype(np.int8)
    for one, other in draws(Halves.read(Y, groups)):
        assert not set(groups[one]) & set(groups[other])
        assert len(set(groups[one])) == len(set(groups[other])) == 4
        for rows in (one, other):
            whole = np.isin(groups, groups[rows])
            np.testing.assert_array_equal(np.flatnonzero(whole), rows)


def test_labels_of_two_groups_reach_both_halves():
    groups = np.repeat(np.arange(10), 4)
    Y = np.zeros((40, 1), dtype=np.int8)
    Y[[0, 1, 37]] = 1  # groups 0 and 9
    for one, other in draws(Halves.read(Y, groups)):
        assert Y[one].any()
        assert Y[other].any()


def test_where_no_covering_halves_exist_the_draw_is_uniform():
    """Rows 0 to 2 are pairwise the only positives of a label: no two halves do."""
    Y = np.zeros((8, 3), dtype=np.int8)
    Y[[0, 1], 0] = Y[[1, 2], 1] = Y[[0, 2], 2] = 1
    for one, other in draws(Halves.read(Y, None)):
        assert len(one) == len(other) == 4
        assert not set(one) & set(other)


def test_too_few_rows_or_groups_are_refused():
    Y = np.array([[0], [1], [1]], dtype=np.int8)
    with pytest.raises(ValueError, match="at least 4 samples, got n_samples=3"):
        Halves.read(Y, None)
    with pytest.raises(ValueError, match="at least 4 groups, got n_groups=2"):
        Halves.read(np.tile(Y, (2, 1)), [0, 0, 0, 1, 1, 1])
    with pytest.raises(ValueError, match="inconsistent numbers of samples"):
        Halves.read(np.tile(Y, (2, 1)), [0, 1, 2, 3])
