# SPDX-License-Identifier: BSD-3-Clause
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from labelsift.plots.critical_difference import critical_difference, joined_methods
from labelsift.stats import friedman_nemenyi

RANKS = {"rfs": 1.5, "mifs": 2.25, "fisher": 3.0, "random": 5.25, "all": 5.5}


def assert_names_can_be_read(ax, names):
    """Every name lies within the drawn figure, and none over another."""
    FigureCanvasAgg(ax.figure).draw()
    boxes = [
        text.get_window_extent()
        for text in ax.texts
        if any(name in text.get_text() for name in names)
    ]
    assert len(boxes) == len(names)
    whole = ax.figure.bbox
    for box in boxes:
        assert whole.x0 <= box.x0 < box.x1 <= whole.x1
        assert whole.y0 <= box.y0 < box.y1 <= whole.y1
    for one, other in combinations(boxes, 2):
        assert not one.overlaps(other)


def bars(ax):
    """Every bar: the thickest lines."""
    return [line for line in ax.lines if line.get_linewidth() > 3]


@given(
    st.lists(st.integers(10, 60), min_size=2, max_size=9),
    st.sampled_from([0.05, 0.55, 1.25, 3.05, 9.0]),
)
def test_methods_are_joined_unless_they_differ(tenths, cd):
    ranks = {f"m{i}": rank / 10 for i, rank in enumerate(tenths)}
    groups = [set(group) for group in joined_methods(ranks, cd)]
    for one, other in combinations(ranks, 2):
        together = any({one, other} <= group for group in groups)
        assert together == (abs(ranks[one] - ranks[other]) < cd)
    for one, other in combinations(groups, 2):
        assert not one <= other
        assert not other <= one
    assert all(len(group) > 1 for group in groups)


def test_a_bar_spans_each_group():
    spans = sorted(tuple(b.get_xdata()) for b in bars(critical_difference(RANKS, 1.0)))
    expected = [(1.5, 2.25), (2.25, 3.0), (5.25, 5.5)]
    np.testing.assert_allclose(spans, expected, atol=0.1)
    for (left, right), (best, worst) in zip(spans, expected, strict=True):
        assert left < best
        assert right > worst


def test_bars_that_overlap_stand_below_one_another():
    heights = {
        round(bar.get_xdata()[0]): bar.get_ydata()[0]
        for bar in bars(critical_difference(RANKS, 1.0))
    }
    assert len(heights) == 3
    assert heights[1] != heights[2]
    assert heights[1] == heights[5]


def test_the_scale_is_the_critical_difference():
    texts = [text.get_text() for text in critical_difference(RANKS, 1.234).texts]
    assert "CD = 1.23" in texts
    assert {"1", "2", "3", "4", "5", "6"} <= set(texts)


@pytest.mark.parametrize(
    "ranks",
    [
        {f"method-number-{i}": 1 + i / 2 for i in range(20)},
        {f"tied-{i}": 3.0 for i in range(5)},
        {"a long name " * 6: 1.0, "W" * 40: 2.0, "i": 3.0},
        {"one": 1.0, "two": 2.0},
    ],
    ids=["many", "tied", "long", "two"],
)
@pytest.mark.parametrize("cd", [0.3, 25.0])
def test_every_name_can_be_read(ranks, cd):
    assert_names_can_be_read(critical_difference(ranks, cd, title="title"), ranks)


@pytest.mark.parametrize("layout", [None, "constrained"])
def test_names_can_be_read_in_the_axes_of_another_figure(layout):
    figure = Figure(layout=layout)
    for ax in figure.subplots(2):
        assert critical_difference(RANKS, 1.0, ax=ax, title="title") is ax
    for ax in figure.axes:
        assert_names_can_be_read(ax, RANKS)
        assert ax.get_title() == "title"


def test_the_best_stands_left_and_each_name_bears_its_rank():
    texts = critical_difference(RANKS, 1.0).texts
    places = {text.get_text().strip(): text.get_position()[0] for text in texts}
    assert places["rfs  1.50"] < 1.5
    assert places["5.50  all"] > 5.5


def test_no_line_crosses_another(rng):
    matrix = rng.normal(size=(11, 8))
    test = friedman_nemenyi({f"m{i}": column for i, column in enumerate(matrix.T)})
    ax = critical_difference(test.ranks, test.critical_difference)
    elbows = [line for line in ax.lines if len(line.get_xdata()) == 3]
    assert len(elbows) == 8
    for one in elbows:
        x, _, end = one.get_xdata()
        height = one.get_ydata()[-1]
        for other in elbows:
            crossed = min(x, end) < other.get_xdata()[0] < max(x, end)
            assert not (crossed and other.get_ydata()[-1] < height)


def test_names_are_text_not_markup(tmp_path):
    ranks = {"$\\frac{$": 1.2, "<b>": 2.0, "ёлка": 2.8}
    ax = critical_difference(ranks, 0.7, title="$\\x$")
    ax.figure.savefig(tmp_path / "x.svg")
    assert (tmp_path / "x.svg").stat().st_size > 0


def test_bad_input_is_named():
    with pytest.raises(ValueError, match="ranks has 1 methods"):
        critical_difference({"a": 1.0}, 1.0)
    with pytest.raises(ValueError, match="rank of 'b' is nan"):
        critical_difference({"a": 1.0, "b": float("nan")}, 1.0)
    with pytest.raises(ValueError, match="cd is 0: pass a critical difference above"):
        critical_difference({"a": 1.0, "b": 2.0}, 0)
