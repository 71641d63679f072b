# SPDX-License-Identifier: BSD-3-Clause
"""Counts over dask blocks: those of one memory, whatever the blocks."""

import numpy as np
import pytest

from labelsift.core.dask_blocks import DaskBlocks, Worker
from labelsift.selection import MDMR, MRMR
from labelsift.sums import Counts
from labelsift.sums.dask_counts import counts_of_blocks

da = pytest.importorskip("dask.array")
dask = pytest.importorskip("dask")

ROWS = (30, 0, 1, 19, 25, 25)


pytestmark = pytest.mark.usefixtures("dask_in_this_thread")


@pytest.fixture
def data(rng):
    X = rng.normal(size=(100, 6)).astype(np.float32)
    return X, np.where(X[:, :3] + rng.normal(size=(100, 3)) > 0, 1, -1)


def cut(data, known=True):
    parts = [da.from_array(part, (ROWS, 2)) for part in data]
    if known:
        return parts
    return [
        part.map_blocks(np.copy, chunks=((np.nan,) * 6, part.chunks[1]))
        for part in parts
    ]


@pytest.mark.parametrize("known", [True, False])
@pytest.mark.parametrize("by_label", [True, False])
def test_equal_those_of_one_memory(data, known, by_label):
    blocks = DaskBlocks.read(*cut(data, known))
    found = counts_of_blocks(blocks, "auto", "width", 4, by_label)
    here = Counts.from_batches(lambda: iter([data]), n_bins=4, by_label=by_label)
    np.testing.assert_array_equal(found.x_range, here.x_range)
    np.testing.assert_array_equal(found.pairs, here.pairs)
    np.testing.assert_array_equal(found.by_label, here.by_label)
    assert found.label_sets.keys() == here.label_sets.keys()
    for key, counts in here.label_sets.items():
        np.testing.assert_array_equal(found.label_sets[key], counts)
    assert found.rows == 100


def test_parts_are_unchanged_by_their_merger(data):
    X, Y = data
    ranges = np.stack([X.min(axis=0), X.max(axis=0)])
    parts = [Counts(ranges).update(X[i::2], Y[i::2]) for i in range(2)]
    before = parts[0].pairs.copy()
    assert Counts.merged(parts).rows == 100
    np.testing.assert_array_equal(parts[0].pairs, before)
    assert parts[0].rows == 50


@pytest.mark.parametrize(("method", "size"), [(MRMR, "3.5M"), (MDMR, "13.8M")])
def test_counts_that_a_worker_cannot_add_are_refused(data, method, size, monkeypatch):
    def workers_with(memory):
        there = [Worker("large", 2**40, 1), Worker("small", memory, 1)]
        monkeypatch.setattr(DaskBlocks, "workers", lambda _: there)

    given = cut((np.tile(data[0], 20)[:, :100], data[1]))
    workers_with(5 * 2**20)
    sentence = (
        f"100 features of 3 bins take about {size} on .* 60% of its memory are 3M"
    )
    with pytest.raises(ValueError, match=sentence):
        method(3).fit(*given)
    workers_with(2**30)
    assert method(3).fit(*given).n_samples_seen_ == 100


def test_bad_blocks(data):
    X, Y = cut(data)
    with pytest.raises(ValueError, match="Column 1 of y holds values, whose bins need"):
        MRMR(3).fit(X, da.where(np.arange(3) == 1, Y + 0.5, Y))
    with pytest.raises(ValueError, match=r"Block 4 \(25 rows\): Input X contains NaN"):
        MRMR(3).fit(da.where(data[0][60, 0] == X, np.nan, X), Y)
