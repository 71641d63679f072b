# SPDX-License-Identifier: BSD-3-Clause
import warnings

import numpy as np
import pytest
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from labelsift.core.warning import warn
from labelsift.selection import FisherScore


def told(call):
    """The only warning of a call."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        call()
    [warning] = caught
    return warning


def test_a_warning_outside_the_library_points_at_its_caller():
    warning = told(lambda: warn("Mind the gap.", DeprecationWarning))
    assert warning.filename == __file__
    assert warning.category is DeprecationWarning
    assert str(warning.message) == "Mind the gap."


@pytest.mark.parametrize(
    "method", ["fit", "fit_transform"], ids=["our method", "scikit-learn's"]
)
@pytest.mark.parametrize(
    "model",
    [FisherScore(9), make_pipeline(StandardScaler(), FisherScore(9))],
    ids=["selector", "pipeline"],
)
def test_a_warning_from_any_depth_points_at_the_users_line(model, method, rng):
    X, y = rng.normal(size=(20, 3)), np.arange(20) % 2
    warning = told(lambda: getattr(model, method)(X, y))
    assert "n_features_to_select=9 is more than the 3 features" in str(warning.message)
    assert warning.filename == __file__
