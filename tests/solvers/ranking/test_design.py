# SPDX-License-Identifier: BSD-3-Clause
import numpy as np
import pytest
import scipy.sparse as sp

from labelsift.solvers.ranking.design import Design, label_pairs, pair_counts


@pytest.fixture
def X(rng):
    return rng.uniform(size=(9, 5)) * (rng.uniform(size=(9, 5)) < 0.5)


@pytest.mark.parametrize("bias", [True, False])
def test_sparse_rows_are_centred_without_being_written_out(X, rng, bias):
    """Scores, products and norms are those of the dense standardised matrix."""
    written = (X - X.mean(axis=0)) / X.std(axis=0)
    extended = np.hstack([written, np.full((9, 1), float(bias))])
    eta = rng.uniform(size=5)
    W, b, B = (rng.normal(size=shape) for shape in ((5, 3), (3,), (9, 3)))
    for form in (np.asarray, sp.csr_array, sp.csc_array):
        design = Design.build(form(X), bias=bias, standardize=True)
        np.testing.assert_allclose(design.scores(W, b), written @ W + b)
        U, ones = design.centred(design.gather(B), B.sum(axis=0))
        np.testing.assert_allclose(np.vstack([U, ones]), extended.T @ B, atol=1e-12)
        norms = design.samples(eta).norms
        np.testing.assert_allclose(norms, extended**2 @ np.append(eta, 1), atol=1e-12)


def test_single_precision_is_worked_on_block_by_block(X, rng, monkeypatch):
    monkeypatch.setattr("labelsift.solvers.ranking.design._BLOCK_BYTES", 2 * 8 * 5)
    design = Design.build(X.astype(np.float32), bias=True, standardize=False)
    W, B = rng.normal(size=(5, 3)), rng.normal(size=(9, 3))
    np.testing.assert_allclose(design.scores(W, np.ones(3)), X @ W + 1, rtol=1e-5)
    np.testing.assert_allclose(design.gather(B), X.T @ B, rtol=1e-5, atol=1e-6)


def test_columns_go_with_their_scale(X):
    keep = np.array([1, 3])
    design = Design.build(sp.csr_array(X), bias=True, standardize=True).columns(keep)
    other = Design.build(sp.csr_array(X[:, keep]), bias=True, standardize=True)
    np.testing.assert_allclose(design.X.toarray(), other.X.toarray())
    for name in ("centre", "mean", "scale"):
        np.testing.assert_allclose(getattr(design, name), getattr(other, name))


def test_x_is_not_copied_where_it_need_not_be(X):
    assert Design.build(X, bias=True, standardize=False).X is X


def test_pairs_are_relevant_by_irrelevant():
    Y = np.array([[0, 1, 1], [0, 0, 0], [1, 1, 1], [1, 0, 0]], dtype=np.uint8)
    pairs = label_pairs(Y, "test")
    np.testing.assert_array_equal(pairs.rows, [0, 3])
    np.testing.assert_array_equal(pair_counts(pairs), [2, 0, 0, 2])
    np.testing.assert_array_equal(pairs.labels[[0, 3]], [[1, 2, 0], [0, 1, 2]])
    np.testing.assert_array_equal(pairs.start[[0, 3]], [0, 2])
    np.testing.assert_array_equal(pairs.share, [0.5, 0, 0, 0.5])


@pytest.mark.parametrize("Y", [[[1], [0]], [[1, 1], [0, 0]]])
def test_no_pair_is_an_error(Y):
    with pytest.raises(ValueError, match=r"LaRankSVM ranks .* no sample has one label"):
        label_pairs(np.array(Y, dtype=np.uint8), "LaRankSVM")
