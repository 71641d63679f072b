# SPDX-License-Identifier: BSD-3-Clause
"""GreedyRLS from batches where X'X does not fit into memory."""

import pickle
import tracemalloc

import numpy as np
import pandas as pd
import pyarrow.dataset
import pytest
import scipy.sparse as sp
from sklearn.base import clone

from labelsift.datasets import make_planted
from labelsift.selection import FisherScore, GreedyRLS
from labelsift.selection.greedy_rls import columns, from_batches
from labelsift.sums import sums

SAME = ("gcv_error_", "gcv_margin_", "label_error_", "coef_", "intercept_", "alpha_")


@pytest.fixture
def wide():
    return make_planted(400, 300, 4, n_relevant=12, noise=0.6, random_state=0)


@pytest.fixture
def no_room(monkeypatch):
    """Sums that have no room for 300 x 300 products beside their work."""
    monkeypatch.setattr(sums, "read_size", lambda memory: 2**26 + 400_000)


def _batches(X, Y, weights=None, count=5):
    def read():
        for rows in np.array_split(np.arange(len(Y)), count):
            batch = X[rows], Y[rows]
            yield batch if weights is None else (*batch, weights[rows])

    return read


def _assert_same(actual, expected):
    np.testing.assert_array_equal(actual.feature_order_, expected.feature_order_)
    for name in SAME:
        value = getattr(expected, name)
        scale = np.abs(value).max()
        np.testing.assert_allclose(
            getattr(actual, name), value, rtol=0, atol=1e-8 * scale, err_msg=name
        )


@pytest.mark.parametrize("objective", ["sum", "fair"])
@pytest.mark.parametrize("form", ["dense", "float32", "sparse"])
@pytest.mark.parametrize("weighted", [False, True])
def test_columns_give_what_the_rows_give(objective, form, weighted, wide, no_room):
    X, weights, rng = wide.X.copy(), None, np.random.default_rng(0)
    X[:, 5] = 3.0  # a constant column, which has no part in X'X
    if form == "sparse":
        X = sp.csr_array(X * (rng.uniform(size=X.shape) < 0.3))
    elif form == "float32":
        X = X.astype(np.float32)
    if weighted:
        weights = rng.integers(0, 4, 400).astype(float)
    method = GreedyRLS(20, criterion="gcv", objective=objective)
    expected = clone(method).fit(X, wide.Y, sample_weight=weights)
    actual = method.fit(_batches(X, wide.Y, weights))
    _assert_same(actual, expected)
    _assert_same(actual.with_budget(7), expected.with_budget(7))
    assert actual.solver_ == "columns"
    assert 2 <= actual.n_passes_ <= 6
    assert pickle.loads(pickle.dumps(actual)).n_samples_seen_ == actual.n_samples_seen_


def test_passes_are_counted(wide, no_room, monkeypatch):
    calls = []
    read = _batches(wide.X, wide.Y)

    def counted():
        calls.append(1)
        return read()

    selector = GreedyRLS(12, criterion="gcv").fit(counted)
    assert selector.n_passes_ == len(calls) < 6
    monkeypatch.setattr(columns, "_MOST", 1)
    single = GreedyRLS(12, criterion="gcv").fit(read)
    assert single.n_passes_ == 13
    np.testing.assert_array_equal(single.feature_order_, selector.feature_order_)
    narrow = GreedyRLS(5, criterion="gcv").fit(_batches(wide.X[:, :50], wide.Y))
    assert (narrow.solver_, narrow.n_passes_) == ("gram", 1)


def test_a_dataset_is_read_again(wide, no_room, tmp_path):
    frame = pd.DataFrame(wide.X, columns=[f"x{i}" for i in range(300)])
    frame[[f"tag_{i}" for i in range(4)]] = wide.Y
    for part in range(2):
        rows = slice(200 * part, 200 * part + 200)
        frame[rows].to_parquet(tmp_path / f"{part}.parquet", index=False)
    selector = GreedyRLS(6, criterion="gcv")
    selector.fit(pyarrow.dataset.dataset(tmp_path), "tag_*")
    expected = GreedyRLS(6, criterion="gcv").fit(wide.X, wide.Y)
    _assert_same(selector, expected)
    assert selector.feature_names_in_[0] == "x0"
    assert selector.solver_ == "columns"


@pytest.mark.parametrize("objective", ["sum", "fair"])
def test_memory_is_bounded(objective, monkeypatch):
    """The formula of the documentation, with a batch beside it."""
    rng, d, t, k = np.random.default_rng(0), 6000, 3, 10
    monkeypatch.setattr(sums, "read_size", lambda memory: 2**27)
    blocks = [
        (sp.random_array((200, d), density=0.01, rng=rng, format="csr"),
         rng.integers(0, 2, (200, t)))
        for _ in range(4)
    ]  # fmt: skip
    tracemalloc.start()
    selector = GreedyRLS(k, criterion="gcv", objective=objective)
    selector.fit(lambda: iter(blocks))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert selector.solver_ == "columns"
    assert peak < 16 * d * k + 80 * d * t + 1000 * d
    assert peak < 8 * d * d / 10


def test_one_sentence_for_what_cannot_be(wide, no_room, monkeypatch):
    read = _batches(wide.X, wide.Y)
    for method in (GreedyRLS(3, criterion="gcv"), FisherScore(3)):
        with pytest.raises(ValueError, match=r"X is an iterator.* pass the function"):
            method.fit(read())
    once = read()
    with pytest.raises(ValueError, match=r"400 rows of 300 .*and 0 rows when"):
        GreedyRLS(3, criterion="gcv").fit(lambda: once)
    shapes = iter([wide.X, wide.X[:, :200]])
    with pytest.raises(ValueError, match="a batch of 200 features when they were read"):
        GreedyRLS(3, criterion="gcv").fit(lambda: iter([(next(shapes), wide.Y)]))
    monkeypatch.setattr(from_batches, "DEFAULT", 16 * 300 * 50)
    selector = GreedyRLS(criterion="gcv")
    with pytest.raises(ValueError, match=r"=None means up to 150 of 300 .* most 50"):
        selector.fit(read)
    assert GreedyRLS(50, criterion="gcv").fit(read).n_passes_ > 1
