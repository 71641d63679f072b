# SPDX-License-Identifier: BSD-3-Clause
"""A clone starts anew and ends alike; a pickle remembers everything."""

import pickle

import pytest
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.utils.validation import check_is_fitted

from contract.cases import assert_same, everything, make, samples
from contract.discovery import each, estimators
from core.quiet import fit


@each(estimators())
def test_a_clone_is_not_fitted_and_fits_alike(cls):
    X, Y = samples(cls)
    model = fit(make(cls), X, Y)
    copy = clone(model)
    assert copy.get_params() == model.get_params()
    with pytest.raises(NotFittedError):
        check_is_fitted(copy)
    assert_same(everything(fit(copy, X, Y), X), everything(model, X), rtol=0)


@each(estimators())
def test_a_pickle_remembers_everything(cls):
    X, Y = samples(cls)
    model = fit(make(cls), X, Y)
    copy = pickle.loads(pickle.dumps(model))
    assert vars(copy).keys() == vars(model).keys()
    assert_same(everything(copy, X), everything(model, X), rtol=0)
