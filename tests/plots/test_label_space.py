# SPDX-License-Identifier: BSD-3-Clause
import numpy as np
import pytest
from matplotlib.image import imread

from labelsift.report.label_space import (
    draw_label_space,
    similarity_order,
    unit_loadings,
)
from labelsift.subspace import MLLS


def test_loadings_have_length_one_or_none():
    rows = unit_loadings([[3.0, 0.0, 0.1], [4.0, 0.0, 0.0]])
    np.testing.assert_allclose(rows, [[0.6, 0.8], [0, 0], [1, 0]])


def test_labels_that_are_alike_stand_together(rng):
    centres = rng.normal(size=(3, 5))
    group = rng.permutation(np.repeat([0, 1, 2], 4))
    rows = centres[group] + 0.01 * rng.normal(size=(12, 5))
    order = similarity_order(rows)
    assert sorted(order) == list(range(12))
    assert np.count_nonzero(np.diff(group[order])) == 2


@pytest.mark.parametrize("n_labels", [1, 2])
def test_one_or_two_labels_need_no_order(n_labels, tmp_path):
    loadings = np.ones((1, n_labels))
    draw_label_space(loadings, ["a", "b"][:n_labels], tmp_path / "few.png")
    assert (tmp_path / "few.png").stat().st_size > 0


def test_the_picture_shows_the_signs(tmp_path):
    def colours(loadings):
        draw_label_space(loadings, ["a", "b", "c"], tmp_path / "x.png")
        image = imread(tmp_path / "x.png")
        purple = (image[..., 2] > image[..., 1] + 0.2).sum()
        orange = (image[..., 0] > image[..., 2] + 0.4).sum()
        return purple, orange

    purple, orange = colours(np.ones((2, 3)))
    assert orange < 0.2 * purple
    purple, orange = colours(np.array([[1, -1, -1], [0, 0, 0]]))
    assert orange > 0.5 * purple


def test_names_are_text_not_markup(tmp_path):
    names = ["$\\frac{$", "<b>", "ёлка"]
    draw_label_space(np.eye(3), names, tmp_path / "x.svg", title="$\\frac{$")
    assert (tmp_path / "x.svg").stat().st_size > 0


def test_names_must_match_the_labels(tmp_path):
    with pytest.raises(ValueError, match="2 names for 3 labels"):
        draw_label_space(np.eye(3), ["a", "b"], tmp_path / "x.png")


def test_overlapping_classes_of_yeast_are_neighbours(real, tmp_path):
    yeast = real("yeast")
    X = (yeast.X - yeast.X.mean(axis=0)) / yeast.X.std(axis=0)
    model = MLLS(8, alpha=0.1, beta=0.1).fit(X, yeast.Y)
    loadings = model.components_ @ model.coef_.T
    order = similarity_order(unit_loadings(loadings)).tolist()
    # Classes 12 and 13 mark nearly the same genes, as do 10 and 11.
    for one, other in ((11, 12), (9, 10)):
        assert abs(order.index(one) - order.index(other)) == 1
    draw_label_space(
        loadings, yeast.label_names, tmp_path / "y.png", gains=model.eigenvalues_
    )
    assert imread(tmp_path / "y.png").shape[0] > 300
