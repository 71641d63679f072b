# SPDX-License-Identifier: BSD-3-Clause
import numpy as np
import pytest
from sklearn.base import BaseEstimator
from sklearn.dummy import DummyClassifier
from sklearn.ensemble import HistGradientBoostingClassifier, RandomForestClassifier
from sklearn.feature_selection import RFE, SelectKBest
from sklearn.linear_model import (
    LogisticRegression,
    MultiTaskLasso,
    Ridge,
    RidgeClassifier,
)
from sklearn.multioutput import ClassifierChain, MultiOutputClassifier
from sklearn.neighbors import KNeighborsRegressor
from sklearn.neural_network import MLPClassifier
from sklearn.svm import SVR
from sklearn.utils import get_tags

from labelsift.core.wrapper import WrapperMixin
from labelsift.selection import FisherScore

Y = np.array([[0, 1, 1], [1, 1, 0], [0, 0, 0], [1, 1, 1]], dtype=np.int8)


class Wrapper(WrapperMixin, BaseEstimator):
    """A wrapper and nothing else."""

    def __init__(self, estimator=None, *, per_label="auto"):
        self.estimator = estimator
        self.per_label = per_label


class Recorder:
    """Mixed into an estimator, it records its target instead of learning."""

    def fit(self, X, y):
        self.seen = y
        return self


def targets(cls, labels=Y, per_label="auto", **arguments):
    """What the clones of an estimator of this class are fitted to."""
    recorder = type("Recording", (Recorder, cls), {"__init__": cls.__init__})
    estimator = recorder(**arguments)
    wrapper = Wrapper(estimator, per_label=per_label)
    wrapper._fit_clones(estimator, None, labels)
    assert not hasattr(estimator, "seen")
    return [fitted.seen for fitted in wrapper.estimators_]


CHAIN = {"estimator": LogisticRegression()}


@pytest.mark.parametrize(
    ("cls", "arguments"),
    [
        (RandomForestClassifier, {}),
        (RidgeClassifier, {}),
        (MLPClassifier, {}),
        (Ridge, {}),
        (KNeighborsRegressor, {}),
        (MultiTaskLasso, {}),
        (ClassifierChain, CHAIN),
        (MultiOutputClassifier, CHAIN),
        (DummyClassifier, {}),
        (FisherScore, {}),
        (RFE, {"estimator": RidgeClassifier()}),
    ],
)
def test_who_takes_a_label_matrix_is_fitted_once(cls, arguments):
    [seen] = targets(cls, **arguments)
    np.testing.assert_array_equal(seen, Y)


@pytest.mark.parametrize(
    ("cls", "arguments"),
    [
        (LogisticRegression, {}),
        (HistGradientBoostingClassifier, {}),
        (SVR, {}),
        (SelectKBest, {}),
        (RFE, {"estimator": LogisticRegression()}),
    ],
)
def test_others_are_fitted_to_each_label(cls, arguments):
    seen = targets(cls, **arguments)
    assert [part.ndim for part in seen] == [1, 1, 1]
    np.testing.assert_array_equal(np.column_stack(seen), Y)


def test_the_user_may_know_better():
    assert len(targets(Ridge, per_label=True)) == 3
    [seen] = targets(SelectKBest, per_label=False)
    assert seen.shape == Y.shape


def test_labels_with_one_value_are_left_out():
    labels = np.insert(Y, [0, 3], [0, 1], axis=1)
    np.testing.assert_array_equal(targets(Ridge, labels)[0], Y)
    assert len(targets(SelectKBest, labels)) == 3


def test_one_label_is_a_vector_for_who_takes_vectors():
    assert targets(RandomForestClassifier, Y[:, :1])[0].shape == (4,)
    assert targets(RandomForestClassifier, Y[:, :1], per_label=False)[0].shape == (4,)
    assert targets(ClassifierChain, Y[:, :1], **CHAIN)[0].shape == (4, 1)
    parts = targets(MultiTaskLasso, Y, per_label=True)
    assert [part.shape for part in parts] == [(4, 1)] * 3


def test_targets_are_numbers_in_which_sums_do_not_overflow():
    assert targets(Ridge)[0].dtype == np.float64
    assert targets(RidgeClassifier)[0].dtype == np.int64
    assert targets(SelectKBest)[0].dtype == np.int64


def test_tags_of_the_input_are_those_of_the_estimator():
    assert get_tags(Wrapper(Ridge())).input_tags.sparse
    assert not get_tags(Wrapper(HistGradientBoostingClassifier())).input_tags.sparse
    assert not get_tags(Wrapper()).input_tags.positive_only
