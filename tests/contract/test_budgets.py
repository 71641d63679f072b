# SPDX-License-Identifier: BSD-3-Clause
"""One fit serves every smaller budget, or says that it does not."""

import copy

import numpy as np
import pytest

from contract.cases import assert_same, everything, make, samples
from contract.discovery import each, selectors
from core.quiet import fit

NESTED = [cls for cls in selectors() if cls().nested_budgets]
ALONE = [cls for cls in selectors() if not cls().nested_budgets]


@each(NESTED)
@pytest.mark.filterwarnings("ignore:.* gives weight to")
def test_a_view_equals_a_fit_with_its_budget(cls):
    X, Y = samples(cls)
    full = fit(make(cls, n_features_to_select=1.0), X, Y)
    before = copy.deepcopy(everything(full, X))
    for budget in (1, 3, 7, 20, 0.01, 0.5, 1.0):
        view = full.with_budget(budget)
        expected = fit(make(cls, n_features_to_select=budget), X, Y)
        assert view.get_params() == expected.get_params()
        # Weights come from one decomposition, whose last digits depend on its size.
        assert_same(everything(view, X), everything(expected, X), rtol=1e-12)
        np.testing.assert_array_equal(view.scores_, expected.scores_)
    assert_same(everything(full, X), before, rtol=0)


@each(NESTED)
def test_a_view_beyond_the_ranking_is_refused(cls):
    model = fit(make(cls, n_features_to_select=5), *samples(cls))
    reached = 20 if model.ranks_all else 5
    sentence = f"budget={reached + 1} is beyond the {reached} features that were ranked"
    with pytest.raises(ValueError, match=sentence):
        model.with_budget(reached + 1)


@each(ALONE)
def test_a_selector_that_solves_each_budget_on_its_own_says_so(cls):
    model = fit(make(cls), *samples(cls))
    sentence = f"{cls.__name__} solves each budget on its own: fit it again with n_fe"
    with pytest.raises(ValueError, match=sentence):
        model.with_budget(3)


@each(selectors())
@pytest.mark.parametrize("budget", [1, 7, 0.5, 1.0])
def test_scores_order_and_support_agree(cls, budget):
    model = fit(make(cls, n_features_to_select=budget), *samples(cls))
    count = budget if isinstance(budget, int) else int(20 * budget)
    assert model.n_features_ == count
    reached = len(model.feature_order_)
    assert reached == (20 if model.ranks_all else count)
    order = np.argsort(-model.scores_, kind="stable")[:reached]
    np.testing.assert_array_equal(model.feature_order_, order)
    selected = np.sort(model.feature_order_[:count])
    np.testing.assert_array_equal(model.get_support(indices=True), selected)
