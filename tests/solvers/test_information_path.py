# SPDX-License-Identifier: BSD-3-Clause
import numpy as np
import pytest

from labelsift.solvers.bins import make_bins
from labelsift.solvers.information import Information
from labelsift.solvers.information_path import greedy_path
from reference.information import coded_data
from reference.lrfs import lrfs
from reference.mdmr import mdmr
from reference.mrmr import mrmr


@pytest.mark.parametrize("n_bins", [2, 3, 5])
def test_worth_along_the_path_equals_the_references(rng, n_bins):
    codes, Y = coded_data(rng, n_bins, 0.3)
    bins = make_bins(codes)
    information = Information(bins, Y)
    about, beyond = information.about_feature, information.about_labels_given_feature
    paths = [
        (mrmr, information.about_labels(), about),
        (mdmr, information.about_labels(), lambda s: about(s) - beyond(s)),
        (lrfs, information.about_labels_given_labels(), about),
    ]
    for reference, relevance, redundancy in paths:
        order, worth = reference(codes, Y, 8)
        path = greedy_path(relevance, redundancy, ~bins.is_constant, 8)
        np.testing.assert_array_equal(path.solution, order)
        np.testing.assert_allclose(path.objective, worth, rtol=0, atol=1e-10)


def test_ties_go_to_the_lowest_index():
    relevance = np.array([1.0, 2.0, 2.0 + 1e-13, 2.0 - 1e-13])
    every = np.ones(4, dtype=bool)
    path = greedy_path(relevance, lambda s: np.zeros(4), every, 4)
    assert path.solution.tolist() == [1, 2, 3, 0]


def test_redundancy_is_asked_once_for_each_feature_taken_but_the_last():
    asked = []

    def redundancy(s):
        asked.append(s)
        return np.zeros(3)

    path = greedy_path(np.arange(3.0), redundancy, np.array([True, False, True]), 3)
    assert path.solution.tolist() == [2, 0]
    assert asked == [2]
