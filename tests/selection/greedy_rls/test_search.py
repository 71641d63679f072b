# SPDX-License-Identifier: BSD-3-Clause
"""GreedyRLS against retraining, and its solvers against each other."""

import tracemalloc
import warnings

import numpy as np
import pytest
import scipy.sparse as sp

from labelsift.selection import GreedyRLS
from reference.greedy_rls import greedy

# solver: how far errors agree, and up to which margin choices must.
TOLERANCE = {"dense": (1e-8, 1e-9), "sparse": (1e-8, 1e-9), "mixed": (1e-4, 1e-4)}
KINDS = ["gaussian", "binary", "duplicated", "constant", "offset"]


def _problem(seed):
    """A small problem: wide or tall, of one kind, with any penalty."""
    rng = np.random.default_rng(seed)
    kind = KINDS[seed % len(KINDS)]
    n, d = (14, 18) if seed % 2 else (24, 9)
    X = rng.normal(size=(n, d))
    if kind == "binary":
        X = (X > 0.5).astype(float)
    if kind == "duplicated":
        X[:, ::3] = X[:, [1]]
    if kind == "constant":
        X[:, 2], X[:, 5] = 0.0, 3.0
    if kind == "offset":
        X += 100 * rng.normal(size=d)
    Y = (X @ rng.normal(size=(d, 4)) + rng.normal(size=(n, 4)) > 0).astype(int)
    Y[0], Y[1] = 0, 1
    alpha = 2.0 ** rng.integers(-15, 16)
    return X, Y, 6, alpha, float(seed % 3 != 0)


def _steps_that_agree(selector, X, order, steps, rtol, margin):
    """Walk along both until a margin is too small to tell; count the steps."""
    twins = np.unique(X, axis=1, return_inverse=True)[1].ravel()
    for step, errors in enumerate(steps):
        others = [errors[i] for i in errors if twins[i] != twins[order[step]]]
        best = errors[order[step]]
        if others and min(others) - best < margin * best:
            return step
        assert twins[selector.feature_order_[step]] == twins[order[step]]
        np.testing.assert_allclose(selector.loo_error_[step], best, rtol=rtol)
    return len(steps)


@pytest.mark.parametrize("seed", range(60))
def test_equals_retraining(seed):
    X, Y, budget, alpha, bias = _problem(seed)
    order, steps = greedy(X, 2.0 * Y - 1, budget, alpha, bias)
    for solver, (rtol, margin) in TOLERANCE.items():
        options = {"alpha": alpha, "bias": bias, "label_weight": None}
        selector = GreedyRLS(budget, solver=solver, **options)
        with warnings.catch_warnings(record=True) as lost_digits:
            warnings.simplefilter("always")
            selector.fit(X, Y)
        if solver == "mixed" and lost_digits:
            continue
        agreed = _steps_that_agree(selector, X, order, steps, rtol, margin)
        # Huge penalties make candidates alike to four digits, hardly ever to nine.
        assert agreed == budget or solver == "mixed" or alpha > 2**10


@pytest.mark.parametrize("solver", TOLERANCE)
def test_interpolation_is_guarded(solver, rng):
    """As many features as rows and hardly a penalty: the corner without digits."""
    X, Y = rng.normal(size=(20, 30)), rng.integers(2, size=(20, 3))
    selector = GreedyRLS(30, alpha=2.0**-15, solver=solver)
    with pytest.warns(UserWarning, match="all but interpolated"):
        selector.fit(X, Y)
    assert np.isfinite(selector.loo_error_).all()
    assert (selector.loo_error_ > 0).all()
    assert len(np.unique(selector.feature_order_)) == 30
    np.testing.assert_allclose(selector.decision_function(X), 2 * Y - 1, atol=1e-3)


def test_float32_loses_digits_in_few_of_the_problems():
    with warnings.catch_warnings(record=True) as lost_digits:
        warnings.simplefilter("always")
        for seed in range(60):
            X, Y, budget, alpha, bias = _problem(seed)
            GreedyRLS(budget, alpha=alpha, bias=bias, solver="mixed").fit(X, Y)
    assert 1 <= len(lost_digits) <= 12


@pytest.mark.parametrize("name", ["bibtex", "enron", "yahoo-arts"])
@pytest.mark.parametrize("alpha", [2.0**-8, 1.0, 2.0**6])
@pytest.mark.filterwarnings("ignore:.*labels hold one value only")
@pytest.mark.filterwarnings("ignore:A row is all but interpolated")
def test_solvers_agree_on_real_text(name, alpha, real):
    data = real(name)
    rows = slice(0, 3000)
    selections = {
        solver: GreedyRLS(25, alpha=alpha, solver=solver).fit(
            data.X[rows], data.Y[rows]
        )
        for solver in TOLERANCE
    }
    dense = selections["dense"]
    for solver in ("sparse", "mixed"):
        rtol, margin = TOLERANCE[solver]
        close = np.flatnonzero(dense.loo_margin_ < margin)
        sure = close[0] if len(close) else 25
        other = selections[solver]
        np.testing.assert_array_equal(
            other.feature_order_[:sure], dense.feature_order_[:sure]
        )
        np.testing.assert_allclose(
            other.loo_error_[:sure], dense.loo_error_[:sure], rtol=rtol
        )


@pytest.mark.filterwarnings("ignore:.*labels hold one value only")
def test_large_sparse_data_stay_sparse(real):
    data = real("rcv1-subset1")
    GreedyRLS(1).fit(data.X[:, :50], data.Y)  # imports and compiles
    tracemalloc.start()
    selector = GreedyRLS(5, alpha=1.0).fit(data.X, data.Y)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert selector.solver_ == "sparse"
    assert peak < 4e8  # one n x d array would take 2.3e9
    chosen = data.X[:, np.sort(selector.feature_order_)].toarray()
    again = GreedyRLS(5, alpha=1.0, solver="dense").fit(chosen, data.Y)
    assert again.loo_error_[-1] == pytest.approx(selector.loo_error_[-1])


@pytest.mark.parametrize("solver", TOLERANCE)
def test_sparse_and_dense_input_agree(solver, rng):
    X = rng.normal(size=(60, 20)) * (rng.uniform(size=(60, 20)) < 0.3)
    Y = rng.integers(2, size=(60, 4))
    from_dense = GreedyRLS(8, solver=solver).fit(X, Y)
    from_sparse = GreedyRLS(8, solver=solver).fit(sp.csr_array(X), Y)
    np.testing.assert_array_equal(from_sparse.feature_order_, from_dense.feature_order_)
    np.testing.assert_allclose(from_sparse.loo_error_, from_dense.loo_error_, rtol=1e-6)
    np.testing.assert_allclose(from_sparse.coef_, from_dense.coef_, rtol=1e-6)


@pytest.mark.parametrize("solver", TOLERANCE)
def test_float32_samples_are_summed_in_float64(solver, rng):
    X = (300 + rng.normal(size=(400, 12))).astype(np.float32)
    Y = rng.integers(2, size=(400, 3))
    narrow = GreedyRLS(6, solver=solver).fit(X, Y)
    wide = GreedyRLS(6, solver=solver).fit(X.astype(np.float64), Y)
    np.testing.assert_array_equal(narrow.feature_order_, wide.feature_order_)
    np.testing.assert_allclose(narrow.loo_error_, wide.loo_error_, rtol=1e-7)
    np.testing.assert_allclose(narrow.coef_, wide.coef_, rtol=1e-6)
    assert narrow.transform(X).dtype == np.float32


@pytest.mark.parametrize("solver", TOLERANCE)
def test_an_offset_costs_no_digits(solver, rng):
    """The constant column swallows offsets; with a large one it swallows them whole."""
    X, Y = rng.normal(size=(80, 10)), rng.integers(2, size=(80, 3))
    options = {"alpha": 0.5, "bias": 1e6, "solver": solver}
    plain = GreedyRLS(6, **options).fit(X, Y)
    moved = GreedyRLS(6, **options).fit(X + 1e4, Y)
    np.testing.assert_array_equal(moved.feature_order_, plain.feature_order_)
    np.testing.assert_allclose(moved.loo_error_, plain.loo_error_, rtol=1e-5)


@pytest.mark.parametrize("solver", TOLERANCE)
def test_ties_go_to_the_lowest_index(solver, rng):
    X = rng.normal(size=(50, 6))
    X = np.column_stack([X, X, X])
    Y = rng.integers(2, size=(50, 3))
    order = GreedyRLS(alpha=0.1, solver=solver).fit(X, Y).feature_order_
    for feature in range(6):
        copies = order[order % 6 == feature]
        np.testing.assert_array_equal(copies, feature + 6 * np.arange(len(copies)))
