# SPDX-License-Identifier: BSD-3-Clause
import numpy as np
import pytest
from matplotlib.figure import Figure

from labelsift.classification import CLaRankSVM
from labelsift.plots.label_correlation import (
    agreement,
    correlation_of,
    label_correlation,
)


def test_correlations_have_ones_on_the_diagonal():
    covariance = np.array([[4.0, 1.0, 0.0], [1.0, 1.0, 0.0], [0.0, 0.0, 0.0]])
    expected = [[1, 0.5, 0], [0.5, 1, 0], [0, 0, 1]]
    np.testing.assert_allclose(correlation_of(covariance), expected)


def test_agreement_looks_at_pairs_of_labels(rng):
    one = rng.normal(size=(5, 5))
    one += one.T
    assert agreement(one, 3 * one + 100 * np.eye(5)) == pytest.approx(1)
    assert agreement(one, -one) == pytest.approx(-1)
    assert np.isnan(agreement(one, np.eye(5)))
    assert np.isnan(agreement(np.eye(1), np.eye(1)))


def test_both_panels_show_correlations_in_one_order():
    Y = np.array([[1, 0, 1], [0, 1, 0], [1, 0, 0], [0, 0, 1], [1, 0, 1]])
    covariance = np.array([[4.0, 2, -1], [2, 4, 0], [-1, 0, 1]])
    left, right, scale = label_correlation(covariance, Y, ["a", "b", "c"], title="t")
    order = ["abc".index(tick.get_text()) for tick in left.get_yticklabels()]
    assert sorted(order) == [0, 1, 2]
    both = np.ix_(order, order)
    empirical, learned = np.corrcoef(Y.T), correlation_of(covariance)
    np.testing.assert_allclose(left.images[0].get_array(), empirical[both])
    np.testing.assert_allclose(right.images[0].get_array(), learned[both])
    assert f"{agreement(empirical, learned):.2f}" in right.get_title()
    assert scale.figure.get_suptitle() == "t"


def test_it_draws_into_the_figure_that_is_given():
    Y = np.array([[1, 0], [0, 1], [1, 1]])
    _, part = Figure().subfigures(1, 2)
    axes = label_correlation(np.eye(2), Y, ["a", "b"], figure=part)
    assert {ax.figure for ax in axes} == {part}


def test_names_are_text_not_markup(tmp_path):
    Y = np.array([[1, 0], [0, 1], [1, 1]])
    axes = label_correlation(np.eye(2), Y, ["$\\frac{$", "<b>"], title="$\\frac{$")
    axes[0].figure.savefig(tmp_path / "x.svg")
    assert (tmp_path / "x.svg").stat().st_size > 0


def test_sizes_must_match():
    with pytest.raises(ValueError, match="covariance has 3 labels, Y has 2"):
        label_correlation(np.eye(3), np.eye(2), ["a", "b"])


def test_labels_of_yeast_that_occur_together_are_tied(real):
    yeast = real("yeast")
    model = CLaRankSVM(0.01, mu=0.1, standardize=True).fit(yeast.X, yeast.Y)
    empirical = np.corrcoef(yeast.Y.T)
    assert agreement(empirical, correlation_of(model.label_covariance_)) > 0.3
