# SPDX-License-Identifier: BSD-3-Clause
import tracemalloc

import numpy as np
import pytest
import scipy.sparse as sp

from labelsift.datasets import make_planted


@pytest.mark.parametrize("density", [1.0, 0.3])
def test_size_names_and_labels(density):
    data = make_planted(
        200, 30, 7, n_relevant=5, redundancy=0.4, density=density, random_state=0
    )
    assert data.X.shape == (200, 30)
    assert data.Y.shape == (200, 7)
    assert len(data.relevant) == 5
    share = data.Y.mean(axis=0)
    assert ((share >= 0.09) & (share <= 0.41)).all()


@pytest.mark.parametrize("density", [1.0, 0.3])
def test_the_labels_are_made_from_the_relevant_features(density):
    data = make_planted(3000, 12, 4, n_relevant=4, density=density, random_state=1)
    X = data.X.toarray() if sp.issparse(data.X) else data.X
    centred = X - X.mean(axis=0)
    codes = data.Y - data.Y.mean(axis=0)
    correlation = np.abs(centred.T @ codes).T / np.linalg.norm(centred, axis=0)
    strength = np.linalg.norm(correlation, axis=0)
    best = np.sort(np.argsort(-strength)[:4])
    np.testing.assert_array_equal(best, data.relevant)


def test_label_rank_limits_what_labels_differ_by():
    data = make_planted(
        4000, 12, 6, n_relevant=8, label_rank=1, noise=0.0, random_state=2
    )
    # With rank one every label is a cut of one score or of its negative.
    patterns = {tuple(row) for row in data.Y}
    assert len(patterns) <= 6 + 1


def test_redundant_features_follow_a_relevant_one():
    plain, copies = (
        make_planted(2000, 20, 3, n_relevant=2, redundancy=r, random_state=3)
        for r in (0.0, 0.5)
    )
    for data, expected in ((plain, 0), (copies, 9)):
        correlation = np.abs(np.corrcoef(data.X.T))[:, data.relevant].max(axis=1)
        others = np.setdiff1d(np.arange(20), data.relevant)
        assert (correlation[others] > 0.7).sum() == expected


def test_sparse_data_is_never_dense():
    tracemalloc.start()
    data = make_planted(
        20_000, 20_000, 5, n_relevant=50, redundancy=0.3, density=0.001, random_state=4
    )
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert isinstance(data.X, sp.csr_array)
    assert data.X.has_canonical_format
    assert data.X.nnz / 4e8 == pytest.approx(0.001, rel=0.1)
    assert peak < 1e8  # a dense X would take 3.2e9


def test_equal_seeds_equal_data():
    one, same, other = (
        make_planted(50, 8, 3, n_relevant=2, random_state=s) for s in (5, 5, 6)
    )
    assert one.checksum == same.checksum != other.checksum


@pytest.mark.parametrize(
    ("argument", "value"),
    [
        ("n_samples", 1),
        ("n_features", 0),
        ("n_labels", 0),
        ("n_relevant", 21),
        ("label_rank", 4),
        ("redundancy", 1.5),
        ("noise", -0.1),
        ("density", 0.0),
        ("density", 1.1),
    ],
)
def test_bad_arguments_are_named(argument, value):
    arguments = {"n_samples": 30, "n_features": 20, "n_labels": 3, argument: value}
    with pytest.raises(ValueError, match=rf"{argument} == {value}"):
        make_planted(**arguments)
