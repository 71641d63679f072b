# SPDX-License-Identifier: BSD-3-Clause
import pickle

from labelsift.datasets.problems import TableError


def test_the_first_is_told_and_the_others_are_counted():
    assert str(TableError(["One."])) == "One."
    error = TableError(["One.", "Two.", "Three."])
    assert str(error) == "One. (2 more: 'labelsift look' lists them all.)"
    assert pickle.loads(pickle.dumps(error)).problems == error.problems
