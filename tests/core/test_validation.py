# SPDX-License-Identifier: BSD-3-Clause
import re

import numpy as np
import pytest
import scipy.sparse as sp

from labelsift.core.validation import constant_columns, validate_features
from labelsift.selection import FisherScore


@pytest.mark.parametrize("form", [np.asarray, sp.csr_array, sp.csc_array])
def test_constant_columns_count_implicit_zeros(form):
    X = form(np.array([[0.0, 2, 2, 0, -1], [0, 2, 0, 0, -1], [0, 2, 0, 3, -1]]))
    np.testing.assert_array_equal(constant_columns(X), [True, True, False, False, True])


@pytest.mark.parametrize("form", [sp.csr_matrix, sp.csr_array, sp.coo_array])
def test_sparse_becomes_an_array_that_shares_its_numbers(form):
    given = form(np.eye(3))
    X = validate_features(FisherScore(), given, reset=True)
    assert isinstance(X, sp.csr_array)
    if given.format == "csr":
        assert np.shares_memory(X.data, given.data)


@pytest.mark.parametrize("bad", [np.nan, np.inf])
@pytest.mark.parametrize("form", [np.asarray, sp.csr_array])
def test_nan_and_infinity_are_refused_in_words(form, bad):
    X = np.eye(3)
    X[1, 1] = bad
    with pytest.raises(ValueError, match=r"contains (NaN|infinity)"):
        FisherScore().fit(form(X), np.eye(3))


@pytest.mark.parametrize("form", [np.asarray, sp.csr_array, sp.csc_array])
@pytest.mark.parametrize(
    ("scale", "size"),
    [(1e76, "2e+76"), (1e300, "2e+300"), (1e-77, "2e-77"), (5e-324, "1e-323")],
)
def test_a_column_whose_squares_no_float_can_hold_is_a_sentence(form, scale, size):
    X = np.array([[1.0, 0.0, 2.0], [0.0, -2.0, 1.0], [3.0, 0.0, 0.0]])
    X[:, 1] *= scale
    sentence = (
        f"Column 1 of X has values of size {size}, outside 1e-75 to 1e+75: rescale X "
        "first, for example with MaxAbsScaler."
    )
    with pytest.raises(ValueError, match=re.escape(sentence)):
        validate_features(FisherScore(), form(X), reset=True)


@pytest.mark.parametrize("form", [np.asarray, sp.csr_array, sp.csc_array])
def test_other_scales_pass(form):
    X = np.array([[1e74, 1e-74, 0.0, 1e-300], [-1e70, 0.0, 0.0, 1.0]])
    got = validate_features(FisherScore(), form(X), reset=True)
    assert (got != form(X)).sum() == 0
    small = np.full((2, 4), 1e-38, dtype=np.float32)
    assert validate_features(FisherScore(), form(small), reset=True).dtype == np.float32


def test_predictions_take_any_scale():
    X = np.array([[1e200, 1.0]])
    model = FisherScore()
    validate_features(model, np.ones((2, 2)), reset=True)
    assert validate_features(model, X, reset=False)[0, 0] == 1e200
