# SPDX-License-Identifier: BSD-3-Clause
import numpy as np
import pytest

from labelsift.prepare.doubts.row_order import row_order
from prepare.doubts.cases import N, array, noise, of
from reference.doubts import auc


def test_rows_in_an_order(rng):
    X, Y = noise(rng)
    X[:, 2] += np.linspace(0, 2, N)
    Y[:, 1] = rng.random(N) < np.linspace(0.1, 0.6, N)
    doubt = of(row_order, array(X, Y))
    assert (doubt.columns, doubt.labels) == (("x2",), ("y1",))
    late = np.arange(N) >= N // 2
    assert doubt.number == pytest.approx(auc(X[:, 2], late))
    assert doubt.remedy == "--cv blocks"
    assert "('x2' and 'y1' drift)" in doubt.sentence


def test_labels_that_drift_have_an_auc_too(rng):
    X, Y = noise(rng)
    Y[:, 1] = np.arange(N) < 120
    doubt = of(row_order, array(X, Y))
    assert (doubt.columns, doubt.labels) == ((), ("y1",))
    assert doubt.number == pytest.approx(auc(1 - Y[:, 1], np.arange(N) >= N // 2))


def test_a_small_drift_of_many_rows_is_none():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(20_000, 2)) + np.linspace(0, 0.3, 20_000)[:, np.newaxis]
    Y = (rng.random((20_000, 1)) < 0.3).astype(np.int8)
    assert of(row_order, array(X, Y)) is None  # AUC off by less than .1
