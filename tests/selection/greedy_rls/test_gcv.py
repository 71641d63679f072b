# SPDX-License-Identifier: BSD-3-Clause
"""GreedyRLS by generalised cross-validation, from rows and from sums."""

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp

from labelsift.datasets import make_planted
from labelsift.selection import GreedyRLS
from labelsift.selection.greedy_rls import columns, refit, search, sparse_gcv
from labelsift.selection.greedy_rls.gcv import GcvModel
from labelsift.selection.greedy_rls.problem import Problem
from labelsift.selection.greedy_rls.steps import Rule
from reference.greedy_rls import gcv_error, greedy


def _sums(X, Y, negative=0):
    codes = np.where(Y == 1, 1.0, negative)
    return {
        "XtX": X.T @ X,
        "XtY": X.T @ codes,
        "y_sq": (codes**2).sum(axis=0),
        "n": len(X),
        "x_sum": X.sum(axis=0),
        "y_sum": codes.sum(axis=0),
    }


@pytest.fixture
def planted():
    return make_planted(150, 30, 5, n_relevant=6, noise=0.5, random_state=0)


@pytest.mark.parametrize("seed", range(12))
def test_equals_the_definition(seed):
    rng = np.random.default_rng(seed)
    n, d = (14, 18) if seed % 2 else (24, 9)
    X, Y = rng.normal(size=(n, d)) + 3, rng.integers(2, size=(n, 4))
    alpha, bias = 2.0 ** rng.integers(-10, 11), float(seed % 3)
    order, steps = greedy(X, 2.0 * Y - 1, 6, alpha, bias, error=gcv_error)
    options = {"alpha": alpha, "bias": bias, "label_weight": None}
    selector = GreedyRLS(6, criterion="gcv", **options).fit(X, Y)
    np.testing.assert_array_equal(selector.feature_order_, order)
    errors = [errors[f] for errors, f in zip(steps, order, strict=True)]
    np.testing.assert_allclose(selector.gcv_error_, errors, rtol=1e-8)
    assert not hasattr(selector, "loo_error_")


def test_columns_and_gram_agree(planted):
    few = GreedyRLS(2, criterion="gcv").fit(planted.X, planted.Y)
    many = GreedyRLS(20, criterion="gcv").fit(planted.X, planted.Y)
    assert (few.solver_, many.solver_) == ("columns", "gram")
    np.testing.assert_allclose(few.gcv_error_, many.gcv_error_[:2])
    np.testing.assert_allclose(few.coef_, many.with_budget(2).coef_)


@pytest.mark.parametrize("objective", ["sum", "fair"])
def test_columns_come_many_at_a_time(objective, planted, monkeypatch):
    X, options = sp.csr_array(planted.X), {"criterion": "gcv", "objective": objective}
    many = GreedyRLS(20, **options).fit(X, planted.Y)
    monkeypatch.setattr(columns, "_MOST", 1)
    single = GreedyRLS(20, **options).fit(X, planted.Y)
    assert single.n_passes_ == 20
    assert 2 <= many.n_passes_ <= 5
    np.testing.assert_array_equal(many.feature_order_, single.feature_order_)
    np.testing.assert_allclose(many.gcv_error_, single.gcv_error_, rtol=1e-10)
    many.set_params(criterion="loo", objective="sum").fit(X, planted.Y)
    assert not hasattr(many, "n_passes_")


def test_sparse_and_dense_agree(rng):
    X = rng.normal(size=(60, 20)) * (rng.uniform(size=(60, 20)) < 0.3)
    Y = rng.integers(2, size=(60, 4))
    dense = GreedyRLS(8, criterion="gcv").fit(X, Y)
    sparse = GreedyRLS(8, criterion="gcv").fit(sp.csr_array(X), Y)
    np.testing.assert_array_equal(sparse.feature_order_, dense.feature_order_)
    np.testing.assert_allclose(sparse.gcv_error_, dense.gcv_error_)


@pytest.mark.parametrize("steps", [10, 45])
@pytest.mark.parametrize("density", [0.02, 0.3])
def test_more_features_than_rows_equal_the_definition(steps, density):
    rng = np.random.default_rng(3)
    X = sp.random_array((40, 60), density=density, rng=rng, format="csr")
    # No two columns are alike.
    X = X + sp.csr_array(rng.uniform(0.3, 0.9, size=60) * np.eye(40, 60))
    Y = rng.integers(2, size=(40, 3))
    options = {"alpha": 0.7, "bias": 1.0, "label_weight": None}
    selector = GreedyRLS(steps, criterion="gcv", **options).fit(X, Y)
    dense = X.toarray()
    live = np.flatnonzero(np.ptp(dense, axis=0))
    order, scores = greedy(
        dense[:, live], 2.0 * Y - 1, min(steps, len(live)), 0.7, 1.0, error=gcv_error
    )
    found = selector.feature_order_[: len(order)]
    np.testing.assert_array_equal(found, live[order])
    errors = [errors[f] for errors, f in zip(scores, order, strict=True)]
    np.testing.assert_allclose(selector.gcv_error_[: len(order)], errors, rtol=1e-9)


def _wide(seed, n=40, d=70, density=0.1):
    """Sparse rows, fewer than features, of which some are the same."""
    rng = np.random.default_rng(seed)
    X = sp.random_array((n, d), density=density, rng=rng, format="csc")
    X = X + sp.csc_array(rng.uniform(0.3, 0.9, size=d) * np.eye(n, d, -(seed % 5)))
    X = sp.csr_array(sp.hstack([X, X[:, [3, 11, 11]], X[:, [5]] * 0.5]))
    return X, rng.integers(2, size=(n, 3))


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("bias", [0.0, 1.5])
@pytest.mark.parametrize("steps", [4, 38])
def test_sparse_rows_equal_the_definition(steps, bias, weighted):
    X, Y = _wide(steps)
    counts = np.random.default_rng(0).integers(1, 4, size=len(Y))
    counts = counts if weighted else np.ones_like(counts)
    options = {"alpha": 0.3, "bias": bias, "label_weight": None}
    selector = GreedyRLS(steps, criterion="gcv", **options)
    selector.fit(X, Y, sample_weight=counts if weighted else None)
    dense, codes = (np.repeat(a, counts, axis=0) for a in (X.toarray(), 2.0 * Y - 1))
    live = np.flatnonzero(np.ptp(dense, axis=0))
    order, scores = greedy(dense[:, live], codes, steps, 0.3, bias, error=gcv_error)
    np.testing.assert_array_equal(selector.feature_order_, live[order])
    errors = [errors[f] for errors, f in zip(scores, order, strict=True)]
    np.testing.assert_allclose(selector.gcv_error_, errors, rtol=1e-10)
    runner_up = [sorted(found.values())[1] for found in scores]
    margins = np.array(runner_up) / errors - 1
    np.testing.assert_allclose(selector.gcv_margin_, margins, atol=1e-10)


def test_sparse_rows_with_costs_equal_the_definition():
    X, Y = _wide(7)
    costs = np.random.default_rng(1).uniform(0.2, 5.0, size=X.shape[1])
    options = {"alpha": 0.3, "label_weight": None, "costs": costs, "max_cost": 25.0}
    selector = GreedyRLS(30, criterion="gcv", **options).fit(X, Y)
    order, _ = greedy(
        X.toarray(), 2.0 * Y - 1, 30, 0.3, error=gcv_error, costs=costs, max_cost=25.0
    )
    np.testing.assert_array_equal(selector.feature_order_, order)


@pytest.mark.parametrize("alpha", [1e-4, 0.1, 30.0])
@pytest.mark.parametrize("seed", range(3))
def test_errors_of_sparse_rows_are_exact_or_surely_too_large(seed, alpha):
    X, Y = _wide(seed, 60, 150, 0.05)
    # Columns all but alike: of what is left of one after the other squares lose most.
    nudged = X[:, :20] + 1e-5 * sp.random_array((60, 20), density=0.3, rng=seed)
    X = sp.csr_array(sp.hstack([X, nudged]))
    problem = Problem.from_rows(X, 2.0 * Y - 1, 1.0)
    steps, d = 50, X.shape[1]
    assert sparse_gcv.suits(problem, alpha, steps)
    lazy = sparse_gcv.SparseGcvModel(problem, alpha, steps=steps)
    full = GcvModel(problem, alpha, None, steps=steps)
    rule = Rule(np.ones(d), np.zeros(d, dtype=bool), steps)
    open_ones = np.ones(d, dtype=bool)
    for _ in range(steps):
        errors, expected = (m.errors(open_ones, rule) for m in (lazy, full))
        exact, second = np.isfinite(errors), np.sort(expected[open_ones])[1]
        np.testing.assert_allclose(errors[exact], expected[exact], rtol=1e-9)
        assert 2 <= exact.sum() <= d / 4
        assert (expected[open_ones & ~exact] > second * (1 + 1e-11)).all()
        best, _ = rule.choose(errors, open_ones, lazy.error)
        for model in (lazy, full):
            model.add(best)
        open_ones[best] = False
        assert lazy.error == pytest.approx(full.error, rel=1e-10)
        assert lazy.slack == pytest.approx(full.slack, rel=1e-10)


def test_both_forms_of_sparse_rows_agree(monkeypatch):
    X, Y = _wide(1, 200, 900, 0.03)
    selector = GreedyRLS(150, criterion="gcv").fit(X, Y)
    monkeypatch.setattr(search, "suits", lambda *_: False)
    other = GreedyRLS(150, criterion="gcv").fit(X, Y)
    np.testing.assert_array_equal(selector.feature_order_, other.feature_order_)
    np.testing.assert_allclose(selector.gcv_error_, other.gcv_error_, rtol=1e-10)
    np.testing.assert_allclose(selector.gcv_margin_, other.gcv_margin_, atol=1e-10)


@pytest.mark.parametrize(
    ("alpha", "steps", "suited"), [(0.1, 40, True), (0.1, 41, False), (1e-8, 9, False)]
)
def test_the_small_inverse_is_used_where_it_is_small_and_accurate(alpha, steps, suited):
    X, Y = _wide(2)
    problem = Problem.from_rows(X, 2.0 * Y - 1, 1.0)
    assert sparse_gcv.suits(problem, alpha, steps) == suited
    dense = Problem.from_rows(X.toarray(), 2.0 * Y - 1, 1.0)
    assert not sparse_gcv.suits(dense, alpha, steps)


@pytest.mark.parametrize("bias", [0.0, 1.5])
@pytest.mark.parametrize("weighted", [False, True])
def test_weights_of_sparse_models_by_either_factor_agree(weighted, bias, monkeypatch):
    X, Y = _wide(3)
    weight = np.random.default_rng(0).uniform(0.5, 3, len(Y)) if weighted else None
    selector = GreedyRLS(20, criterion="gcv", alpha=0.3, bias=bias)
    short = selector.fit(X, Y, sample_weight=weight).with_budget(7)
    monkeypatch.setattr(refit, "_DENSITY", -1.0)
    other = GreedyRLS(20, criterion="gcv", alpha=0.3, bias=bias)
    other_short = other.fit(X, Y, sample_weight=weight).with_budget(7)
    for a, b in ((selector, other), (short, other_short)):
        np.testing.assert_allclose(a.coef_, b.coef_, atol=1e-12)
        np.testing.assert_allclose(a.intercept_, b.intercept_, atol=1e-12)
        np.testing.assert_allclose(a.label_error_, b.label_error_, rtol=1e-10)


def test_close_to_leave_one_out_on_real_data(real):
    data = real("scene")
    by_loo = GreedyRLS(30).fit(data.X, data.Y)
    by_gcv = GreedyRLS(30, criterion="gcv").fit(data.X, data.Y)
    np.testing.assert_allclose(by_gcv.gcv_error_, by_loo.loo_error_, rtol=0.01)


@pytest.mark.parametrize("negative", [0, -1])
@pytest.mark.parametrize(
    "options",
    [
        {},
        {"bias": 0.0},
        {"alpha": 0.01, "label_weight": "balanced"},
        {"label_weight": [1.0, 0.0, 2.0, 1.0, 3.0]},
        {"costs": np.linspace(1, 3, 30), "max_cost": 12.0},
        {"alpha": 1.0, "label_weight": None},
        {"objective": "fair"},
    ],
    ids=str,
)
def test_sums_give_what_the_rows_give(negative, options, planted):
    X, Y = planted.X.copy(), planted.Y
    X[:, 4] = 2.0
    selector = GreedyRLS(12, criterion="gcv", **options)
    from_sums = selector.fit_moments(**_sums(X, Y, negative))
    from_rows = GreedyRLS(12, criterion="gcv", **options).fit(X, Y)
    np.testing.assert_array_equal(from_sums.feature_order_, from_rows.feature_order_)
    np.testing.assert_allclose(from_sums.gcv_error_, from_rows.gcv_error_)
    np.testing.assert_allclose(from_sums.coef_, from_rows.coef_, atol=1e-10)
    np.testing.assert_allclose(from_sums.intercept_, from_rows.intercept_)
    np.testing.assert_allclose(from_sums.label_error_, from_rows.label_error_)
    assert from_sums.alpha_ == pytest.approx(from_rows.alpha_)
    expected = np.where(from_rows.predict(X) == 1, 1, negative)
    np.testing.assert_array_equal(from_sums.predict(X), expected)
    np.testing.assert_array_equal(from_sums.transform(X), from_rows.transform(X))


def test_sums_add_up_over_blocks_of_rows(planted):
    parts = [_sums(planted.X[i::3], planted.Y[i::3]) for i in range(3)]
    total = {name: sum(part[name] for part in parts) for name in parts[0]}
    from_sums = GreedyRLS(8, criterion="gcv").fit_moments(**total)
    from_rows = GreedyRLS(8, criterion="gcv").fit(planted.X, planted.Y)
    np.testing.assert_array_equal(from_sums.feature_order_, from_rows.feature_order_)
    smaller = from_sums.with_budget(3)
    np.testing.assert_allclose(smaller.coef_, from_rows.with_budget(3).coef_)


def test_sums_of_a_label_with_one_value(planted):
    Y = np.column_stack([planted.Y, np.zeros(150, int)])
    with pytest.warns(UserWarning, match="1 of 6 labels hold one value only"):
        selector = GreedyRLS(8, criterion="gcv").fit_moments(**_sums(planted.X, Y))
    others = GreedyRLS(8, criterion="gcv").fit(planted.X, planted.Y)
    np.testing.assert_array_equal(selector.feature_order_, others.feature_order_)
    assert (selector.decision_function(planted.X)[:, 5] == -1).all()


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"XtX": np.eye(29)}, "for 29 features and XtY for 30"),
        ({"XtX": np.triu(np.ones((30, 30)))}, "symmetric"),
        ({"XtX": np.eye(30) * 1e-3, "x_sum": np.ones(30)}, "the same rows"),
        ({"x_sum": np.ones(29)}, "x_sum must be a vector of length 30"),
        ({"y_sum": np.ones(4)}, "y_sum must be a vector of length 5"),
        ({"y_sq": np.full(5, 3.0)}, "y_sq must equal y_sum"),
        ({"XtY": np.full((30, 5), np.nan)}, "XtY contains NaN"),
        ({"n": 1}, "n == 1, must be >= 2"),
    ],
    ids=str,
)
def test_bad_sums_are_explained(change, sentence, planted):
    sums = {**_sums(planted.X, planted.Y), **change}
    with pytest.raises(ValueError, match=sentence):
        GreedyRLS(3, criterion="gcv").fit_moments(**sums)


def test_a_new_fit_forgets_the_old_one(planted):
    frame = pd.DataFrame(planted.X).rename(columns=str)
    selector = GreedyRLS(3).fit(frame, planted.Y)
    selector.set_params(criterion="gcv").fit(frame, planted.Y)
    assert not hasattr(selector, "loo_error_")
    assert not hasattr(selector, "loo_margin_")
    selector.fit_moments(**_sums(planted.X, planted.Y))
    assert not hasattr(selector, "feature_names_in_")


def test_sums_need_gcv(planted):
    with pytest.raises(ValueError, match='Sums need criterion="gcv"'):
        GreedyRLS(3).fit_moments(**_sums(planted.X, planted.Y))


def test_sums_without_a_living_label(planted):
    sums = _sums(planted.X, np.ones_like(planted.Y))
    with pytest.raises(ValueError, match="label with both values"):
        GreedyRLS(3, criterion="gcv").fit_moments(**sums)


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"solver": "sparse"}, 'criterion="gcv" with solver="sparse"'),
        ({"solver": "dense"}, 'criterion="gcv" with solver="dense"'),
        ({"alpha": "loo"}, 'criterion="gcv" with alpha="loo"'),
        ({"groups": [[0], [1]]}, 'criterion="gcv" with groups'),
    ],
    ids=str,
)
def test_contradictions_are_explained(options, sentence, planted):
    with pytest.raises(ValueError, match=sentence):
        GreedyRLS(3, criterion="gcv", **options).fit(planted.X, planted.Y)
