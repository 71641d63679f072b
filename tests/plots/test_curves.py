# SPDX-License-Identifier: BSD-3-Clause
import numpy as np
import pytest
from matplotlib import pyplot as plt
from matplotlib.figure import Figure

from labelsift.plots import feature_curves


def line_of(ax, name):
    (line,) = [line for line in ax.lines if line.get_label() == name]
    return line


def band_of(collection, x):
    """(low, high) of a band at x."""
    (path,) = collection.get_paths()
    y = path.vertices[path.vertices[:, 0] == x, 1]
    return y.min(), y.max()


def test_every_method_has_a_line_of_its_own():
    ax = feature_curves({"a": ([10, 20], [0.5, 0.6]), "b": ([20, 10], [0.8, 0.7])})
    a, b = line_of(ax, "a"), line_of(ax, "b")
    np.testing.assert_array_equal(b.get_xydata(), [[10, 0.7], [20, 0.8]])
    assert a.get_color() != b.get_color()
    assert a.get_marker() != b.get_marker()
    assert [text.get_text() for text in ax.get_legend().get_texts()] == ["a", "b"]
    assert not ax.collections


def test_errors_are_a_band_around_the_values():
    curves = {"a": ([20, 10], [0.5, 0.75], [0.125, 0.25]), "b": ([10, 20], [0, 0])}
    ax = feature_curves(curves)
    (band,) = ax.collections
    assert band_of(band, 10) == (0.5, 1.0)
    assert band_of(band, 20) == (0.375, 0.625)


def test_controls_are_grey_and_one_value_is_a_line_across():
    curves = {
        "a": ([10, 20], [0.5, 0.6]),
        "random": ([10, 20], [0.3, 0.4]),
        "all": ([500], [0.7], [0.125]),
    }
    ax = feature_curves(curves, controls=("random", "all", "not there"))
    random, across = line_of(ax, "random"), line_of(ax, "all")
    assert (random.get_color(), random.get_linestyle()) == ("0.5", ":")
    assert (across.get_color(), across.get_linestyle()) == ("0.5", "--")
    assert line_of(ax, "a").get_color() != "0.5"
    left, right = ax.get_xlim()
    assert right < 30  # 500 features do not stretch the others
    ends = across.get_transform().transform(across.get_xydata())
    edges = ax.transData.transform([[left, 0.7], [right, 0.7]])
    np.testing.assert_allclose(ends, edges)
    assert band_of(ax.collections[0], 0) == pytest.approx((0.575, 0.825))


def test_a_method_of_one_value_is_a_point():
    assert line_of(feature_curves({"a": ([5], [0.5])}), "a").get_marker() != "None"


def test_it_draws_where_it_is_told_and_leaves_pyplot_alone():
    before = plt.get_fignums()
    curves = {"a": ([1, 2], [0.1, 0.2])}
    assert feature_curves(curves).figure is not feature_curves(curves).figure
    assert plt.get_fignums() == before
    ax = Figure().subplots()
    assert feature_curves(curves, ax=ax, measure="F1", title="t") is ax
    assert (ax.get_ylabel(), ax.get_title()) == ("F1", "t")


def test_names_are_text_not_markup(tmp_path):
    curves = {"$\\frac{$": ([1, 2], [0.1, float("nan")])}
    ax = feature_curves(curves, measure="$\\y$", title="$\\x$")
    ax.figure.savefig(tmp_path / "x.svg")
    assert (tmp_path / "x.svg").stat().st_size > 0


def test_bad_curves_are_named():
    with pytest.raises(ValueError, match="curves is empty"):
        feature_curves({})
    for bad in (
        ([1, 2], [0.1]),
        ([1, 2], [0.1, 0.2], [0.1]),
        ([1, 2],),
        ([], []),
        ([[1]], [[0.1]]),
    ):
        with pytest.raises(ValueError, match="'a' has parts of the shapes"):
            feature_curves({"a": bad})
