# SPDX-License-Identifier: BSD-3-Clause
import numpy as np
import pytest
from matplotlib.figure import Figure

from labelsift.plots.label_space import label_space, similarity_order, unit_loadings
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
def test_one_or_two_labels_need_no_order(n_labels):
    left, *_ = label_space(np.ones((1, n_labels)), ["a", "b"][:n_labels])
    assert [tick.get_text() for tick in left.get_yticklabels()] == ["a", "b"][:n_labels]


def test_the_panels_show_loadings_and_cosines_in_one_order():
    loadings = np.array([[1.0, -2.0, 0.9], [0.0, 0.1, 0.1]])
    left, right, scale = label_space(loadings, ["a", "b", "c"], title="t")
    order = ["abc".index(tick.get_text()) for tick in left.get_yticklabels()]
    assert order in ([0, 2, 1], [2, 0, 1], [1, 0, 2], [1, 2, 0])
    rows = unit_loadings(loadings)[order]
    np.testing.assert_allclose(left.images[0].get_array(), rows)
    np.testing.assert_allclose(right.images[0].get_array(), rows @ rows.T)
    # One scale, white at 0.
    assert left.images[0].get_clim() == right.images[0].get_clim() == (-1, 1)
    assert scale.figure.get_suptitle() == "t"


def test_components_show_their_share_of_the_gains():
    left, *_ = label_space(np.eye(2), ["a", "b"], gains=[3.0, 1.0])
    assert [t.get_text() for t in left.get_xticklabels()] == ["1\n75%", "2\n25%"]
    assert "share" in left.get_xlabel()
    left, *_ = label_space(np.eye(2), ["a", "b"])
    assert [t.get_text() for t in left.get_xticklabels()] == ["1", "2"]


def test_it_draws_into_the_figure_that_is_given():
    figure = Figure()
    axes = label_space(np.eye(2), ["a", "b"], figure=figure)
    assert list(axes) == figure.axes


def test_names_are_text_not_markup(tmp_path):
    axes = label_space(np.eye(3), ["$\\frac{$", "<b>", "ёлка"], title="$\\frac{$")
    axes[0].figure.savefig(tmp_path / "x.svg")
    assert (tmp_path / "x.svg").stat().st_size > 0


def test_names_must_match_the_labels():
    with pytest.raises(ValueError, match="2 names for 3 labels"):
        label_space(np.eye(3), ["a", "b"])


def test_overlapping_classes_of_yeast_are_neighbours(real):
    yeast = real("yeast")
    X = (yeast.X - yeast.X.mean(axis=0)) / yeast.X.std(axis=0)
    model = MLLS(8, alpha=0.1, beta=0.1).fit(X, yeast.Y)
    loadings = model.components_ @ model.coef_.T
    order = similarity_order(unit_loadings(loadings)).tolist()
    # Classes 12 and 13 mark nearly the same genes, as do 10 and 11.
    for one, other in ((11, 12), (9, 10)):
        assert abs(order.index(one) - order.index(other)) == 1
