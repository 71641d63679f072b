# SPDX-License-Identifier: BSD-3-Clause
import numpy as np
import pytest

from labelsift.datasets import make_planted
from labelsift.selection import D2F, LRFS, MDMR, MRMR, PMU, SCLS
from reference.information import coded_data
from reference.mrmr import mrmr

PATHS = [MRMR, MDMR, LRFS, SCLS, D2F, PMU]


@pytest.mark.parametrize("label_density", [0.15, 0.6])
@pytest.mark.parametrize("n_bins", [2, 3, 4, 5])
def test_equals_the_reference(rng, n_bins, label_density):
    codes, Y = coded_data(rng, n_bins, label_density)
    order, _ = mrmr(codes, Y, codes.shape[1])
    selector = MRMR(1.0, discretize=None).fit(codes, Y)
    np.testing.assert_array_equal(selector.feature_order_, order)


def test_a_copy_of_the_best_feature_is_passed_over(rng):
    X = rng.integers(2, size=(400, 6)).astype(float)
    Y = np.column_stack([X[:, 0], X[:, 0], X[:, 1]]).astype(int)
    X[:, 5] = X[:, 0]
    noisy = rng.random((400, 3)) < 0.05
    selector = MRMR(6).fit(X, np.where(noisy, 1 - Y, Y))
    assert selector.feature_order_[:2].tolist() == [0, 1]


@pytest.mark.parametrize("cls", PATHS)
@pytest.mark.parametrize("how", ["quantile", "presence"])
def test_sparse_and_dense_agree(cls, how):
    planted = make_planted(n_features=40, density=0.1, random_state=0)
    planted.X.data -= 0.3
    expected = cls(20, discretize=how).fit(planted.X.toarray(), planted.Y)
    selector = cls(20, discretize=how).fit(planted.X, planted.Y)
    np.testing.assert_array_equal(selector.feature_order_, expected.feature_order_)


@pytest.mark.parametrize("cls", PATHS)
def test_names_of_codes_samples_order_and_empty_labels_do_not_matter(rng, cls):
    codes, Y = coded_data(rng, 4, 0.3)
    expected = cls(1.0, discretize=None).fit(codes, Y).feature_order_
    renamed = np.array([30, 1, 0, 7])[codes]
    shuffled = rng.permutation(len(Y))
    more = np.column_stack([1 - Y[:, :1], Y[:, 1:], np.zeros(len(Y), int)])
    for X, labels in [(renamed, Y), (codes[shuffled], Y[shuffled])]:
        selector = cls(1.0, discretize=None).fit(X, labels)
        np.testing.assert_array_equal(selector.feature_order_, expected)
    with pytest.warns(UserWarning, match="one value only"):
        selector = cls(1.0, discretize=None).fit(codes, more)
    np.testing.assert_array_equal(selector.feature_order_, expected)


@pytest.mark.parametrize("cls", PATHS)
def test_one_bin_comes_last_and_one_value_after_it(rng, cls):
    X = rng.random((80, 6))
    X[:, 1] = 3.0
    X[:, 3] = 1.0  # one sample apart, but the same in presence
    X[0, 3] = 2.0
    X[:, [0, 2, 4, 5]] *= rng.random((80, 4)) < 0.5
    Y = (rng.random((80, 3)) < 0.4).astype(int)
    order = cls(6, discretize="presence").fit(X, Y).feature_order_
    assert order[-2:].tolist() == [3, 1]


@pytest.mark.parametrize("cls", PATHS)
def test_more_bins_than_values_change_nothing(rng, cls):
    X = rng.integers(2, size=(100, 8)).astype(float)
    Y = (rng.random((100, 3)) < 0.4).astype(int)
    two = cls(8, n_bins=2).fit(X, Y).feature_order_
    for n_bins in (50, 400):
        np.testing.assert_array_equal(
            cls(8, n_bins=n_bins).fit(X, Y).feature_order_, two
        )


@pytest.mark.parametrize("cls", PATHS)
@pytest.mark.filterwarnings("ignore:LRFS ranks features")
def test_bad_input_is_told(rng, cls):
    X, Y = rng.random((20, 3)), (rng.random((20, 2)) < 0.5).astype(int)
    with pytest.raises(ValueError, match="discretize=None takes X as integer codes"):
        cls(discretize=None).fit(X, Y)
    with pytest.raises(ValueError, match="but X holds -1"):
        cls(discretize=None).fit(np.where(X < 0.5, -1, 1), Y)
    with pytest.raises(ValueError, match="'n_bins' parameter of"):
        cls(n_bins=1).fit(X, Y)
    with pytest.warns(UserWarning, match="discretize='presence' puts all samples"):
        cls(discretize="presence").fit(X, Y)
