# SPDX-License-Identifier: BSD-3-Clause
"""Blocks of dask collections: paired, mapped, and summed by a tree of fixed shape."""

from types import SimpleNamespace
from weakref import WeakSet

import numpy as np
import pytest

from labelsift.core.dask_blocks import DaskBlocks

da = pytest.importorskip("dask.array")
dd = pytest.importorskip("dask.dataframe")
pd = pytest.importorskip("pandas")
dask = pytest.importorskip("dask")


pytestmark = pytest.mark.usefixtures("dask_in_this_thread")


def columns(n, parts, width=3):
    return da.from_array(np.arange(n * width, dtype=float).reshape(n, -1), parts)


def trace(X, y, weights):
    return SimpleNamespace(rows=len(X), shape=str(int(X[0, 0])))


def joined(parts):
    return SimpleNamespace(rows=0, shape=f"({' '.join(p.shape for p in parts)})")


@pytest.mark.parametrize(
    ("blocks", "shape"),
    [(1, "0"), (3, "(0 3 6)"), (6, "((0 3 6 9) (12 15))"),
     (17, "(((0 3 6 9) (12 15 18 21) (24 27 30 33) (36 39 42 45)) ((48)))")],
)  # fmt: skip
def test_the_tree_depends_on_the_number_of_blocks_alone(blocks, shape):
    X = columns(blocks, (1, -1))
    found, rows = DaskBlocks.read(X, X).tree(trace, joined)
    assert (found.shape, rows) == (shape, [1] * blocks)


def test_the_tree_keeps_few_parts_at_a_time():
    alive, most = WeakSet(), []

    class Part:
        rows = 1

        def __init__(self, *_):
            alive.add(self)
            most.append(len(alive))

    X = columns(64, (1, -1))
    DaskBlocks.read(X, X).tree(Part, Part)
    assert max(most) <= 3 * 3 + 2  # three wait on each of three levels


def test_map_is_in_the_order_of_the_calls():
    blocks = DaskBlocks.read(columns(6, (2, 2)), columns(6, (2, 1)))
    calls = [(2, "c", None), (0, "a", None)]
    found = blocks.map(lambda *arguments: arguments[:3], "all", calls)
    assert [answer[:2] for answer in found] == [("all", "c"), ("all", "a")]
    # Columns in several chunks are joined, rows are not.
    np.testing.assert_array_equal(found[0][2], np.arange(12, 18).reshape(2, 3))


def unknown(array):
    return array[array[:, 0] > -1]


@pytest.mark.parametrize("hide", [lambda x: x, unknown], ids=["known", "unknown"])
@pytest.mark.parametrize(
    ("X", "y", "sentence"),
    [
        ((2, -1), (3, -1), "X has 3 blocks of rows and y has 2: cut both alike"),
        (((2, 4), -1), ((3, 3), -1), r"Block [01] has [24] rows of X and 3 of y: cut"),
    ],
)
def test_blocks_that_do_not_pair(X, y, sentence, hide):
    with pytest.raises(ValueError, match=sentence):
        DaskBlocks.read(hide(columns(6, X)), hide(columns(6, y))).tree(trace, joined)


def test_weights_must_pair_too():
    X = columns(6, (2, -1))
    with pytest.raises(ValueError, match="X has 3 blocks of rows and sample_weight"):
        DaskBlocks.read(X, X, da.ones(6, chunks=6))
    with pytest.raises(TypeError, match="sample_weight is ndarray, and X is a dask"):
        DaskBlocks.read(X, X, np.ones(6))


def test_both_must_be_collections():
    with pytest.raises(TypeError, match="X is a dask Array and y is ndarray: pass y"):
        DaskBlocks.read(columns(6, 3), np.ones((6, 1)))


def test_float16_is_refused():
    X = columns(6, 3)
    with pytest.raises(TypeError, match=r"X holds float16.*astype\('float32'\)"):
        DaskBlocks.read(X.astype(np.float16), X)
    frame = dd.from_pandas(pd.DataFrame({"a": np.ones(3, np.float16)}), npartitions=1)
    with pytest.raises(TypeError, match="y holds float16"):
        DaskBlocks.read(X, frame)


def test_errors_name_the_block():
    def fail(X, y, weights):
        raise ValueError("Y must hold numbers.")

    X = columns(6, (3, -1))
    with pytest.raises(ValueError, match=r"Block [01] \(3 rows\): Y must hold numbers"):
        DaskBlocks.read(X, X).tree(fail, joined)


def test_frames_and_arrays_pair():
    frame = pd.DataFrame(np.ones((6, 2)), columns=["a", "b"])
    parts = dd.from_pandas(frame, npartitions=3)
    found, rows = DaskBlocks.read(parts, parts["a"]).tree(
        lambda X, y, w: SimpleNamespace(rows=len(X), shape=type(X).__name__), joined
    )
    assert rows == [2, 2, 2]
    assert found.shape == "(DataFrame DataFrame DataFrame)"
