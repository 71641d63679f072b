# SPDX-License-Identifier: BSD-3-Clause
import numpy as np

from labelsift.core.powerset import label_powerset, pruned_powerset


def test_each_distinct_label_set_is_a_class(rng):
    for Y in (rng.integers(2, size=(50, 3)), rng.integers(2, size=(11, 50)).T):
        sets, classes = label_powerset(Y)
        np.testing.assert_array_equal(sets[classes], Y)
        assert len(sets) == len({tuple(row) for row in Y})


def test_rare_sets_are_left_out_or_join_the_largest_set_within():
    frequent = [[1, 0, 0]] * 3 + [[0, 1, 0]] * 4 + [[0, 0, 0]] * 5
    rare = [[1, 1, 0], [1, 0, 1], [0, 0, 1]]
    Y = np.array(frequent + rare)
    pruned = pruned_powerset(Y, 3)
    assert pruned[-3:].tolist() == [-1, -1, -1]
    assert len(set(pruned[:-3])) == 3
    joined = pruned_powerset(Y, 3, reassign=True)
    np.testing.assert_array_equal(joined[:-3], pruned[:-3])
    # The more frequent of two single labels, the only one within, and none: the empty
    # set is within every set and takes nobody.
    assert joined[-3:].tolist() == [pruned[3], pruned[0], -1]


def test_nothing_may_be_left():
    Y = np.eye(4, dtype=int)
    for reassign in (False, True):
        assert np.all(pruned_powerset(Y, 2, reassign=reassign) == -1)
