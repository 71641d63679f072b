# SPDX-License-Identifier: BSD-3-Clause
"""Rows on a device, in blocks and groups of any size, compiled or not."""

import warnings

import numpy as np
import pytest

from devices import dispatch, on_device, there
from labelsift.selection import GreedyRLS
from labelsift.selection.greedy_rls import device_rows

__all__ = ["there"]

rng = np.random.default_rng(0)
X = rng.normal(size=(150, 8)) + 3
Y = (X[:, :3] + rng.normal(size=(150, 3)) > 3).astype(int)
WEIGHTS = rng.integers(0, 4, size=150) / 2


@pytest.mark.parametrize("weights", [None, WEIGHTS], ids=["rows", "weights"])
@pytest.mark.parametrize("solver", ["dense", "mixed"])
@pytest.mark.parametrize(
    ("entries", "group", "line"), [(2**27, 8192, 64), (400, 7, 4), (64, 3, 1)]
)
def test_any_blocks(entries, group, line, solver, weights, there, monkeypatch):
    monkeypatch.setattr(device_rows, "_BLOCK_ENTRIES", entries)
    monkeypatch.setattr(device_rows, "_GROUP", group)
    monkeypatch.setattr(device_rows, "_LINE", line)
    here = GreedyRLS(6, solver=solver).fit(X, Y, weights)
    model = GreedyRLS(6, solver=solver).fit(there(X), there(Y), weights)
    np.testing.assert_array_equal(model.feature_order_, here.feature_order_)
    np.testing.assert_allclose(model.loo_error_, here.loo_error_, rtol=1e-9)
    np.testing.assert_allclose(model.coef_, here.coef_, atol=1e-9)
    assert model.solver_ == solver


def test_a_constant_label_is_left_out(there):
    part = Y.copy()
    part[:, 1] = 1
    with pytest.warns(UserWarning, match="one value"):
        here = GreedyRLS(4).fit(X, part)
    with pytest.warns(UserWarning, match="one value"):
        model = GreedyRLS(4).fit(there(X), there(part))
    np.testing.assert_allclose(model.loo_error_, here.loo_error_, rtol=1e-9)


def test_compiled_steps_are_the_same(monkeypatch):
    torch = pytest.importorskip("torch", reason="torch is in the extra gpu")
    monkeypatch.setattr(device_rows, "_COMPILED_ENTRIES", 0)
    torch._dynamo.utils.counters.clear()
    with dispatch(monkeypatch), warnings.catch_warnings():
        warnings.simplefilter("error", UserWarning)
        move = on_device("torch")
        for solver in ("dense", "mixed"):
            for weights in (None, WEIGHTS):
                here = GreedyRLS(4, solver=solver).fit(X, Y, weights)
                model = GreedyRLS(4, solver=solver).fit(move(X), move(Y), weights)
                np.testing.assert_allclose(model.loo_error_, here.loo_error_, rtol=1e-9)
    assert torch._dynamo.utils.counters["stats"]["unique_graphs"] == 4
