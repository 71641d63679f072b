# SPDX-License-Identifier: BSD-3-Clause
"""Selection for real values and partly unknown labels equals the slow references."""

import numpy as np
import pytest

from core.quiet import fit
from labelsift.selection import (
    CSFS,
    LRFS,
    MDMR,
    MIFS,
    MRMR,
    RALMFS,
    RFS,
    SFUS,
    FisherScore,
    MTLasso,
)  # fmt: skip
from reference import csfs, lrfs, mdmr, mifs, mrmr, ralm, rfs, sfus
from reference.information import conditional_information, greedy, mutual_information
from reference.mt_lasso import minimise
from reference.targets import known_lasso, terciles


@pytest.fixture
def data():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(60, 10))
    Y = X[:, :3] @ rng.normal(size=(3, 3)) + 0.5 * rng.normal(size=(60, 3))
    return X, Y


@pytest.fixture
def gaps(data):
    Y = data[1].copy()
    Y[np.random.default_rng(1).random(Y.shape) < 0.3] = np.nan
    Y[0] = np.nan
    return Y


def test_rfs_reaches_the_minimum_of_the_printed_algorithm(data):
    X, Y = data
    selector = fit(RFS(gamma=2.0, tol=1e-12, max_iter=3000), X, Y)
    W = rfs.dense_diagonal(X, Y, 2.0, 500)
    assert selector.objective_[-1] <= rfs.objective(X, Y, W, 2.0) * (1 + 1e-8)
    assert selector.objective_[-1] == pytest.approx(
        rfs.objective(X, Y, selector.coef_.T, 2.0), rel=1e-9
    )


def test_sfus_reaches_the_minimum_of_the_reference(data):
    X, Y = data
    selector = fit(SFUS(alpha=2.0, beta=1.5, n_latent=1, tol=1e-12), X, Y)
    value = sfus.objective(X, Y, selector.coef_.T, 2.0, 1.5, 1)
    assert selector.objective_[-1] == pytest.approx(value, rel=1e-9)
    W = sfus.reweighted(X, Y, selector.coef_.T + 1e-3, 2.0, 1.5, 1, 300)
    assert value <= sfus.objective(X, Y, W, 2.0, 1.5, 1) * (1 + 1e-8)


def test_csfs_equals_the_reference(data):
    X, Y = data
    selector = fit(CSFS(gamma=3.0, tol=1e-12), X, Y)
    W, b, F = csfs.reweighted(X, Y, 3.0, 1500)
    assert selector.objective_[-1] <= csfs.objective(X, F, W, b, 3.0) * (1 + 1e-9)
    np.testing.assert_allclose(selector.coef_.T, W, atol=1e-4)


def test_soft_values_stay_among_the_known_ones(data):
    X, Y = data
    Y = Y.copy()
    Y[::2] = np.nan
    soft = fit(CSFS(gamma=0.1), X, Y).soft_labels_
    assert (soft <= np.nanmax(Y, axis=0)).all()
    assert (soft >= np.nanmin(Y, axis=0)).all()
    assert (np.ptp(soft[::2], axis=0) > 1).all()


def test_ralm_equals_the_reference_round_by_round(data):
    X, Y = data
    selector = fit(RALMFS(3, tol=0, max_iter=20), X, Y)
    scale = ralm.unit_scale(X)
    V, b = ralm.run(
        X / scale, Y, np.zeros((10, 3)), np.zeros(Y.shape), 3, 0.1, 1.05, 20
    )
    np.testing.assert_allclose(selector.coef_.T * scale, V, rtol=1e-8, atol=1e-9)
    assert selector.objective_[-1] == pytest.approx(ralm.loss(X / scale, Y, V, b))


def test_mifs_reaches_the_minimum_of_the_reference(data):
    X, Y = data
    selector = fit(MIFS(n_latent=2, tol=1e-10, max_iter=3000), X, Y)
    Xc, Yc, S = X - X.mean(axis=0), Y - Y.mean(axis=0), mifs.heat_graph(X, 5)
    B = np.linalg.svd(Yc, full_matrices=False)[2][:2]
    slow = mifs.objective(
        Xc, Yc, S, *mifs.alternate(Xc, Yc, S, B, 0.4, 1.0, 0.8), 0.4, 1.0, 0.8
    )
    assert selector.objective_[-1] <= slow * (1 + 1e-5)


@pytest.mark.parametrize("norm", ["2", "inf"])
def test_mt_lasso_standardises_values(data, norm):
    X, Y = data
    units = np.array([1.0, 1e3, 1e-2])
    lasso = fit(MTLasso(1.0, alpha=1.0, norm=norm, tol=1e-12), X, Y * units)
    Z = X - X.mean(axis=0)
    scale = np.linalg.norm(Z, axis=0)
    T = (Y - Y.mean(axis=0)) / Y.std(axis=0)
    W = minimise(Z / scale, T, 1.0, norm)
    coef = (W / scale[:, None] * Y.std(axis=0) * units).T
    np.testing.assert_allclose(lasso.coef_ / units[:, None], coef / units[:, None],
                               atol=1e-5)  # fmt: skip
    predicted = X @ coef.T + Y.mean(axis=0) * units - X.mean(axis=0) @ coef.T
    np.testing.assert_allclose(lasso.predict(X) / units, predicted / units, atol=1e-4)
    assert lasso.score(X, Y * units) > 0.5


@pytest.mark.parametrize("norm", ["2", "inf"])
@pytest.mark.parametrize("weighted", [False, True])
def test_mt_lasso_with_gaps_reaches_the_minimum_over_known_entries(
    data, gaps, norm, weighted
):
    X, _ = data
    weights = np.linspace(0.5, 2, len(X)) if weighted else np.ones(len(X))
    lasso = MTLasso(1.0, alpha=1.0, norm=norm, tol=1e-13)
    lasso.fit(X, gaps, sample_weight=weights)
    coef, intercept = known_lasso(X, gaps, weights, 1.0, norm)
    np.testing.assert_allclose(lasso.coef_, coef, atol=1e-5)
    np.testing.assert_allclose(lasso.intercept_, intercept, atol=1e-5)
    assert (np.diff(lasso.objective_) <= 1e-9).all()


def test_mt_lasso_of_one_label_with_gaps_is_the_lasso_of_its_known_rows(data, gaps):
    X, _ = data
    known = ~np.isnan(gaps[:, 0])
    options = {"alpha": 0.5, "tol": 1e-12}
    for columns in ([0], [0, 0]):  # twice the same label: the same rows
        with_gaps = fit(MTLasso(1.0, **options), X, gaps[:, columns])
        alone = fit(MTLasso(1.0, **options), X[known], gaps[known][:, columns])
        np.testing.assert_allclose(with_gaps.coef_, alone.coef_, atol=1e-8)
        np.testing.assert_allclose(with_gaps.intercept_, alone.intercept_, atol=1e-8)


def test_mt_lasso_finds_a_penalty_with_gaps(data, gaps):
    X, _ = data
    lasso = fit(MTLasso(3), X, gaps)
    assert lasso.support_.sum() == 3
    assert set(np.flatnonzero(lasso.support_)) == {0, 1, 2}


def test_fisher_is_the_mean_of_known_correlations(data, gaps):
    X, Y = data
    for given in (Y, gaps):
        expected = np.zeros(10)
        for y in given.T:
            known = ~np.isnan(y)
            r = np.array([np.corrcoef(x[known], y[known])[0, 1] for x in X.T])
            expected += r**2 / (1 - r**2) / 3
        np.testing.assert_allclose(FisherScore().fit(X, given).scores_, expected)


@pytest.mark.parametrize(
    ("cls", "slow"), [(MRMR, mrmr.mrmr), (MDMR, mdmr.mdmr), (LRFS, lrfs.lrfs)]
)
def test_information_of_values_is_that_of_their_bins(data, cls, slow):
    X, Y = data
    codes = terciles(X)
    order, _ = slow(codes, terciles(Y), 6)
    selector = cls(6, discretize=None).fit(codes, Y)
    np.testing.assert_array_equal(selector.feature_order_, order)


def test_information_counts_known_pairs(data, gaps):
    X, _ = data
    codes, labels = terciles(X), np.where(np.isnan(gaps), np.nan, gaps > 0)
    known = ~np.isnan(labels)
    t = labels.shape[1]

    def about(f, y):
        return mutual_information(codes[known[:, y], f], labels[known[:, y], y])

    def given(f, y, z):
        both = known[:, y] & known[:, z]
        return conditional_information(codes[both, f], labels[both, y], labels[both, z])

    def given_feature(f, y, s):
        rows = known[:, y]
        return conditional_information(codes[rows, f], labels[rows, y], codes[rows, s])

    def redundancy(f, s):
        return mutual_information(codes[:, f], codes[:, s])

    # The row without any label is left out of everything.
    codes, labels, known = codes[1:], labels[1:], known[1:]
    relevance = [sum(about(f, y) for y in range(t)) for f in range(10)]
    pairs = [
        sum(given(f, y, z) for y in range(t) for z in range(t) if y != z)
        for f in range(10)
    ]

    def beyond(f, s):
        return redundancy(f, s) - sum(given_feature(f, y, s) for y in range(t))

    for cls, terms in (
        (MRMR, (relevance, redundancy)),
        (MDMR, (relevance, beyond)),
        (LRFS, (pairs, redundancy)),
    ):
        order, _ = greedy(codes, 6, *terms)
        selector = cls(6, discretize=None).fit(codes, labels)
        np.testing.assert_array_equal(selector.feature_order_, order)
