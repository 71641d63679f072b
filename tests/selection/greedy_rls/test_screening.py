# SPDX-License-Identifier: BSD-3-Clause
"""screen=m: GreedyRLS on the m best columns of FisherScore, mapped back."""

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.base import clone

from devices import dispatch, on_device
from labelsift.datasets import make_planted
from labelsift.selection import FisherScore, GreedyRLS
from labelsift.sums import Sums, sums

UNSAFE = "features that matter only together may be lost"
OPTIONS = [
    {},
    {"solver": "mixed"},
    {"solver": "sparse"},
    {"alpha": "loo", "alphas": [1.0, 8.0]},
    {"n_features_to_select": "auto"},
    {"criterion": "gcv"},
    {"criterion": "gcv", "objective": "fair"},
]
quiet = pytest.mark.filterwarnings(f"ignore:.*{UNSAFE}")


@pytest.fixture
def data():
    planted = make_planted(150, 40, 4, n_relevant=8, noise=0.6, random_state=0)
    X = planted.X.copy()
    X[:, 11] = 5.0
    return X, planted.Y


def _assert_mapped(screened, fitted, columns, tol=1e-8):
    """The fit to all columns is that to some, with their indices."""
    np.testing.assert_array_equal(screened.screened_, columns)
    np.testing.assert_array_equal(
        screened.feature_order_, columns[fitted.feature_order_]
    )
    error = f"{screened.criterion}_error_"
    for name in (error, "label_error_", "intercept_", "alpha_"):
        np.testing.assert_allclose(
            getattr(screened, name), getattr(fitted, name), rtol=tol, err_msg=name
        )
    weights = np.zeros_like(screened.coef_)
    weights[:, columns] = fitted.coef_
    np.testing.assert_allclose(screened.coef_, weights, rtol=tol, atol=tol)
    assert screened.n_features_ == fitted.n_features_
    assert screened.support_.sum() == screened.n_features_


@pytest.mark.parametrize("options", OPTIONS, ids=str)
@pytest.mark.parametrize("form", [np.asarray, sp.csr_array, sp.csc_array])
def test_equals_a_fit_to_the_best_columns(options, form, data):
    X, Y = data
    X, method = form(X), GreedyRLS(6).set_params(**options)
    columns = np.flatnonzero(FisherScore(15).fit(X, Y).support_)
    fitted = clone(method).fit(X[:, columns], Y)
    with pytest.warns(UserWarning, match=f"screen=15 leaves 15 of 40 .*{UNSAFE}"):
        screened = clone(method).set_params(screen=15).fit(X, Y)
    _assert_mapped(screened, fitted, columns)
    _assert_mapped(screened.with_budget(3), fitted.with_budget(3), columns)
    np.testing.assert_array_equal(screened.predict(X), fitted.predict(X[:, columns]))


@quiet
def test_weights_unknown_labels_and_values(data):
    X, Y = data
    weights = np.random.default_rng(0).integers(0, 3, len(Y)).astype(float)
    gaps = np.where(np.arange(len(Y))[:, np.newaxis] % 5 == [0, 1, 2, 3], np.nan, Y)
    values = X[:, :3] + np.random.default_rng(1).normal(size=(len(Y), 3))
    for target, own in ((Y, weights), (gaps, None), (values, weights)):
        ranked = FisherScore(15).fit(X, target, sample_weight=own)
        columns = np.flatnonzero(ranked.support_)
        fitted = GreedyRLS(6).fit(X[:, columns], target, sample_weight=own)
        screened = GreedyRLS(6, screen=15).fit(X, target, sample_weight=own)
        _assert_mapped(screened, fitted, columns)


@quiet
def test_sums_and_batches(data, monkeypatch):
    X, Y = data
    method = GreedyRLS(6, criterion="gcv", screen=15)
    columns = np.flatnonzero(FisherScore(15).fit(X, Y).support_)
    fitted = GreedyRLS(6, criterion="gcv").fit(X[:, columns], Y)
    _assert_mapped(clone(method).fit_sums(Sums().update(X, Y)), fitted, columns)
    monkeypatch.setattr(sums, "read_size", lambda memory: 2**26 + 8000)

    def read():
        for rows in np.array_split(np.arange(len(Y)), 3):
            yield X[rows], Y[rows]

    from_batches = clone(method).fit(read)
    assert from_batches.solver_ == "columns"
    _assert_mapped(from_batches, fitted, columns)


@quiet
def test_arrays_of_other_libraries(data, monkeypatch):
    X, Y = map(on_device("array_api_strict"), data)
    columns = np.flatnonzero(FisherScore(15).fit(*data).support_)
    fitted = GreedyRLS(6, criterion="gcv").fit(data[0][:, columns], data[1])
    method = GreedyRLS(6, criterion="gcv", screen=15)
    with dispatch(monkeypatch):
        _assert_mapped(clone(method).fit(X, Y), fitted, columns)
        with pytest.raises(ValueError, match="screen is not possible on arrays of"):
            GreedyRLS(6, screen=15).fit(X, Y)
        monkeypatch.setattr(sums, "read_size", lambda memory: 2**26 + 8000)
        from_batches = clone(method).fit(lambda: iter([(X, Y)]))
    assert from_batches.solver_ == "columns"
    _assert_mapped(from_batches, fitted, columns)


@pytest.mark.filterwarnings("error")
def test_all_columns_are_no_screening(data):
    X, Y = data
    plain = GreedyRLS(6).fit(X, Y)
    screened = GreedyRLS(6, screen=40).fit(X, Y)
    _assert_mapped(screened, plain, np.arange(40))
    assert not hasattr(plain, "screened_")
    assert not hasattr(screened.set_params(screen=None).fit(X, Y), "screened_")


@quiet
def test_a_feature_that_matters_beside_another_is_lost():
    """Noise that a good feature shares says nothing alone, and takes it away there."""
    rng = np.random.default_rng(0)
    signal, noise = rng.normal(size=(2, 2000))
    pair = np.column_stack([noise + signal, noise])
    others = 0.3 * signal[:, np.newaxis] + rng.normal(size=(2000, 8))
    X, Y = np.hstack([pair, others]), (signal > 0).astype(int)[:, np.newaxis]
    plain = GreedyRLS(4).fit(X, Y)
    screened = GreedyRLS(4, screen=6).fit(X, Y)
    assert {0, 1} <= set(plain.feature_order_)
    assert 0 in screened.screened_
    assert 1 not in screened.screened_
    assert screened.loo_error_[-1] > 1.1 * plain.loo_error_[-1]


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"screen": 0}, "'screen' parameter of GreedyRLS must be"),
        ({"screen": 2.5}, "'screen' parameter of GreedyRLS must be"),
        ({"screen": 5}, "means 6 features and screen=5 leaves 5: lower"),
        ({"screen": 9, "groups": [[i] for i in range(40)]}, "screen=9 with groups"),
        ({"screen": 9, "costs": np.ones(40)}, "screen=9 with costs is not possible"),
    ],
)
def test_one_sentence_for_what_cannot_be(options, sentence, data):
    with pytest.raises(ValueError, match=sentence):
        GreedyRLS(6, **options).fit(*data)
