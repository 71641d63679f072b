# SPDX-License-Identifier: BSD-3-Clause
import numpy as np
import pytest
import scipy.sparse as sp

from experiment.tasks import planted
from labelsift.classification import BinarySVM
from labelsift.experiment.fisher_svm import PerLabelFisherSVM
from labelsift.selection import FisherScore


@pytest.mark.parametrize("as_x", [np.asarray, sp.csr_array])
def test_fisher_svm_is_a_ranking_and_a_machine_for_each_label(as_x):
    data = planted()
    X = as_x(data.X)
    scores = PerLabelFisherSVM(3, C=0.5).fit(X, data.Y).decision_function(X)
    for label in range(4):
        y = data.Y[:, [label]]
        chosen = X[:, FisherScore(3).fit(X, y).get_support(indices=True)]
        machine = BinarySVM(0.5, random_state=0).fit(chosen, y)
        assert np.allclose(scores[:, label], machine.decision_function(chosen).ravel())


def test_fisher_svm_scores_a_grid_as_its_fits_do():
    data = planted()
    points = [{"n_features": k, "C": C} for k in (2, 30, 5) for C in (0.1, 10.0)]
    folds = [(np.arange(40), np.arange(40, 50)), (np.arange(10, 45), np.arange(10))]
    together = PerLabelFisherSVM().fold_scores(data.X, data.Y, folds, points)
    ((positions, scores),) = together
    assert positions == list(range(len(points)))
    for (train, test), stack in zip(folds, scores, strict=True):
        for point, layer in zip(points, stack, strict=True):
            alone = PerLabelFisherSVM(**point).fit(data.X[train], data.Y[train])
            assert np.array_equal(layer, alone.decision_function(data.X[test]))


def test_fisher_svm_gives_a_label_with_one_value_that_value():
    data = planted()
    Y = data.Y.copy()
    Y[:, 1], Y[:, 2] = 0, 1
    with pytest.warns(UserWarning, match="2 of 4 labels hold one value"):
        machine = PerLabelFisherSVM(3).fit(data.X, Y)
    scores = machine.decision_function(data.X[:5])
    assert np.array_equal(scores[:, 1:3], np.tile([-1.0, 1.0], (5, 1)))
    alone = PerLabelFisherSVM(3).fit(data.X, Y[:, [0, 3]])
    assert np.allclose(scores[:, [0, 3]], alone.decision_function(data.X[:5]))


@pytest.mark.parametrize("wrong", [{"n_features": 0}, {"C": 0.0}])
def test_fisher_svm_refuses(wrong):
    data = planted()
    with pytest.raises(ValueError, match=next(iter(wrong))):
        PerLabelFisherSVM(**wrong).fit(data.X, data.Y)
