# SPDX-License-Identifier: BSD-3-Clause
import warnings

import numpy as np
import pytest
from sklearn.model_selection import KFold, ShuffleSplit

from labelsift.classification import BinaryRidge
from labelsift.datasets import make_planted
from labelsift.model_selection.fold import (
    check_partition,
    fitted,
    fold_scores,
    label_scores,
    make_folds,
)


@pytest.fixture
def data():
    return make_planted(60, 8, 3, n_relevant=4, random_state=0)


def test_a_number_means_stratified_folds(data):
    folds = make_folds(5, data.X, data.Y, 0)
    counts = np.array([data.Y[test].sum(axis=0) for _, test in folds])
    assert len(folds) == 5
    assert np.ptp(counts, axis=0).max() <= 2
    check_partition(folds, 60, 5)


def test_splitters_and_splits_are_taken_as_they_are(data):
    splitter = KFold(3)
    for cv in (splitter, list(splitter.split(data.X))):
        for ours, theirs in zip(
            make_folds(cv, data.X, data.Y, None), splitter.split(data.X), strict=True
        ):
            np.testing.assert_array_equal(ours[1], theirs[1])


def test_folds_that_overlap_are_no_partition(data):
    folds = make_folds(ShuffleSplit(3, random_state=0), data.X, data.Y, None)
    with pytest.raises(ValueError, match="each of the 60 samples into exactly one"):
        check_partition(folds, 60, "mine")


def test_nothing_to_learn_is_refused(data):
    Y = np.zeros_like(data.Y)
    Y[:30] = 1
    with pytest.raises(ValueError, match="no label has both values: use fewer folds"):
        make_folds(KFold(2), data.X, Y, None)


def test_scores_of_a_fold_are_of_a_model_that_has_not_seen_it(data):
    train, test = np.arange(40), np.arange(40, 60)
    model = BinaryRidge().fit(data.X[train], data.Y[train])
    np.testing.assert_allclose(
        fold_scores(BinaryRidge(), data.X, data.Y, train, test),
        model.decision_function(data.X[test]),
    )


def test_labels_with_one_value_are_not_spoken_of_twice(data):
    Y = data.Y.copy()
    Y[:, 0] = 0
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        model = fitted(BinaryRidge(), data.X, Y)
    assert label_scores(model, data.X, 3).shape == (60, 3)
    with pytest.raises(ValueError, match="it must score every label"):
        label_scores(model, data.X, 4)
