# SPDX-License-Identifier: BSD-3-Clause
"""Real values, weights and unknown entries in greedy selection, against retraining."""

import numpy as np
import pytest
import scipy.sparse as sp

from core.quiet import fit
from labelsift.selection import GreedyRLS
from reference.greedy_rls import gcv_error, greedy, label_gcv, ridge, with_constant
from reference.targets import known_gcv, known_loo, repeated, weighted_loo

ALPHA, BUDGET = 0.7, 4
FORMS = [
    {},
    {"solver": "mixed"},
    {"solver": "sparse"},
    {"criterion": "gcv"},
    {"criterion": "gcv", "objective": "fair"},
    {"alpha": "loo", "alphas": [0.1, 1.0, 10.0]},
    {"alpha": "auto"},
    {"groups": [[0, 1], [2, 3], [4, 5], [6, 7]]},
    {"costs": np.linspace(1, 2, 8), "max_cost": 5.0},
    {"label_weight": "none"},
]


def problem(n=24, d=8, t=3, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d)) + 1.0
    Y = X[:, :t] @ rng.normal(size=(t, t)) * [1.0, 10.0, 0.1] + rng.normal(size=(n, t))
    return X, Y


def labels(Y):
    return (np.median(Y, axis=0) < Y).astype(int)


def standardised(Y):
    return (Y - np.nanmean(Y, axis=0)) / np.nanstd(Y, axis=0)


def with_gaps(Y, seed=1):
    """Three sets of known rows for three targets."""
    Y = Y.astype(float)
    Y[np.random.default_rng(seed).random(Y.shape) < 0.3] = np.nan
    Y[0] = np.nan  # a row without any target
    return Y


def assert_same_fit(actual, expected, tol=1e-8):
    np.testing.assert_array_equal(actual.feature_order_, expected.feature_order_)
    names = ("coef_", "intercept_", "loo_error_", "gcv_error_", "label_error_")
    for name in names:
        if hasattr(expected, name):
            np.testing.assert_allclose(
                getattr(actual, name), getattr(expected, name), tol, tol, err_msg=name
            )


@pytest.mark.parametrize("solver", ["dense", "sparse"])
def test_values_equal_brute_force_leave_one_out(solver):
    X, Y = problem()
    given = sp.csr_array(X) if solver == "sparse" else X
    model = GreedyRLS(BUDGET, alpha=ALPHA, solver=solver).fit(given, Y)
    order, steps = greedy(X, standardised(Y), BUDGET, ALPHA)
    assert model.target_ == "values"
    np.testing.assert_array_equal(model.feature_order_, order)
    errors = [min(step.values()) for step in steps]
    np.testing.assert_allclose(model.loo_error_, errors, rtol=1e-8)
    W = ridge(with_constant(X[:, order], 1.0), Y, ALPHA)
    np.testing.assert_allclose(model.coef_[:, order], W[1:].T, rtol=1e-8)
    np.testing.assert_allclose(model.intercept_, W[0], rtol=1e-8)
    np.testing.assert_allclose(
        model.predict(given), with_constant(X[:, order], 1.0) @ W, rtol=1e-8
    )


def test_values_by_gcv_equal_brute_force_and_the_sums():
    X, Y = problem()
    options = {"alpha": ALPHA, "criterion": "gcv", "target": "values"}
    model = GreedyRLS(BUDGET, **options).fit(X, Y)
    order, steps = greedy(X, standardised(Y), BUDGET, ALPHA, error=gcv_error)
    np.testing.assert_array_equal(model.feature_order_, order)
    errors = [min(step.values()) for step in steps]
    np.testing.assert_allclose(model.gcv_error_, errors, rtol=1e-8)
    each = label_gcv(with_constant(X[:, order], 1.0), standardised(Y), ALPHA)
    np.testing.assert_allclose(model.label_error_[-1], each, rtol=1e-8)
    sums = GreedyRLS(BUDGET, **options).fit_moments(
        X.T @ X, X.T @ Y, (Y**2).sum(axis=0), len(X), x_sum=X.sum(0), y_sum=Y.sum(0)
    )
    assert_same_fit(sums, model)
    np.testing.assert_allclose(sums.predict(X), model.predict(X), rtol=1e-8)


def test_sums_of_values_must_be_called_values():
    X, Y = problem()
    with pytest.raises(ValueError, match='or pass target="values"'):
        GreedyRLS(2, criterion="gcv").fit_moments(
            X.T @ X, X.T @ Y, (Y**2).sum(axis=0), len(X), x_sum=X.sum(0), y_sum=Y.sum(0)
        )


def test_units_of_values_do_not_matter():
    X, Y = problem()
    units = np.array([1e3, 1e-3, 7.0])
    model, scaled = (GreedyRLS(BUDGET).fit(X, Z) for Z in (Y, Y * units + 5.0))
    np.testing.assert_array_equal(scaled.feature_order_, model.feature_order_)
    np.testing.assert_allclose(scaled.loo_error_, model.loo_error_, rtol=1e-8)


def test_labels_and_values_in_one_matrix():
    X, Y = problem()
    Y[:, 1] = labels(Y)[:, 1]
    model = GreedyRLS(BUDGET, alpha=ALPHA).fit(X, Y)
    assert model.target_ == "mixed"
    codes = np.column_stack([Y[:, 0], 2 * Y[:, 1] - 1, Y[:, 2]])
    order, steps = greedy(X, standardised(codes), BUDGET, ALPHA)
    np.testing.assert_array_equal(model.feature_order_, order)
    errors = [min(step.values()) for step in steps]
    np.testing.assert_allclose(model.loo_error_, errors, rtol=1e-8)
    fitted = with_constant(X[:, order], 1.0) @ ridge(
        with_constant(X[:, order], 1.0), codes, ALPHA
    )
    predicted = model.predict(X)
    np.testing.assert_allclose(predicted[:, [0, 2]], fitted[:, [0, 2]], rtol=1e-8)
    np.testing.assert_array_equal(predicted[:, 1], fitted[:, 1] > 0)
    np.testing.assert_allclose(model.decision_function(X), fitted, rtol=1e-8)
    assert model.score(X, Y) < 1


@pytest.mark.parametrize("options", FORMS, ids=lambda options: str(options)[:40])
@pytest.mark.parametrize("kind", ["labels", "values"])
@pytest.mark.parametrize("gaps", [False, True])
def test_whole_weights_equal_repeated_rows(options, kind, gaps):
    X, Y = problem()
    Y = Y if kind == "values" else labels(Y)
    sparse = options.get("solver") == "sparse"
    if gaps:
        if sparse or options.get("objective") == "fair":
            pytest.skip("needs every label")
        Y = with_gaps(Y)
    weights = np.random.default_rng(3).integers(0, 4, len(X))
    options = {"alpha": ALPHA} | options
    form = sp.csr_array if sparse else np.asarray
    X_many, Y_many = repeated(weights, X, Y)
    model = GreedyRLS(BUDGET, **options)
    expected = fit(GreedyRLS(BUDGET, **options), form(X_many), Y_many)
    model.fit(form(X), Y, sample_weight=weights)
    assert_same_fit(model, expected, 1e-4 if options.get("solver") == "mixed" else 1e-8)


def test_weights_below_one_leave_the_whole_row_out():
    X, Y = problem()
    weights = np.random.default_rng(3).uniform(0.1, 2.5, len(X))
    model = GreedyRLS(BUDGET, alpha=ALPHA, label_weight="none")
    model.fit(X, Y, sample_weight=weights)
    # The constant column and its penalty are those of a column of ones.
    order, steps = greedy(X, Y, BUDGET, ALPHA, error=weighted_loo(weights))
    np.testing.assert_array_equal(model.feature_order_, order)
    errors = [min(step.values()) for step in steps]
    np.testing.assert_allclose(model.loo_error_, errors, rtol=1e-8)


@pytest.mark.parametrize("kind", ["labels", "values"])
@pytest.mark.parametrize(
    ("options", "error"),
    [({}, known_loo), ({"criterion": "gcv"}, known_gcv)],
    ids=["loo", "gcv"],
)
def test_unknown_entries_equal_fits_of_each_label(kind, options, error):
    X, Y = problem()
    Y = with_gaps(Y if kind == "values" else labels(Y))
    codes = Y if kind == "values" else 2 * Y - 1
    model = GreedyRLS(BUDGET, alpha=ALPHA, label_weight="none", **options).fit(X, Y)
    order, steps = greedy(X, codes, BUDGET, ALPHA, error=error)
    np.testing.assert_array_equal(model.feature_order_, order)
    errors = [min(step.values()) for step in steps]
    reached = getattr(model, "gcv_error_" if options else "loo_error_")
    np.testing.assert_allclose(reached, errors, rtol=1e-8)
    Z = with_constant(X[:, order], 1.0)
    for label, y in enumerate(codes.T):
        rows = ~np.isnan(y)
        W = ridge(Z[rows], y[rows, np.newaxis], ALPHA)[:, 0]
        np.testing.assert_allclose(model.coef_[label, order], W[1:], rtol=1e-8)
        np.testing.assert_allclose(model.intercept_[label], W[0], rtol=1e-8)
        each = label_gcv(Z[rows], y[rows, np.newaxis], ALPHA)
        np.testing.assert_allclose(model.label_error_[-1, label], each[0], rtol=1e-8)


def test_smaller_budgets_nest_with_unknown_entries_and_weights():
    X, Y = problem()
    Y, weights = with_gaps(Y), np.linspace(0.5, 3, len(X))
    whole = GreedyRLS(BUDGET, alpha=ALPHA).fit(X, Y, sample_weight=weights)
    alone = GreedyRLS(2, alpha=ALPHA).fit(X, Y, sample_weight=weights)
    assert_same_fit(whole.with_budget(2), alone)


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"solver": "sparse"}, 'solver="sparse" needs every label'),
        ({"criterion": "gcv", "objective": "fair"}, 'objective="fair" needs every'),
    ],
)
def test_forms_that_need_every_label_say_so(options, sentence):
    X, Y = problem()
    with pytest.raises(ValueError, match=sentence):
        GreedyRLS(2, **options).fit(X, with_gaps(Y))


def test_many_sets_of_known_rows_are_told():
    rng = np.random.default_rng(0)
    X, Y = rng.normal(size=(60, 5)), rng.normal(size=(60, 40))
    Y[rng.random(Y.shape) < 0.2] = np.nan
    with pytest.warns(UserWarning, match="40 labels are known in 40 different sets"):
        GreedyRLS(2).fit(X, Y)
