# SPDX-License-Identifier: BSD-3-Clause
import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st

from labelsift.compare.request import as_data
from labelsift.prepare import doubts
from prepare.doubts.cases import N, array, noise


@pytest.mark.parametrize("seed", range(5))
def test_noise_gives_no_doubts(seed):
    rng = np.random.default_rng(seed)
    assert doubts(array(*noise(rng))) == ()


@given(st.integers(0, 10**6), st.sampled_from([np.asarray, sp.csr_array]))
@settings(max_examples=40, deadline=None)
def test_any_numbers_whatsoever_give_sentences(seed, form):
    rng = np.random.default_rng(seed)
    n, d, t = rng.integers(1, 40), rng.integers(1, 6), rng.integers(1, 4)
    pool = np.array([0.0, 1.0, -1.0, 1e308, -1e308, 5e-324, 1e-300, 2.0**53, 0.5])
    X = rng.choice(pool[: rng.integers(1, 10)], size=(n, d))
    Y = rng.integers(0, 2, size=(n, t))
    for doubt in doubts(array(form(X), Y)):
        assert doubt.sentence.endswith((".", "?"))
        assert np.isfinite(doubt.number)


def test_every_doubt_of_a_wrong_table_at_once_leaks_first():
    rng = np.random.default_rng(3)
    Y = (rng.random((N, 2)) < [0.3, 0.05]).astype(np.int8)
    size = rng.normal(size=N)
    frame = pd.DataFrame(
        {
            "code": 3 * Y[:, 0],
            "far": np.where(np.arange(N) % 40, size, 1e6),
            "row": np.arange(N),
            "a": size,
            "b": 2 * size,
            "same": 1,
            "late": np.linspace(0, 1, N) + rng.normal(size=N) * 0.1,
            "gap": np.where(Y[:, 1], np.nan, rng.normal(size=N)),
        }
    )
    codes = [doubt.code for doubt in doubts(as_data(frame, Y))]
    assert codes == [
        "leak", "outliers", "id", "duplicates", "constant", "rare-label", "row-order",
        "gaps",
    ]  # fmt: skip


def test_a_frame_is_not_changed(rng):
    X, Y = noise(rng)
    frame = pd.DataFrame(X)
    frame.iloc[::7, 2] = None
    before = frame.copy()
    doubts(as_data(frame, Y))
    pd.testing.assert_frame_equal(frame, before)


@pytest.mark.parametrize("name", ["emotions", "scene", "yeast", "flags", "CAL500"])
def test_real_sets_have_neither_leaks_nor_outliers_nor_ids_nor_duplicates(real, name):
    codes = {doubt.code for doubt in doubts(real(name))}
    assert not codes & {"leak", "outliers", "id", "duplicates", "gaps"}
