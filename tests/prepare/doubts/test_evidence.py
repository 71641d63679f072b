# SPDX-License-Identifier: BSD-3-Clause
import numpy as np
import pytest
import scipy.sparse as sp

from labelsift.compare.request import as_data
from labelsift.core.data import MultiLabelData
from labelsift.prepare import TablePreparation, doubts
from labelsift.prepare.doubts import evidence as module
from labelsift.prepare.doubts.evidence import gather
from prepare.tables import FLAVOURS, mixed


def _of_table(flavour):
    frame = FLAVOURS[flavour](mixed())
    Y = np.arange(300)[:, np.newaxis] % 3 == 0
    return gather(as_data(frame, Y), TablePreparation().fit(frame))


@pytest.mark.parametrize("flavour", FLAVOURS)
def test_columns_that_are_used_as_numbers_or_categories(flavour):
    evidence = _of_table(flavour)
    assert evidence.names == ("size", "count", "age", "vip", "flag")
    assert list(evidence.categories) == ["plan"]
    assert evidence.X.shape == (300, 5)
    plan = mixed()["plan"]
    gone = np.array([cell is None for cell in plan])
    assert evidence.missing.keys() == {"age", "plan"}
    assert (evidence.missing["plan"] == gone).all()
    assert (evidence.missing["age"] == gone).all()


def _by_column(evidence):
    """(column, rows, positive rows by label) of each value."""
    for counts in evidence.value_counts():
        parts = [np.split(part, counts.begins[1:]) for part in counts[2:]]
        yield from zip(counts.names, *parts, strict=True)


def test_values_are_counted_with_their_labels():
    evidence = _of_table("pandas")
    counted = {name: (rows, hits) for name, rows, hits in _by_column(evidence)}
    assert counted.keys() == {"count", "vip", "flag", "plan"}  # few values
    rows, hits = counted["plan"]
    plan = mixed()["plan"]
    third = [cell for i, cell in enumerate(plan) if i % 3 == 0]
    values = [None, *dict.fromkeys(cell for cell in plan if cell)]
    assert rows.tolist() == [plan.count(value) for value in values]
    assert hits.ravel().tolist() == [third.count(value) for value in values]


def test_sparse_values_are_counted_like_dense_ones(rng):
    X = rng.integers(-1, 3, size=(80, 5)) * (rng.random((80, 5)) < 0.7)
    Y = (rng.random((80, 3)) < 0.4).astype(np.int8)
    names = tuple("abcde")
    counted = []
    for form in (X.astype(float), sp.csr_array(X.astype(float))):
        data = MultiLabelData(form, Y, names, ("u", "v", "w"))
        counted.append(
            [
                (name, sorted(zip(rows.tolist(), hits.tolist(), strict=True)))
                for name, rows, hits in _by_column(gather(data, None))
            ]
        )
    assert counted[0] == counted[1]
    assert len(counted[0]) == 5


def test_sparse_columns_of_many_values_are_not_counted(rng, monkeypatch):
    monkeypatch.setattr(module, "_BLOCK", 2)
    X = rng.integers(0, 3, size=(120, 5)).astype(float)
    X[:, 1] = X[:, 3] = rng.normal(size=120)
    data = MultiLabelData(sp.csr_array(X), np.eye(120, 2), tuple("abcde"), ("u", "v"))
    assert [name for name, _, _ in _by_column(gather(data, None))] == ["a", "c", "e"]


def test_sparse_columns_with_few_values_are_no_evidence():
    X = np.zeros((50, 3))
    X[:9, 0], X[:10, 2] = 1.0, 1.0
    data = MultiLabelData(sp.csr_array(X), np.eye(50, 2), ("a", "b", "c"), ("u", "v"))
    assert gather(data, None).names == ("c",)


def test_rows_are_sampled_and_rare_labels_spared(rng, monkeypatch):
    monkeypatch.setattr(module, "MOST_ROWS", 500)
    Y = np.zeros((3000, 2), dtype=np.int8)
    Y[::2, 0], Y[::100, 1] = 1, 1
    X = np.arange(3000.0)[:, np.newaxis]
    data = MultiLabelData(X, Y, ("row",), ("often", "rarely"))
    evidence = gather(data, None)
    rows = evidence.X.ravel()
    assert len(rows) == 500
    assert (np.diff(rows) > 0).all()  # in their order
    assert evidence.Y[:, 1].sum() == 30
    assert evidence.rarer.tolist() == [min(c, 500 - c) for c in evidence.Y.sum(axis=0)]
    assert (gather(data, None).X == evidence.X).all()


def test_many_rare_labels_may_take_more_rows(monkeypatch):
    monkeypatch.setattr(module, "MOST_ROWS", 50)
    Y = np.zeros((300, 1), dtype=np.int8)
    Y[:100] = 1
    data = MultiLabelData(np.ones((300, 1)), Y, ("a",), ("u",))
    assert len(gather(data, None).Y) == 100


@pytest.mark.parametrize("form", [np.asarray, sp.csr_array, sp.csc_array])
def test_the_data_is_neither_copied_where_all_rows_are_used_nor_changed(rng, form):
    X = form(rng.normal(size=(40, 3)) * (rng.random((40, 3)) < 0.9))
    data = MultiLabelData(X, rng.integers(0, 2, size=(40, 1)), ("a", "b", "c"), ("u",))
    before = data.X.copy()
    doubts(data)
    assert (before != data.X).sum() == 0
    if not sp.issparse(X):
        assert gather(data, None).X is data.X
