# SPDX-License-Identifier: BSD-3-Clause
"""Arrays of other libraries that cannot be used: a sentence with the remedy."""

import numpy as np
import pytest
import sklearn

from devices import dispatch, on_device, there
from labelsift.core import arrays
from labelsift.selection import FisherScore, GreedyRLS
from labelsift.sums import Sums

__all__ = ["there"]

strict = pytest.importorskip("array_api_strict")
X = np.random.default_rng(0).normal(size=(20, 4))
Y = (X[:, :2] > 0).astype(int)


def moved(array, device="device1"):
    return strict.asarray(array, device=strict.Device(device))


def refused(match, *given, error=ValueError, model=None):
    with pytest.raises(error, match=match):
        (model or GreedyRLS(2)).fit(*given)


@pytest.fixture
def on(monkeypatch):
    with dispatch(monkeypatch):
        yield


def test_dispatch_is_off():
    refused(r"array_api_dispatch is off.*config_context", moved(X), Y)
    with pytest.raises(ValueError, match=r"y is an array.*array_api_dispatch is off"):
        FisherScore(2).fit(X, moved(Y))


def test_an_old_scikit_learn(monkeypatch):
    monkeypatch.setattr(sklearn, "__version__", "1.6.1")
    refused(r"scikit-learn 1\.7 or later, and this is 1\.6\.1", moved(X), Y)


@pytest.mark.usefixtures("on")
def test_mixed_devices():
    refused(r"X is on .*device1.* and y on .*device2", moved(X), moved(Y, "device2"))
    refused("X is on the CPU and y on .*device1", X, moved(Y))
    weights = moved(np.ones(20), "device2")
    refused("sample_weight on .*device2", moved(X), moved(Y), weights)


@pytest.mark.usefixtures("on")
def test_a_device_without_float64():
    single = strict.asarray(
        X.astype(np.float32), device=strict.Device("no_float64"), dtype=strict.float32
    )
    refused("has no float64", single, Y)


@pytest.mark.usefixtures("on")
@pytest.mark.parametrize("dtype", ["float16", "bfloat16"])
def test_half_precision(dtype, monkeypatch):
    monkeypatch.setattr(arrays, "dtype_name", lambda array: dtype)
    refused(f"X is {dtype}.*convert it to float32 or float64", moved(X), Y)


def test_half_precision_of_torch(monkeypatch):
    torch = pytest.importorskip("torch", reason="torch is in the extra gpu")
    with dispatch(monkeypatch):
        for dtype in (torch.float16, torch.bfloat16):
            half = on_device("torch")(X).to(dtype)
            refused("convert it to float32 or float64", half, Y)


@pytest.mark.usefixtures("on")
def test_complex_numbers():
    refused("Complex data not supported", moved(X.astype(complex)), Y)


def test_bad_numbers(there):
    holed = X.copy()
    holed[3, 1] = np.nan
    refused("NaN", there(holed), Y)
    unknown = Y.astype(float)
    unknown[0, 0] = np.nan
    refused("every label must be known", there(X), there(unknown))
    refused("got 1, 2", there(X), there(Y + 1))
    refused("shape", there(X), there(Y[:, :, np.newaxis]))
    refused("inconsistent numbers of samples", there(X), there(Y[:-1]))


@pytest.mark.parametrize(
    ("weights", "match"),
    [
        (np.ones(19), r"shape \(19,\), expected \(20,\)"),
        (np.ones((20, 1)), r"shape \(20, 1\)"),
        (-np.ones(20), "negative"),
        (np.full(20, np.nan), "NaN"),
    ],
)
def test_bad_weights(weights, match, there):
    refused(match, there(X), there(Y), there(weights))


@pytest.mark.parametrize(
    ("parameters", "match"),
    [
        ({"solver": "sparse"}, 'solver="sparse" is not possible on arrays of'),
        ({"groups": [0, 0, 1, 1]}, "groups is not possible on arrays of"),
        (
            {"calibration": "sigmoid"},
            "calibration='sigmoid' is not possible on arrays of",
        ),
        (
            {"calibration": "sigmoid", "criterion": "gcv"},
            "calibration='sigmoid' is not possible on arrays of",
        ),
    ],
)
def test_options_that_a_device_cannot_serve(parameters, match, there):
    refused(match, there(X), there(Y), model=GreedyRLS(2, **parameters))


def test_sums_of_both(there):
    here = Sums().update(X, Y)
    both = Sums().update(X[:7], Y[:7]).update(there(X[7:]), there(Y[7:]))
    np.testing.assert_allclose(both.xx, here.xx)
    np.testing.assert_allclose(both.xy, here.xy)
    assert isinstance(both.xx, np.ndarray)
    with pytest.raises(ValueError, match="same columns in every block"):
        both.update(there(X[:, :3]), there(Y))


def test_an_empty_block_changes_nothing(there):
    sums = Sums().update(there(X), there(Y))
    assert sums.update(there(X[:0]), there(Y[:0])).rows == 20
    assert sums.update(there(X), there(Y), there(np.zeros(20))).rows == 20
