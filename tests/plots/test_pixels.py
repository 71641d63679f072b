# SPDX-License-Identifier: BSD-3-Clause
import numpy as np
import pytest
from matplotlib.image import imread

from labelsift.core.data import MultiLabelData
from labelsift.datasets import load_dataset, make_planted
from labelsift.report.pixels import draw_pixels, pixel_positions


def test_positions_come_from_names():
    names = ["pixel_0_1", "pixel_10_2"]
    np.testing.assert_array_equal(pixel_positions(names), [[0, 1], [10, 2]])


def test_the_picture_shows_the_chosen_pixels(tmp_path):
    traits = load_dataset("traits")
    few, many = tmp_path / "few.png", tmp_path / "many.png"
    draw_pixels(traits, np.array([20]), few)
    draw_pixels(traits, np.arange(20, 40), many)
    red = [
        ((image[..., 0] > 0.75) & (image[..., 1] < 0.35)).sum()
        for image in (imread(few), imread(many))
    ]
    assert red[0] > 100
    assert red[1] > 5 * red[0]


def test_label_names_are_text_not_markup(tmp_path):
    data = MultiLabelData(
        np.eye(4),
        np.array([[0], [1], [0], [1]], np.uint8),
        tuple(f"pixel_{i // 2}_{i % 2}" for i in range(4)),
        ("$\\frac{$",),
    )
    draw_pixels(data, np.array([0]), tmp_path / "x.svg")
    assert (tmp_path / "x.svg").stat().st_size > 0


def test_other_features_are_refused():
    planted = make_planted(20, 4, 2, n_relevant=2, random_state=0)
    with pytest.raises(ValueError, match="'x0' is no pixel"):
        draw_pixels(planted, np.array([0]), "unused.png")
