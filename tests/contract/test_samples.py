# SPDX-License-Identifier: BSD-3-Clause
"""X in every form gives one answer, and comes back as it was."""

import copy

import numpy as np
import pytest
import scipy.sparse as sp

from contract.cases import (
    SHAPES,
    SPARSE,
    assert_same,
    make,
    results,
    samples,
    takes_sparse,
    untidy,
)
from contract.discovery import each, estimators, subspaces
from core.quiet import fit
from labelsift.classification import BinaryRidge
from labelsift.selection import GreedyRLS

# An example of each argument that is an array, with those that it needs.
ARRAYS = {
    "alphas": {"alphas": np.array([0.1, 1.0, 10.0]), "alpha": "loo"},
    "costs": {"costs": np.linspace(1.0, 2.0, 20)},
    "covariance": {"covariance": np.eye(20)},
    "feature_groups": {"feature_groups": np.arange(20).reshape(10, 2)},
    "groups": {"groups": np.arange(20).reshape(10, 2)},
    "label_weight": {"label_weight": np.array([1.0, 2.0, 1.0, 3.0])},
}
ARRAY_ARGUMENTS = [
    (cls, name)
    for cls in estimators()
    for name, legal in cls._parameter_constraints.items()
    if "array-like" in legal
]


def parts(X):
    """The arrays that X is made of."""
    return [X.data, X.indices, X.indptr] if sp.issparse(X) else [X]


def frozen(X):
    """X with arrays that cannot be written to."""
    for part in parts(X):
        part.flags.writeable = False
    return X


@each([cls for cls in estimators() if takes_sparse(cls)])
@pytest.mark.parametrize("form", SPARSE, ids=lambda form: form.__name__)
@pytest.mark.parametrize("shape", SHAPES)
def test_sparse_equals_dense(cls, shape, form):
    X, Y = samples(cls, shape)
    expected = results(fit(make(cls), X, Y), X)
    assert_same(results(fit(make(cls), form(X), Y), form(X)), expected, rtol=1e-6)


@each(estimators())
@pytest.mark.parametrize("shape", SHAPES)
def test_single_precision_is_kept_and_changes_nothing_else(cls, shape):
    X, Y = samples(cls, shape)
    X = X.astype(np.float32)
    model = fit(make(cls), X, Y)
    expected = results(fit(make(cls), X.astype(np.float64), Y), X.astype(np.float64))
    assert_same(results(model, X), expected, rtol=1e-5)
    if hasattr(model, "transform"):
        assert model.transform(X).dtype == np.float32
    if hasattr(model, "components_"):
        assert model.components_.dtype == np.float32


@each(estimators())
@pytest.mark.parametrize("writeable", [True, False])
@pytest.mark.parametrize(
    "form",
    [np.array, np.asfortranarray, sp.csr_array, sp.csc_array, untidy],
    ids=lambda form: form.__name__,
)
def test_samples_and_labels_are_left_as_they_were(cls, form, writeable):
    X, Y = samples(cls)
    given = [form(X), Y.astype(int), sp.csr_array(Y.astype(int))]
    if sp.issparse(given[0]) and not takes_sparse(cls):
        pytest.skip("takes dense X only")
    before = [part.tobytes() for matrix in given for part in parts(matrix)]
    if not writeable:
        given = [frozen(matrix) for matrix in given]
    for labels in given[1:]:
        results(fit(make(cls), given[0], labels), given[0])
    assert [part.tobytes() for matrix in given for part in parts(matrix)] == before


@pytest.mark.parametrize(
    ("cls", "name"),
    ARRAY_ARGUMENTS,
    ids=lambda value: getattr(value, "__name__", value),
)
def test_arrays_among_the_arguments_are_left_as_they_were(cls, name):
    X, Y = samples(cls)
    arguments = copy.deepcopy(ARRAYS[name])
    given = arguments[name]
    for array in (given, frozen(given.copy())):
        results(fit(make(cls, **arguments | {name: array}), X, Y), X)
        assert array.tobytes() == ARRAYS[name][name].tobytes()


@each([cls for cls in estimators() if hasattr(cls(), "estimator")])
def test_an_estimator_among_the_arguments_is_left_as_it_was(cls):
    arguments = {"estimator": BinaryRidge()}
    if hasattr(cls(), "param_grid"):
        arguments["param_grid"] = {"alpha": [0.1, 10.0]}
    before = copy.deepcopy([vars(arguments["estimator"]), arguments.get("param_grid")])
    fit(make(cls, **arguments), *samples(cls))
    assert [vars(arguments["estimator"]), arguments.get("param_grid")] == before


@each([cls for cls in estimators() if hasattr(cls(), "selector")])
def test_a_selector_among_the_arguments_is_left_as_it_was(cls):
    selector = GreedyRLS(5)
    before = copy.deepcopy(vars(selector))
    fit(make(cls, selector=selector), *samples(cls))
    assert vars(selector) == before


@each([cls for cls in estimators() if not takes_sparse(cls)])
def test_sparse_samples_are_refused_where_they_would_be_made_dense(cls):
    X, Y = samples(cls)
    with pytest.raises(ValueError, match="X is sparse and its copies are dense"):
        make(cls).fit(sp.csr_array(X), Y)


@each(subspaces())
@pytest.mark.parametrize("form", [np.asarray, sp.csr_array])
@pytest.mark.parametrize("value", [0.0, 3.3])
def test_features_that_are_all_constant_have_no_subspace(cls, form, value):
    X, Y = samples(cls)
    with pytest.raises(ValueError, match=f"{cls.__name__} finds no direction in X"):
        make(cls).fit(form(np.full_like(X, value)), Y)
