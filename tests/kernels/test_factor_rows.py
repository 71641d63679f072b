# SPDX-License-Identifier: BSD-3-Clause
import numpy as np
import pytest
import scipy.sparse as sp

from labelsift.kernels.factor_rows import aligned_rows, multiply, scale_rows


def entries(X):
    return X.data, X.indices, X.indptr


@pytest.mark.parametrize("unit", [1.0, 2.0**128])
@pytest.mark.parametrize("n_labels", [1, 4, 7, 26])
def test_equals_the_products_of_scipy_to_the_last_bit(rng, n_labels, unit):
    """Columns of 0 to 30 entries: four at once, and the rest one by one."""
    X = rng.random((60, 90)) * (rng.random((60, 90)) < np.linspace(0, 0.5, 90))
    rows, columns = sp.csr_array(X), sp.csc_array(X)
    W, pulled = rng.random((2, 90, n_labels))
    R, degrees = rng.random((60, 2 * n_labels)), rng.random(n_labels)
    W[7], W[:, 0], pulled[0] = 0.0, W[:, 0] / 1e9, 0.0
    shrink = 0.3 / np.sqrt((W**2).sum(axis=1) + 1e-12)
    pulls = rows.T @ R
    up = pulls[:, :n_labels] + pulled
    down = pulls[:, n_labels:] + 0.5 * W * degrees + shrink[:, np.newaxis] * W
    factor = np.divide(up, down, out=np.ones_like(up), where=down > 0)
    room = aligned_rows(61, 2 * n_labels + 3)
    room[:60, : 2 * n_labels], room[:, 2 * n_labels :] = unit * R, np.nan
    scaled, squares, XW = unit * pulled, np.zeros(n_labels), np.empty((60, n_labels))
    rest = unit * W, shrink, degrees, 0.5, unit, scaled, squares, room[60]
    scale_rows(entries(columns), room[:60], *rest)
    np.testing.assert_array_equal(scaled / unit, W * factor)
    np.testing.assert_allclose(squares, (scaled**2).sum(axis=0), rtol=1e-14)
    multiply(entries(rows), scaled, XW)
    np.testing.assert_array_equal(XW / unit, rows @ (W * factor))


@pytest.mark.parametrize("tiny", [1e-290, 1e-310, 5e-324])
def test_a_weight_falls_to_zero_as_without_the_unit(tiny):
    one, unit = np.ones(1), 2.0**128
    X = one, np.zeros(1, np.int32), np.array([0, 1], np.int32)
    factors = []
    for scale in (1.0, unit):
        scaled = np.zeros((1, 1))
        R, W = scale * np.array([[0.3, 1.0]]), np.array([[scale * tiny]])
        out = scaled, np.zeros(1), np.empty(2)
        scale_rows(X, R, W, 0 * one, 0 * one, 0.0, scale, *out)
        factors.append(scaled[0, 0] / scale)
    assert factors[0] == factors[1] == tiny * 0.3


def test_aligned_rows_begin_with_a_cache_line():
    for n_rows, width in ((1, 1), (3, 8), (1000, 56)):
        room = aligned_rows(n_rows, width)
        assert room.shape == (n_rows, width)
        assert not room.any()
        assert room.ctypes.data % 64 == 0
        assert room.flags.c_contiguous
