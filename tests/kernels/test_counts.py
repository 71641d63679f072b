# SPDX-License-Identifier: BSD-3-Clause
import numpy as np

from labelsift.kernels import counts


def test_warm_up_compiles_every_kernel():
    counts.warm_up()
    kernels = {
        name: thing
        for name, thing in vars(counts).items()
        if hasattr(thing, "signatures") and not name.startswith("_")
    }
    assert len(kernels) == 12
    assert [name for name in kernels if not kernels[name].signatures] == []


def test_samples_are_split_by_label(rng):
    Y = rng.random((40, 5)) < 0.4
    indptr = np.append(0, np.cumsum(Y.sum(axis=1))).astype(np.int32)
    indices = np.nonzero(Y)[1].astype(np.int32)
    rows = np.flatnonzero(rng.random(40) < 0.5).astype(np.int32)
    starts, members = counts.split_by_label(rows, indptr, indices, 5)
    for label in range(5):
        found = members[starts[label] : starts[label + 1]]
        assert found.tolist() == [row for row in rows if Y[row, label]]
