# SPDX-License-Identifier: BSD-3-Clause
"""Sums: any split into blocks gives what one block gives."""

import pickle
from itertools import pairwise

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st

from labelsift.sums import Sums
from reference import sums as reference

NAMES = ("n", "x_mean", "y_mean", "xx", "xy", "yy")


def _data(seed, n=60, d=5, t=3, offset=0.0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d)) + offset
    return X, rng.integers(2, size=(n, t)), rng


def _scale(sums):
    """What rounding of a product is relative to."""
    x = np.sqrt(np.diagonal(sums["xx"]))
    y = np.sqrt(np.diagonal(sums["yy"]))
    return {"xx": np.outer(x, x), "xy": np.outer(x, y), "yy": np.outer(y, y)}


def _assert_equal(sums, expected, tol=1e-10):
    scale = _scale(expected)
    for name in NAMES:
        unit = scale.get(name, np.maximum(np.abs(expected[name]), 1))
        difference = np.abs(getattr(sums, name) - expected[name])
        assert (difference <= tol * np.maximum(unit, 1e-300)).all(), name


@pytest.mark.parametrize("offset", [0.0, 3.0, 1e6])
def test_equals_the_definition(offset):
    X, Y, rng = _data(0, offset=offset)
    expected = reference.sums(X, Y)
    _assert_equal(Sums().update(X, Y), expected, 2e-11 if offset == 1e6 else 1e-14)
    weights = rng.uniform(0.1, 3, len(X))
    expected = reference.sums(X, Y, weights)
    _assert_equal(Sums().update(X, Y, weights), expected, 2e-11)


@settings(max_examples=40, deadline=None)
@given(
    seed=st.integers(0, 10**6),
    cuts=st.lists(st.integers(0, 60), max_size=8),
    offset=st.sampled_from([0.0, 1e6]),
    weighted=st.booleans(),
    sparse=st.booleans(),
)
def test_any_split_in_any_order(seed, cuts, offset, weighted, sparse):
    X, Y, rng = _data(seed, offset=offset)
    if sparse:
        X[rng.uniform(size=X.shape) < 0.6] = 0
    weights = rng.uniform(0.5, 2, len(X)) if weighted else None
    whole = Sums().update(X, Y, weights)
    bounds = [0, *sorted(cuts), len(X)]
    blocks = [slice(*pair) for pair in pairwise(bounds)]
    parts = []
    for rows in rng.permutation(len(blocks)).tolist():
        at = blocks[rows]
        block = sp.csr_array(X[at]) if sparse else X[at]
        own = None if weights is None else weights[at]
        parts.append(Sums().update(block, Y[at], own))
    total = Sums.merged(parts)
    _assert_equal(total, {name: getattr(whole, name) for name in NAMES})
    np.testing.assert_array_equal(total.x_range, whole.x_range)
    if not sparse:
        np.testing.assert_array_equal(total.xx, total.xx.T)
    assert total.rows == len(X)


def test_one_row_at_a_time():
    X, Y, _ = _data(1, offset=1e6)
    sums = Sums.from_batches((X[i : i + 1], Y[i : i + 1]) for i in range(len(X)))
    _assert_equal(sums, reference.sums(X, Y), 1e-9)
    assert sums.rows == 60


def test_weights_are_repeats():
    X, Y, rng = _data(2)
    repeats = rng.integers(0, 4, len(X))
    weighted = Sums().update(X, Y, repeats)
    repeated = Sums().update(np.repeat(X, repeats, axis=0), np.repeat(Y, repeats, 0))
    _assert_equal(weighted, {name: getattr(repeated, name) for name in NAMES})
    np.testing.assert_array_equal(weighted.x_range, repeated.x_range)


def test_sparse_columns_far_from_zero_keep_their_digits():
    X, Y, rng = _data(3)
    X[:, 0] += 1e6
    X[:, 1:] *= rng.uniform(size=(60, 4)) < 0.3
    sums = Sums().update(sp.csc_array(X), Y)
    _assert_equal(sums, reference.sums(X, Y), 1e-10)


def test_float32_is_summed_in_float64():
    X, Y, _ = _data(4, n=500)
    X = X.astype(np.float32) + np.float32(100)
    _assert_equal(Sums().update(X, Y), reference.sums(X, Y), 1e-12)
    assert Sums().update(X, Y).xx.dtype == np.float64


def test_diagonals_alone():
    X, Y, _ = _data(5)
    full = Sums().update(X, Y)
    lean = Sums(feature_products=False, label_products=False)
    lean.update(X[:20], Y[:20]).update(X[20:], Y[20:])
    np.testing.assert_allclose(lean.xx, np.diagonal(full.xx))
    np.testing.assert_allclose(lean.yy, np.diagonal(full.yy))
    np.testing.assert_allclose(lean.spread, full.spread)
    csr = Sums(feature_products=False).update(sp.csr_array(X), Y)
    np.testing.assert_allclose(csr.xx, np.diagonal(full.xx))
    with pytest.raises(ValueError, match="its diagonal only"):
        full.add(lean)


def test_labels_of_both_codings_and_codes():
    X, Y, _ = _data(6)
    zero, minus = Sums().update(X, Y), Sums().update(X, 2 * Y - 1)
    np.testing.assert_array_equal(zero.xy, minus.xy)
    assert (zero.targets.negative, minus.targets.negative) == (0, -1)
    mean, xy, yy = zero.coded()
    codes = 2.0 * Y - 1
    np.testing.assert_allclose(mean, codes.mean(axis=0))
    np.testing.assert_allclose(xy, (X - X.mean(axis=0)).T @ codes)
    np.testing.assert_allclose(yy, len(Y) * np.cov(codes.T, bias=True))


def test_a_block_of_ones_has_no_coding():
    X, Y, _ = _data(7)
    present = Sums().update(X, np.ones_like(Y))
    assert present.targets.negative is None
    assert present.add(Sums().update(X, 2 * Y - 1)).targets.negative == -1
    with pytest.raises(ValueError, match="0/1 in one block and -1/"):
        present.update(X, np.zeros_like(Y))


def test_values_mixed_targets_and_whole_numbers():
    X, Y, rng = _data(8)
    mixed = np.column_stack([rng.normal(size=60), Y[:, 0]])
    sums = Sums().update(X, mixed)
    np.testing.assert_array_equal(sums.targets.values, [True, False])
    whole = mixed.copy()
    whole[:, 0] = 3
    sums.update(X, whole)  # the first column stays one of values
    assert sums.y_range[1, 0] >= 3
    with pytest.raises(ValueError, match=r'Column 1 of Y.*target="values"'):
        sums.update(X, rng.normal(size=(60, 2)))
    with pytest.raises(ValueError, match='target="labels"'):
        Sums(target="labels").update(X, mixed)
    counts = Sums(target="values").update(X, 5 * Y)
    assert counts.targets.values.all()


def test_classes():
    X, _, rng = _data(9)
    y = np.array(["b", "a", "c"])[rng.integers(3, size=60)]
    sums = Sums(classes=["c", "a", "b"]).update(X[:1], y[:1]).update(X[1:], y[1:])
    np.testing.assert_array_equal(sums.targets.classes, ["a", "b", "c"])
    np.testing.assert_allclose(sums.y_mean, [(y == c).mean() for c in "abc"])
    with pytest.raises(ValueError, match=r"class .*z.* classes="):
        sums.update(X[:1], ["z"])
    with pytest.raises(ValueError, match="different classes"):
        sums.add(Sums().update(X[:1], y[:1]))


def test_names_travel_and_must_agree():
    X, Y, _ = _data(10)
    frame, labels = pd.DataFrame(X, columns=list("abcde")), pd.DataFrame(Y, columns=list("xyz"))  # fmt: skip  # noqa: E501
    sums = Sums().update(frame, labels).update(X, Y)
    assert list(sums.feature_names) == list("abcde")
    assert list(sums.label_names) == list("xyz")
    with pytest.raises(ValueError, match=r"feature names \('a' and 'b'"):
        sums.update(frame[list("bacde")], labels)
    with pytest.raises(ValueError, match="label names"):
        sums.add(Sums().update(frame, labels[list("yxz")]))
    assert sums.rows == 120


def test_empty_blocks_are_neutral():
    X, Y, _ = _data(11)
    sums = Sums().update(X[:0], Y[:0])
    assert repr(sums) == "Sums(no rows)"
    with pytest.raises(ValueError, match="no rows: update"):
        sums.xx  # noqa: B018
    sums.add(Sums()).update(X, Y).add(Sums()).update(X[:0], Y[:0])
    sums.update(X, Y, np.zeros(60))
    assert repr(sums) == "Sums(60 rows, 5 features, 3 labels)"
    with pytest.raises(AttributeError, match="no attribute 'zz'"):
        sums.zz  # noqa: B018


def test_adding_leaves_the_other_unchanged():
    X, Y, _ = _data(12)
    first, second = Sums().update(X[:30], Y[:30]), Sums().update(X[30:], Y[30:])
    before = second.xx.copy()
    total = Sums().add(second).add(first)
    np.testing.assert_array_equal(second.xx, before)
    assert (total.rows, second.rows) == (60, 30)


def test_scaled_rows_count_less():
    X, Y, _ = _data(13)
    forgotten = Sums().update(X[:30], Y[:30]).scaled(0.5).update(X[30:], Y[30:])
    weighted = Sums().update(X, Y, np.repeat([0.5, 1], 30))
    _assert_equal(forgotten, {name: getattr(weighted, name) for name in NAMES})
    with pytest.raises(ValueError, match="factor must be above 0, got 0"):
        forgotten.scaled(0)


@pytest.mark.parametrize("kind", ["labels", "classes", "values"])
def test_saved_and_loaded(kind, tmp_path):
    X, Y, rng = _data(14)
    y = {"labels": Y, "classes": np.array(["no", "yes"])[Y[:, 0]]}
    sums = Sums().update(X, y.get(kind, rng.normal(size=60)))
    sums.save(tmp_path / "a.npz")
    loaded = Sums.load(tmp_path / "a.npz")
    assert loaded.rows == sums.rows
    for name in (*NAMES, "x_range", "y_range"):
        np.testing.assert_array_equal(getattr(loaded, name), getattr(sums, name))
    loaded.add(sums)
    assert loaded.rows == 120
    assert [path.name for path in tmp_path.iterdir()] == ["a.npz"]


def test_files_that_hold_no_sums(tmp_path):
    X, Y, _ = _data(15)
    (tmp_path / "a.npz").write_bytes(b"no zip")
    np.savez(tmp_path / "b.npz", X=X)
    sums = Sums().update(X, Y)
    sums.save(tmp_path / "c.npz")
    with np.load(tmp_path / "c.npz") as file:
        np.savez(tmp_path / "c.npz", **{**file, "xy": X})
    for name in "abc":
        with pytest.raises(ValueError, match=f"{name}.npz holds no sums"):
            Sums.load(tmp_path / f"{name}.npz")
    with pytest.raises(FileNotFoundError, match="does not exist"):
        Sums.load(tmp_path / "d.npz")
    with pytest.raises(ValueError, match="no rows"):
        Sums().save(tmp_path / "e.npz")


def test_pickled():
    X, Y, _ = _data(16)
    sums = pickle.loads(pickle.dumps(Sums().update(X, Y)))
    assert sums.update(X, Y).rows == 120


def test_products_where_they_fit():
    X, Y, _ = _data(0, d=40)
    whole = Sums(feature_products="auto").update(X, Y)
    np.testing.assert_array_equal(whole.xx, Sums().update(X, Y).xx)
    bound = 2**26 + 16 * 40 * 40  # what X'X alone would take
    lean = Sums(feature_products="auto", memory=bound).update(X, Y)
    np.testing.assert_allclose(lean.xx, np.diag(whole.xx))
    with pytest.raises(ValueError, match=r"take about 64.1M .* allowed"):
        Sums(feature_products="auto", memory=2**26).update(X, Y)
    with pytest.raises(ValueError, match=r'a bool or "auto", got \'none\''):
        Sums(feature_products="none")


def test_memory_is_counted_before_it_is_taken():
    X = sp.csr_array((3, 40_000))
    with pytest.raises(ValueError, match="40000 features and 2 labels take about 24G"):
        Sums().update(X, np.array([[0, 1], [1, 0], [1, 1]]))
    with pytest.raises(ValueError, match="100M are allowed"):
        Sums(memory="100M").update(X[:, :2000], np.eye(3, 2, dtype=int))


@pytest.mark.parametrize(
    ("X", "Y", "sentence"),
    [
        ([[1.0, np.nan]], [[1]], "X contains NaN"),
        ([[1.0, 2.0]], [[np.nan]], "Y contains NaN"),
        ([[1.0, 2.0]], [[1], [0]], "inconsistent numbers of samples"),
        ([[1.0]], [[1]], "X has 1 features after blocks with 2"),
        ([[1.0, 2.0]], [[1, 0]], "Y has 2 columns after blocks with 1"),
        ([[1.0, 2.0]], [[7]], "Y must hold only 0/1"),
        ([[1e100, 2.0]], [[1]], "Column 0 of X has values of size 1e"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_bad_blocks_change_nothing(X, Y, sentence):
    sums = Sums().update([[0.0, 1.0], [1.0, 0.0]], [[0], [1]])
    with pytest.raises(ValueError, match=sentence):
        sums.update(X, Y)
    with pytest.raises(ValueError, match=r"Batch 1 \(rows from 2 on\)"):
        Sums.from_batches([([[0.0, 1.0], [1.0, 0.0]], [[0], [1]]), (X, Y)])
    assert sums.rows == 2


def test_batches_must_be_pairs():
    with pytest.raises(ValueError, match="Batch 0 is no pair"):
        Sums.from_batches(lambda: [np.ones((2, 2))])
    with pytest.raises(ValueError, match="target must be"):
        Sums(target="other")
