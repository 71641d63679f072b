# SPDX-License-Identifier: BSD-3-Clause
"""scikit-learn's own checks over every public estimator, found automatically."""

import numpy as np
import pytest
from sklearn.utils.estimator_checks import (
    check_param_validation,
    parametrize_with_checks,
)

from contract.discovery import estimators


@parametrize_with_checks([cls() for cls in estimators()])
def test_scikit_learn_checks(estimator, check):
    check(estimator)


@pytest.mark.parametrize("cls", estimators(), ids=lambda cls: cls.__name__)
def test_every_parameter_is_validated(cls):
    check_param_validation(cls.__name__, cls())


def test_discovery_finds_estimators():
    names = [cls.__name__ for cls in estimators()]
    assert "FisherScore" in names
    assert len(names) == len(np.unique(names))
