# SPDX-License-Identifier: BSD-3-Clause
"""scikit-learn's own checks over every public estimator, found automatically."""

import numpy as np
from sklearn.datasets import make_blobs
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import (
    check_param_validation,
    parametrize_with_checks,
)

from contract.discovery import each, public_estimators, selectors


@parametrize_with_checks([cls() for cls in public_estimators()])
def test_scikit_learn_checks(estimator, check):
    check(estimator)


@each(public_estimators())
def test_every_parameter_is_validated(cls):
    check_param_validation(cls.__name__, cls())


@each([cls for cls in selectors() if hasattr(cls, "predict")])
def test_all_features_together_tell_classes_apart(cls):
    """What scikit-learn's checks ask of a classifier that keeps all features."""
    X, y = make_blobs(n_samples=300, random_state=0)
    X = StandardScaler().fit_transform(X)
    assert cls(1.0).fit(X, y).score(X, y) > 0.83


def test_discovery_finds_estimators():
    names = [cls.__name__ for cls in public_estimators()]
    assert {"FisherScore", "TablePreparation"} <= set(names)
    assert len(names) == len(np.unique(names))
