# SPDX-License-Identifier: BSD-3-Clause
import os
from dataclasses import replace

import numpy as np
import pytest
import scipy.sparse as sp

from experiment.tasks import data_spec, planted
from labelsift.experiment import inputs
from labelsift.experiment.inputs import (
    inner_folds,
    opened,
    prepared,
    splits,
    with_checksum,
)
from labelsift.experiment.task import DataSpec, Protocol
from labelsift.prepare.array_scaling import SCALES, scaled


def with_split(data):
    rows = np.arange(data.n_samples)
    return replace(data, train_idx=rows[:50], test_idx=rows[50:])


@pytest.fixture
def opens(monkeypatch):
    """Sources that were read from disk, in their order; nothing is in memory yet."""
    sources = []
    read = inputs.open_data

    def counted(source, **options):
        sources.append(source)
        return read(source, **options)

    monkeypatch.setattr(inputs, "open_data", counted)
    for cached in (inputs._opened, inputs._checksum, inputs._prepared):
        cached.cache_clear()
    return sources


def test_opens_files_and_names(tmp_path):
    data = planted()
    assert opened(data_spec(tmp_path, data)).checksum == data.checksum
    traits = opened(DataSpec("traits", drop=("pixel_0_*",)))
    assert (traits.n_labels, traits.n_features) == (6, 56)


def test_a_process_opens_a_set_once_for_checksum_and_all_preparations(tmp_path, opens):
    spec = with_checksum(replace(data_spec(tmp_path), checksum=""))
    assert spec.checksum == planted().checksum
    assert opened(spec) is opened(replace(spec, prepare=("min-label-rows:1",)))
    prepared(spec)
    prepared(replace(spec, prepare=("min-label-rows:2",)))
    assert opens == [spec.source]


def test_the_checksum_of_a_set_outlives_its_data(tmp_path, opens):
    specs = [
        replace(data_spec(tmp_path, planted(seed=k), f"{k}.npz"), checksum="")
        for k in range(4)
    ]
    first = [with_checksum(spec) for spec in specs]
    assert [with_checksum(spec) for spec in specs] == first
    assert opens == [spec.source for spec in specs]
    assert len({spec.checksum for spec in first}) == 4


def test_a_file_that_has_changed_is_opened_again(tmp_path, opens):
    spec = with_checksum(replace(data_spec(tmp_path), checksum=""))
    path = tmp_path / "planted.npz"
    data_spec(tmp_path, planted(seed=1))
    later = path.stat().st_mtime_ns + 1_000_000_000
    os.utime(path, ns=(later, later))
    assert with_checksum(spec).checksum == planted(seed=1).checksum != spec.checksum
    assert opened(spec).checksum == planted(seed=1).checksum
    assert len(opens) == 2


def test_the_embedded_set_needs_no_folder():
    elsewhere = DataSpec("traits", data_home="nowhere")
    assert with_checksum(elsewhere).checksum == opened(DataSpec("traits")).checksum


def test_a_set_that_cannot_be_opened_has_no_checksum(tmp_path, opens):
    for _ in range(2):
        with pytest.raises((ValueError, OSError), match="absent"):
            with_checksum(DataSpec(str(tmp_path / "absent.npz")))


def test_data_that_has_changed_is_an_error(tmp_path, opens):
    spec = data_spec(tmp_path)
    data_spec(tmp_path, planted(seed=1))
    with pytest.raises(ValueError, match=r"has changed since the run was planned"):
        prepared(spec)


def test_rare_labels_are_left_out_and_all_rows_stay(tmp_path):
    data = planted()
    Y = data.Y.copy()
    Y[:, 1] = 0
    Y[:3, 1] = 1
    spec = data_spec(tmp_path, replace(data, Y=Y), prepare=("min-label-rows:4",))
    frequent = prepared(spec)
    assert frequent.label_names == tuple(np.delete(data.label_names, 1))
    assert frequent.n_samples == data.n_samples
    assert prepared(replace(spec, prepare=("min-label-rows:3",))).n_labels == 4


def test_columns_that_are_empty_in_the_first_rows_are_left_out(tmp_path):
    data = planted()
    X = data.X.copy()
    X[:40, 2] = 0
    X[:, 3] = 0
    X[:39, 5] = 0
    spec = data_spec(tmp_path, replace(data, X=X), prepare=("alive-in-first:40",))
    assert prepared(spec).feature_names == tuple(np.delete(data.feature_names, [2, 3]))


def test_steps_follow_one_another_in_their_order(tmp_path):
    spec = data_spec(tmp_path, prepare=("split-first:30", "min-label-rows:1"))
    [(train, test)] = splits(spec, Protocol("published"))
    assert train.tolist() == list(range(30))
    assert test.tolist() == list(range(30, 90))


@pytest.mark.parametrize("kind", ["folds", "stratified"])
def test_folds_test_every_row_once(tmp_path, kind):
    parts = splits(data_spec(tmp_path), Protocol(kind, 4))
    tested = np.concatenate([test for _, test in parts])
    assert sorted(tested) == list(range(90))
    for train, test in parts:
        assert sorted([*train, *test]) == list(range(90))


def test_sampled_training_sets_have_their_size_and_every_label(tmp_path):
    spec = data_spec(tmp_path)
    parts = splits(spec, Protocol("sample", 5, train_size=30))
    assert len(parts) == 5
    for train, test in parts:
        assert len(train) == 30
        assert not set(train) & set(test)
        assert prepared(spec).Y[train].any(axis=0).all()
    assert set(parts[0][0]) != set(parts[1][0])


@pytest.mark.parametrize("kind", ["folds", "stratified", "sample"])
def test_the_seed_decides_the_split(tmp_path, kind):
    spec = data_spec(tmp_path)
    parts = [splits(spec, Protocol(kind, 3, 40, seed)) for seed in (0, 0, 1)]
    again = splits.__wrapped__(spec, Protocol(kind, 3, 40, 0))
    assert np.array_equal(parts[0][0][0], again[0][0])
    assert not np.array_equal(parts[0][0][0], parts[2][0][0])


def test_the_published_split_is_taken_whole_or_sampled(tmp_path):
    spec = data_spec(tmp_path, with_split(planted()))
    [(train, test)] = splits(spec, Protocol("published"))
    assert (len(train), len(test)) == (50, 40)
    sampled = splits(spec, Protocol("published", 2, train_size=20))
    for part, held_out in sampled:
        assert len(set(part)) == 20
        assert set(part) <= set(train)
        assert np.array_equal(held_out, test)
    assert set(sampled[0][0]) != set(sampled[1][0])


def test_samples_that_would_all_be_the_same_are_refused(tmp_path):
    spec = data_spec(tmp_path, with_split(planted()))
    with pytest.raises(ValueError, match="3 samples of 50 would be one and the same"):
        splits(spec, Protocol("published", 3, train_size=50))
    [(train, _)] = splits(spec, Protocol("published", 1, train_size=99))
    assert len(train) == 50


def test_no_published_split_is_an_error(tmp_path):
    spec = data_spec(tmp_path)
    with pytest.raises(ValueError, match="has no published split: choose another kind"):
        splits(spec, Protocol("published"))


def test_all_rows_can_train(tmp_path):
    [(train, test)] = splits(data_spec(tmp_path), Protocol("all"))
    assert (len(train), len(test)) == (90, 0)


def test_inner_folds_are_a_partition_of_the_training_part():
    Y = planted().Y
    parts = inner_folds(Y, 3, 0)
    assert sorted(np.concatenate([test for _, test in parts])) == list(range(90))
    [(train, test)] = inner_folds(Y, 1, 0)
    assert sorted([*train, *test]) == list(range(90))
    assert len(test) == 23


@pytest.mark.parametrize("how", SCALES)
@pytest.mark.parametrize("sparse", [False, True])
def test_scaling_is_learned_from_training_rows_alone(how, sparse, rng):
    X = rng.random((20, 5)) * (rng.random((20, 5)) < 0.7) + np.eye(20, 5)
    new = sp.csr_array(X[10:]) if sparse else X[10:]
    train = sp.csr_array(X[:10]) if sparse else X[:10]
    first, second = scaled(train, new, how)
    other, third = scaled(train, 1000 * new, how)
    assert sp.issparse(first) == sp.issparse(second) == sparse
    dense = [part.toarray() if sparse else part for part in (first, other)]
    assert np.array_equal(*dense)
    if how != "unit-rows":  # which knows no other row
        assert abs(third).max() > abs(second).max()


def test_what_the_scalings_are(rng):
    X = rng.random((20, 5)) + 3
    new = rng.random((4, 5))
    for how, wanted in {
        "none": new,
        "standardize": (new - X.mean(0)) / X.std(0),
        "standardize-root": (new - X.mean(0)) / X.std(0) / np.sqrt(5),
        "minmax": (new - X.min(0)) / np.ptp(X, axis=0),
        "unit-rows": new / np.linalg.norm(new, axis=1, keepdims=True),
        "unit-columns": (new - X.mean(0)) / np.linalg.norm(X - X.mean(0), axis=0),
    }.items():
        assert np.allclose(scaled(X, new, how)[1], wanted), how


def test_a_constant_column_is_scaled_to_nothing():
    X = np.column_stack([np.arange(4.0), np.full(4, 7.0)])
    for how in ("standardize", "standardize-root", "minmax", "unit-columns"):
        assert np.array_equal(scaled(X, X, how)[0][:, 1], np.zeros(4)), how


def test_an_empty_test_part_is_left_as_it_is():
    X = np.arange(6.0).reshape(3, 2)
    assert scaled(X, X[:0], "standardize")[1].shape == (0, 2)


def test_workers_map_the_data_that_their_driver_leaves(tmp_path, monkeypatch, opens):
    spec = DataSpec("traits")
    folder = tmp_path / "shared"
    folder.mkdir()
    (folder / "of an older run.joblib").touch()
    inputs.leave_in(folder, spec)
    assert len(list(folder.iterdir())) == 1
    read = inputs.opened(spec)
    inputs._opened.cache_clear()
    monkeypatch.setattr(inputs, "_mapped", folder)
    mapped = inputs.opened(spec)
    assert isinstance(mapped.X, np.memmap)
    assert mapped.checksum == read.checksum
    assert not isinstance(mapped.X[[0, 2]], np.memmap)
    inputs._opened.cache_clear()


def test_methods_of_a_split_share_one_scaled_copy(tmp_path):
    spec, rows = data_spec(tmp_path), np.arange(30)
    shared = inputs.scaled_rows(spec, 0, rows[:20], rows[20:], "standardize")
    again = inputs.scaled_rows(spec, 0, rows[:20], rows[20:], "standardize")
    assert again[1] is shared[1]
    data = inputs.prepared(spec)
    alone = inputs.scaled(data.X[rows[:20]], data.X[rows[20:]], "standardize")
    np.testing.assert_array_equal(shared[1], alone[0])
    np.testing.assert_array_equal(shared[2], alone[1])
    other = inputs.scaled_rows(spec, 1, rows[10:], rows[:10], "standardize")
    assert other[1].shape == shared[1].shape
    assert not np.array_equal(other[1], shared[1])
