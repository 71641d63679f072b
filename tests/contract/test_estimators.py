# SPDX-License-Identifier: BSD-3-Clause
"""scikit-learn's own checks over every public estimator, found automatically."""

import numpy as np
import pytest
from sklearn.utils.estimator_checks import (
    check_param_validation,
    parametrize_with_checks,
)

from contract.discovery import estimators, instance


def _expected_failures(estimator):
    return getattr(estimator, "expected_failed_checks", {})


@parametrize_with_checks(
    [instance(cls) for cls in estimators()],
    expected_failed_checks=_expected_failures,
)
def test_scikit_learn_checks(estimator, check):
    check(estimator)


@pytest.mark.parametrize("cls", estimators(), ids=lambda cls: cls.__name__)
def test_every_parameter_is_validated(cls):
    check_param_validation(cls.__name__, instance(cls))


@pytest.mark.parametrize("cls", estimators(), ids=lambda cls: cls.__name__)
def test_expected_failures_carry_a_reason(cls):
    for check, reason in _expected_failures(cls).items():
        assert check.startswith("check_")
        assert len(reason.split()) >= 5, f"{cls.__name__}: {check} needs a reason"


def test_discovery_finds_estimators():
    names = [cls.__name__ for cls in estimators()]
    assert "FisherScore" in names
    assert len(names) == len(np.unique(names))
