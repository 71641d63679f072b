# SPDX-License-Identifier: BSD-3-Clause
import numpy as np
import pytest
from sklearn.metrics import r2_score, roc_auc_score
from sklearn.model_selection import KFold

from labelsift.core.data import MultiLabelData
from labelsift.metrics import EVERY_MEASURE
from labelsift.model_selection import IterativeStratifiedKFold, make_splits
from labelsift.model_selection.target_kind import KINDS, LABELS, VALUES, check_measures


@pytest.mark.parametrize("kind", KINDS.values(), ids=KINDS)
def test_what_is_measured_judges_this_kind(kind):
    assert kind.metric in kind.measures
    check_measures([EVERY_MEASURE[name] for name in kind.measures], kind)
    other = VALUES if kind.name == "labels" else LABELS
    with pytest.raises(ValueError, match=f"judges {other.name}, but Y holds"):
        check_measures([EVERY_MEASURE[other.metric]], kind)


def test_the_quality_of_each_column(rng):
    scores, labels = rng.normal(size=(50, 3)), rng.random((50, 3)) < 0.5
    labels[:, 2] = 1
    found = LABELS.of_each(labels.astype(np.int8), scores, None)
    expected = [roc_auc_score(labels[:, j], scores[:, j]) for j in (0, 1)]
    np.testing.assert_allclose(found[:2], expected)
    assert np.isnan(found[2])
    values = scores + rng.normal(size=(50, 3))
    expected = r2_score(values, scores, multioutput="raw_values")
    np.testing.assert_allclose(VALUES.of_each(values, scores, None), expected)


def test_knowing_nothing_is_chance(rng):
    labels, values = rng.random((40, 2)) < 0.5, rng.normal(size=(40, 2))
    nothing = np.zeros((40, 2))
    assert (LABELS.of_each(labels, nothing, None) == LABELS.chance).all()
    mean = nothing + values.mean(axis=0)
    np.testing.assert_allclose(
        VALUES.of_each(values, mean, None), VALUES.chance, atol=1e-12
    )


def test_folds_of_values_are_plain(rng):
    X, Y = rng.normal(size=(30, 2)), rng.normal(size=(30, 1))
    values = MultiLabelData(X, Y, ("a", "b"), ("y",), target="values")
    labels = MultiLabelData(X, (Y > 0).astype(int), ("a", "b"), ("y",))
    plain = KFold(3, shuffle=True, random_state=4).split(X)
    stratified = IterativeStratifiedKFold(3, random_state=4).split(X, labels.Y)
    for data, expected in ((values, plain), (labels, stratified)):
        found = make_splits("3x2", data, random_state=4)
        assert len(found) == 6
        for (train, test), (own_train, own_test) in zip(found, expected, strict=False):
            np.testing.assert_array_equal(train, own_train)
            np.testing.assert_array_equal(test, own_test)


def test_codes(rng):
    assert LABELS.codes(np.array([[0, 1]]), None).tolist() == [[-1.0, 1.0]]
    values = np.column_stack([5 + 3 * rng.normal(size=20), np.full(20, 7.0)])
    codes = VALUES.codes(values, None)
    np.testing.assert_allclose(codes.std(axis=0), [1, 0], atol=1e-12)
    np.testing.assert_allclose(codes.mean(axis=0), 0, atol=1e-12)
