# SPDX-License-Identifier: BSD-3-Clause
"""Labels in every coding are read alike; one with a single value is no error."""

import warnings

import numpy as np
import pytest
import scipy.sparse as sp

from contract.cases import assert_same, make, results, samples
from contract.discovery import each, estimators, of_labels
from core.quiet import fit

_NOTHING_TO_LEARN = "at least one label with both values|target that is not constant"
# Where labels share nothing but the features: no folds, no subspace.
ROOMS = ("labelsift.selection", "labelsift.classification")


@each(of_labels())
def test_labels_with_one_value_are_told_once_and_scored_alike(cls):
    X, Y = samples(cls)
    Y = np.insert(Y, [0, 4], [0, 1], axis=1)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        model = make(cls).fit(X, Y)
    told = [str(warning.message) for warning in caught]
    assert sum("2 of 6 labels hold one value only" in text for text in told) == 1
    if hasattr(model, "decision_function"):
        scores = model.decision_function(X)
        np.testing.assert_allclose(np.ptp(scores[:, [0, 5]], axis=0), 0, atol=1e-12)
        np.testing.assert_array_equal(model.predict(X)[:, [0, 5]], [[0, 1]] * len(X))
        assert np.isfinite(scores).all()


@each([cls for cls in estimators() if cls.__module__.startswith(ROOMS)])
def test_labels_with_one_value_change_nothing_for_the_others(cls):
    X, Y = samples(cls)
    plain = fit(make(cls), X, Y)
    padded = fit(make(cls), X, np.insert(Y, [0, 4], [0, 1], axis=1))
    if hasattr(plain, "feature_order_"):
        np.testing.assert_array_equal(padded.feature_order_, plain.feature_order_)
        rounding = 1e-14 * np.abs(plain.scores_).max()
        np.testing.assert_allclose(
            padded.scores_, plain.scores_, rtol=1e-12, atol=rounding
        )
    if hasattr(plain, "decision_function"):
        others = padded.decision_function(X)[:, 1:-1]
        np.testing.assert_allclose(others, plain.decision_function(X), atol=1e-9)


@each(estimators())
def test_labels_all_with_one_value_are_refused(cls):
    X, Y = samples(cls)
    with pytest.raises(ValueError, match=_NOTHING_TO_LEARN):
        make(cls).fit(X, np.zeros_like(Y))


@each(of_labels())
def test_codings_of_labels_do_not_matter_and_come_back(cls):
    X, Y = samples(cls)
    expected = results(fit(make(cls), X, Y.astype(int)), X)
    predicted = expected.pop("predict", None)
    forms = (
        (Y.astype(bool), 0),
        (Y.tolist(), 0),
        (sp.csc_array(Y), 0),
        (2.0 * Y - 1, -1),
    )
    for labels, absent in forms:
        found = results(fit(make(cls), X, labels), X)
        if predicted is not None:
            coded = np.where(predicted, 1, absent)
            np.testing.assert_array_equal(found.pop("predict"), coded)
        assert_same(found, expected, rtol=0)
