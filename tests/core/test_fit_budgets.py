# SPDX-License-Identifier: BSD-3-Clause
"""Fits to several budgets share work and equal fits of their own."""

import numpy as np
import pytest
import scipy.sparse as sp

from labelsift.datasets import make_planted
from labelsift.selection import RALMFS, FisherScore, MTLasso

BUDGETS = [2, 5, 9, 20]


@pytest.mark.parametrize("form", [np.asarray, sp.csr_array])
@pytest.mark.parametrize(
    "selector",
    [MTLasso(), MTLasso(norm="2"), RALMFS(random_state=0), RALMFS(), FisherScore()],
    ids=str,
)
def test_fits_to_several_budgets_equal_single_ones(selector, form):
    data = make_planted(60, 30, 4, n_relevant=8, random_state=0)
    X = form(data.X)
    shared = list(selector.fit_budgets(X, data.Y, BUDGETS))
    for budget, model in zip(BUDGETS, shared, strict=True):
        alone = type(selector)(
            **{**selector.get_params(), "n_features_to_select": budget}
        )
        alone.fit(X, data.Y)
        assert model.n_features_ == budget
        assert vars(model).keys() == vars(alone).keys()
        np.testing.assert_array_equal(model.feature_order_, alone.feature_order_)
        np.testing.assert_allclose(model.scores_, alone.scores_, rtol=1e-12)
        assert getattr(model, "n_iter_", 0) == getattr(alone, "n_iter_", 0)
    assert not hasattr(selector, "scores_")
