# SPDX-License-Identifier: BSD-3-Clause
import numpy as np
import pytest
from matplotlib.image import imread

from labelsift.classification import CLaRankSVM
from labelsift.report.label_correlation import (
    agreement,
    correlation_of,
    draw_label_correlation,
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


def test_the_picture_shows_what_was_learned(tmp_path):
    Y = np.array([[1, 0, 1], [0, 1, 0], [1, 0, 0], [0, 1, 1]])

    def dark(covariance):
        draw_label_correlation(covariance, Y, ["a", "b", "c"], tmp_path / "x.png")
        return (imread(tmp_path / "x.png")[..., :3].sum(axis=2) < 1.2).mean()

    assert dark(np.ones((3, 3))) > dark(np.eye(3)) + 0.05


def test_names_are_text_not_markup(tmp_path):
    names = ["$\\frac{$", "<b>"]
    Y = np.array([[1, 0], [0, 1], [1, 1]])
    draw_label_correlation(np.eye(2), Y, names, tmp_path / "x.svg", title="$\\frac{$")
    assert (tmp_path / "x.svg").stat().st_size > 0


def test_sizes_must_match(tmp_path):
    with pytest.raises(ValueError, match="covariance has 3 labels, Y has 2"):
        draw_label_correlation(np.eye(3), np.eye(2), ["a", "b"], tmp_path / "x.png")


def test_labels_of_yeast_that_occur_together_are_tied(real, tmp_path):
    yeast = real("yeast")
    model = CLaRankSVM(0.01, mu=0.1, standardize=True).fit(yeast.X, yeast.Y)
    empirical = np.corrcoef(yeast.Y.T)
    assert agreement(empirical, correlation_of(model.label_covariance_)) > 0.3
    draw_label_correlation(
        model.label_covariance_, yeast.Y, yeast.label_names, tmp_path / "y.png"
    )
    assert imread(tmp_path / "y.png").shape[0] > 300
