# SPDX-License-Identifier: BSD-3-Clause
import numpy as np
import pytest
from matplotlib.figure import Figure

from labelsift.core.data import MultiLabelData
from labelsift.datasets import load_dataset, make_planted
from labelsift.plots.pixels import pixel_positions, pixels


def test_positions_come_from_names():
    names = ["pixel_0_1", "pixel_10_2"]
    np.testing.assert_array_equal(pixel_positions(names), [[0, 1], [10, 2]])


def test_every_panel_frames_the_chosen_pixels():
    traits = load_dataset("traits")
    axes = pixels(traits, np.array([20, 43]))
    titles = [ax.get_title() for ax in axes]
    assert titles == ["mean image", *traits.label_names]
    for ax in axes:
        centres = [patch.get_center() for patch in ax.patches]
        np.testing.assert_allclose(centres, [[4, 2], [3, 5]])  # column, row
    ranks = {text.get_text(): text.get_position() for text in axes[0].texts}
    assert ranks == {"1": (4, 2), "2": (3, 5)}
    assert axes[0].figure.get_suptitle() == "2 of 64 pixels of traits"


def test_a_panel_shows_what_a_label_adds():
    traits = load_dataset("traits")
    axes = pixels(traits, np.array([0]))
    even = traits.Y[:, 0] == 1
    contrast = traits.X[even].mean(axis=0) - traits.X[~even].mean(axis=0)
    np.testing.assert_allclose(axes[1].images[0].get_array().ravel(), contrast)
    low, high = axes[1].images[0].get_clim()
    assert low == -high  # white at 0


def test_it_draws_into_the_figure_that_is_given():
    figure = Figure()
    axes = pixels(load_dataset("traits"), np.array([0]), figure=figure)
    assert {ax.figure for ax in axes} == {figure}


def test_label_names_are_text_not_markup(tmp_path):
    data = MultiLabelData(
        np.eye(4),
        np.array([[0], [1], [0], [1]], np.uint8),
        tuple(f"pixel_{i // 2}_{i % 2}" for i in range(4)),
        ("$\\frac{$",),
    )
    axes = pixels(data, np.array([0]))
    axes[0].figure.savefig(tmp_path / "x.svg")
    assert (tmp_path / "x.svg").stat().st_size > 0


def test_other_features_are_refused():
    planted = make_planted(20, 4, 2, n_relevant=2, random_state=0)
    with pytest.raises(ValueError, match="'x0' is not a pixel"):
        pixels(planted, np.array([0]))
