# SPDX-License-Identifier: BSD-3-Clause
import math
from dataclasses import replace

import pytest

from labelsift.report.page_curves import curves, drawn_first, shown_budget
from report.pages import empty_page, large_page, traits_page


def row(method, budget, split, value, measure="macro_auc"):
    return {
        "method": method,
        "budget": budget,
        "measure": measure,
        "split": split,
        "value": value,
    }


def test_means_and_standard_errors_by_hand():
    rows = [row("a", 9, 0, 0.5), row("a", 3, 0, 0.2), row("a", 3, 1, 0.4)]
    rows += [row("a", 3, 2, math.nan), row("a", 3, 3, None), row("a", 3, 0, 1, "other")]
    curve = curves(replace(traits_page(), rows=rows))["macro_auc"]["a"]
    assert list(curve) == [3, 9]
    assert curve[3].mean == pytest.approx(0.3)
    assert curve[3].std_error == pytest.approx(0.1)
    assert curve[3].n_splits == 2
    assert math.isnan(curve[9].std_error)


def test_the_budget_that_is_shown():
    page = traits_page()
    assert shown_budget(page) == page.recommendation.budget
    assert shown_budget(replace(page, recommendation=None)) == 20
    assert shown_budget(empty_page()) == 0


def test_at_most_eight_methods_are_drawn_first_the_best_ones():
    page = large_page()
    assert drawn_first(page, curves(page)) == {f"method-{i}" for i in range(8)}
    small = traits_page()
    assert drawn_first(small, curves(small)) == set(small.methods)
