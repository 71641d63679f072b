# SPDX-License-Identifier: BSD-3-Clause
import numpy as np
import pytest
from matplotlib.figure import Figure

from labelsift.datasets import make_planted
from labelsift.model_selection import explain
from labelsift.plots import label_contributions
from labelsift.selection import GreedyRLS


@pytest.fixture(scope="module")
def explained():
    data = make_planted(150, 12, 4, n_relevant=4, noise=0.5, random_state=0)
    selector = GreedyRLS(5).fit(data.X, data.Y)
    names = {
        "feature_names": [f"$\\frac{{${i}" for i in range(12)],
        "label_names": ["a", "<b>", "$\\frac{$", "d"],
    }
    return explain(selector, data.X, data.Y, **names)


def test_cells_are_shares_of_the_error_and_blank_below_two_errors(explained):
    ax = label_contributions(explained, title="t")
    drawn = np.ma.filled(ax.images[0].get_array(), np.nan)
    expected = explained.contribution / explained.label_error
    expected[~explained.serves] = np.nan
    np.testing.assert_allclose(drawn, expected)
    assert np.isnan(drawn).any()
    assert (~np.isnan(drawn)).any()
    assert ax.get_title() == "t"


def test_names_stand_at_their_rows_and_are_no_markup(explained, tmp_path):
    ax = label_contributions(explained)
    rows = [tick.get_text() for tick in ax.get_yticklabels()]
    assert rows == [explained.feature_names[i] for i in explained.features]
    assert [tick.get_text() for tick in ax.get_xticklabels()][1] == "<b>"
    ax.figure.savefig(tmp_path / "x.svg")
    assert (tmp_path / "x.svg").stat().st_size > 0


def test_it_draws_where_it_is_told_to(explained):
    ax = Figure().subplots()
    assert label_contributions(explained, ax=ax) is ax
