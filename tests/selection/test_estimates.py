# SPDX-License-Identifier: BSD-3-Clause
"""Estimated seconds of fits."""

import numpy as np
import pytest
import scipy.sparse as sp

from labelsift.core.data import MultiLabelData, numbered_names
from labelsift.selection.estimates import SECONDS, Size


def data_of(X):
    Y = np.tile([[0, 1], [1, 0]], (X.shape[0] // 2, 1))
    return MultiLabelData(X, Y, numbered_names("f", X.shape[1]), ("a", "b"))


def test_sparse_data_count_what_they_store():
    dense = np.zeros((6, 10))
    dense[0, :3] = 1.0
    assert Size.of(data_of(dense), 4) == (6, 10, 2, 60, 4)
    assert Size.of(data_of(sp.csr_array(dense)), 4) == (6, 10, 2, 3, 4)


@pytest.mark.parametrize(
    ("size", "wide"),
    [
        (Size(100, 500, 3, 900, 50), True),
        (Size(100, 500, 3, 50_000, 50), False),  # every entry stored
        (Size(100, 80, 3, 900, 50), False),  # fewer features than rows
        (Size(100, 500, 3, 900, 200), False),  # a budget beyond the rows
    ],
)
def test_wide_data_are_sparse_with_few_rows(size, wide):
    assert size.is_wide == wide
    assert size.wide(4.0) == (4.0 if wide else 1.0)


@pytest.mark.parametrize("name", SECONDS)
def test_more_data_take_longer_dense_and_sparse(name):
    small, dense, sparse = (
        SECONDS[name](Size(*sizes))
        for sizes in (
            (200, 300, 5, 60_000, 30),
            (2000, 3000, 10, 6_000_000, 300),
            (2000, 3000, 10, 60_000, 300),
        )
    )
    assert 0 < small < dense
    assert 0 < sparse <= dense
