# SPDX-License-Identifier: BSD-3-Clause
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
