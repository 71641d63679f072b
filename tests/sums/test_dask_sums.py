# SPDX-License-Identifier: BSD-3-Clause
"""Sums over dask blocks: those of one memory, and the same bits on any scheduler."""

import numpy as np
import pytest
import scipy.sparse as sp

from labelsift.core.dask_blocks import DaskBlocks
from labelsift.sums import Sums
from labelsift.sums.dask_sums import sums_of_blocks
from labelsift.sums.part import Part

da = pytest.importorskip("dask.array")
dd = pytest.importorskip("dask.dataframe")
pd = pytest.importorskip("pandas")
dask = pytest.importorskip("dask")
clusters = pytest.importorskip("clusters")


@pytest.fixture
def data(rng):
    X = rng.normal(size=(100, 6)) + 1e3
    return X, (X[:, :3] > 1e3).astype(int)


def total(X, Y, weights=None, **options):
    return sums_of_blocks(DaskBlocks.read(X, Y, weights), options)


def assert_same(found, expected, rtol=1e-12):
    for name in Part.__dataclass_fields__:
        there, here = getattr(found, name), getattr(expected, name)
        scale = np.max(np.abs(here), initial=1.0)
        np.testing.assert_allclose(there, here, rtol=rtol, atol=rtol * scale)


ROWS = (30, 0, 1, 19, 25, 25)


@pytest.mark.parametrize("known", [True, False])
def test_equals_one_memory(data, known):
    X, Y = (da.from_array(part, (ROWS, 2)) for part in data)
    if not known:
        X, Y = (part.map_blocks(np.copy, chunks=((np.nan,) * 6, part.chunks[1]))
                for part in (X, Y))  # fmt: skip
    found, rows = total(X, Y)
    assert rows == list(ROWS)
    assert_same(found, Sums().update(*data))


def test_weights(data, rng):
    weights = rng.integers(0, 3, 100).astype(float)
    parts = [da.from_array(part, chunks=(25, *part.shape[1:])) for part in data]
    found, _ = total(*parts, da.from_array(weights, chunks=25))
    assert_same(found, Sums().update(*data, weights))


def test_sparse_blocks_stay_sparse(data):
    X, Y = data
    X = np.where(X > 1001, X - 1e3, 0)
    blocks = da.from_array(X, (25, -1)).map_blocks(sp.csr_array)
    found, _ = total(blocks, da.from_array(Y, (25, -1)))
    assert_same(found, Sums().update(X, Y))


def test_frames_bring_their_names(data):
    frame = pd.DataFrame(np.hstack(data), columns=[*"abcdef", *"uvw"])
    parts = dd.from_pandas(frame, npartitions=3)
    found, _ = total(parts[list("abcdef")], parts[list("uvw")])
    assert_same(found, Sums().update(*data))
    assert list(found.feature_names) == list("abcdef")
    assert list(found.label_names) == list("uvw")


def test_the_same_bits_on_any_scheduler(data):
    distributed = pytest.importorskip("distributed")
    X, Y = (da.from_array(part, (7, -1)) for part in data)
    found = {}
    for scheduler in ("sync", "threads"):
        with dask.config.set(scheduler=scheduler):
            found[scheduler] = total(X, Y)[0]
    with clusters.threads() as workers, distributed.Client(workers):
        found["cluster"] = total(X, Y)[0]
    for name in Part.__dataclass_fields__:
        first, *others = (getattr(sums, name) for sums in found.values())
        for other in others:
            np.testing.assert_array_equal(first, other)


def test_bad_blocks(data):
    X, Y = (da.from_array(part, (25, -1)) for part in data)
    with pytest.raises(ValueError, match=r"Block 2 \(25 rows\): Input X contains NaN"):
        total(da.where(X[60, 0].compute() == X, np.nan, X), Y)
    mixed = da.concatenate([Y[:50], 2 * Y[50:] - 1]).rechunk((25, -1))
    with pytest.raises(ValueError, match=r"coded 0/1 in one block and -1/\+1"):
        total(X, mixed)
