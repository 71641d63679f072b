# SPDX-License-Identifier: BSD-3-Clause
import numpy as np
import pytest
from matplotlib.image import imread

from labelsift.report.feature_curve import draw_feature_curve


def test_every_method_has_a_line_of_its_own(tmp_path):
    def colours(curves):
        draw_feature_curve(curves, tmp_path / "x.png")
        image = (imread(tmp_path / "x.png")[..., :3] * 8).round() / 8
        vivid = image[np.ptp(image, axis=2) > 0.4]
        return len(np.unique(vivid, axis=0))

    one = {"a": ([10, 20], [0.5, 0.6])}
    assert colours(one) < colours({**one, "b": ([20, 10], [0.8, 0.7])})


def test_names_are_text_not_markup(tmp_path):
    draw_feature_curve(
        {"$\\frac{$": ([1, 2], [0.1, float("nan")])}, tmp_path / "x.svg", title="$\\x$"
    )
    assert (tmp_path / "x.svg").stat().st_size > 0


def test_bad_curves_are_named(tmp_path):
    with pytest.raises(ValueError, match="curves is empty"):
        draw_feature_curve({}, tmp_path / "x.png")
    with pytest.raises(ValueError, match="'a' has 2 counts and 1 values"):
        draw_feature_curve({"a": ([1, 2], [0.1])}, tmp_path / "x.png")
