# SPDX-License-Identifier: BSD-3-Clause
import numpy as np
import pytest
import scipy.sparse as sp

from labelsift.solvers.information import bins as module
from labelsift.solvers.information.bins import (
    Groups,
    IndexedBins,
    OneHotBins,
    make_bins,
)


def cells(bins, groups):
    """Counts of all bins by feature and group, sorted, the remaining bin included."""
    counts = bins.count(groups)
    found = []
    for low, high in zip(bins.first_column[:-1], bins.first_column[1:], strict=True):
        rest = groups.sizes - counts[:, low:high].sum(axis=1)
        table = np.column_stack([counts[:, low:high], rest])
        found.append(sorted(map(tuple, table.T[table.any(axis=0)].tolist())))
    return found


def expected_cells(codes, groups):
    return [
        sorted(
            table
            for b in np.unique(f)
            if any(table := tuple(int(np.sum(f[rows] == b)) for rows in groups))
        )
        for f in codes.T
    ]


@pytest.mark.parametrize("share", [0.03, 0.3, 0.9])
@pytest.mark.parametrize("n_bins", [2, 5, 12])
def test_every_form_counts_the_same(rng, monkeypatch, n_bins, share):
    """Groups beyond 255 rows overflow a byte; 700 rows do not fill their words."""
    codes = rng.integers(n_bins, size=(700, 9))
    codes[:, 3] = 2 if n_bins > 2 else 1
    groups = Groups.of_columns(rng.random((700, 4)) < share)
    wanted = expected_cells(codes, groups)
    dense = codes.astype(np.uint8)
    assert cells(IndexedBins(sp.csc_array(codes)), groups) == wanted
    for limit in (0.0, 1.0):  # bits only, bytes only
        monkeypatch.setattr(module, "_BITS_FROM", limit)
        assert cells(OneHotBins(dense), groups) == wanted


def test_members_are_the_samples_of_each_column(rng):
    codes = rng.integers(4, size=(60, 5))
    for bins in (make_bins(codes), make_bins(sp.csc_array(codes))):
        for f in range(5):
            low, high = bins.first_column[f : f + 2]
            members = bins.members(f)
            np.testing.assert_array_equal(members.sizes, bins.totals[low:high])
            for rows in members:
                assert len(np.unique(codes[rows, f])) == 1


def test_constant_features_are_known():
    codes = np.array([[0, 3, 1], [0, 3, 0], [0, 3, 1]])
    for bins in (make_bins(codes), make_bins(sp.csc_array(codes))):
        assert bins.is_constant.tolist() == [True, True, False]


def test_classes_become_groups():
    groups = Groups.of_classes(np.array([1, -1, 0, 1, 2]))
    assert [rows.tolist() for rows in groups] == [[2], [0, 3], [4]]
    assert [rows.tolist() for rows in groups.block(slice(1, 3))] == [[0, 3], [4]]


def test_huge_codes_cost_no_table():
    codes = sp.csc_array(np.array([[2_000_000_000], [7], [2_000_000_000]]))
    bins = make_bins(codes)
    assert sorted(bins.totals.tolist()) == [1, 2]
