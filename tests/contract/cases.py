# SPDX-License-Identifier: BSD-3-Clause
"""Small data in many forms, and what a fitted estimator tells about them."""

import numpy as np
import scipy.sparse as sp
from sklearn.utils import get_tags

from labelsift.datasets import make_planted

ANSWERS = (
    "feature_order_", "scores_", "support_", "coef_", "intercept_", "components_",
)  # fmt: skip
OUTPUTS = ("transform", "decision_function", "predict")
SHAPES = {"tall": (60, 20), "wide": (30, 80)}


def make(cls, **parameters):
    """An estimator with default arguments, seeded where it draws."""
    estimator = cls(**parameters)
    if "random_state" in estimator.get_params(deep=False):
        estimator.set_params(random_state=0)
    return estimator


def takes_sparse(cls):
    """Whether an estimator with default arguments takes sparse X."""
    return get_tags(cls()).input_tags.sparse


def samples(cls, shape="tall"):
    """X, 70 % zeros and with both signs where the estimator takes them, and Y."""
    data = make_planted(*SHAPES[shape], 4, n_relevant=4, density=0.3, random_state=0)
    if not get_tags(cls()).input_tags.positive_only:
        data.X.data -= 0.3
    return data.X.toarray(), data.Y


def results(model, X):
    """What a fitted estimator answers, by name; not how it got there."""
    answers = {name: getattr(model, name) for name in ANSWERS if hasattr(model, name)}
    for name in OUTPUTS:
        if hasattr(model, name):
            output = getattr(model, name)(X)
            answers[name] = output.toarray() if sp.issparse(output) else output
    return answers


def everything(model, X):
    """The answers and all other numbers that a fitted estimator holds, by name."""
    numbers = {
        name: value
        for name, value in vars(model).items()
        if name.endswith("_") and np.asarray(value).dtype.kind in "biuf"
    }
    return numbers | results(model, X)


def assert_same(actual, expected, rtol):
    """Compare results by name, to ``rtol`` times the largest entry of each array."""
    assert actual.keys() == expected.keys()
    for name, value in expected.items():
        size = np.abs(value) if np.asarray(value).dtype.kind == "f" else np.zeros(0)
        scale = size[np.isfinite(size)].max(initial=0)
        np.testing.assert_allclose(
            actual[name], value, rtol=0, atol=rtol * scale, err_msg=name
        )


def _long(form):
    """A sparse form with indices of 64 bits."""

    def convert(X):
        X = form(X)
        X.indices, X.indptr = X.indices.astype(np.int64), X.indptr.astype(np.int64)
        return X

    convert.__name__ = f"long_{form.__name__}"
    return convert


def untidy(X):
    """A csr_array with zeros, each entry in two halves, and columns out of order."""
    n, d = X.shape
    data = np.repeat(X[:, ::-1] / 2, 2, axis=1).ravel()
    indices = np.tile(np.repeat(np.arange(d)[::-1], 2), n)
    return sp.csr_array((data, indices, np.arange(n + 1) * 2 * d), shape=X.shape)


SPARSE = [
    sp.csr_array, sp.csc_array, sp.csr_matrix, sp.csc_matrix,
    _long(sp.csr_array), _long(sp.csc_array), untidy,
]  # fmt: skip
