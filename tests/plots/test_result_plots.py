# SPDX-License-Identifier: BSD-3-Clause
import pytest

from labelsift.experiment.results import Results
from labelsift.plots import curve_panels, result_curves, result_ranks
from labelsift.stats import rank_methods
from measured_rows import results, row, three_methods

pytest.importorskip("matplotlib")


def lines(ax):
    return {line.get_label(): line for line in ax.get_lines()}


def test_a_curve_is_the_mean_over_splits():
    ax = result_curves(three_methods(n_data=1), "macro_auc", controls=["all"])
    drawn = lines(ax)
    assert set(drawn) == {"a", "b", "c", "all"}  # "own" predicts from all features
    assert drawn["a"].get_xdata().tolist() == [5, 10]
    wanted = [0.9 + 0.001 * k + 0.01 for k in (5, 10)]
    assert drawn["a"].get_ydata() == pytest.approx(wanted)
    assert ax.get_ylabel() == "macro AUC"


def test_draws_are_one_value_of_their_split():
    rows = [row("d", "random", v, draw=k, budget=5) for k, v in enumerate((0.2, 0.4))]
    rows += [row("d", "random", 0.9, split=1, budget=5), row("d", "a", 0.5, budget=5)]
    drawn = lines(result_curves(results(rows), "macro_auc", controls=[]))
    assert drawn["random ranking"].get_ydata() == pytest.approx([(0.3 + 0.9) / 2])


def test_every_data_set_has_a_panel_and_all_share_a_legend():
    figure = curve_panels(three_methods(n_data=4), "macro_auc")
    panels = [ax for ax in figure.axes if ax.get_lines()]
    assert [ax.get_title() for ax in panels] == [f"set{k}" for k in range(4)]
    assert all(ax.get_legend() is None for ax in panels)
    [legend] = figure.legends
    assert [text.get_text() for text in legend.get_texts()] == ["a", "b", "c"]


def test_an_own_measure_is_drawn_under_its_name():
    values = three_methods(n_data=1).values.assign(measure="my_measure")
    assert result_curves(Results(values), "my_measure").get_ylabel() == "my_measure"


def test_without_methods_that_choose_there_is_no_curve():
    own = results([row("d", "own", 0.5, budget=50)])
    with pytest.raises(ValueError, match="No method chooses features by 'macro_auc'"):
        result_curves(own, "macro_auc")
    with pytest.raises(ValueError, match="no values of 'micro_f1'"):
        curve_panels(three_methods(), "micro_f1")


def test_ranks_are_drawn_where_they_can_be_tested():
    ranks = rank_methods(three_methods(), "macro_auc", readout="svm")
    ax = result_ranks(ranks, title="macro AUC")
    texts = [text.get_text() for text in ax.texts]
    assert any("a  1.00" in text for text in texts)
    assert ax.get_title() == "macro AUC"
    two = rank_methods(three_methods(n_data=1), "macro_auc", readout="svm")
    with pytest.raises(ValueError, match="3 methods on 1 data sets cannot be tested"):
        result_ranks(two)
