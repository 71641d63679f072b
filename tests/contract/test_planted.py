# SPDX-License-Identifier: BSD-3-Clause
"""What was planted is found; what says nothing comes last."""

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.pipeline import make_pipeline
from sklearn.utils import get_tags

from contract.cases import make, samples
from contract.discovery import each, of_labels, selectors
from core.quiet import fit
from labelsift.classification import BinaryRidge
from labelsift.datasets import make_planted
from labelsift.metrics import macro_auc
from labelsift.model_selection import KnockoffSelector
from labelsift.selection import RFSFS, RandomRanking, ReliefML

# ReliefML judges a feature where label sets differ as a whole: one that tells few
# labels may not show. (Its own tests find all of them label by label.) Weights of RFSFS
# are not negative: it cannot use a feature that only makes labels less likely.
MAY_MISS = {ReliefML: 1, RFSFS: 1}


def planted(seed):
    """Half of the entries are zeros, none is negative: every estimator takes them."""
    return make_planted(600, 20, 5, n_relevant=4, density=0.5, random_state=seed)


@each([cls for cls in selectors() if cls is not RandomRanking])
def test_planted_features_are_found(cls):
    missed = 0
    for seed in range(4):
        data = planted(seed)
        model = fit(make(cls, n_features_to_select=4), data.X, data.Y)
        missed += 4 - model.support_[data.relevant].sum()
    # Where X must not be negative, weights are not either: a feature that only makes
    # labels less likely cannot be found.
    positive_only = get_tags(model).input_tags.positive_only
    assert missed <= MAY_MISS.get(cls, positive_only)


# One is chance; the other finds nothing where only four features are to be found.
SILENT = (RandomRanking, KnockoffSelector)


@each([cls for cls in of_labels() if cls not in SILENT])
def test_planted_labels_are_predicted(cls):
    """By the estimator itself, or from what it makes of the features."""
    data = planted(0)
    train, test = data.rows(slice(400)), data.rows(slice(400, None))
    model = make(cls)
    if not hasattr(model, "decision_function"):
        model = make_pipeline(model, BinaryRidge())
    scores = fit(model, train.X, train.Y).decision_function(test.X)
    assert macro_auc(test.Y, scores) > 0.9


@each(selectors())
@pytest.mark.parametrize("form", [np.asarray, sp.csr_array, sp.csc_array])
def test_constant_columns_come_last(cls, form):
    X, Y = samples(cls)
    X = form(np.insert(X, [0, 10], [5.0, 0.0], axis=1))
    model = fit(make(cls, n_features_to_select=20), X, Y)
    assert not model.support_[[0, 11]].any()
    assert model.scores_[[0, 11]].max() < model.scores_[model.support_].min()
    everything = fit(make(cls, n_features_to_select=1.0), X, Y)
    assert set(everything.feature_order_[-2:]) == {0, 11}
