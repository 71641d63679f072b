# SPDX-License-Identifier: BSD-3-Clause
"""fit_sums and partial_fit: what fit on all rows gives."""

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.utils.estimator_checks import check_estimator

from labelsift.classification import BinaryRidge, MultiTargetRidge
from labelsift.datasets import make_planted
from labelsift.selection import CSFS, FisherScore, GreedyRLS, MTLasso
from labelsift.subspace import MLLS, OPLS, RegularizedCCA
from labelsift.sums import Sums

METHODS = [
    FisherScore(6),
    GreedyRLS(6, criterion="gcv"),
    GreedyRLS(6, criterion="gcv", bias=0.0, alpha=2.0, label_weight=None),
    GreedyRLS(6, criterion="gcv", objective="fair"),
    MTLasso(6, tol=1e-12),
    MTLasso(6, norm="2", alpha=3.0, tol=1e-12),
    CSFS(6, gamma=8.0, tol=1e-13),
    MLLS(2),
    MLLS(2, fit_intercept=False),
    OPLS(2),
    RegularizedCCA(2),
    BinaryRidge(),
    BinaryRidge(alpha=0.0),
]
VALUES = [m for m in METHODS if hasattr(m, "target")] + [MultiTargetRidge()]
STREAMS = [FisherScore(6), BinaryRidge(), GreedyRLS(6, criterion="gcv")]
ATTRIBUTES = (
    "scores_", "coef_", "intercept_", "components_", "mean_", "gcv_error_",
    "label_error_", "eigenvalues_", "correlations_", "objective_", "alpha_",
)  # fmt: skip


@pytest.fixture
def data():
    planted = make_planted(200, 20, 4, n_relevant=6, noise=0.7, random_state=0)
    X = planted.X.copy()
    X[:, 3] = 7.0
    return X, planted.Y


def _summed(X, Y, weights=None, **options):
    bounds = [0, 1, 50, 50, 130, 200]
    parts = [
        Sums(**options).update(
            X[a:b], Y[a:b], None if weights is None else weights[a:b]
        )
        for a, b in zip(bounds, bounds[1:], strict=False)  # noqa: RUF007
    ]
    return Sums.merged(parts[::-1])


def _assert_same(actual, expected, tol=1e-8):
    if hasattr(expected, "feature_order_"):
        np.testing.assert_array_equal(actual.support_, expected.support_)
        np.testing.assert_array_equal(actual.feature_order_, expected.feature_order_)
    compared = 0
    for name in ATTRIBUTES:
        value = getattr(expected, name, None)
        # The trace of a descent that works on rows has other steps.
        if value is None or (name == "objective_" and np.ndim(value)):
            continue
        scale = np.abs(value).max()
        np.testing.assert_allclose(
            getattr(actual, name), value, rtol=0, atol=tol * scale, err_msg=name
        )
        compared += 1
    assert compared


@pytest.mark.parametrize("method", METHODS, ids=str)
@pytest.mark.parametrize("form", [np.asarray, sp.csr_array])
@pytest.mark.parametrize("weighted", [False, True])
def test_sums_give_what_the_rows_give(method, form, weighted, data):
    X, Y = data
    if form is sp.csr_array:
        X = X * (np.random.default_rng(0).uniform(size=X.shape) < 0.4)
    X, weights = form(X), None
    if weighted:
        weights = np.random.default_rng(1).integers(1, 4, len(Y)).astype(float)
    fitted = clone(method).fit(X, Y, sample_weight=weights)
    actual = clone(method).fit_sums(_summed(X, Y, weights))
    _assert_same(actual, fitted)
    assert actual.n_samples_seen_ == 200
    if hasattr(fitted, "predict"):
        np.testing.assert_array_equal(actual.predict(X), fitted.predict(X))


@pytest.mark.parametrize("method", VALUES, ids=str)
def test_sums_of_values(method, data):
    X, Y = data
    Y = X[:, :4] @ np.array([[1, 2, 0, 0], [0, 3, 1, 0], [1, 0, 0, 5], [0, 0, 0, 0.0]])
    Y = Y + np.random.default_rng(0).normal(size=Y.shape) + 100
    method = clone(method)
    if "target" in method.get_params():
        method.set_params(target="values")
    fitted = clone(method).fit(X, Y)
    _assert_same(clone(method).fit_sums(_summed(X, Y)), fitted)


@pytest.mark.parametrize(
    "method", [FisherScore(6), GreedyRLS(6, criterion="gcv"), MTLasso(6, tol=1e-12)],
    ids=str,
)  # fmt: skip
def test_sums_of_labels_and_values(method, data):
    X, Y = data
    noise = np.random.default_rng(0).normal(size=200)
    Y = np.column_stack([Y, X[:, 0] + noise])
    fitted = clone(method).fit(X, Y)
    _assert_same(clone(method).fit_sums(_summed(X, Y)), fitted)
    assert fitted.target_ == "mixed"


@pytest.mark.parametrize("method", METHODS, ids=str)
def test_large_means_cost_no_digits(method, data):
    X, Y = data
    if not getattr(method, "fit_intercept", True) or getattr(method, "bias", 1) == 0:
        pytest.skip("the mean belongs to this model")
    if getattr(method, "alpha", 1) == 0.0:
        pytest.skip("a constant column has no weight of least norm")
    # GreedyRLS penalises its constant column, so that the mean belongs to its model.
    moves = isinstance(method, GreedyRLS)
    expected = clone(method).fit(X + 1e6 * moves, Y)
    actual = clone(method).fit_sums(_summed(X + 1e6, Y))
    for name in ("feature_order_", "components_", "coef_"):
        if hasattr(expected, name):
            value = getattr(expected, name)
            np.testing.assert_allclose(
                getattr(actual, name), value, rtol=0, atol=1e-6 if moves else 1e-8
            )


def test_names_and_coding(data):
    X, Y = data
    frame = pd.DataFrame(X, columns=[f"f{i}" for i in range(20)])
    labels = pd.DataFrame(2 * Y - 1, columns=list("abcd"))
    sums = Sums().update(frame[:90], labels[:90]).update(frame[90:], labels[90:])
    selector = GreedyRLS(6, criterion="gcv").fit_sums(sums)
    fitted = GreedyRLS(6, criterion="gcv").fit(frame, labels)
    assert list(selector.get_feature_names_out()) == list(
        fitted.get_feature_names_out()
    )
    assert list(selector.label_names_in_) == list("abcd")
    np.testing.assert_array_equal(selector.predict(frame), fitted.predict(frame))


@pytest.mark.filterwarnings("ignore:.*hold one value only")
@pytest.mark.parametrize("method", STREAMS, ids=str)
def test_a_hundred_batches_equal_one_fit(method, data):
    X, Y = data
    stream = clone(method)
    for rows in np.array_split(np.arange(200), 100):
        stream.partial_fit(X[rows], Y[rows])
    fitted = clone(method).fit(X, Y)
    _assert_same(stream, fitted)
    assert stream.n_samples_seen_ == 200
    if hasattr(stream, "with_budget"):
        _assert_same(stream.with_budget(2), fitted.with_budget(2))


@pytest.mark.filterwarnings("ignore:.*hold one value only")
@pytest.mark.parametrize("method", STREAMS, ids=str)
def test_a_stream_of_classes(method, data):
    X, Y = data
    y = np.array(["a", "b", "c"])[Y[:, 0] + Y[:, 1]]
    order = np.argsort(y, kind="stable")
    stream = clone(method).partial_fit(X[order[:2]], y[order[:2]], classes=list("abc"))
    with pytest.raises(NotFittedError):
        stream.transform(X) if hasattr(stream, "transform") else stream.predict(X)
    stream.partial_fit(X[order[2:]], y[order[2:]])
    _assert_same(stream, clone(method).fit(X, y))
    np.testing.assert_array_equal(stream.classes_, list("abc"))
    with pytest.raises(ValueError, match="differ from those of the first batch"):
        stream.partial_fit(X, y, classes=list("abd"))


def test_forgetting(data):
    X, Y = data
    stream = FisherScore(6)
    for rows in (slice(0, 100), slice(100, 200)):
        stream.partial_fit(X[rows], Y[rows], forgetting_factor=0.5)
    weights = np.repeat([0.5, 1.0], 100)
    _assert_same(stream, FisherScore(6).fit(X, Y, sample_weight=weights))
    with pytest.raises(ValueError, match=r"forgetting_factor must be in \(0, 1\]"):
        stream.partial_fit(X, Y, forgetting_factor=0)


def test_fit_ends_a_stream(data):
    X, Y = data
    stream = FisherScore(6).partial_fit(X, Y).fit(X[:50], Y[:50])
    assert not hasattr(stream, "n_samples_seen_")
    assert stream.partial_fit(X[:60], Y[:60]).n_samples_seen_ == 60
    assert stream.fit_sums(Sums().update(X, Y)).partial_fit(X, Y).n_samples_seen_ == 200
    with pytest.raises(ValueError, match="X has 19 features, but FisherScore"):
        stream.partial_fit(X[:, 1:], Y)
    assert not hasattr(GreedyRLS(5), "partial_fit")


def test_scikit_learns_checks_of_a_stream():
    results = check_estimator(GreedyRLS(criterion="gcv"), on_skip=None)
    assert any("partial_fit" in result["check_name"] for result in results)


def test_what_sums_cannot_do(data):
    X, Y = data
    sums, values = Sums().update(X, Y), Sums().update(X, X[:, :2] + 0.5)
    lean = Sums(feature_products=False, label_products=False).update(X, Y)
    cases = [
        (GreedyRLS(3), sums, 'Sums need criterion="gcv"'),
        (BinaryRidge(), lean, "needs X'X, and these Sums hold its diagonal only"),
        (RegularizedCCA(), Sums(label_products=False).update(X, Y), "needs Y'Y"),
        (BinaryRidge(calibration="sigmoid"), sums, "calibration='sigmoid' needs rows"),
        (BinaryRidge(), values, "learns from labels, but these are sums over values"),
        (FisherScore(target="values"), sums, r'make them by Sums\(target="values"\)'),
        (MLLS(), Sums().update(X, np.column_stack([Y, X[:, 0]])), "one kind"),
        (FisherScore(), Sums().update(X[:1], Y[:1]), "at least two rows"),
        (FisherScore(), Sums().update(X, np.ones_like(Y)), "both values"),
        (OPLS(), Sums().update(np.ones_like(X), Y), "finds no direction in X"),
    ]
    for method, given, sentence in cases:
        with pytest.raises(ValueError, match=sentence):
            method.fit_sums(given)
    with pytest.raises(TypeError, match="sums must be"):
        FisherScore().fit_sums(X)
    assert FisherScore(3).fit_sums(lean).n_samples_seen_ == 200


def test_raw_sums_warn_of_lost_digits(data):
    X, Y = data
    X = X + 1e5
    raw = {"XtX": X.T @ X, "XtY": X.T @ Y, "y_sq": Y.sum(axis=0), "n": 200}
    with pytest.warns(UserWarning, match="sum by labelsift.sums.Sums"):
        GreedyRLS(3, criterion="gcv").fit_moments(
            **raw, x_sum=X.sum(axis=0), y_sum=Y.sum(axis=0)
        )
