# SPDX-License-Identifier: BSD-3-Clause
"""Fixtures shared by all tests."""

import os
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from labelsift.datasets import load_dataset
from labelsift.metrics.catalogue import (
    BUILT_IN,
    BUILT_IN_VALUES,
    MEASURES,
    VALUE_MEASURES,
)

_BESIDE_THE_CHECKOUT = Path(__file__).parents[2] / "shared" / "data"


@cache
def _load(name, home):
    return load_dataset(name, data_home=home)


@pytest.fixture(autouse=True)
def _forget_own_measures():
    """Measures that a test brings are not known to the next one."""
    yield
    for known, own in ((MEASURES, BUILT_IN), (VALUE_MEASURES, BUILT_IN_VALUES)):
        for name in known.keys() - {*own}:
            del known[name]


@pytest.fixture
def rng():
    return np.random.default_rng(0)


@pytest.fixture(scope="session")
def data_home():
    """The folder of real data sets; a test that needs it is skipped without it."""
    home = Path(os.environ.get("LABELSIFT_DATA", _BESIDE_THE_CHECKOUT))
    if not home.is_dir():
        pytest.skip("no real data: set LABELSIFT_DATA to a folder of prepared sets")
    return home


@pytest.fixture(scope="session")
def real(data_home):
    """Load a real data set by name; do not change its arrays."""

    def load(name):
        if not (data_home / name / "data.npz").exists():
            pytest.skip(f"{name} is not in {data_home}")
        return _load(name, data_home)

    return load


@pytest.fixture
def dask_in_this_thread():
    """Dask collections are computed without threads or workers."""
    dask = pytest.importorskip("dask")
    with dask.config.set(scheduler="sync"):
        yield
